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

const UNREACHABLE = '控制台暂时不可达'

/** Denies every dial, as long as nobody answers for the hub. */
export const denyDials: AuthorizeDial = async () => ({ ok: false, reason: UNREACHABLE })

/** The command that answers; numbers and addresses of it are this device's own. */
export async function admissionCommand(
  { cid, kid, env }: ClientNotification,
  { network, clients, pushed }: WantedProcess,
  authorizeDial: AuthorizeDial,
): Promise<string> {
  const request = toRequest(network, env)
  const verdict = await authorizeDial(request).catch(() => ({ ok: false, reason: UNREACHABLE }) as const)
  if (!verdict.ok) return denial(cid, kid, verdict.reason)
  const entry = Object.hasOwn(clients, request.name) ? clients[request.name] : undefined
  if (entry === undefined) return denial(cid, kid, UNREACHABLE) // the document is behind the hub
  const { ip, mask } = JSON.parse(entry) as AccountEntry
  return [
    `client-auth ${cid} ${kid ?? 0}`,
    `ifconfig-push ${ip} ${ipText(2 ** 32 - sizeOfMask(mask))}`,
    ...pushed,
    'END',
  ].join('\n')
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

const denial = (cid: number, kid: number | null, reason: string): string =>
  `client-deny ${cid} ${kid ?? 0} "refused" "${reason.replaceAll(UNSAFE, '').slice(0, REASON_MAX)}"`
