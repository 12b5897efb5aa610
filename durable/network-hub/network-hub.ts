import { LEASE_ROUND, LINK_DEBOUNCE_MS, PRESENCE } from '#contract/kernel/hub-limits.ts'
import type { MemberPaths, NetworkSummary } from '#contract/kernel/health.ts'
import type {
  CentersQuestion,
  ClientChange,
  NetworkHealthReport,
  NetworkHubRpc,
  RouterLinks,
  Viewer,
} from '#contract/kernel/hubs.ts'
import type { DiagnosisPlan } from '#contract/network/diagnosis.ts'
import { CLOSE, type NetworkView, type ViewerRequest } from '#contract/kernel/protocol.ts'
import type { LinkRatesReport } from '#contract/network/tunnels.ts'
import { isPresent } from '#domain/health/member.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { NO_PATHS, findPaths } from '#domain/health/paths.ts'
import { SingleFlight, Throttle } from '#durable/async.ts'
import { leaveToAccount } from '#durable/database-away.ts'
import { logFault } from '#durable/fault-log.ts'
import { Hub } from '#durable/hub.ts'
import { PendingRead } from '#durable/pending-read.ts'
import type { ViewerBody } from '#durable/viewers.ts'
import { readNetwork, readRevision } from './database.ts'
import { CenterWaits } from './center-waits.ts'
import { Diagnoses } from './diagnoses.ts'
import { EarlyReports } from './early-reports.ts'
import { HealthPush } from './health-push.ts'
import { HealthRows } from './health-rows.ts'
import { LinkRates } from './link-rates.ts'
import { MemberLeases } from './member-leases.ts'
import {
  type LinksReport,
  type HubLink,
  type MemberChange,
  type HubProjection,
  changesBetween,
  emptyProjection,
  hasPendingVerdicts,
  memberLinks,
  toViews,
  newlySilentPeers,
  rebuild,
  unknownLinks,
  resolvePending,
  withClients,
  withMember,
  withReports,
} from './projection.ts'
import { ProjectionStore, load, save } from './storage.ts'

/* Durable Object, one per network: state of its members and links for lists, detail and topology (projection.ts). */

const TIMER_EARLY_MS = 20 // a timer may fire this much early

export class NetworkHub extends Hub implements NetworkHubRpc {
  private projection: HubProjection
  /** Projection that viewers were sent last. */
  private sent: HubProjection
  private store: ProjectionStore
  private readonly reading: PendingRead
  /** Reads of rows that a report of an unknown link waits for. */
  private readonly linkReads = new SingleFlight(async () => {
    await this.readIfNewer()
    this.isCompared = true
    this.early.looked(Date.now())
  })
  /** The rows were read, or their revision compared, since this object was made. */
  private isCompared = false
  private readonly deltas = new Throttle(() => this.sendDelta())
  private verdictTimer: ReturnType<typeof setTimeout> | null = null
  private readonly healthPush: HealthPush
  private readonly healthRows: HealthRows
  private readonly memberLeases: MemberLeases
  /** Changes of routers received since the newest read began: its rows may be older, or name these routers first. */
  private readonly pendingChanges = new Map<string, MemberChange>()
  private readonly pendingClients = new Map<string, ClientChange>()
  private early: EarlyReports
  /** Rates are sent under the number of the newest frame: none of them is missed. */
  private readonly rates = new LinkRates({
    hub: () => this.hub,
    hubs: this.hubs,
    number: () => load(this.ctx.storage, 'number'),
    projection: () => this.projection,
    waitUntil: (work) => this.ctx.waitUntil(work),
    send: (data) => this.viewers.broadcast({ type: 'link_rates', data }),
  })
  private records: Diagnoses
  private readonly centerWaits = new CenterWaits(() => this.projection)

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, 'network')
    this.store = new ProjectionStore(ctx.storage.sql)
    this.early = new EarlyReports(ctx.storage.sql)
    this.records = this.createDiagnoses()
    this.projection = this.isRetired ? emptyProjection : this.store.load()
    this.sent = this.projection
    this.reading = new PendingRead(
      ctx,
      () => this.read(),
      (error) => leaveToAccount(error, this.hubs, { kind: 'network', hub: this.hub }, this.healthPush.accountHub()),
    )
    this.seq = load(ctx.storage, 'seq') ?? 0
    this.healthRows = new HealthRows({
      ctx,
      env,
      owner: () => this.owner(),
      onFailed: () => this.schedule(),
    })
    this.healthPush = new HealthPush({
      ctx,
      hub: ctx.id.name ?? '',
      hubs: this.hubs,
      evaluate: () => this.evaluate(),
      store: (evaluated) => this.healthRows.write(evaluated),
      onFailed: () => this.schedule(),
    })
    this.memberLeases = new MemberLeases({
      storage: ctx.storage,
      hubs: this.hubs,
      accountHub: () => this.healthPush.accountHub(),
      projection: () => this.projection,
    })
    if (this.isRetired) return
    this.scheduleVerdicts()
    this.healthPush.start() // a crash may have lost a push
  }

  // RPC

  /** Reads the rows again: at once, or by the alarm within a second. */
  refresh(): Promise<void> {
    return this.reading.request()
  }

  /** Polling counts as watching: it starts a round of lease checks at most every `watchedCheckMs`. */
  async status(revision: number): Promise<NetworkView> {
    await this.readIfMoved(revision)
    this.openWatch()
    this.checkLeasesIfDue()
    return this.view()
  }

  async routerLinks(revision: number, routerName: string): Promise<RouterLinks> {
    await this.readIfMoved(revision)
    const links = [...this.projection.links.values()].filter(
      (link) => link.router_name === routerName || link.center_router_name === routerName,
    )
    return { links: toViews([], links).links, paths: this.paths(links).get(routerName) ?? NO_PATHS }
  }

  async health(revision: number): Promise<NetworkHealthReport> {
    await this.readIfMoved(revision)
    const evaluated = this.evaluate()
    if (!evaluated) throw new Error('the network is gone')
    return this.healthPush.report(evaluated)
  }

  async diagnose(plan: DiagnosisPlan): ReturnType<NetworkHubRpc['diagnose']> {
    await this.readIfMoved(plan.revision)
    return this.records.diagnose(plan)
  }

  async diagnosis(jobId: string): ReturnType<NetworkHubRpc['diagnosis']> {
    return this.records.diagnosis(jobId)
  }

  async diagnoses(page: number, limit: number): ReturnType<NetworkHubRpc['diagnoses']> {
    return this.records.diagnoses(page, limit)
  }

  private createDiagnoses(): Diagnoses {
    return new Diagnoses({
      sql: this.ctx.storage.sql,
      hubs: this.hubs,
      waitUntil: (work) => this.ctx.waitUntil(work),
      projection: () => this.projection,
      changed: (job_id) => this.announce(() => ({ type: 'diagnosis', data: { job_id } })),
    })
  }

  async retryDatabase(): Promise<boolean> {
    const isRead = await this.reading.retry()
    await this.schedule()
    return isRead
  }

  async memberChanged(change: MemberChange): Promise<void> {
    this.compareOnce()
    const known = this.projection.members.get(change.routerName)
    this.pendingChanges.set(change.routerName, change)
    const isNewServer = known?.member_type === 'center' && !known.tunnels && Boolean(change.tunnels)
    if (known?.router_hub !== change.routerHub || isNewServer) {
      this.ctx.waitUntil(this.refresh().catch((error: unknown) => logFault(this.hub, 'read', error))) // the alarm retries
    }
    if (!isPresent(change.presence.state)) this.early.forget(change.routerName)
    this.commit(withMember(this.projection, change, Date.now()))
  }

  async centersApplied(question: CentersQuestion): Promise<boolean> {
    this.compareOnce()
    return this.centerWaits.wait(question)
  }

  /** A read under way began before the newest rows: the changes are made again after it. */
  async clientsChanged(changes: readonly ClientChange[]): Promise<void> {
    for (const change of changes) this.pendingClients.set(change.routerName, change)
    this.commit(withClients(this.projection, changes))
  }

  /**
   * A link that is unknown here may be in newer rows, which are read first; later reports wait as well, to keep their order.
   * If the read fails this rejects, and the router's hub reports again. Links that are unknown still are kept for later rows.
   */
  async linksReported(report: LinksReport): Promise<void> {
    const isMemberPresent = () => {
      const member = this.projection.members.get(report.routerName)
      return member !== undefined && isPresent(member.presence.state)
    }
    const wasPresent = isMemberPresent()
    const isLookDue = this.early.isLookDue(report, unknownLinks(this.projection, report), Date.now())
    const looking = this.linkReads.isRunning || isLookDue ? this.linkReads.run() : this.compareOnce()
    const [looked] = await Promise.allSettled([looking])
    const before = this.projection
    if (!wasPresent || isMemberPresent()) {
      if (this.owner() !== undefined) this.early.keep(report, unknownLinks(before, report))
      this.commit(withReports(before, report, Date.now()))
    } // else it disconnected while the report waited
    this.ctx.waitUntil(this.memberLeases.checkSilent(newlySilentPeers(before, report)))
    if (looked.status === 'rejected') throw looked.reason
  }

  async linkRates(report: LinkRatesReport): Promise<void> {
    this.rates.received(report, Date.now())
  }

  async remove(): Promise<void> {
    await this.healthPush.end()
    await this.deleteAll(CLOSE.removed, 'removed')
  }

  // Viewers

  protected override viewerState(): readonly ViewerBody[] {
    return [{ type: 'snapshot', data: this.view() }]
  }

  protected override async prepare(viewer: Viewer | null): Promise<void> {
    if (viewer) this.openWatch()
    if (this.owner() === undefined) await this.reading.readNow()
    else if (viewer) await this.readIfMoved(await readRevision(this.env, this.hub))
  }

  protected override onViewerMessage(request: ViewerRequest | null, socket: WebSocket): void {
    if (request?.type === 'visible') this.memberLeases.show(request.members)
    if (request?.type === 'rates') this.rates.subscribe(socket, request.ids, Date.now())
    if (request?.type === 'ack') this.rates.renew(socket, Date.now())
  }

  private sendDelta(): void {
    const { members, links } = changesBetween(this.sent, this.projection)
    this.sent = this.projection
    if (members.length + links.length === 0) return
    this.announce(() => ({ type: 'delta', data: { ...toViews(members, links), health: this.summary().health } }))
  }

  /** Without viewers only the frame's number rises, so that the answer to an earlier status request counts as older. */
  private announce(body: () => ViewerBody): void {
    save(this.ctx.storage, { seq: this.seq + 1 })
    if (this.isWatched()) this.broadcast(body())
    else this.seq += 1
  }

  private isWatched(): boolean {
    return this.viewers.sockets().length > 0
  }

  private view(): NetworkView {
    const { members, links } = this.projection
    return { seq: this.seq, ...toViews([...members.values()], [...links.values()]), health: this.summary().health }
  }

  // Health

  private paths(links: readonly HubLink[]): ReadonlyMap<string, MemberPaths> {
    return findPaths(memberLinks(links), (name) => this.projection.members.get(name)?.presence.state)
  }

  private summary(): NetworkSummary {
    const { members, links } = this.projection
    const isWithdrawn = load(this.ctx.storage, 'isWithdrawn') ?? false
    const isPopFirst = load(this.ctx.storage, 'isPopFirst') ?? false
    const evaluated = evaluateNetwork([...members.values()], memberLinks(links.values()), {
      isWithdrawn,
      isPopFirst,
    })
    const { health, problems, causes, checked, pops } = evaluated
    return { health, problems, causes, checked, pops }
  }

  private evaluate(): Omit<NetworkHealthReport, 'seq'> | null {
    const [number, revision] = [load(this.ctx.storage, 'number'), load(this.ctx.storage, 'revision')]
    if (number === undefined || revision === undefined) return null
    const paths = Object.fromEntries(this.paths([...this.projection.links.values()]))
    return { number, revision, summary: this.summary(), paths }
  }

  // Projection

  private commit(projection: HubProjection): void {
    if (projection === this.projection) return
    this.store.save(this.projection, projection)
    this.projection = projection
    this.centerWaits.check()
    this.deltas.trigger()
    this.healthPush.changed()
    this.scheduleVerdicts()
  }

  /** The timer keeps the hub awake; after a crash the constructor sets it again. */
  private scheduleVerdicts(): void {
    if (this.verdictTimer !== null || !hasPendingVerdicts(this.projection)) return
    this.verdictTimer = setTimeout(() => {
      this.verdictTimer = null
      this.commit(resolvePending(this.projection, Date.now()))
      this.scheduleVerdicts()
    }, LINK_DEBOUNCE_MS + TIMER_EARLY_MS)
  }

  // Rows

  /** Heals a hub that missed a refresh: every edit of a network moves its revision. */
  private async readIfMoved(revision: number | undefined): Promise<void> {
    // False for rows that a hub of an earlier release has read.
    const isComplete = this.healthPush.accountHub() !== undefined && load(this.ctx.storage, 'isPopFirst') !== undefined
    if (!isComplete || revision !== load(this.ctx.storage, 'revision')) await this.reading.readNow()
  }

  /** Without an answer about the revision the rows are read, because a read is repeated until it succeeds. */
  private async readIfNewer(): Promise<void> {
    const [asked] = await Promise.allSettled([readRevision(this.env, this.hub)])
    if (asked.status === 'rejected') await this.reading.readNow()
    else await this.readIfMoved(asked.value)
  }

  /** Heals a hub that gets no requests: at its alarm while it is watched, and when the first report wakes it. */
  private async compareRevision(): Promise<void> {
    this.isCompared = true
    try {
      await this.readIfNewer()
    } catch (error) {
      this.isCompared = false // the next report tries again
      logFault(this.hub, 'read', error)
    }
  }

  private compareOnce(): void {
    if (!this.isCompared && this.owner() !== undefined) this.ctx.waitUntil(this.compareRevision())
  }

  private async read(): Promise<void> {
    this.isCompared = true
    this.pendingChanges.clear()
    this.pendingClients.clear()
    const read = await readNetwork(this.env, this.hub)
    if (!read) {
      if (await this.isRemovalQueued()) return this.remove()
      this.reading.done()
      return this.onRowMissing(this.owner() === undefined)
    }
    this.row.found()
    const { accountId, accountHub, number, revision, isWithdrawn, isPopFirst } = read.network
    await this.setOwner(accountId)
    let next = rebuild(this.projection, read.network, read.members, Date.now(), read.links)
    for (const change of this.pendingChanges.values()) next = withMember(next, change, Date.now())
    next = withClients(next, [...this.pendingClients.values()])
    for (const report of this.early.take(next)) next = withReports(next, report, Date.now())
    this.store.save(this.projection, next)
    save(this.ctx.storage, { revision, number, isWithdrawn, isPopFirst })
    this.healthPush.setAccountHub(accountHub)
    this.healthRows.wasRead(read.health)
    this.viewers.closeUnauthorized()
    this.reading.done()
    this.projection = next
    this.sent = next
    this.centerWaits.check()
    this.scheduleVerdicts()
    this.healthPush.changed()
    this.announce(() => ({ type: 'membership' }))
    this.announce(() => ({ type: 'snapshot', data: { ...this.view(), seq: this.seq + 1 } }))
  }

  protected override reset(): void {
    this.store = new ProjectionStore(this.ctx.storage.sql)
    this.early = new EarlyReports(this.ctx.storage.sql)
    this.records.end()
    this.records = this.createDiagnoses()
    this.projection = emptyProjection
    this.sent = emptyProjection
    this.pendingChanges.clear()
    this.pendingClients.clear()
  }

  // Lease checks

  protected override async onAlarm(): Promise<void> {
    await this.reading.runIfDue()
    await this.healthPush.retry()
    await this.healthRows.retry(this.evaluate())
    if (!this.isWatched()) return
    this.checkLeasesIfDue()
    await this.compareRevision()
  }

  protected override dueTimes(): readonly (number | null)[] {
    return [
      this.isWatched() ? this.checkedAt() + PRESENCE.watchedCheckMs : null,
      this.reading.dueAt(),
      this.healthPush.dueAt(),
      this.healthRows.dueAt(),
    ]
  }

  private checkedAt(): number {
    return load(this.ctx.storage, 'checkedAt') ?? 0
  }

  /** A network that is opened shows the states of the rows; the first round comes a little later. */
  private openWatch(): void {
    const now = Date.now()
    if (this.isWatched() || now - this.checkedAt() < PRESENCE.watchedCheckMs + LEASE_ROUND.pauseMs) return
    this.memberLeases.showNone()
    save(this.ctx.storage, { checkedAt: now - PRESENCE.watchedCheckMs + LEASE_ROUND.firstMs })
  }

  private checkLeasesIfDue(): void {
    const now = Date.now()
    if (now - this.checkedAt() < PRESENCE.watchedCheckMs) return
    save(this.ctx.storage, { checkedAt: now })
    this.ctx.waitUntil(this.memberLeases.checkNext())
  }
}
