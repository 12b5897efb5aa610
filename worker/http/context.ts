import { type ErrorKey, refuse } from '#contract/kernel/errors.ts'
import type { HubKind, HubName, Hubs, OutboxEntry, UpgradeIdentity } from '#contract/kernel/hubs.ts'
import type { Outside } from '#contract/kernel/outside.ts'
import type { Passwords } from '#contract/kernel/passwords.ts'
import type { Db } from '#db/client.ts'
import type { Statement } from '#db/driver.ts'
import type { Violation } from '#contract/kernel/result.ts'
import type { ClientSession, Session } from '#contract/kernel/session.ts'
import type { StatusPort } from '#contract/kernel/status.ts'
import type { Operator } from '#security/operator-tokens.ts'
import type { LimitedCall } from '#contract/kernel/limits.ts'
import type { NetworkImpact } from '#contract/network/changes.ts'

/* Context of a request for use cases: caller, database, hubs, files, the outside, time, client address. */

/** Everything that a use case may touch. It is built once per request; tests build their own. */
export interface Ctx {
  /** Null without a session (public, operator and device endpoints). */
  readonly session: Session | null
  /** Signed-in software member, at endpoints of the client application. */
  readonly client: ClientSession | null
  /** Holder of the operator token, at endpoints of the operator. */
  readonly operator: Operator | null
  readonly db: Db
  readonly hubs: LiveHubs
  readonly outside: Outside
  readonly passwords: Passwords
  /** Counters and the probe of a hub. They wait for no check: the operator asks while the database is away. */
  readonly status: StatusPort
  readonly files: FileBucket
  readonly env: Pick<
    Env,
    | 'ENVIRONMENT'
    | 'JWT_KEYS'
    | 'TICKET_KEYS'
    | 'HMAC_SECRET'
    | 'SEAL_KEYS'
    | 'HUB_PLACE'
    | 'CAPTCHA_MODE'
    | 'CF_VERSION_METADATA'
    | 'DEVICE_ENTRIES'
    | 'DEVICE_RELAYS'
    | 'LOCAL_ORIGIN'
    | 'EGRESS_PROXY_BASE'
    | 'EGRESS_ADDRESS'
  >
  /** Epoch milliseconds, the same through the whole request. */
  readonly now: number
  readonly ip: string
  /** Address block of `ip` for limits (domain/login/address-block.ts). */
  readonly ipBlock: string
  /** Wider block that one customer may own: the /48 of an IPv6 address. */
  readonly ipWideBlock: string
  /** Place of the address in words; '' if the platform does not name it. For an unknown address it is the address block. */
  readonly place: string
  readonly ipRegion: string
  readonly hostname: string
  readonly userAgent: string
  readonly requestId: string
  /** Host of the request in infra/hosts.json, or `unlisted` (domain/site/brand.ts). It decides the brand. */
  readonly host: string
  /** Counts a call for the platform's limits, by default of the address block. False beyond the limit, null without one. */
  readonly countCall: (call: LimitedCall, key?: string) => Promise<boolean | null>
  /** Committed entries of the hub outbox (db/hub-outbox.ts `notifyHubs`), delivered after the answer. */
  readonly hubOutbox: OutboxEntry[]
  /** Set in a dry run: settings are decided but not written, and the effect of the write is reported here. */
  readonly dryRun?: (impact: NetworkImpact) => void
  /** Work that may go on after the answer. Its failure is logged, never answered. */
  waitUntil(work: Promise<unknown>): void
  /** The same for work that starts only after the answer, so that its cost does not show in the time of the answer. */
  afterAnswer(start: () => Promise<unknown>): void
  setCookie(header: string): void
  readonly cookies: Readonly<Record<string, string>>
}

/** Object store operations open to use cases. */
export type FileBucket = Pick<R2Bucket, 'get' | 'put' | 'list' | 'delete'>

/** Hubs with the one call that the kernel cannot type: an upgrade, which answers with the client's end of the socket. */
export interface LiveHubs extends Hubs {
  connect(kind: HubKind | 'directory', hub: HubName, identity: UpgradeIdentity): Promise<Response>
}

export interface HonoEnv {
  Bindings: Env
  Variables: {
    ctx: Ctx
    requestId: string
    /** Wire code of the answer. */
    code: number
    /** Key of a refusal. */
    reason: ErrorKey | undefined
    /** Round trips to the database so far, and those of them to a copy near the caller. */
    trips: number
    nearTrips: number
    /** Calls of hubs so far. */
    hubCalls: number
    /** True for an endpoint whose reads a copy may answer. */
    isNearEndpoint: boolean
    /** Bookmark from which a copy may answer; undefined: the primary answers. */
    since: string | undefined
    /** Newest bookmark of the trips so far. */
    bookmark: string | undefined
    tokenFault: Violation
    /** True for an endpoint that is not public: the first round trip checks the session row. */
    isClosed: boolean
    /** True for a write: the same trip counts it in the budget of the session. */
    isMetered: boolean
    /** Statements in front of the first round trip if there is no session to check. */
    entryChecks: readonly Statement[] | undefined
  }
}

/** Signed-in caller of an endpoint that is not public. */
export function requireSession(ctx: Ctx): Session {
  return ctx.session ?? refuse('TOKEN_BAD')
}

/** Software member that calls an endpoint of the client application. */
export const requireClient = (ctx: Ctx): ClientSession => ctx.client ?? refuse('TOKEN_BAD')

export const requireAccountId = (ctx: Ctx): number => requireSession(ctx).accountId
