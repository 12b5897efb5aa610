import type { RouterHistory } from '#contract/local/history.ts'
import { RETURN_TICKET } from '#contract/device/limits.ts'
import type { DeviceQuestion, QuestionReply } from '#contract/device/questions.ts'
import type { DeviceIdentity, OutboxEntry, ReturningDevice, RouterHubRpc, Viewer } from '#contract/kernel/hubs.ts'
import { COMMAND_REPORT_MS, HUB_TRANSFER } from '#contract/kernel/hub-limits.ts'
import { type AgentFrame, CLOSE, type HubFrame } from '#contract/kernel/protocol.ts'
import { TUNNEL, type TunnelRequest } from '#contract/kernel/tunnel-frames.ts'
import { openPrimary } from '#db/client.ts'
import { deliverWrite } from '#db/hub-outbox.ts'
import { closeReason } from '#domain/logs/close-reason.ts'
import { awaitedCenters } from '#domain/network/compile/reconnects.ts'
import { toEntries } from '#domain/router/entries.ts'
import type { StoragePage } from '#contract/router/transfer.ts'
import { toRestartSpreadMs } from '#domain/router/presence.ts'
import { hasMoved } from '#features/router/sql/routers.ts'
import { SingleFlight } from '#durable/async.ts'
import { leaveToAccount } from '#durable/database-away.ts'
import { logFault, logRefusedDevice } from '#durable/fault-log.ts'
import { requireLocal } from '#durable/hub.ts'
import { PendingRead } from '#durable/pending-read.ts'
import { rememberNonce } from '#durable/socket-guard.ts'
import { closedSocket } from '#durable/viewers.ts'
import { readRouter, toConfigFrame, toEmptyConfigFrame } from './database.ts'
import { DeviceQuestions } from './device-questions.ts'
import { DialAuthorizer } from './dial-authorizer.ts'
import { DialRecorder } from './dial-recorder.ts'
import { type AwaitedCenters, NO_CENTERS, type ReadRouter, areCentersReady, releasedDocument } from './document-hold.ts'
import { DeviceSocket, attachmentOf, LeaseCheck } from './device-socket.ts'
import { FlowRecorder } from './flows/flow-recorder.ts'
import { OutboxFlush } from './outbox-flush.ts'
import { replayHistory } from './state/history.ts'
import { emptiesDevice, isOnline, isSameOwner, isTicketOf, nextDue, step } from './state/machine.ts'
import type { RouterEffect, RouterEvent } from './state/machine-events.ts'
import { emptyOutbox, enqueue, isSaveHeld } from './state/outbox.ts'
import { isAlive, isResumed, limitReconnects, unseen } from './state/presence.ts'
import {
  type RouterState,
  StateSaves,
  blankRouter,
  hasDocument,
  linkIdsOf,
  loadDocument,
  loadState,
  saveDocument,
} from './state/storage.ts'
import { areKeysMoved, areNamesMoved, isOutdated, isRepeatedByDevice, networksLeft } from './state/state-change.ts'
import { SampleFrames } from './traffic/traffic-rates.ts'
import { toReading } from './traffic/traffic-reading.ts'
import { TrafficStore } from './traffic/traffic-store.ts'
import { ReturnTickets } from './return-tickets.ts'
import { Transfer } from './transfer.ts'
import { ViewerReads } from './viewer-reads.ts'

/** Close of a device whose hub is on the way to another place. */
const AWAY_FOR_TRANSFER = [CLOSE.restart, `retry_after=${HUB_TRANSFER.retryS}`] as const

type CountersFrame = Extract<AgentFrame, { t: 'counters' }>

/**
 * Durable Object, one per router: its device, its viewers and the state between them. `step` (machine.ts) handles events.
 */
export class RouterHub extends ViewerReads implements RouterHubRpc {
  protected state: RouterState
  private readonly device: DeviceSocket
  private readonly reading: PendingRead
  private readonly outbox: OutboxFlush
  protected series: TrafficStore
  private readonly dials: DialRecorder
  private readonly dialing: DialAuthorizer
  private readonly questions: DeviceQuestions
  protected readonly flows: FlowRecorder
  private readonly samples = new SampleFrames((frame) => this.broadcast(frame))
  private readonly tickets: ReturnTickets
  private readonly transfer: Transfer
  private readonly removing = new SingleFlight(() => this.emptyAndDelete())
  private readonly saves: StateSaves
  private readonly lease = new LeaseCheck(
    () => this.device.lastReceivedAt(),
    (lastReceivedAt) => this.apply({ type: 'leaseChecked', lastReceivedAt }),
  )

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, 'router')
    this.transfer = new Transfer(ctx.storage)
    this.state = this.isRetired || this.transfer.isStaged ? blankRouter : loadState(ctx.storage)
    this.reading = new PendingRead(
      ctx,
      () => this.read(),
      (error) => leaveToAccount(error, this.hubs, { kind: 'router', hub: this.hub }, this.state.router?.accountHub),
    )
    this.device = new DeviceSocket(
      ctx,
      () => this.state.presence,
      () => isOutdated(this.state.device),
      (epoch, code) => this.applyClose(epoch, code),
    )
    this.saves = new StateSaves(ctx.storage, () => this.state)
    this.series = new TrafficStore(ctx.storage, this.device.pending())
    const deps = {
      env,
      hub: ctx.id.name ?? '',
      storage: ctx.storage,
      waitUntil: (work: Promise<unknown>) => ctx.waitUntil(work),
      deliver: (entries: readonly OutboxEntry[]) => this.deliver(entries),
      state: () => this.state,
      send: (frame: HubFrame) => void this.send(frame),
    }
    this.tickets = new ReturnTickets({
      ...deps,
      router: () => this.state.router,
      update: (router) => this.commit({ ...this.state, router }),
      requestRead: () => this.requestRead(),
    })
    this.dials = new DialRecorder(deps)
    this.dialing = new DialAuthorizer(deps)
    this.questions = new DeviceQuestions({ ...deps, send: (frame) => this.send(frame) })
    this.flows = new FlowRecorder({ ...deps, series: () => this.series })
    this.outbox = new OutboxFlush({
      ...deps,
      hubs: this.hubs,
      // A hub that was emptied meanwhile has no outbox.
      update: (change) => this.state.router && this.commit({ ...this.state, outbox: change(this.state.outbox) }),
      withVolumes: (logs) => this.flows.withVolumes(logs),
      isRowMissing: () => this.row.isMissing,
      onFlushed: ({ isMissing }) => (isMissing ? this.reading.attemptRead() : this.schedule()),
    })
    if (this.isRetired || this.transfer.isStaged) return
    // A restart drops sockets and may have interrupted an outbox flush.
    this.lease.run()
    ctx.waitUntil(this.outbox.runIfDue())
  }

  // RPC

  /** Reads and compiles the rows: at once, or by the alarm if they were read in the same second. The alarm also retries. */
  refresh(): Promise<void> {
    return this.reading.request()
  }

  /** A document that changed in the read is pushed by the read itself. */
  async resend(): Promise<void> {
    const { version } = this.state.config
    await this.reading.readNow()
    if (this.state.config.version === version) this.apply({ type: 'resend' })
    await this.schedule()
  }

  async requestReport(): Promise<boolean> {
    this.lease.run()
    if (!isOnline(this.state)) return false
    const command = { id: crypto.randomUUID(), kind: 'report', params: {}, expiresAt: Date.now() + COMMAND_REPORT_MS }
    this.apply({ type: 'requested', command })
    await this.schedule()
    return true
  }

  async openTunnel(request: TunnelRequest): ReturnType<RouterHubRpc['openTunnel']> {
    if (!isOnline(this.state)) return 'offline'
    if (!this.state.device?.capabilities?.includes(TUNNEL.capability)) return 'too_old'
    return this.send({ t: 'tunnel', id: crypto.randomUUID(), ...request }) ? 'asked' : 'offline'
  }

  async ask(question: DeviceQuestion): Promise<QuestionReply> {
    this.lease.run()
    return this.questions.ask(question)
  }

  async holdsTicket(returning: ReturningDevice): Promise<boolean> {
    return this.isTicketGood(returning)
  }

  async checkLease(isSuspect = false, isUnreadable = false): Promise<void> {
    this.lease.run(isSuspect)
    if (isUnreadable) this.commit({ ...this.state, outbox: enqueue(this.state.outbox, { isUrgent: true }) })
    if (isUnreadable && !this.state.router) await this.reading.attemptRead()
    await this.schedule()
  }

  /** Asked by the account's hub after an outage of the database. */
  async retryDatabase(): Promise<boolean> {
    const isRead = await this.reading.retry()
    await this.outbox.runNow()
    await this.schedule()
    return isRead && !isSaveHeld(this.state.outbox, Date.now())
  }

  remove(): Promise<void> {
    return this.removing.run()
  }

  /** The device is closed without a change of its presence, as by a restart. */
  async exportStorage(cursor: string | null): Promise<StoragePage> {
    const now = Date.now()
    if (cursor === null) {
      this.device.handleReceived()
      this.saves.now()
      this.series.flush(now)
      this.transfer.begin(now)
      this.device.close(...AWAY_FOR_TRANSFER)
    }
    return this.transfer.page(cursor, now)
  }

  async endTransfer(): Promise<void> {
    this.transfer.end()
    this.lease.run()
    await this.schedule()
  }

  async importStorage(page: StoragePage): Promise<void> {
    if (this.state.router !== null) throw new Error('this hub has a router')
    this.transfer.stage(page, Date.now())
    await this.schedule()
  }

  async importHistory(history: RouterHistory): Promise<void> {
    requireLocal(this.env)
    await this.reading.readNow()
    if (this.state.presence.base !== 'never') return
    const now = Date.now()
    this.series.importHistory(history.traffic)
    this.commit(replayHistory(this.state, history, linkIdsOf(loadDocument(this.ctx.storage)), now))
    await this.dials.importHistory(history.dials, now)
    await this.outbox.runNow()
    await this.schedule()
  }

  /** A viewer that is unknown by the stored rows may be authorized by newer ones. */
  protected override async prepare(viewer: Viewer | null): Promise<void> {
    if (viewer && (this.row.isMissing || !this.isAuthorized(viewer))) await this.reading.attemptRead()
  }

  // The device

  protected override async connectDevice(identity: DeviceIdentity): Promise<Response> {
    if (this.transfer.isFrozen(Date.now())) return closedSocket(...AWAY_FOR_TRANSFER)
    if (this.transfer.isStaged) await this.reading.attemptRead()
    if (this.transfer.isStaged) return closedSocket(CLOSE.restart, 'try again')
    const { router } = this.state
    if (this.row.isMissing || (router && !isSameOwner(router, identity))) await this.reading.attemptRead()
    const isOther = this.state.router !== null && !isSameOwner(this.state.router, identity)
    if (this.row.isMissing || isOther) return closedSocket(CLOSE.restart, 'try again')
    return this.admitDevice(identity)
  }

  protected override async reconnectDevice(returning: ReturningDevice): Promise<Response> {
    if (!this.isTicketGood(returning)) return new Response(null, { status: 409 })
    return this.admitDevice(returning.device, RETURN_TICKET.renewMs)
  }

  /** A read that is requested may end the ticket: until it is done, the Worker asks the database. */
  private isTicketGood({ device, generation }: ReturningDevice): boolean {
    const { router } = this.state
    const isFrozen = this.transfer.isFrozen(Date.now())
    const isKnown = router !== null && !isFrozen && !this.row.isMissing && this.reading.dueAt() === null
    return isKnown && isTicketOf(router, device, generation)
  }

  /** @param keepMs age up to which the newest ticket is kept. */
  private async admitDevice(identity: DeviceIdentity, keepMs = 0): Promise<Response> {
    this.device.handleReceived()
    const now = Date.now()
    const refuse = (code: number, reason: string) => {
      logRefusedDevice(this.hub, { code, reason }, identity.remoteHost)
      return closedSocket(code, reason)
    }
    // The nonce is checked before the reconnect limit, so that replayed tokens do not count against the device.
    if (!rememberNonce(this.ctx.storage, identity.tokenId, now)) return refuse(CLOSE.protocol, 'token used')
    const lastReceivedAt = this.device.lastReceivedAt()
    const isTakeover = isAlive(this.state.presence, lastReceivedAt, now)
    const { reconnects, waitMs } = limitReconnects(this.state.reconnects, isTakeover, now)
    this.commit({ ...this.state, reconnects })
    if (waitMs > 0) return refuse(CLOSE.tooOften, `retry_after=${Math.ceil(waitMs / 1000)}`)
    this.series.flush(now) // pending traffic lies on the socket that is about to be closed
    this.apply({ type: 'accepted', identity, isTakeover, isResumed: isResumed(this.state.presence, lastReceivedAt) })
    const { epoch } = this.state.presence
    const response = this.device.accept({ epoch, serial: identity.serial, lastReceivedAt: now, pending: null })
    if (!this.state.router) await this.reading.attemptRead()
    this.onViewersChanged()
    await this.tickets.renew(identity, keepMs)
    return response
  }

  protected override async onDeviceMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    this.device.receive(socket, message, (frame) => this.onFrame(frame, Date.now()))
  }

  private onFrame(frame: AgentFrame, now: number): void {
    if (frame.t === 'job_result' && this.questions.take(frame)) return
    const wasOnline = isOnline(this.state)
    const { device } = this.state
    const ticket = frame.t === 'hello' ? this.tickets.newest() : undefined
    const spreadMs = toRestartSpreadMs(this.env.RESTART_SPREAD_S)
    this.apply({ type: 'frame', frame, spreadMs, ticket, ...toEntries(this.env.DEVICE_ENTRIES) })
    if (!wasOnline && isOnline(this.state)) this.dials.connected(now)
    if (frame.t === 'hello') this.stream.reset()
    if (areKeysMoved(device, this.state.device) || areNamesMoved(this.state)) this.requestRead()
    if (frame.t === 'dial') this.dials.add(frame.dials, now)
    if (frame.t === 'client_auth') this.dialing.request(frame, now)
    if (frame.t === 'flows') this.flows.add(frame, now)
    if (frame.t === 'counters') this.onCounters(frame, now)
    if (this.stream.isRenewalDue(now)) this.onViewersChanged()
    this.ctx.waitUntil(this.schedule())
  }

  private onCounters(frame: CountersFrame, now: number): void {
    const rates = this.series.add(toReading(frame), now, (pending) => this.device.persist(pending))
    if (rates) this.samples.add(rates, this.viewers.sockets().length)
    this.watches.counted(frame, this.series.linkRates(), now)
    this.totals.counted()
    this.viewers.sweep(now)
  }

  protected override onDeviceClose(socket: WebSocket, code: number): void {
    this.device.handleReceived()
    this.applyClose(attachmentOf(socket).epoch, code)
  }

  protected override closeDevice(code: number, reason: string): void {
    this.device.close(code, reason)
  }

  private applyClose(epoch: number, code: number): void {
    if (this.transfer.isFrozen(Date.now())) return
    this.apply({ type: 'closed', epoch, reason: closeReason(code) })
  }

  /** A failed send triggers a lease check. */
  protected send(frame: HubFrame): boolean {
    const isSent = this.device.send(frame)
    if (!isSent) this.lease.run(true)
    return isSent
  }

  private apply(event: RouterEvent): void {
    const { state, effects } = step(this.state, event, Date.now())
    this.commit(state, event.type === 'frame' && isRepeatedByDevice(this.state, state))
    for (const effect of effects) this.perform(effect)
  }

  /** Thousands of points may follow a centre: their refresh must not hold up the next flush, and cron delivers the rest. */
  private deliver(entries: readonly OutboxEntry[]): void {
    const accountHub = async () => this.state.router?.accountHub
    const delivered = deliverWrite(openPrimary(this.env), this.hubs, accountHub, entries)
    this.ctx.waitUntil(delivered.catch((error: unknown) => logFault(this.hub, 'outbox', error)))
  }

  /** Stores the changes. The platform's output gate holds frames back until they are on disk. */
  private commit(state: RouterState, isDeferred = false): void {
    const before = this.state
    this.state = state
    if (isDeferred) this.saves.soon()
    else this.saves.now()
    if (isOnline(before) && !isOnline(state)) this.onDisconnected()
    if (state.outbox.change > before.outbox.change) this.ctx.waitUntil(this.outbox.runIfDue())
  }

  private onDisconnected(): void {
    this.series.flush(Date.now())
    this.questions.disconnected()
  }

  private perform(effect: RouterEffect): void {
    switch (effect.type) {
      case 'send':
        return void this.send(effect.frame)
      case 'push': {
        const frame = toConfigFrame(this.ctx.storage, this.state.config, this.env)
        return void (frame && this.send(frame))
      }
      case 'drop':
        return this.device.close(effect.code, effect.reason)
      case 'show':
        return this.show()
      case 'links':
        return this.outbox.report(effect.links)
    }
  }

  protected override async onAlarm(): Promise<void> {
    if (this.transfer.isStaged) return this.reading.attemptRead()
    this.onViewersChanged()
    this.lease.run()
    this.apply({ type: 'due' })
    await this.dials.endUnreported(isOnline(this.state), Date.now())
    await this.readIfChanged(Date.now())
    await this.reading.runIfDue()
    await this.outbox.runIfDue()
  }

  /** Compiles the rows again when another bandwidth comes into force; the alarm repeats a failed attempt. */
  private async readIfChanged(now: number): Promise<void> {
    const { router } = this.state
    if (!router || router.changesAt === null || router.changesAt > now) return
    this.commit({ ...this.state, router: { ...router, changesAt: null } })
    await this.reading.attemptRead()
  }

  protected override dueTimes(): readonly (number | null)[] {
    const isWatched = this.viewers.sockets().length > 0
    const lease = this.lease.dueTimes(isWatched, this.state.presence.connected)
    // Without a row nothing can be saved.
    const state = this.row.isMissing ? { ...this.state, outbox: emptyOutbox } : this.state
    return [nextDue(state), ...lease, this.dials.dueAt(), this.reading.dueAt(), this.transfer.dueAt()]
  }

  /** The alarm repeats a read that fails. */
  private requestRead(): void {
    this.ctx.waitUntil(this.reading.request().catch(() => {}))
  }

  private async read(): Promise<void> {
    const known = this.transfer.isStaged ? loadState(this.ctx.storage) : this.state
    const read = await readRouter(this.env, this.hub, known)
    if (!read) return this.onNoRow()
    if (this.transfer.isStaged) this.takeStaged()
    // While the hold is on, rows that would empty the device are read again later.
    if (read.isHoldOn && emptiesDevice(this.state, read.event)) return
    const { router } = this.state
    if (router && !isSameOwner(router, read.event.router)) await this.resetOwner()
    const isStored = read.event.hash === this.state.config.hash && hasDocument(this.ctx.storage)
    const awaited = isStored
      ? NO_CENTERS
      : awaitedCenters(() => releasedDocument(this.ctx.storage, this.state), read.document)
    if (!isStored) saveDocument(this.ctx.storage, read.document)
    this.device.onDocument(read.event.linkIds)
    const left = networksLeft(router, read.event.router)
    if (left.length > 0) this.series.forgetLinks(left, (pending) => this.device.persist(pending))
    this.apply({ ...read.event, isHeld: awaited.size > 0 })
    if (!isStored && this.state.config.heldUntil !== null) this.ctx.waitUntil(this.release(read, awaited))
    this.viewers.closeUnauthorized()
    this.reading.done()
    this.checkKey(read)
    // The row that is back may be older than the state.
    if (this.row.found()) this.commit({ ...this.state, outbox: enqueue(this.state.outbox, { isUrgent: true }) })
    await this.schedule()
  }

  private async onNoRow(): Promise<void> {
    if (this.removing.isRunning || (await this.isRemovalQueued())) return this.remove()
    if (this.transfer.isStaged || (await hasMoved(openPrimary(this.env), this.hub))) return this.forget()
    this.reading.done()
    return this.onRowMissing(this.state.router === null, this.state.router?.routerName)
  }

  /** A key that is missing without a reset was lost with a restored database. */
  private checkKey({ hasKey, isKeyReset, isHoldOn }: ReadRouter): void {
    if (isKeyReset && !isHoldOn) this.apply({ type: 'keyReset' })
    else if (!hasKey) this.device.close(CLOSE.restart, 'no key')
  }

  private async release(read: ReadRouter, awaited: AwaitedCenters): Promise<void> {
    const { version } = this.state.config
    if (!(await areCentersReady(this.hubs, read, awaited))) return
    this.apply({ type: 'released', version })
    await this.schedule()
  }

  /** A connected device gets the empty document first. */
  private async emptyAndDelete(): Promise<void> {
    this.viewers.closeAll(CLOSE.removed, 'removed')
    const frame = isOnline(this.state) ? toEmptyConfigFrame(this.state) : null
    if (frame) await this.device.empty(frame)
    this.device.close(CLOSE.removed, 'removed')
    await this.deleteAll(CLOSE.removed, 'removed')
  }

  /** The row names the hub that got this storage. */
  private takeStaged(): void {
    this.transfer.settle()
    this.reset()
  }

  /** The router has another hub: the device keeps its configuration, and connects to that. */
  private async forget(): Promise<void> {
    this.device.close(CLOSE.restart, 'moved')
    await this.deleteAll(CLOSE.restart, 'moved')
  }

  /** The row names another account, device or key: deletes all data of the earlier owner. */
  private async resetOwner(): Promise<void> {
    this.device.close(CLOSE.restart, 'owner changed')
    const { epoch } = this.state.presence
    await this.deleteAll(CLOSE.sessionEnded, 'not allowed')
    this.commit({ ...blankRouter, presence: { ...unseen, epoch } }) // the epoch fences late frames of the old socket
  }

  protected override reset(): void {
    this.device.onDocument(null)
    this.state = loadState(this.ctx.storage)
    this.saves.reset()
    this.dials.reset()
    this.flows.reset()
    this.series = new TrafficStore(this.ctx.storage, null)
  }
}
