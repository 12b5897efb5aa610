import type { AccountHubRpc, Viewer } from '../../worker/contract/hubs.ts'
import { PRESENCE } from '../../worker/contract/limits.ts'
import { coversAnyNetwork } from '../../worker/contract/permissions.ts'
import { CLOSE } from '../../worker/contract/protocol.ts'
import { mapLimit } from '../../worker/db/map-limit.ts'
import { SingleFlight, Throttle } from '../async.ts'
import { FailureLog, logFault } from '../fault-log.ts'
import { Hub } from '../hub.ts'
import type { ViewerBody } from '../viewers.ts'
import { readAccount, readPresentRouters } from './database.ts'
import { ENDED_MS, SessionRegister, type WatchedHub, loadLeaseCursor, saveLeaseCursor } from './storage.ts'

type RouterChange = Parameters<AccountHubRpc['routerChanged']>[0]

/** Hubs called at the same time. */
const CONCURRENCY = 20

/** One per account: its open consoles, the unread count, and the register of which session watches which hub. */
export class AccountHub extends Hub implements AccountHubRpc {
  private sessions: SessionRegister
  private readonly changes = new Map<string, RouterChange>()
  private readonly routerFrames = new Throttle(() => this.sendRouters())
  private readonly reading: SingleFlight
  private unread: number | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, 'account')
    const log = new FailureLog(ctx, 'read')
    this.reading = new SingleFlight(() => log.watch(() => this.read()))
    this.sessions = new SessionRegister(ctx.storage.sql)
  }

  // RPC

  async routerChanged(change: RouterChange): Promise<void> {
    if (this.viewers.sockets().length === 0) return
    this.changes.set(change.routerName, change)
    this.routerFrames.trigger()
  }

  /** Throws where a hub did not answer, so that the hub outbox delivers again. */
  async refresh(): Promise<void> {
    const before = this.unread
    await this.reading.run()
    await this.closeEnded()
    if (this.unread !== before && this.viewers.sockets().length > 0) this.broadcast(this.accountFrame())
  }

  async watching(entry: Parameters<AccountHubRpc['watching']>[0]): Promise<boolean> {
    const { sessionId, kind, hub, on } = entry
    const now = Date.now()
    if (on) this.sessions.watch(sessionId, kind, hub, now)
    else this.sessions.unwatch(sessionId, hub)
    return !this.sessions.hasEnded(sessionId, now)
  }

  // Viewers

  protected override viewerState(): readonly ViewerBody[] {
    return [this.accountFrame()]
  }

  protected override async prepare(viewer: Viewer | null): Promise<void> {
    if (viewer || this.unread === null) await this.reading.run()
    if (viewer) this.ctx.waitUntil(this.closeEnded().catch((error: unknown) => logFault(this.hub, 'sessions', error)))
  }

  /** Its own register, without a call to itself. */
  protected override register(_: Viewer, entry: Parameters<AccountHubRpc['watching']>[0]): Promise<boolean> {
    return this.watching(entry)
  }

  /** An open console shows every router of the account, so that their leases are checked as those of watched ones. */
  protected override async onAlarm(): Promise<void> {
    if (this.viewers.sockets().length === 0) return
    await this.checkLeases().catch((error: unknown) => logFault(this.hub, 'leases', error))
  }

  protected override dueTimes(): readonly (number | null)[] {
    return [this.viewers.sockets().length > 0 ? Date.now() + PRESENCE.consoleCheckMs : null]
  }

  /** One page an alarm: in an account of more routers a router's turn comes with a later alarm. */
  private async checkLeases(): Promise<void> {
    const cursor = loadLeaseCursor(this.ctx.storage)
    const page = await readPresentRouters(this.env, this.hub, cursor, PRESENCE.consoleCheckPage)
    const isLast = page.length < PRESENCE.consoleCheckPage
    const next = isLast ? 0 : (page.at(-1)?.id ?? 0)
    if (next !== cursor) saveLeaseCursor(this.ctx.storage, next)
    await mapLimit(page, CONCURRENCY, ({ hub }) => this.hubs.router(hub).checkLease())
  }

  private accountFrame(): ViewerBody {
    return { type: 'account', data: { unread: this.unread ?? 0 } }
  }

  private sendRouters(): void {
    const changes = [...this.changes.values()]
    this.changes.clear()
    // Sent even when empty, so that `seq` has no gap.
    this.broadcast(({ grants }) => ({
      type: 'routers',
      data: changes
        .filter(({ networkNumbers }) => coversAnyNetwork(grants, networkNumbers))
        .map(({ routerName, presence, config }) => ({ router_name: routerName, presence, config })),
    }))
  }

  // Rows

  private async read(): Promise<void> {
    const read = await readAccount(this.env, this.hub, this.sessions.watchingSessions(), Date.now() - ENDED_MS)
    if (!read) return this.deleteAll(CLOSE.sessionEnded, 'not allowed')
    await this.setOwner(read.accountId)
    this.unread = read.unread
    this.sessions.markEnded(read.endedSessions, Date.now())
    this.viewers.end(read.endedSessions)
  }

  private async closeEnded(): Promise<void> {
    const results = await mapLimit(this.sessions.hubsOfEnded(), CONCURRENCY, (watched) => this.endSessionsOn(watched))
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }

  private async endSessionsOn({ kind, hub, sessionIds }: WatchedHub): Promise<void> {
    if (kind === 'account') this.viewers.end(sessionIds)
    else await this.hubs[kind](hub).endSessions(sessionIds)
    for (const sessionId of sessionIds) this.sessions.unwatch(sessionId, hub)
  }

  protected override reset(): void {
    this.sessions = new SessionRegister(this.ctx.storage.sql)
    this.changes.clear()
    this.unread = null
  }
}
