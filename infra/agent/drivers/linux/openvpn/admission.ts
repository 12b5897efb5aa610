import { CLIENT, DIAL_TOKEN } from '#contract/client/limits.ts'
import { dialRetryS } from '#domain/client/dial.ts'
import { type DialDecision, type Dialling, refuseDial } from '#infra/agent/reports/dial-requests.ts'
import type { DialSession, DialSessions } from './dial-sessions.ts'
import type { AccountEntry, WantedProcess } from './wanted.ts'
import type { ClientEnv } from './management-lines.ts'
import { ipText, sizeOfMask } from '#contract/kernel/ipv4.ts'
import type { ClientNotification } from './managed-tunnel.ts'
import { takesTemporaryFailure, toTemporaryFailure } from './temporary-failure.ts'

/* Admission of software members: commands of the management interface that answer a dial. */

/** Decides on a dial. Never rejects. */
export type AuthorizeDial = (dialling: Dialling) => Promise<DialDecision>

/** Denies every dial, while nobody answers for the hub. */
export const denyDials: AuthorizeDial = async () => refuseDial('DIAL_AWAY')

interface AdmissionSources {
  readonly authorizeDial: AuthorizeDial
  /** Epoch ms since which a member has its entry; rejects without one. */
  entryTime(name: string): Promise<number>
  readonly sessions: Pick<DialSessions, 'find' | 'add' | 'endings'>
}

/** Answer to a dial: a command, and the name of the member if it is admitted. */
export interface Admission {
  readonly command: string
  readonly admitted: string | null
}

/** Answers a dial; numbers and addresses of the command are this device's own. */
export async function decideAdmission(
  client: ClientNotification,
  { network, clients, pushed }: WantedProcess,
  { authorizeDial, entryTime, sessions }: AdmissionSources,
): Promise<Admission> {
  const dialling = toDialling(network, client.env)
  const { name, session: id, renewed } = dialling
  const entry = Object.hasOwn(clients, name) ? clients[name] : undefined
  const known = await findSession(dialling, entry === undefined ? null : () => entryTime(name), sessions)
  if (known === 'over') return deny(client, refuseDial('DIAL_TOKEN_EXPIRED'))
  const { profile = null, version = null } = known ?? {}
  const endings = sessions.endings(network, name)
  const verdict = await authorizeDial({ ...dialling, profile, credential_version: version })
  if (!verdict.ok) return deny(client, verdict)
  // a member whose sessions ended while the hub was asked dials anew
  if (renewed && sessions.find(id) === null) return deny(client, refuseDial('DIAL_TOKEN_EXPIRED'))
  const isOver = !renewed && sessions.endings(network, name) !== endings
  // the document is behind the hub, or the hub has answered by an earlier one
  if (entry === undefined || isOver) return deny(client, refuseDial('DIAL_PENDING'))
  if (id !== '') sessions.add(known ?? toSession(network, dialling, verdict))
  return { command: renderAdmission(client, entry, pushed), admitted: name }
}

/** Command that lets a client in, with address and options of the document. */
function renderAdmission({ cid, kid }: ClientNotification, entry: string, pushed: readonly string[]): string {
  const { ip, mask } = JSON.parse(entry) as AccountEntry
  const address = `ifconfig-push ${ip} ${ipText(2 ** 32 - sizeOfMask(mask))}`
  return [`client-auth ${cid} ${kid ?? 0}`, address, ...pushed, 'END'].join('\n')
}

type NamedDialling = Dialling & { readonly session: string }

/** Session that is renewed, null for a new dial; `over` for one that nobody knows, or that began before the member's entry. */
async function findSession(
  { network_number: network, name, session, renewed, secret }: NamedDialling,
  entryTime: (() => Promise<number>) | null,
  sessions: AdmissionSources['sessions'],
): Promise<DialSession | null | 'over'> {
  if (!renewed) return secret.startsWith(SESSION) ? 'over' : null
  const known = sessions.find(session)
  if (known?.network !== network || known.name !== name) return 'over'
  return entryTime !== null && sessionBegin(secret) < (await entryTime()) ? 'over' : known
}

const toSession = (
  network: string,
  { session: id, name }: NamedDialling,
  { profile = null, credential_version: version = null }: DialDecision,
): DialSession => ({ id, network, name, profile, version })

/** Values of the client, cut to what a frame takes. */
function toDialling(network: string, env: ClientEnv): NamedDialling {
  const text = (name: string, max: number) => (env.get(name) ?? '').slice(0, max)
  const platform = text('IV_PLAT', PLATFORM_MAX)
  return {
    network_number: network,
    name: text('username', NAME_MAX),
    secret: text('password', DIAL_TOKEN.textMax),
    renewed: text('session_state', NAME_MAX) === 'Authenticated',
    session: sessionIdOf(env),
    remote: text('untrusted_ip', ADDRESS_MAX) || text('trusted_ip', ADDRESS_MAX),
    os: SYSTEMS.get(platform) ?? platform,
    version: text('IV_VER', CLIENT.versionMax),
  }
}

/** Start of OpenVPN's own token of a session. That of another centre is no guess: its client drops it and dials by its token of the service. */
const SESSION = 'SESS_ID_AT_'
/** Bytes of the id in that token, which its begin follows in seconds, big endian (auth_token.c of OpenVPN 2.6). */
const SESSION_ID_BYTES = 12

/** Id of the session: OpenVPN names it from the first dial on. '' for none. */
export const sessionIdOf = (env: ClientEnv): string => (env.get('session_id') ?? '').slice(0, NAME_MAX)

/** Begin of the session of OpenVPN's own token, epoch ms, in whole seconds; 0 for another text. Pure. */
export function sessionBegin(secret: string): number {
  const bytes = Buffer.from(secret.startsWith(SESSION) ? secret.slice(SESSION.length) : '', 'base64')
  return bytes.length < SESSION_ID_BYTES + 8 ? 0 : Number(bytes.readBigInt64BE(SESSION_ID_BYTES)) * 1_000
}

const NAME_MAX = 64
const ADDRESS_MAX = 45
const PLATFORM_MAX = 16
/** Names of systems as the service has them. */
const SYSTEMS: ReadonlyMap<string, string> = new Map([
  ['win', 'windows'],
  ['mac', 'macos'],
])

/** Control characters, quotes and backslashes would end or change the command. */
const UNSAFE = /[\p{Cc}"\\]/gu
const REASON_MAX = 100

/** A client that may try again later is not ended, where its OpenVPN knows such refusals. */
function deny({ cid, kid, env }: ClientNotification, { reason, cause = '' }: DialDecision): Admission {
  const sentence = reason.replaceAll(UNSAFE, '').slice(0, REASON_MAX)
  const retryS = takesTemporaryFailure(env) ? dialRetryS(cause, cid) : null
  const text = retryS === null ? sentence : toTemporaryFailure(sentence, retryS)
  return { command: `client-deny ${cid} ${kid ?? 0} "refused" "${text}"`, admitted: null }
}
