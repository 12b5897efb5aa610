import { refuse } from '#contract/kernel/errors.ts'
import type { HubKind, HubName, Hubs, OutboxEntry, UpgradeIdentity } from '#contract/kernel/hubs.ts'
import type { Outside } from '#contract/kernel/outside.ts'
import type { Passwords } from '#contract/kernel/passwords.ts'
import type { Db } from '#db/client.ts'
import type { Statement } from '#db/driver.ts'
import type { Violation } from '#contract/kernel/result.ts'
import type { ClientSession, Session } from '#contract/kernel/session.ts'
import type { NetworkImpact } from '#contract/network/changes.ts'

/** Everything a use case may touch. Built once per request; tests build their own. */
export interface Ctx {
  /** Null without a session (public, operator and device endpoints). */
  readonly session: Session | null
  /** A software member, at endpoints of the client application. */
  readonly client: ClientSession | null
  readonly db: Db
  readonly hubs: LiveHubs
  readonly outside: Outside
  readonly passwords: Passwords
  readonly files: FileBucket
  readonly env: Pick<
    Env,
    | 'ENVIRONMENT'
    | 'JWT_KEYS'
    | 'HMAC_SECRET'
    | 'SEAL_KEYS'
    | 'HUB_PLACE'
    | 'LOCAL_ORIGIN'
    | 'EGRESS_PROXY_BASE'
    | 'EGRESS_ADDRESS'
  >
  /** Epoch milliseconds, the same through the whole request. */
  readonly now: number
  readonly ip: string
  /** The same for limits (domain/login/address-block.ts). */
  readonly ipBlock: string
  /** The same over all blocks that one customer may be given: of IPv6 the /48. */
  readonly ipWideBlock: string
  /** The place of the address in words, '' where the platform does not name it; of an unknown one the block of addresses. */
  readonly place: string
  readonly ipRegion: string
  /** Name of the host that was asked. */
  readonly hostname: string
  readonly userAgent: string
  readonly requestId: string
  /** The host asked, as infra/hosts.json lists it, or `unlisted` (domain/site/brand.ts): whose brand a visitor sees. */
  readonly host: string
  /** Hub outbox entries that were committed (db/hub-outbox.ts `notifyHubs`); delivered behind the answer. */
  readonly hubOutbox: OutboxEntry[]
  /** Settings are decided, not written: what the write would move is reported here. */
  readonly dryRun?: (impact: NetworkImpact) => void
  /** Work that may go on after the answer; its failure is logged, never answered. */
  waitUntil(work: Promise<unknown>): void
  /** The same for work that must not start before the answer has left, so that its cost does not show in the answer's time. */
  afterAnswer(start: () => Promise<unknown>): void
  setCookie(header: string): void
  readonly cookies: Readonly<Record<string, string>>
}

/** Object store operations open to use cases. */
export type FileBucket = Pick<R2Bucket, 'get' | 'put' | 'list' | 'delete'>

/** The hubs, with the one call that the kernel cannot type: an upgrade answers with the client's half of the socket. */
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
    /** Round trips to the database so far. */
    trips: number
    tokenFault: Violation
    /** Not for everybody: the session row is checked in the first round trip. */
    isClosed: boolean
    /** A write: counts for the session's budget in the same trip. */
    isMetered: boolean
    /** Statement ahead of the first round trip where there is no session to check. */
    entryCheck: Statement | undefined
  }
}

/** The signed-in caller of an endpoint whose access is not public. */
export function requireSession(ctx: Ctx): Session {
  return ctx.session ?? refuse('TOKEN_BAD')
}

/** The software member that calls an endpoint of the client application. */
export const requireClient = (ctx: Ctx): ClientSession => ctx.client ?? refuse('TOKEN_BAD')

export const requireAccountId = (ctx: Ctx): number => requireSession(ctx).accountId
