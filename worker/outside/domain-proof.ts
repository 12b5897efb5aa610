import * as z from 'zod'
import type { DomainPort } from '../contract/outside.ts'
import { isPublicHostName } from '../domain/outbound/host-name.ts'
import { isPublicAddress } from '../domain/outbound/public-address.ts'
import { timingSafeEqual } from '../security/secrets.ts'
import { type Resolver, createResolver } from './dns-over-https.ts'
import { createOutbound } from './outbound.ts'
import type { ProviderEnv } from './outbound-url.ts'

const HOPS = 3
const MAX_BYTES = 4_096
const TIMEOUT_MS = 8_000

interface Ports {
  readonly resolve: Resolver
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Texts of a name's TXT records. */
  readonly texts: (name: string) => Promise<readonly string[]>
}

const reply = z.object({ Answer: z.array(z.object({ type: z.int(), data: z.string() })).optional() })
const TXT = 16 // RFC 1035

/** Looks for a file at the root of a domain, by https and else by http, and for a TXT record. */
export function createDomainProof(env: ProviderEnv, given: Partial<Ports> = {}): DomainPort {
  const outbound = createOutbound(env)
  const ask = async (query: `?${string}`) =>
    (await outbound.toProvider('DNS', query, { headers: { accept: 'application/dns-json' } })).json()
  const ports: Ports = {
    resolve: createResolver(ask),
    fetch: (url, init) => fetch(url, init),
    texts: async (name) => {
      const { data } = reply.safeParse(await ask(`?${new URLSearchParams({ name, type: 'TXT' })}`))
      return (data?.Answer ?? []).filter(({ type }) => type === TXT).map(({ data: text }) => text.replaceAll('"', ''))
    },
    ...given,
  }
  return {
    async isProved({ domain, fileName, token }) {
      if (!isPublicHostName(domain)) return false
      const tries = [
        () => readFile(ports, `https://${domain}/${fileName}`, domain),
        () => readFile(ports, `http://${domain}/${fileName}`, domain),
      ]
      for (const read of tries) if (isToken(await read().catch(() => null), token)) return true
      const texts = await ports.texts(domain).catch(() => [])
      return texts.some((text) => isToken(text, token))
    },
  }
}

const isToken = (text: string | null, token: string): boolean => text !== null && timingSafeEqual(text.trim(), token)

/** The body of a plain 200, or null. Redirects stay on the domain or its www, and each is checked like the first address. */
async function readFile({ resolve, fetch: send }: Ports, url: string, domain: string): Promise<string | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let next: URL | null = new URL(url)
  for (let hop = 0; next && hop <= HOPS; hop++) {
    if (!(await isAllowed(next, domain, resolve, signal))) return null
    const response = await send(next.href, { redirect: 'manual', signal, headers: { 'user-agent': 'Netloom' } })
    if (response.status === 200) return readStart(response)
    await response.body?.cancel()
    const isRedirect = response.status >= 301 && response.status <= 308
    next = isRedirect ? URL.parse(response.headers.get('location') ?? '', next.href) : null
  }
  return null
}

async function isAllowed({ protocol, hostname, port }: URL, domain: string, resolve: Resolver, signal: AbortSignal) {
  const bare = (name: string) => name.replace(/^www\./, '')
  if (!['https:', 'http:'].includes(protocol) || port !== '' || bare(hostname) !== bare(domain)) return false
  if (!isPublicHostName(hostname)) return false
  const addresses = await resolve(hostname, signal)
  return addresses.length > 0 && addresses.every(isPublicAddress)
}

/** Null for a longer body than a token's file has. */
async function readStart({ body }: Response): Promise<string | null> {
  const reader = body?.getReader()
  if (!reader) return ''
  const parts: Uint8Array[] = []
  for (let length = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return new TextDecoder().decode(Buffer.concat(parts))
    length += value.length
    if (length > MAX_BYTES) {
      await reader.cancel()
      return null
    }
    parts.push(value)
  }
}
