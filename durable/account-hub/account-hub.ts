import type { MemberPaths, NetworkHealth } from '#contract/kernel/health.ts'
import type {
  AccountHubRpc,
  DirectoryTrouble,
  HealthAnswer,
  HealthQuestion,
  HubName,
  NetworkHealthReport,
  OutboxEntry,
  SessionState,
  StateMove,
  Viewer,
} from '#contract/kernel/hubs.ts'
import { HEALTH, HUB_READ, PRESENCE, SILENT_HUB, TICKET_FRAMES } from '#contract/kernel/hub-limits.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { within, mapLimit } from '#db/concurrency.ts'
import { SingleFlight, Throttle } from '#durable/async.ts'
import type { WaitingHub } from '#durable/database-away.ts'
import { FailureLog, logFault } from '#durable/fault-log.ts'
import { Hub, requireLocal } from '#durable/hub.ts'
import type { ViewerBody } from '#durable/viewers.ts'
import { movesAfterSilence } from '#domain/health/history.ts'
import { isPresent, stableState } from '#domain/health/member.ts'
import { noConfig, toConfigView, toPresenceView } from '#domain/router/presence.ts'
import { ALERT } from '#contract/monitor/alert.ts'
import type { AlertQuestion, AlertTask, DeliveryQuestion } from '#contract/monitor/index.ts'
import type { RouterSave, SaveAnswer } from '#contract/router/saves.ts'
import { openPrimary } from '#db/client.ts'
import { saveRouters } from '#features/router/sql/saves.ts'
import { Alerts } from './alerts/alerts.ts'
import { ClientNotices } from './client-notices.ts'
import {
  type PresentRouter,
  type SilentRouter,
  markUnreadable,
  readAccount,
  readMovedClients,
  readPresentRouters,
  saveNotified,
} from './database.ts'
import { type RouterChange, networksFrame, routersFrame, ticketsFrame, TicketChanges } from './frames.ts'
import { HealthStore, NO_SETTINGS } from './health-store.ts'
import { LeaseSweep } from './lease-sweep.ts'
import { OutboxDelivery } from './outbox-delivery.ts'
import { RouterSaves } from './router-saves.ts'
import { SilentHubs } from './silent-hubs.ts'
import { DatabaseRetries } from './database-retries.ts'
import { ENDED_MS, SessionRegister } from './storage.ts'
import { UnreadCounts } from './unread-counts.ts'

/* Durable Object, one per account: open consoles, unread counts, health, alerts, and sessions that watch hubs. */

type Networks = AlertTask['networks']

const CONCURRENCY = 20 // hubs called at the same time

export class AccountHub extends Hub implements AccountHubRpc {
  private sessions: SessionRegister
  private readonly changes = new Map<string, RouterChange>()
  private readonly routerFrames = new Throttle(() => this.sendRouters())
  private healthStore: HealthStore
  private readonly healthChanges = new Map<string, NetworkHealth>()
  private readonly networkFrames = new Throttle(() => this.sendNetworks())
  private readonly reading: SingleFlight
  private readonly deliveries: OutboxDelivery
  private readonly saves: RouterSaves
  private readonly leases: LeaseSweep
  private silent: SilentHubs
  private retries: DatabaseRetries
  private readonly clients: ClientNotices
  private monitor: Alerts
  private readonly unread: UnreadCounts
  private readonly tickets = new TicketChanges()
  /** Time at which a question for a session began a read last: not each may ask a database that is away. */
  private readForSessionAt = -Infinity
  /** Time at which somebody took over a row that needs attention last. */
  private handledAt: number | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, 'account')
    const log = new FailureLog(ctx, 'read')
    this.reading = new SingleFlight(() => log.watch(() => this.read()))
    this.sessions = new SessionRegister(ctx.storage)
    this.unread = new UnreadCounts(ctx.storage)
    this.healthStore = new HealthStore(ctx.storage.sql)
    this.deliveries = new OutboxDelivery({
      env,
      hub: ctx.id.name ?? '',
      hubs: this.hubs,
      waitUntil: (work) => ctx.waitUntil(work),
    })
    this.saves = new RouterSaves({
      hub: ctx.id.name ?? '',
      write: (saves) => saveRouters(openPrimary(env), saves, Date.now()),
      deliver: (entries) => this.deliveries.add(entries),
      leave: (hub) => this.retries.add({ kind: 'router', hub }, Date.now()),
      waitUntil: (work) => ctx.waitUntil(work),
    })
    this.monitor = this.createAlerts()
    this.silent = this.createSilentHubs()
    this.retries = this.createRetries()
    this.clients = new ClientNotices({
      hubs: this.hubs,
      read: (afterId, limit) => readMovedClients(env, this.hub, afterId, limit),
      save: (clients) => saveNotified(env, clients),
      onMoved: ({ hub, seenIn }, { routerName, presence }, move) => {
        if (move) this.healthStore.addClientMoves(hub, [move], Date.now())
        this.showRouter({ routerName, seenIn: [...seenIn], presence, config: noConfig })
      },
    })
    this.leases = new LeaseSweep({
      storage: ctx.storage,
      read: (afterId, limit) => readPresentRouters(env, this.hub, afterId, limit),
      check: (routers) => this.checkLeases(routers),
      linked: () => this.healthStore.linked(),
    })
  }

  private createAlerts(): Alerts {
    const { ctx, env } = this
    const onFault = (error: unknown) => logFault(this.hub, 'alerts', error)
    const runInBackground = (work: Promise<unknown>) => ctx.waitUntil(work.catch(onFault))
    return new Alerts({
      env,
      hub: ctx.id.name ?? '',
      storage: ctx.storage,
      waitUntil: runInBackground,
      onChanged: () => runInBackground(this.schedule()),
      onMessages: () => runInBackground(this.refresh()),
      onAcknowledged: () => this.broadcast({ type: 'attention' }),
      summaries: () => this.healthStore.summaries(),
    })
  }

  private createSilentHubs(): SilentHubs {
    const { ctx, env } = this
    return new SilentHubs({
      storage: ctx.storage,
      release: env.CF_VERSION_METADATA?.id,
      check: (hub, isShown) => this.hubs.router(hub).checkLease(false, isShown),
      mark: (hubs, now) => markUnreadable(env, this.hub, hubs, now),
      show: (router) => this.showUnreadable(router),
      onChanged: () => ctx.waitUntil(this.schedule()),
    })
  }

  private createRetries(): DatabaseRetries {
    return new DatabaseRetries({
      sql: this.ctx.storage.sql,
      retry: ({ kind, hub }) => this.hubs[kind](hub).retryDatabase(),
      onChanged: () => this.ctx.waitUntil(this.schedule()),
    })
  }

  // RPC

  /** Throws if the transitions could not be stored, so that the router's outbox repeats them. */
  async routerChanged(change: Parameters<AccountHubRpc['routerChanged']>[0]): Promise<void> {
    const { routerHub, missing = [], unsupported } = change // a hub of the release before names none
    this.silent.forget([routerHub])
    const known = movesAfterSilence(this.healthStore.lastState(routerHub), change, Date.now())
    const isKept = known.length + missing.length + unsupported.length > 0 && (await this.isOwned())
    if (!this.monitor.isReady || this.row.isMissing) await this.readFor(change)
    // No await between them: known transitions and the alerts that they make are stored together.
    const fresh = isKept ? this.healthStore.addMoves(routerHub, known, Date.now()) : []
    const isIdle = this.leaseCheckMs() === PRESENCE.idleCheckMs
    const isHastened = !isIdle && fresh.some(({ to }) => to === 'offline')
    if (isHastened) this.leases.hasten(Date.now())
    const isHere = isKept && isPresent(change.presence.state)
    if (isHere) this.leases.notePresent()
    this.monitor.routerChanged(change, fresh, Date.now())
    this.healthStore.saveSettings(routerHub, isKept ? { missing, unsupported } : NO_SETTINGS)
    this.showRouter(change)
    if (isHere || isHastened) await this.schedule()
  }

  /** Consoles see the change also while the rows cannot be read. */
  private async readFor(change: RouterChange): Promise<void> {
    try {
      await this.reading.run()
    } catch (error) {
      this.showRouter(change)
      throw error
    }
  }

  async saveRouter(save: RouterSave): Promise<SaveAnswer> {
    return this.saves.save(save)
  }

  /** A hub of the release before names no kind. */
  async databaseAway(hub: HubName, kind: WaitingHub['kind'] = 'router'): Promise<void> {
    this.retries.add({ kind, hub }, Date.now())
  }

  async hubsSilent(routerHubs: readonly HubName[]): Promise<void> {
    if (await this.isOwned()) this.silent.suspect(routerHubs, Date.now())
  }

  /** A hub that does not answer is left to the register, which checks it more often. */
  private async checkLeases(routers: readonly Pick<PresentRouter, 'hub' | 'isUnreadable'>[]): Promise<void> {
    const asked = routers.filter(({ hub }) => !this.silent.has(hub))
    const results = await mapLimit(asked, CONCURRENCY, ({ hub, isUnreadable }) =>
      within(SILENT_HUB.answerMs, this.hubs.router(hub).checkLease(false, isUnreadable === 1)),
    )
    const silent = asked.filter((_, i) => results[i]?.status === 'rejected')
    this.silent.suspect(
      silent.map(({ hub }) => hub),
      Date.now(),
    )
  }

  /** Networks and consoles show the router as unreadable. It is no transition for alerts: nobody knows that it is away. */
  private async showUnreadable({ hub, name, seenIn, networkHubs, presence, state }: SilentRouter): Promise<void> {
    const change = { routerName: name, presence: toPresenceView(state), config: toConfigView(state) }
    const { since, reason } = change.presence
    const move = { from: stableState(presence), to: 'unreadable', at: since ?? Date.now(), reason } as const
    this.healthStore.addMoves(hub, [move], Date.now())
    this.showRouter({ ...change, seenIn })
    await Promise.all(networkHubs.map((of) => this.hubs.network(of).memberChanged({ ...change, routerHub: hub })))
  }

  private showRouter(change: RouterChange): void {
    if (this.viewers.sockets().length === 0) return
    this.changes.set(change.routerName, change)
    this.routerFrames.trigger()
  }

  async networkChanged({ hub, report }: Parameters<AccountHubRpc['networkChanged']>[0]): Promise<void> {
    if (report === null) {
      this.monitor.popsChanged(this.healthStore.numberOf(hub), [], Date.now())
      this.healthStore.deleteReport(hub)
      return this.monitor.causesChanged([], Date.now())
    }
    if (!(await this.isOwned()) || !this.acceptReport(hub, report)) return
    if (this.viewers.sockets().length === 0) return
    this.healthChanges.set(report.number, report.summary.health)
    this.networkFrames.trigger()
  }

  private acceptReport(hub: HubName, report: NetworkHealthReport): boolean {
    if (!this.healthStore.saveReport(hub, report)) return false
    this.monitor.popsChanged(report.number, report.summary.pops, Date.now())
    this.monitor.causesChanged(report.summary.causes ?? [], Date.now())
    this.monitor.healthChanged(Date.now())
    return true
  }

  /** Asks the networks again whose pushes were lost. One that does not answer keeps the summary that is known. */
  async health({ networks, since }: HealthQuestion): Promise<HealthAnswer> {
    const { summaries, outdated } = this.healthStore.find(networks)
    if (outdated.length > 0 && !(await this.isOwned())) return { summaries: {}, transitions: [], unsupported: {} }
    await mapLimit(outdated, CONCURRENCY, async ({ hub, revision }) => {
      const report = await within(HEALTH.answerMs, this.hubs.network(hub).health(revision))
      this.acceptReport(hub, report)
      summaries.set(hub, report.summary)
    })
    return {
      summaries: Object.fromEntries(summaries),
      transitions: since === null ? [] : this.healthStore.movesSince(since, Date.now()),
      unsupported: since === null ? {} : this.healthStore.unsupported(),
      ...(since !== null && { alerts: this.monitor.openAlerts(), channels: this.monitor.failingChannels() }),
    }
  }

  async missingSettings(routerHubs: readonly HubName[]): Promise<Record<HubName, readonly string[]>> {
    const missing = this.healthStore.missing()
    return Object.fromEntries(routerHubs.flatMap((hub) => (missing[hub] ? [[hub, missing[hub]] as const] : [])))
  }

  async routerTransitions(routerHub: HubName): Promise<readonly StateMove[]> {
    return this.healthStore.routerMoves(routerHub, Date.now())
  }

  async routerPaths(
    networks: readonly HubName[],
    routerNames: readonly string[],
  ): Promise<Record<HubName, Record<string, MemberPaths>>> {
    const known = networks.map((hub) => [hub, this.healthStore.paths(hub, routerNames)] as const)
    return Object.fromEntries(known.flatMap(([hub, paths]) => (paths === undefined ? [] : [[hub, paths]])))
  }

  /** Throws if a hub did not answer, so that the hub outbox delivers again. */
  async refresh(): Promise<void> {
    this.sessions.outdate()
    await this.reading.run()
    await this.closeEnded()
    if (this.owner() !== undefined) await this.clients.run()
  }

  directoryChanged = (troubles: readonly DirectoryTrouble[]) => this.monitor.directoryChanged(troubles, Date.now())
  alerts = async (question: AlertQuestion) => this.monitor.records.alerts(question)
  alertChildren = async (id: string, networks: Networks) => this.monitor.records.children(id, networks)
  alertTask = async (task: AlertTask) => this.monitor.records.taskState(task)
  alertDeliveries = async (question: DeliveryQuestion) => this.monitor.deliveries(question)
  alertUnsent = async (networks: Networks) => this.monitor.records.unsent(networks)

  /** The account was erased, or the operator has decided that the missing one is gone. */
  async remove(): Promise<void> {
    await this.deleteAll(CLOSE.sessionEnded, 'not allowed')
  }

  async deliver(entries: readonly OutboxEntry[]): Promise<void> {
    this.deliveries.add(entries)
  }

  async watching(entry: Parameters<AccountHubRpc['watching']>[0]): Promise<boolean> {
    const { sessionId, kind, hub, on } = entry
    const now = Date.now()
    if (on) this.sessions.watch(sessionId, kind, hub, now)
    else this.sessions.unwatch(sessionId, hub)
    return !this.sessions.hasEnded(sessionId, now)
  }

  async sessionState(session: Parameters<AccountHubRpc['sessionState']>[0]): Promise<SessionState> {
    const now = Date.now()
    const state = this.row.isMissing ? 'unread' : this.sessions.stateOf(session, now)
    if (state === 'unread' && now >= this.readForSessionAt + HUB_READ.retryMs) {
      this.readForSessionAt = now
      this.ctx.waitUntil(this.reading.run().catch(() => {})) // logged
    }
    return state
  }

  async importHistory(
    history: Parameters<AccountHubRpc['importHistory']>[0],
  ): ReturnType<AccountHubRpc['importHistory']> {
    requireLocal(this.env)
    if (!(await this.isOwned())) return []
    const now = Date.now()
    for (const [hub, moves] of Object.entries(history.clients)) this.healthStore.addClientMoves(hub, moves, now)
    return this.monitor.importHistory(history, this.healthStore.movesSince(history.alerts.since, now))
  }

  // Viewers

  protected override viewerState(viewer: Viewer): readonly ViewerBody[] {
    return [this.accountFrame(viewer)]
  }

  protected override async prepare(viewer: Viewer | null): Promise<void> {
    if (!this.isPrepared(viewer)) {
      if (viewer) this.unread.join(viewer)
      await this.reading.run()
    }
    if (viewer) this.ctx.waitUntil(this.closeEnded().catch((error: unknown) => logFault(this.hub, 'sessions', error)))
  }

  /** Consoles that come back after a restart ask the database for nothing that the hub has stored. */
  private isPrepared(viewer: Viewer | null): boolean {
    if (!viewer) return this.sessions.isRead || this.unread.isRead
    return this.sessions.isRead && !this.row.isMissing && this.unread.has(viewer)
  }

  /** Registers a viewer in this hub directly, without an RPC to itself. */
  protected override register(_: Viewer, entry: Parameters<AccountHubRpc['watching']>[0]): Promise<boolean> {
    return this.watching(entry)
  }

  protected override async onAlarm(): Promise<void> {
    const now = Date.now()
    if (this.row.isMissing) return // no alert and no mark is made of what a lost row leaves behind
    const everyMs = this.leaseCheckMs()
    const isSweepDue = everyMs !== null && this.leases.begin(now, everyMs)
    if (this.owner() !== undefined)
      await this.monitor.run(now).catch((error: unknown) => logFault(this.hub, 'alerts', error))
    this.ctx.waitUntil(this.retries.run(now))
    await this.silent.run(now).catch((error: unknown) => logFault(this.hub, 'unreadable', error))
    if (!isSweepDue) return
    const isForAlerts = everyMs === ALERT.sweepMs
    await this.leases.run(now, everyMs, !isForAlerts).catch((error: unknown) => logFault(this.hub, 'leases', error))
  }

  protected override dueTimes(): readonly (number | null)[] {
    if (this.row.isMissing) return []
    const [now, everyMs] = [Date.now(), this.leaseCheckMs()]
    const leasesAt = everyMs === null ? null : this.leases.dueAt(now, everyMs)
    return [leasesAt, this.monitor.dueAt(now), this.silent.dueAt(), this.retries.dueAt()]
  }

  /** Interval of lease checks; null where no router of the account is present. */
  private leaseCheckMs(): number | null {
    if (this.viewers.sockets().length > 0) return PRESENCE.consoleCheckMs
    if (this.monitor.watchesPresence) return ALERT.sweepMs
    return this.leases.hasPresent ? PRESENCE.idleCheckMs : null
  }

  private accountFrame(viewer: Viewer): ViewerBody {
    return { type: 'account', data: { unread: this.unread.of(viewer) } }
  }

  private sendRouters(): void {
    const changes = [...this.changes.values()]
    this.changes.clear()
    this.broadcast((viewer) => routersFrame(changes, viewer))
  }

  private sendNetworks(): void {
    const changes = new Map(this.healthChanges)
    this.healthChanges.clear()
    this.broadcast((viewer) => networksFrame(changes, viewer))
  }

  // Rows

  /** True while the account exists: its row is read once in the hub's life, so that nothing is stored for none. */
  private async isOwned(): Promise<boolean> {
    if (this.owner() === undefined) await this.reading.run()
    return this.owner() !== undefined
  }

  private async read(): Promise<void> {
    const watchers = this.unread.watchers(this.viewers.viewers())
    const wasRead = this.sessions.isRead
    const endRead = this.sessions.startRead()
    const read = await readAccount(this.env, this.hub, {
      watchers,
      watching: this.sessions.watchingSessions(),
      endedSince: Date.now() - ENDED_MS,
      routerHubs: [
        ...Object.keys({ ...this.healthStore.missing(), ...this.healthStore.unsupported() }),
        ...this.silent.hubs(),
      ],
      ticketsSince: Date.now() - TICKET_FRAMES.windowMs,
    })
    if (!read) return (await this.isRemovalQueued()) ? this.remove() : this.onRowMissing(this.owner() === undefined)
    this.row.found()
    await this.setOwner(read.accountId)
    for (const number of this.healthStore.keepReports(read.networkHubs))
      this.monitor.popsChanged(number, [], Date.now())
    for (const [from, to] of read.rehomed) this.healthStore.rename(from, to)
    for (const hub of read.deletedRouters) this.healthStore.saveSettings(hub, NO_SETTINGS)
    this.silent.forget(read.deletedRouters)
    this.sessions.markEnded(read.endedSessions, Date.now())
    endRead()
    this.viewers.end(read.endedSessions)
    if (this.unread.save(watchers, read.unread, wasRead)) this.broadcast((viewer) => this.accountFrame(viewer))
    if (read.handledAt !== this.handledAt) this.broadcast({ type: 'attention' })
    this.handledAt = read.handledAt
    const tickets = this.tickets.take(read.tickets)
    if (tickets.length > 0) this.broadcast((viewer) => ticketsFrame(tickets, viewer))
    await this.monitor.readRows() // last: sessions end whether or not it fails
  }

  /**
   * Closes the sockets of ended sessions on every hub that they watch. Throws if one did not answer; it stays registered.
   */
  private async closeEnded(): Promise<void> {
    const results = await mapLimit(this.sessions.hubsOfEnded(), CONCURRENCY, async ({ kind, hub, sessionIds }) => {
      if (kind === 'account') this.viewers.end(sessionIds)
      else await this.hubs[kind](hub).endSessions(sessionIds)
      for (const sessionId of sessionIds) this.sessions.unwatch(sessionId, hub)
    })
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }

  protected override reset(): void {
    this.sessions = new SessionRegister(this.ctx.storage)
    this.healthStore = new HealthStore(this.ctx.storage.sql)
    this.monitor = this.createAlerts()
    this.silent = this.createSilentHubs()
    this.retries = this.createRetries()
    this.changes.clear()
    this.healthChanges.clear()
    this.unread.clear()
    this.tickets.clear()
  }
}
