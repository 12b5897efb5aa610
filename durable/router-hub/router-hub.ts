import { DurableObject } from 'cloudflare:workers'
import { JOB_REPORT_MS } from '../../worker/contract/limits.ts'
import { createHubs } from '../hubs.ts'
import { type DeviceIdentity, HUB_HEADER, type RouterHubRpc, type Viewer } from '../../worker/contract/hubs.ts'
import { type AgentFrame, CLOSE, PING, PONG, agentFrame } from '../../worker/contract/protocol.ts'
import { readFrame } from '../read-frame.ts'
import { useOnce } from '../single-use.ts'
import { type ViewerBody, Viewers, passOf } from '../viewer.ts'
import { DeviceLine, closeReason, seatOf } from './device-line.ts'
import { RouterEngine } from './engine.ts'
import { isOnline } from './machine.ts'
import { StreamLease } from './stream-lease.ts'
import { TrafficLog } from './traffic-log.ts'
import { history, isFor, latest, shown } from './views.ts'

/** One per router: the sockets of its device and its viewers, and live traffic between them. Its state: engine.ts. */
export class RouterHub extends DurableObject<Env> implements RouterHubRpc {
  private readonly engine: RouterEngine
  private readonly line: DeviceLine
  private readonly viewers: Viewers
  private readonly stream = new StreamLease()
  private log: TrafficLog
  /** Grows with each frame to viewers; starts from the clock, so that it never falls back after a sleep. */
  private seq = Date.now()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG))
    this.engine = new RouterEngine(ctx, env, {
      send: (frame) => this.line.send(frame),
      drop: (code, reason) => this.line.close(code, reason),
      heardAt: () => this.line.heardAt(),
      isWatched: () => this.viewers.sockets().length > 0,
      show: () => this.tell(shown(this.engine.state)),
      refreshed: () => this.viewers.dismiss(),
      gone: () => this.log.flush(Date.now()),
      removed: () => this.remove(),
    })
    this.line = new DeviceLine(ctx, () => this.engine.state.presence.epoch)
    this.log = new TrafficLog(ctx.storage, this.line.pending())
    this.viewers = new Viewers(ctx, {
      hub: ctx.id.name ?? '',
      account: createHubs(env).account,
      isFor: (viewer) => isFor(this.engine.state, viewer),
      seq: () => this.seq,
      state: (_, what) => [shown(this.engine.state), what === 'all' ? history(this.log) : latest(this.log)],
    })
    this.engine.start()
  }

  // What the platform tells

  override async fetch(request: Request): Promise<Response> {
    const device = passOf<DeviceIdentity>(request, HUB_HEADER.device)
    const viewer = passOf<Viewer>(request, HUB_HEADER.viewer)
    if (!device && !viewer) return new Response(null, { status: 400 })
    if (viewer && !isFor(this.engine.state, viewer)) await this.refresh().catch(() => {}) // the rows decide; owed: the alarm tries again
    const response = device ? this.acceptDevice(device) : this.viewers.accept(viewer as Viewer, Date.now())
    this.renewStream()
    await this.engine.schedule()
    return response
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const now = Date.now()
    if (this.viewers.isViewer(socket)) {
      this.viewers.heard(socket, message, now)
      if (this.stream.needsLook(now)) this.renewStream()
      return
    }
    const frame = this.readDevice(socket, message, now)
    if (!frame) return
    this.line.heard(now)
    this.engine.apply({ type: 'frame', frame })
    if (frame.t === 'hello') this.stream.reset()
    if (frame.t === 'counters') this.count(frame, now)
    if (this.stream.needsLook(now)) this.renewStream()
    await this.engine.schedule()
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    if (this.viewers.isViewer(socket)) {
      this.viewers.left(socket)
      return this.renewStream()
    }
    this.engine.apply({ type: 'closed', epoch: seatOf(socket).epoch, reason: closeReason(code) })
    await this.engine.schedule()
  }

  override webSocketError(socket: WebSocket): Promise<void> {
    return this.webSocketClose(socket, 1006)
  }

  override async alarm(): Promise<void> {
    this.viewers.sweep(Date.now())
    this.renewStream()
    await this.engine.wake()
    await this.engine.schedule()
  }

  // What the Worker and other hubs ask

  refresh(): Promise<void> {
    return this.engine.refresh()
  }

  async resend(): Promise<void> {
    this.engine.apply({ type: 'resend' })
    await this.engine.schedule()
  }

  async requestReport(): Promise<boolean> {
    this.engine.look()
    if (!isOnline(this.engine.state)) return false
    const job = { id: crypto.randomUUID(), kind: 'report', params: {}, expiresAt: Date.now() + JOB_REPORT_MS }
    this.engine.apply({ type: 'asked', job })
    await this.engine.schedule()
    return true
  }

  async checkLease(isSuspect = false): Promise<void> {
    this.engine.look(isSuspect)
    await this.engine.schedule()
  }

  async traffic(): ReturnType<RouterHubRpc['traffic']> {
    return { data: history(this.log).data, ...shown(this.engine.state).data }
  }

  async endSessions(sessionIds: string[]): Promise<void> {
    this.viewers.end(sessionIds)
    this.renewStream()
  }

  async remove(): Promise<void> {
    this.line.close(CLOSE.removed, 'removed')
    this.viewers.closeAll(CLOSE.removed, 'removed')
    await this.engine.forget()
    this.log = new TrafficLog(this.ctx.storage, null)
  }

  // The device

  private acceptDevice(identity: DeviceIdentity): Response {
    const now = Date.now()
    const { 0: client, 1: socket } = new WebSocketPair()
    const isFresh = useOnce(this.ctx.storage, identity.tokenId, now)
    const waitMs = isFresh ? this.engine.admit(now) : 0 // a recorded token shuts nobody out
    if (waitMs > 0 || !isFresh) {
      socket.accept()
      if (isFresh) socket.close(CLOSE.tooOften, `retry_after=${Math.ceil(waitMs / 1000)}`)
      else socket.close(CLOSE.protocol, 'token used')
    } else {
      this.log.flush(now) // the pending part lies on the socket that is about to go
      this.engine.apply({ type: 'accepted', identity })
      const { epoch } = this.engine.state.presence
      this.line.accept(socket, { epoch, serial: identity.serial, heardAt: now, pending: null })
      if (!this.engine.state.router) this.ctx.waitUntil(this.refresh().catch(() => {})) // owed: the alarm tries again
    }
    return new Response(null, { status: 101, webSocket: client })
  }

  /** A frame of the present socket in its place; null where there is nothing to do, or the socket had to go. */
  private readDevice(socket: WebSocket, message: string | ArrayBuffer, now: number): AgentFrame | null {
    const { epoch, serial } = seatOf(socket)
    const { presence } = this.engine.state
    const close = (code: number, reason: string) => {
      socket.close(code, reason)
      return null
    }
    if (epoch !== presence.epoch) return close(CLOSE.superseded, 'superseded')
    const frame = readFrame(socket, message, agentFrame, 't', now)
    if (frame?.t === 'hello' && frame.serial !== serial) return close(CLOSE.protocol, 'another serial')
    if (frame && frame.t !== 'hello' && !presence.greeted) return close(CLOSE.protocol, 'hello first')
    return frame
  }

  private count({ boot_id, at, interfaces }: Extract<AgentFrame, { t: 'counters' }>, now: number): void {
    const reading = { bootId: boot_id, atMs: at, counters: interfaces }
    const rates = this.log.take(reading, now, (pending) => this.line.keep(pending))
    if (rates) this.tell({ type: 'interface', data: rates })
    this.viewers.sweep(now)
  }

  // Its viewers

  private tell(body: ViewerBody): void {
    this.seq += 1
    this.viewers.broadcast(body)
  }

  private renewStream(): void {
    if (!isOnline(this.engine.state)) return
    const now = Date.now()
    const frame = this.stream.next(this.viewers.isWatched(now), now)
    if (frame) this.engine.send(frame)
  }
}
