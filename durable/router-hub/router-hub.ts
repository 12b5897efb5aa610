import type { DeviceIdentity, RouterHubRpc, Viewer } from '../../worker/contract/hubs.ts'
import { CONFIG_PUSH, JOB_REPORT_MS, PRESENCE } from '../../worker/contract/limits.ts'
import { type AgentFrame, CLOSE, type HubFrame, type LinkReport } from '../../worker/contract/protocol.ts'
import { PendingFlag, SingleFlight, Throttle } from '../async.ts'
import { logFault } from '../fault-log.ts'
import { Hub, closedSocket } from '../hub.ts'
import { rememberNonce } from '../replay-cache.ts'
import type { ViewerBody } from '../viewers.ts'
import { deliverPeers, linkIdsOf, readRouter } from './database.ts'
import { DeviceSocket, StreamLease, attachmentOf, closeReason } from './device-socket.ts'
import { isSameOwner } from './facts.ts'
import { flushOutbox, reportLinks } from './flush.ts'
import { isAuthorized, toEmptyConfigFrame, toHistoryFrame, toLatestFrame, toRouterFrame } from './frames.ts'
import {
  type RouterEffect,
  type RouterEvent,
  type RouterState,
  blankRouter,
  isOnline,
  nextDue,
  step,
} from './machine.ts'
import { type Outbox, enqueue, isDue } from './outbox.ts'
import { isAlive, limitReconnects, nextLeaseCheckAt, unseen } from './presence.ts'
import { documentParts, loadDocument, loadState, saveDocument, saveLinks, saveState } from './storage.ts'
import { TrafficStore } from './traffic-store.ts'

/** How long a deleted router's device may take to apply the empty document. */
const EMPTYING_MS = 2_000
const LINKS_SAVE_MS = 1_000

/** One per router: its device's socket, its viewers and the state between them. Each event goes through `step` (machine.ts). */
export class RouterHub extends Hub implements RouterHubRpc {
  private state: RouterState
  private series: TrafficStore
  private readonly device: DeviceSocket
  private readonly stream = new StreamLease()
  private readonly reading: PendingFlag
  private readonly flushing = new SingleFlight(() => this.flush())
  private readonly removing = new SingleFlight(() => this.emptyAndDelete())
  private readonly linkSaves = new Throttle(() => this.saveLinks(), LINKS_SAVE_MS)
  /** Links of the stored document; null until they are needed. */
  private linkIds: ReadonlySet<string> | null = null
  /** An early lease check, before the periodic one. */
  private leaseCheckAt: number | null = null
  /** The empty document is being pushed before the deletion: frames are ignored. */
  private isEmptying = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, 'router')
    this.state = this.isRetired ? blankRouter : loadState(ctx.storage)
    this.reading = new PendingFlag(ctx, () => this.read())
    this.device = new DeviceSocket(
      ctx,
      () => this.state.presence,
      (epoch, code) => this.applyClose(epoch, code),
    )
    this.series = new TrafficStore(ctx.storage, this.device.pending())
    if (this.isRetired) return
    // A restart drops sockets and may have interrupted an outbox flush.
    this.checkLeaseNow()
    if (isDue(this.state.outbox, Date.now())) ctx.waitUntil(this.flushing.run())
  }

  // RPC

  /** Reads and compiles the rows. If that fails, the pending flag remains set and the alarm retries. */
  refresh(): Promise<void> {
    return this.reading.run()
  }

  /** A document that changed in the read is pushed by the read itself. */
  async resend(): Promise<void> {
    const { version } = this.state.config
    await this.refresh()
    if (this.state.config.version === version) this.apply({ type: 'resend' })
    await this.schedule()
  }

  async requestReport(): Promise<boolean> {
    this.checkLeaseNow()
    if (!isOnline(this.state)) return false
    const job = { id: crypto.randomUUID(), kind: 'report', params: {}, expiresAt: Date.now() + JOB_REPORT_MS }
    this.apply({ type: 'requested', job })
    await this.schedule()
    return true
  }

  async checkLease(isSuspect = false): Promise<void> {
    this.checkLeaseNow(isSuspect)
    await this.schedule()
  }

  async traffic(): ReturnType<RouterHubRpc['traffic']> {
    return { data: toHistoryFrame(this.series).data, ...toRouterFrame(this.state).data }
  }

  remove(): Promise<void> {
    return this.removing.run()
  }

  // Viewers

  protected override isAuthorized(viewer: Viewer): boolean {
    return isAuthorized(this.state, viewer)
  }

  protected override viewerState(_: Viewer, what: 'all' | 'latest'): readonly ViewerBody[] {
    return [toRouterFrame(this.state), what === 'all' ? toHistoryFrame(this.series) : toLatestFrame(this.series)]
  }

  /** A viewer that is unknown by the stored rows may be authorized by newer ones. */
  protected override async prepare(viewer: Viewer | null): Promise<void> {
    if (viewer && !this.isAuthorized(viewer)) await this.tryRefresh()
  }

  protected override onViewersChanged(): void {
    if (!isOnline(this.state)) return
    const now = Date.now()
    const frame = this.stream.next(this.viewers.isWatched(now), now)
    if (frame) this.send(frame)
  }

  protected override onViewerMessage(): void {
    if (this.stream.isRenewalDue(Date.now())) this.onViewersChanged()
  }

  // The device

  protected override async connectDevice(identity: DeviceIdentity): Promise<Response> {
    const { router } = this.state
    if (router && !isSameOwner(router, identity)) await this.tryRefresh()
    if (this.state.router && !isSameOwner(this.state.router, identity)) return closedSocket(CLOSE.restart, 'try again')
    const now = Date.now()
    // Before the reconnect limit, so that replayed tokens do not count against the device.
    if (!rememberNonce(this.ctx.storage, identity.tokenId, now)) return closedSocket(CLOSE.protocol, 'token used')
    const isTakeover = isAlive(this.state.presence, this.device.lastReceivedAt(), now)
    const { reconnects, waitMs } = limitReconnects(this.state.reconnects, isTakeover, now)
    this.commit({ ...this.state, reconnects })
    if (waitMs > 0) return closedSocket(CLOSE.tooOften, `retry_after=${Math.ceil(waitMs / 1000)}`)
    this.series.flush(now) // pending traffic lies on the socket that is about to be closed
    this.apply({ type: 'accepted', identity, isTakeover })
    const { epoch } = this.state.presence
    const response = this.device.accept({ epoch, serial: identity.serial, lastReceivedAt: now, pending: null })
    if (!this.state.router) this.ctx.waitUntil(this.tryRefresh())
    this.onViewersChanged()
    return response
  }

  protected override async onDeviceMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const now = Date.now()
    const frame = this.device.read(socket, message, now)
    if (!frame || this.isEmptying) return
    this.apply({ type: 'frame', frame: frame.t === 'links' ? this.withKnownLinks(frame) : frame })
    if (frame.t === 'hello') this.stream.reset()
    if (frame.t === 'counters') this.addCounters(frame, now)
    if (this.stream.isRenewalDue(now)) this.onViewersChanged()
    await this.schedule()
  }

  protected override onDeviceClose(socket: WebSocket, code: number): void {
    this.applyClose(attachmentOf(socket).epoch, code)
  }

  private applyClose(epoch: number, code: number): void {
    this.apply({ type: 'closed', epoch, reason: closeReason(code) })
  }

  /** Reports of links that are not in the document are dropped: ids are the device's own words. */
  private withKnownLinks(frame: Extract<AgentFrame, { t: 'links' }>): AgentFrame {
    this.linkIds ??= linkIdsOf(loadDocument(this.ctx.storage))
    return { ...frame, links: frame.links.filter(({ id }) => this.linkIds?.has(id)) }
  }

  private addCounters({ boot_id, at, interfaces }: Extract<AgentFrame, { t: 'counters' }>, now: number): void {
    const reading = { bootId: boot_id, atMs: at, counters: interfaces }
    const rates = this.series.add(reading, now, (pending) => this.device.persist(pending))
    if (rates) this.broadcast({ type: 'interface', data: rates })
    this.viewers.sweep(now)
  }

  /** A failed send triggers a lease check. */
  private send(frame: HubFrame): void {
    if (!this.device.send(frame)) this.checkLeaseNow(true)
  }

  private apply(event: RouterEvent): void {
    const { state, effects } = step(this.state, event, Date.now())
    this.commit(state)
    for (const effect of effects) this.perform(effect)
  }

  /** Stores what changed. The platform's output gate holds frames back until that is on disk. */
  private commit(state: RouterState): void {
    const before = this.state
    saveState(this.ctx.storage, before, state)
    this.state = state
    if (before.links !== state.links) this.linkSaves.trigger()
    if (isOnline(before) && !isOnline(state)) this.series.flush(Date.now())
    if (state.outbox.change > before.outbox.change && isDue(state.outbox, Date.now())) {
      this.ctx.waitUntil(this.flushing.run())
    }
  }

  private perform(effect: RouterEffect): void {
    switch (effect.type) {
      case 'send':
        return this.send(effect.frame)
      case 'push':
        return this.push()
      case 'drop':
        return this.device.close(effect.code, effect.reason)
      case 'show':
        return this.broadcast(toRouterFrame(this.state))
      case 'links':
        return this.report(effect.links)
    }
  }

  /** A hub that was emptied meanwhile has none. */
  private saveLinks(): void {
    if (this.state.router) saveLinks(this.ctx.storage, this.state.links)
  }

  private push(): void {
    const { version, hash } = this.state.config
    const body = loadDocument(this.ctx.storage)
    if (body) this.send({ t: 'config', version, hash, body, confirm_s: CONFIG_PUSH.confirmSeconds })
  }

  private report(links: readonly LinkReport[]): void {
    const { router } = this.state
    if (!router) return
    const enqueueAll = () => this.updateOutbox((outbox) => enqueue(outbox, {}))
    this.ctx.waitUntil(reportLinks(this.hub, this.hubs, router, links).catch(enqueueAll))
  }

  private checkLeaseNow(isSuspect = false): void {
    const lastReceivedAt = this.device.lastReceivedAt()
    this.leaseCheckAt = nextLeaseCheckAt(lastReceivedAt, isSuspect, Date.now())
    this.apply({ type: 'leaseChecked', lastReceivedAt })
  }

  protected override async onAlarm(): Promise<void> {
    this.onViewersChanged()
    this.checkLeaseNow()
    this.apply({ type: 'due' })
    await this.reading.retry()
    if (isDue(this.state.outbox, Date.now())) await this.flushing.run()
  }

  protected override dueTimes(): readonly (number | null)[] {
    const isWatched = this.viewers.sockets().length > 0
    const checkMs = isWatched ? PRESENCE.watchedCheckMs : PRESENCE.idleCheckMs
    const check = isWatched || this.state.presence.connected ? Date.now() + checkMs : null
    return [nextDue(this.state), this.leaseCheckAt, check, this.reading.dueAt()]
  }

  private async read(): Promise<void> {
    const { storage } = this.ctx
    const read = await readRouter(this.env, this.hub)
    if (!read) return this.remove()
    const { router } = this.state
    if (router && !isSameOwner(router, read.event.router)) await this.resetOwner()
    const isStored = read.event.hash === this.state.config.hash && documentParts(storage.kv) > 0
    if (!isStored) saveDocument(storage, read.document)
    this.linkIds = read.event.linkIds
    this.apply(read.event)
    this.viewers.closeUnauthorized()
    this.reading.done()
    if (!read.hasKey) this.apply({ type: 'keyReset' })
    await this.schedule()
  }

  private async tryRefresh(): Promise<void> {
    await this.refresh().catch(() => {}) // logged by the pending flag; the alarm retries
  }

  private async flush(): Promise<void> {
    const { env, hub, hubs, state } = this
    const peers = await flushOutbox(env, hub, hubs, state, (change) => this.updateOutbox(change))
    if (!peers) return this.tryRefresh()
    // Thousands of points may follow a centre: their refresh must not hold up the next flush, and cron sweeps what is left.
    const delivered = deliverPeers(env, hubs, peers)
    this.ctx.waitUntil(delivered.catch((error: unknown) => logFault(hub, 'outbox', error)))
    await this.schedule()
  }

  /** A hub that was emptied meanwhile has no outbox. */
  private updateOutbox(change: (outbox: Outbox) => Outbox): void {
    if (this.state.router) this.commit({ ...this.state, outbox: change(this.state.outbox) })
  }

  private async emptyAndDelete(): Promise<void> {
    this.viewers.closeAll(CLOSE.removed, 'removed')
    await this.emptyDevice()
    this.viewers.closeAll(CLOSE.removed, 'removed') // those that came meanwhile
    this.device.close(CLOSE.removed, 'removed')
    await this.deleteAll()
  }

  /** Pushes the empty document to a connected device and waits until it reports a result, at most `EMPTYING_MS`. */
  private async emptyDevice(): Promise<void> {
    const frame = isOnline(this.state) ? toEmptyConfigFrame(this.state) : null
    if (!frame) return
    this.isEmptying = true
    await this.device.sendAndWait(frame, EMPTYING_MS)
    this.isEmptying = false
  }

  /** The row names another account, device or key: deletes all data of the earlier owner. */
  private async resetOwner(): Promise<void> {
    this.viewers.closeAll(CLOSE.sessionEnded, 'not allowed')
    this.device.close(CLOSE.restart, 'owner changed')
    const { epoch } = this.state.presence
    await this.deleteAll()
    this.commit({ ...blankRouter, presence: { ...unseen, epoch } }) // the epoch fences late frames of the old socket
  }

  private async deleteAll(): Promise<void> {
    await this.deleteStorage()
    this.linkIds = null
    this.state = blankRouter
    this.series = new TrafficStore(this.ctx.storage, null)
  }
}
