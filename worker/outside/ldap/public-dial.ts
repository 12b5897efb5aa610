import { connect } from 'cloudflare:sockets'
import { createResolver } from '#outside/dns-over-https.ts'
import { createOutbound } from '#outside/outbound.ts'
import { createDirectDial } from './dial-direct.ts'
import type { Dial } from '#outside/tls/pipe.ts'

/** Dial of public mode, with DNS over HTTPS. It accepts a literal address only if `certificateName` resolves to it. */
export function createPublicDial(env: Env, certificateName: string): Dial {
  const outbound = createOutbound(env)
  const resolve = createResolver(async (query) => {
    return (await outbound.toProvider('DNS', query, { headers: { accept: 'application/dns-json' } })).json()
  })
  return createDirectDial(env, { resolve, connect }, certificateName)
}
