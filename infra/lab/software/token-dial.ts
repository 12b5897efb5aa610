import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderOpenvpnClient } from '#infra/agent/drivers/render/openvpn-client.ts'
import { toStaticKey } from '#domain/client/static-key.ts'
import { CLIENT } from '../bed/plan.ts'
import type { Lab } from '../lab.ts'
import type { Offer } from './members.ts'
import { type Output, watchOutput } from './output.ts'

/* Dials of OpenVPN itself with a name and a text as token, also those that the client program would never make. */

interface TokenDial {
  readonly name: string
  readonly token: string
  /** Answer to a refusal: the process ends, or dials again. */
  readonly afterRefusal: 'end' | 'again'
}

let dials = 0

/** Words of a dial that stands, and before the reason of one that is refused. */
export const DIALLED = 'Initialization Sequence Completed'
export const REFUSED = 'AUTH_FAILED'

/** @param offer with the servers and keys that are used */
export function startTokenDial({ bed, folder }: Lab, offer: Offer, { name, token, afterRefusal }: TokenDial): Output {
  const own = join(folder, 'dials', String(++dials))
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const file = (title: string) => join(own, title)
  const profile = renderOpenvpnClient(offer, { ca: file('ca.pem'), control: file('control.key') }, [
    `auth-user-pass ${file('token')}`,
    // `nointeract` would wait 10 s before each try, also without a refusal
    `auth-retry ${afterRefusal === 'end' ? 'none' : 'interact'}`,
    'keepalive 3 9',
  ])
  if (profile === null) throw new Error('no server of the offer has an address')
  for (const [title, text] of [
    ['ca.pem', offer.ca],
    ['control.key', toStaticKey(offer.control_key)],
    ['token', `${name}\n${token}\n`],
    ['client.conf', profile],
  ] as const)
    writeFileSync(file(title), text, { mode: 0o600 })
  return watchOutput(
    `the dial of ${name}`,
    bed.start(CLIENT, ['openvpn', '--config', file('client.conf')], { output: 'pipe' }),
  )
}

/** Address that a dial was given last, from its log; empty without one. */
export const givenAddress = (dial: Output): string =>
  dial
    .lines()
    .flatMap(({ text }) => (text.includes('PUSH_REPLY') ? (/,ifconfig ([\d.]+) /.exec(text)?.[1] ?? []) : []))
    .at(-1) ?? ''

const dialledServers = (dial: Output): readonly string[] =>
  dial.lines().flatMap(({ text }) => /link remote: \[AF_INET\]([\d.]+)/.exec(text)?.[1] ?? [])

/** Addresses of the servers that a dial tried first and last; empty before. */
export const dialledFirst = (dial: Output): string => dialledServers(dial)[0] ?? ''
export const dialledLast = (dial: Output): string => dialledServers(dial).at(-1) ?? ''
