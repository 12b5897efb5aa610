import { CLIENT_ERRORS } from '#contract/client/errors.ts'
import type { AccountEntry, WantedProcess } from './wanted.ts'
import type { ClientEnv } from './management-lines.ts'
import { ipText, sizeOfMask } from '#contract/kernel/ipv4.ts'
import type { ClientNotification } from './managed-tunnel.ts'

/* Admission of software members: commands of the management interface that answer a dial. */

/** Dial of a software member, as the hub is asked for it. All values come from outside. */
export interface DialRequest {
  readonly network: string
  readonly name: string
  readonly secret: string
  /** `authenticated`: a reconnect with a token of this server. */
  readonly session: 'initial' | 'authenticated'
  readonly remote: string
  readonly system: string
  readonly version: string
}

/** Decides on a dial; the reason is a sentence for the person who dials. */
export type AuthorizeDial = (
  request: DialRequest,
) => Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>

/** Answer to a dial: a command, and the name of the member if it is admitted. */
export interface Admission {
  readonly command: string
  readonly admitted: string | null
}

/** Answers a dial; numbers and addresses of the command are this device's own. */
export async function decideAdmission(
  { cid, kid, env }: ClientNotification,
  { network, clients, pushed }: WantedProcess,
  authorizeDial: AuthorizeDial,
): Promise<Admission> {
  const request = toRequest(network, env)
  const verdict = await authorizeDial(request)
  if (!verdict.ok) return denial(cid, kid, verdict.reason)
  const entry = Object.hasOwn(clients, request.name) ? clients[request.name] : undefined
  if (entry === undefined) return denial(cid, kid, CLIENT_ERRORS.DIAL_PENDING.msg) // the document is behind the hub
  const { ip, mask } = JSON.parse(entry) as AccountEntry
  const command = [
    `client-auth ${cid} ${kid ?? 0}`,
    `ifconfig-push ${ip} ${ipText(2 ** 32 - sizeOfMask(mask))}`,
    ...pushed,
    'END',
  ].join('\n')
  return { command, admitted: request.name }
}

function toRequest(network: string, env: ClientEnv): DialRequest {
  const text = (name: string) => env.get(name) ?? ''
  return {
    network,
    name: text('username'),
    secret: text('password'),
    session: text('session_state') === 'Authenticated' ? 'authenticated' : 'initial',
    remote: text('untrusted_ip') || text('trusted_ip'),
    system: text('IV_PLAT'),
    version: text('IV_VER'),
  }
}

/** Control characters, quotes and backslashes would end or change the command. */
const UNSAFE = /[\p{Cc}"\\]/gu
const REASON_MAX = 100

const denial = (cid: number, kid: number | null, reason: string): Admission => ({
  command: `client-deny ${cid} ${kid ?? 0} "refused" "${reason.replaceAll(UNSAFE, '').slice(0, REASON_MAX)}"`,
  admitted: null,
})
