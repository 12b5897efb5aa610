import { DurableObject } from 'cloudflare:workers'
import { LINK_DOUBT_MS, PRESENCE } from '../../worker/contract/limits.ts'
import { isPresent } from '../../worker/domain/router/presence.ts'
import { wakeAt } from '../alarm.ts'
import { FanOut } from '../fan-out.ts'
import { createHubs, numberOf } from '../hubs.ts'
import { HUB_HEADER, type NetworkHubRpc, type Viewer } from '../../worker/contract/hubs.ts'
import { CLOSE, type NetworkView, PING, PONG } from '../../worker/contract/protocol.ts'
import { inGroups } from '../in-groups.ts'
import { OwedTask } from '../owed-task.ts'
import { type ViewerBody, Viewers, passOf } from '../viewer.ts'
import {
  type LinksReport,
  type Member,
  type MemberChange,
  type Projection,
  changesBetween,
  emptyProjection,
  hasDoubts,
  linkViewOf,
  memberViewOf,
  rebuild,
  settleDoubts,
  suspectsOf,
  withMember,
  withReports,
} from './projection.ts'
import { ProjectionStore, readNetwork } from './store.ts'

const SUSPECT_GAP_MS = 10_000
const TIMER_EARLY_MS = 20 // as much as a timer may be ahead of the clock

/** One per network: what lists, detail and graph show of its members and links. Rules stand in projection.ts. */
export class NetworkHub extends DurableObject<Env> implements NetworkHubRpc {
  private projection: Projection
  /** What viewers have been told. */
  private told: Projection
  private store: ProjectionStore
  private seq: number
  private readonly viewers: Viewers
  private readonly reading: OwedTask
  private readonly fanOut = new FanOut(() => this.tellChanges())
  private settling: ReturnType<typeof setTimeout> | null = null
  private readonly suspectedAt = new Map<number, number>()
  /** News of routers that are no members yet, heard while rows are read that may add them. */
  private readonly early = new Map<string, MemberChange>()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG))
    this.store = new ProjectionStore(ctx.storage.sql)
    this.projection = this.store.load()
    this.told = this.projection
    this.reading = new OwedTask(ctx, () => this.read())
    this.seq = ctx.storage.kv.get<number>('seq') ?? 0
    this.viewers = new Viewers(ctx, {
      hub: ctx.id.name ?? '',
      account: createHubs(env).account,
      isFor: ({ accountId }) => accountId === this.owner(),
      seq: () => this.seq,
      state: () => [{ type: 'snapshot', data: this.view() }],
    })
    this.settleLater()
  }

  override async fetch(request: Request): Promise<Response> {
    const viewer = passOf<Viewer>(request, HUB_HEADER.viewer)
    if (!viewer) return new Response(null, { status: 400 })
    await this.ensureRead()
    const response = this.viewers.accept(viewer, Date.now())
    await this.schedule()
    return response
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    this.viewers.heard(socket, message, Date.now())
  }

  override webSocketClose(socket: WebSocket): void {
    this.viewers.left(socket)
  }

  override webSocketError(socket: WebSocket): void {
    this.viewers.left(socket)
  }

  override async alarm(): Promise<void> {
    this.viewers.sweep(Date.now())
    await this.reading.retry()
    if (this.viewers.sockets().length > 0) await this.checkLeases()
    await this.schedule()
  }

  refresh(): Promise<void> {
    return this.reading.run()
  }

  /** Whoever asks looks: a console without a socket polls, and its devices' leases are checked no less often. */
  async status(): Promise<NetworkView> {
    await this.ensureRead()
    const checkedAt = this.ctx.storage.kv.get<number>('checkedAt') ?? 0
    if (Date.now() - checkedAt >= PRESENCE.watchedCheckMs) this.ctx.waitUntil(this.checkLeases())
    return this.view()
  }

  async memberChanged(change: MemberChange): Promise<void> {
    if (!this.projection.members.has(change.routerName)) this.early.set(change.routerName, change)
    this.commit(withMember(this.projection, change, Date.now()))
  }

  async linksReported(report: LinksReport): Promise<void> {
    const before = this.projection
    this.commit(withReports(before, report, Date.now()))
    this.ctx.waitUntil(this.suspect(suspectsOf(before, report)))
  }

  async endSessions(sessionIds: string[]): Promise<void> {
    this.viewers.end(sessionIds)
  }

  async remove(): Promise<void> {
    this.viewers.closeAll(CLOSE.removed, 'removed')
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    this.store = new ProjectionStore(this.ctx.storage.sql)
    this.projection = emptyProjection
    this.told = emptyProjection
    this.early.clear()
  }

  private commit(projection: Projection): void {
    if (projection === this.projection) return
    this.store.save(this.projection, projection)
    this.projection = projection
    this.fanOut.touch()
    this.settleLater()
  }

  /** A pending timer keeps the hub awake; one that dies looks again when it starts. */
  private settleLater(): void {
    if (this.settling !== null || !hasDoubts(this.projection)) return
    this.settling = setTimeout(() => {
      this.settling = null
      this.commit(settleDoubts(this.projection, Date.now()))
      this.settleLater()
    }, LINK_DOUBT_MS + TIMER_EARLY_MS)
  }

  private async read(): Promise<void> {
    this.early.clear()
    const read = await readNetwork(this.env, numberOf(this.ctx.id))
    if (!read) return this.remove()
    let next = rebuild(this.projection, read.network.number, read.members, Date.now())
    for (const change of this.early.values()) next = withMember(next, change, Date.now())
    this.store.save(this.projection, next)
    this.ctx.storage.kv.put('owner', read.network.accountId)
    this.viewers.dismiss()
    this.reading.done()
    this.projection = next
    this.told = next
    this.settleLater()
    this.tell({ type: 'membership' })
    this.tell({ type: 'snapshot', data: this.view() })
  }

  private async ensureRead(): Promise<void> {
    if (this.owner() === undefined) await this.refresh()
  }

  /** Account of the network; undefined until its rows were read. */
  private owner(): number | undefined {
    return this.ctx.storage.kv.get<number>('owner')
  }

  private tellChanges(): void {
    const { members, links } = changesBetween(this.told, this.projection)
    this.told = this.projection
    if (members.length + links.length === 0) return
    this.tell({ type: 'delta', data: { members: members.map(memberViewOf), links: links.map(linkViewOf) } })
  }

  private tell(body: ViewerBody): void {
    this.seq += 1
    this.ctx.storage.kv.put('seq', this.seq)
    if (body.type === 'snapshot') body.data.seq = this.seq
    this.viewers.broadcast(body)
  }

  private view(): NetworkView {
    const { members, links } = this.projection
    return {
      seq: this.seq,
      members: [...members.values()].map(memberViewOf),
      links: [...links.values()].map(linkViewOf),
    }
  }

  /** While somebody looks, a device that has silently gone is found within one check. */
  private async checkLeases(): Promise<void> {
    this.ctx.storage.kv.put('checkedAt', Date.now())
    const present = [...this.projection.members.values()].filter(({ presence }) => isPresent(presence.state))
    await this.look(present, false)
  }

  /** All points of a centre lose it in the same seconds: it is asked for once. */
  private async suspect(members: readonly Member[]): Promise<void> {
    const now = Date.now()
    const fresh = members.filter((member) => now - (this.suspectedAt.get(member.router_id) ?? 0) >= SUSPECT_GAP_MS)
    for (const member of fresh) this.suspectedAt.set(member.router_id, now)
    await this.look(fresh, true)
  }

  private async look(members: readonly Member[], isSuspect: boolean): Promise<void> {
    const hubs = createHubs(this.env)
    await inGroups(members, (member) => hubs.router(member.router_id).checkLease(isSuspect))
  }

  private schedule(): Promise<void> {
    const isWatched = this.viewers.sockets().length > 0
    const check = isWatched ? Date.now() + PRESENCE.watchedCheckMs : null
    return wakeAt(this.ctx.storage, [check, this.reading.dueAt()])
  }
}
