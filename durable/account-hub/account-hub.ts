import { DurableObject } from 'cloudflare:workers'
import { STREAM } from '../../worker/contract/limits.ts'
import { wakeAt } from '../alarm.ts'
import { FanOut } from '../fan-out.ts'
import { createClient, numberOf } from '../hubs.ts'
import { type AccountHubRpc, HUB_HEADER, type RouterHubRpc, type Viewer } from '../../worker/contract/hubs.ts'
import { PING, PONG } from '../../worker/contract/protocol.ts'
import { SingleFlight } from '../single-flight.ts'
import { type ViewerBody, Viewers, passOf } from '../viewer.ts'
import { SessionRegister, readUnread } from './store.ts'
import { type RouterChange, routersFor } from './visibility.ts'

/** One per account: its open consoles, what is unread, and who watches which hub. */
export class AccountHub extends DurableObject<Env> implements AccountHubRpc {
  private readonly register: SessionRegister
  private readonly viewers: Viewers
  private readonly changes = new Map<string, RouterChange>()
  private readonly fanOut = new FanOut(() => this.tellRouters())
  private readonly counting = new SingleFlight(() => this.count())
  private unread: number | null = null
  /** Grows with each frame; starts from the clock, so that it never falls back after a sleep. */
  private seq = Date.now()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG))
    this.register = new SessionRegister(ctx.storage.sql)
    this.viewers = new Viewers(ctx, {
      hub: ctx.id.name ?? '',
      account: () => this,
      isFor: ({ accountId }) => accountId === numberOf(ctx.id),
      seq: () => this.seq,
      state: () => [this.account()],
    })
  }

  override async fetch(request: Request): Promise<Response> {
    const viewer = passOf<Viewer>(request, HUB_HEADER.viewer)
    if (!viewer) return new Response(null, { status: 400 })
    await this.counting.run()
    const response = this.viewers.accept(viewer, Date.now())
    await this.schedule()
    return response
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    if (this.unread === null) await this.counting.run()
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
    await this.schedule()
  }

  async routerChanged(change: RouterChange): Promise<void> {
    if (this.viewers.sockets().length === 0) return
    this.changes.set(change.routerName, change)
    this.fanOut.touch()
  }

  async noticesChanged(): Promise<void> {
    if (this.viewers.sockets().length === 0) return
    await this.counting.run()
    this.tell(this.account())
  }

  async endSessions(sessionIds: string[]): Promise<void> {
    const hubs = this.register.end(sessionIds, Date.now())
    this.viewers.end(sessionIds)
    const others = hubs.filter((hub) => hub !== this.ctx.id.name)
    await Promise.all(
      others.map((hub) => createClient<Pick<RouterHubRpc, 'endSessions'>>(this.env, hub).endSessions(sessionIds)),
    )
  }

  async watching({ sessionId, hub, on }: { sessionId: string; hub: string; on: boolean }): Promise<boolean> {
    const now = Date.now()
    if (on) this.register.watch(sessionId, hub, now)
    else this.register.unwatch(sessionId, hub)
    return !this.register.hasEnded(sessionId, now)
  }

  private async count(): Promise<void> {
    this.unread = await readUnread(this.env, numberOf(this.ctx.id))
  }

  private account(): ViewerBody {
    return { type: 'account', data: { unread: this.unread ?? 0 } }
  }

  private tellRouters(): void {
    const changes = [...this.changes.values()]
    this.changes.clear()
    this.seq += 1
    this.viewers.broadcast(({ grants }) => ({ type: 'routers', data: routersFor(grants, changes) }))
  }

  private tell(body: ViewerBody): void {
    this.seq += 1
    this.viewers.broadcast(body)
  }

  private schedule(): Promise<void> {
    const isWatched = this.viewers.sockets().length > 0
    return wakeAt(this.ctx.storage, [isWatched ? Date.now() + STREAM.viewerSilentMs : null])
  }
}
