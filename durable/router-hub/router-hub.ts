import { DurableObject } from 'cloudflare:workers'
import { CONFIG_PUSH, JOB_REPORT_MS, PRESENCE } from '../../worker/contract/limits.ts'
import { wakeAt } from '../alarm.ts'
import { hubsOf, numberOf } from '../hubs.ts'
import { type DeviceIdentity, HUB_HEADER, type RouterHubPort, type Viewer } from '../ports.ts'
import { type AgentFrame, CLOSE, type HubFrame, type LinkReport, PING, PONG, agentFrame } from '../protocol.ts'
import { readFrame } from '../read-frame.ts'
import { OwedTask } from '../owed-task.ts'
import { SingleFlight } from '../single-flight.ts'
import { useOnce } from '../single-use.ts'
import { type ViewerBody, Viewers, passOf } from '../viewer.ts'
import { admit } from './admission.ts'
import { DeviceLine, closeReason, seatOf } from './device-line.ts'
import { payDebts, tellLinks } from './drain.ts'
import {
  type RouterEffect,
  type RouterEvent,
  type RouterState,
  blankRouter,
  isOnline,
  nextDue,
  step,
} from './machine.ts'
import { type Outbox, isDue, owe } from './outbox.ts'
import { lookAgainAt } from './presence.ts'
import { documentParts, loadDocument, loadState, saveDocument, saveState } from './state.ts'
import { readRouter } from './store.ts'
import { StreamLease } from './stream-lease.ts'
import { TrafficLog } from './traffic-log.ts'
import { history, latest, shown } from './views.ts'

/** One per router. Holds sockets, storage and the alarm; what is to be done is decided by `step` in machine.ts. */
export class RouterHub extends DurableObject<Env> implements Omit<RouterHubPort, 'connect'> {
  private state: RouterState
  private log: TrafficLog
  private readonly line: DeviceLine
  private readonly viewers: Viewers
  private readonly stream = new StreamLease()
  private readonly compiling: OwedTask
  private readonly draining = new SingleFlight(() => this.drain())
  /** A look at the lease that cannot wait for the next check. */
  private lookAt: number | null = null
  /** Grows with each frame to viewers; starts from the clock, so that it never falls back after a sleep. */
  private seq = Date.now()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG))
    this.state = loadState(ctx.storage)
    this.compiling = new OwedTask(ctx, () => this.compile())
    this.line = new DeviceLine(ctx, () => this.state.presence.epoch)
    this.log = new TrafficLog(ctx.storage, this.line.pending())
    this.viewers = new Viewers(ctx, {
      hub: ctx.id.name ?? '',
      account: hubsOf(env).account,
      seq: () => this.seq,
      state: (_, what) => [shown(this.state), what === 'all' ? history(this.log) : latest(this.log)],
    })
    this.look() // sockets that are gone were cut by a restart
    if (isDue(this.state.outbox, Date.now())) ctx.waitUntil(this.draining.run()) // cut off while it paid
  }

  // What the platform tells

  override async fetch(request: Request): Promise<Response> {
    const device = passOf<DeviceIdentity>(request, HUB_HEADER.device)
    const viewer = passOf<Viewer>(request, HUB_HEADER.viewer)
    if (!device && !viewer) return new Response(null, { status: 400 })
    const response = device ? this.acceptDevice(device) : this.viewers.accept(viewer as Viewer, Date.now())
    this.renewStream()
    await this.schedule()
    return response
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const now = Date.now()
    if (this.viewers.isViewer(socket)) {
      this.viewers.heard(socket, message, now)
      if (this.stream.needsLook(now)) this.renewStream()
      return
    }
    const { epoch, serial } = seatOf(socket)
    if (epoch !== this.state.presence.epoch) return socket.close(CLOSE.superseded, 'superseded')
    const frame = readFrame(socket, message, agentFrame, 't', now)
    if (!frame) return
    if (frame.t === 'hello' && frame.serial !== serial) return socket.close(CLOSE.protocol, 'another serial')
    if (frame.t !== 'hello' && !this.state.presence.greeted) return socket.close(CLOSE.protocol, 'hello first')
    this.line.heard(now)
    this.apply({ type: 'frame', frame })
    if (frame.t === 'hello') this.stream.reset()
    if (frame.t === 'counters') this.count(frame, now)
    if (this.stream.needsLook(now)) this.renewStream()
    await this.schedule()
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    if (this.viewers.isViewer(socket)) {
      this.viewers.left(socket)
      return this.renewStream()
    }
    this.apply({ type: 'closed', epoch: seatOf(socket).epoch, reason: closeReason(code) })
    await this.schedule()
  }

  override webSocketError(socket: WebSocket): Promise<void> {
    return this.webSocketClose(socket, 1006)
  }

  override async alarm(): Promise<void> {
    this.look()
    this.apply({ type: 'due' })
    this.viewers.sweep(Date.now())
    this.renewStream()
    await this.compiling.retry()
    if (isDue(this.state.outbox, Date.now())) await this.draining.run()
    await this.schedule()
  }

  // What the Worker and other hubs ask

  refresh(): Promise<void> {
    return this.compiling.run()
  }

  async resend(): Promise<void> {
    this.apply({ type: 'resend' })
    await this.schedule()
  }

  async requestReport(): Promise<boolean> {
    this.look()
    if (!isOnline(this.state)) return false
    const job = { id: crypto.randomUUID(), kind: 'report', params: {}, expiresAt: Date.now() + JOB_REPORT_MS }
    this.apply({ type: 'asked', job })
    await this.schedule()
    return true
  }

  async checkLease(isSuspect = false): Promise<void> {
    this.look(isSuspect)
    await this.schedule()
  }

  async traffic(): ReturnType<RouterHubPort['traffic']> {
    return { data: history(this.log).data, ...shown(this.state).data }
  }

  async endSessions(sessionIds: string[]): Promise<void> {
    this.viewers.end(sessionIds)
    this.renewStream()
  }

  async remove(): Promise<void> {
    this.line.close(CLOSE.removed, 'removed')
    this.viewers.closeAll(CLOSE.removed, 'removed')
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    this.state = blankRouter
    this.log = new TrafficLog(this.ctx.storage, null)
  }

  // One event and its effects

  private apply(event: RouterEvent): void {
    const { state, effects } = step(this.state, event, Date.now())
    this.commit(state)
    for (const effect of effects) this.perform(effect)
  }

  /** Stores what moved. Frames that follow leave only once that is on disk: the platform holds them back till then. */
  private commit(state: RouterState): void {
    const before = this.state
    saveState(this.ctx.storage, before, state)
    this.state = state
    if (isOnline(before) && !isOnline(state)) this.log.flush(Date.now())
    if (state.outbox.change > before.outbox.change && isDue(state.outbox, Date.now())) {
      this.ctx.waitUntil(this.draining.run())
    }
  }

  private perform(effect: RouterEffect): void {
    switch (effect.type) {
      case 'send':
        return this.send(effect.frame)
      case 'push': {
        const { version, hash } = this.state.config
        const body = loadDocument(this.ctx.storage)
        if (body) this.send({ t: 'config', version, hash, body, confirm_s: CONFIG_PUSH.confirmSeconds })
        return
      }
      case 'drop':
        return this.line.close(effect.code, effect.reason)
      case 'show':
        return this.tell(shown(this.state))
      case 'links':
        return this.tellLinks(effect.links)
    }
  }

  /** What could not leave raises suspicion. */
  private send(frame: HubFrame): void {
    if (!this.line.send(frame)) this.look(true)
  }

  private tellLinks(links: readonly LinkReport[]): void {
    const { router } = this.state
    if (!router) return
    const oweThem = () => this.settle((outbox) => owe(outbox, {}))
    this.ctx.waitUntil(tellLinks(hubsOf(this.env), router, links).catch(oweThem))
  }

  private acceptDevice(identity: DeviceIdentity): Response {
    const now = Date.now()
    const { 0: client, 1: socket } = new WebSocketPair()
    const { admission, waitMs } = admit(this.state.admission, now)
    this.commit({ ...this.state, admission })
    const isFresh = useOnce(this.ctx.storage, identity.tokenId, now)
    if (waitMs > 0 || !isFresh) {
      socket.accept()
      if (isFresh) socket.close(CLOSE.tooOften, `retry_after=${Math.ceil(waitMs / 1000)}`)
      else socket.close(CLOSE.protocol, 'token used')
    } else {
      this.log.flush(now) // the pending part lies on the socket that is about to go
      this.apply({ type: 'accepted', identity })
      const { epoch } = this.state.presence
      this.line.accept(socket, { epoch, serial: identity.serial, heardAt: now, pending: null })
      if (!this.state.router) this.ctx.waitUntil(this.refresh().catch(() => {})) // owed: the alarm tries again
    }
    return new Response(null, { status: 101, webSocket: client })
  }

  private count({ boot_id, at, interfaces }: Extract<AgentFrame, { t: 'counters' }>, now: number): void {
    const reading = { bootId: boot_id, atMs: at, counters: interfaces }
    const rates = this.log.take(reading, now, (pending) => this.line.keep(pending))
    if (rates) this.tell({ type: 'interface', data: rates })
    this.viewers.sweep(now)
  }

  private look(isSuspect = false): void {
    const heardAt = this.line.heardAt()
    this.lookAt = lookAgainAt(heardAt, isSuspect, Date.now())
    this.apply({ type: 'looked', heardAt })
  }

  /** Reads the rows and compiles them. What the database forgets in that read is owed here already. */
  private async compile(): Promise<void> {
    const read = await readRouter(this.env, numberOf(this.ctx.id))
    if (!read) return this.remove()
    const isKept = read.event.hash === this.state.config.hash && documentParts(this.ctx.storage.kv) > 0
    if (!isKept) saveDocument(this.ctx.storage, read.document)
    this.apply(read.event)
    this.compiling.done()
    if (!read.hasKey) this.line.close(CLOSE.removed, 'key reset')
    await this.schedule()
  }

  private async drain(): Promise<void> {
    await payDebts(this.env, this.state, (change) => this.settle(change))
    await this.schedule()
  }

  /** A hub that was removed meanwhile owes nothing. */
  private settle(change: (outbox: Outbox) => Outbox): void {
    if (this.state.router) this.commit({ ...this.state, outbox: change(this.state.outbox) })
  }

  private tell(body: ViewerBody): void {
    this.seq += 1
    this.viewers.broadcast(body)
  }

  private renewStream(): void {
    if (!isOnline(this.state)) return
    const now = Date.now()
    const frame = this.stream.next(this.viewers.isWatched(now), now)
    if (frame) this.send(frame)
  }

  private async schedule(): Promise<void> {
    const isWatched = this.viewers.sockets().length > 0
    const checkMs = isWatched ? PRESENCE.watchedCheckMs : PRESENCE.idleCheckMs
    const check = isWatched || this.state.presence.connected ? Date.now() + checkMs : null
    await wakeAt(this.ctx.storage, [nextDue(this.state), this.lookAt, check, this.compiling.dueAt()])
  }
}
