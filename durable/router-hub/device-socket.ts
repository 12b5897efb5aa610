import { STREAM, PRESENCE } from '#contract/kernel/hub-limits.ts'
import { type AgentFrame, CLOSE, type HubFrame, agentFrame } from '#contract/kernel/protocol.ts'
import { admitFrame, closing, parseFrame } from '#durable/socket-guard.ts'
import { FrameQueue } from './frame-queue.ts'
import { type Presence, nextLeaseCheckAt } from './state/presence.ts'
import { loadDocument, linkIdsOf } from './state/storage.ts'
import type { PackedPending } from './traffic/traffic-store.ts'
import type { ConfigFrame } from './state/config-push.ts'

/* Socket of a device (the newest wins, frames are checked), lease of its stream while somebody watches, presence checks. */

/** Survives hibernation on the device's socket. */
interface DeviceAttachment {
  readonly epoch: number
  readonly serial: string
  /** Time at which the socket was accepted or last sent counters. */
  readonly lastReceivedAt: number
  readonly pending: PackedPending | null
}

const TAG = 'device'
/** Longest time for a deleted router's device to apply the empty document. */
export const EMPTYING_MS = 2_000

/** The device's socket of the present epoch; the platform may list others that are closed. */
export class DeviceSocket {
  private readonly ctx: DurableObjectState
  private readonly presence: () => Presence
  private readonly isOutdated: () => boolean
  private frameAt = 0
  private readonly frames = new FrameQueue()
  /** Callback while the device is emptied, with the hash of each document for which it reports a result. */
  private onResult: ((hash: string) => void) | null = null

  /** Ids of the links in the stored document; null until they are needed. */
  private linkIds: ReadonlySet<string> | null = null
  private readonly onClosed: (epoch: number, code: number) => void

  /**
   * @param isOutdated the device speaks an older protocol: a frame that cannot be read is ignored.
   * @param onClosed a socket was closed from here; the peer may never answer, so its close event may never come.
   */
  constructor(
    ctx: DurableObjectState,
    presence: () => Presence,
    isOutdated: () => boolean,
    onClosed: (epoch: number, code: number) => void,
  ) {
    this.ctx = ctx
    this.presence = presence
    this.isOutdated = isOutdated
    this.onClosed = onClosed
  }

  /** Answers the upgrade. The new socket takes over: every older socket of the device is closed. */
  accept(attachment: DeviceAttachment): Response {
    const { 0: client, 1: socket } = new WebSocketPair()
    const older = this.ctx.getWebSockets(TAG)
    this.ctx.acceptWebSocket(socket, [TAG])
    socket.serializeAttachment(attachment)
    this.frameAt = 0
    for (const old of older) old.close(CLOSE.superseded, 'superseded')
    return new Response(null, { status: 101, webSocket: client })
  }

  /** Time of the last message, including pings that the platform answered without waking the hub; null without a socket. */
  lastReceivedAt(): number | null {
    const socket = this.current()
    if (!socket) return null
    const pingedAt = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0
    return Math.max(pingedAt, attachmentOf(socket).lastReceivedAt, this.frameAt)
  }

  /** The rate is limited at once; admitted frames are read and handled in turn. */
  receive(socket: WebSocket, message: string | ArrayBuffer, handle: (frame: AgentFrame) => void): void {
    const now = Date.now()
    const close = this.closing(socket)
    if (attachmentOf(socket).epoch !== this.presence().epoch) return void close(CLOSE.superseded, 'superseded')
    const text = admitFrame(socket, message, now, close)
    if (text === null) return
    this.frameAt = now
    this.frames.add(() => {
      const frame = this.read(socket, text)
      if (frame) handle(frame)
    }, now)
  }

  /** Handles the frames received so far, before a close or the next socket is handled. */
  handleReceived(): void {
    this.frames.drain()
  }

  /** A frame of the present socket, checked; null if there is nothing to do or the socket was closed. */
  private read(socket: WebSocket, text: string): AgentFrame | null {
    const close = this.closing(socket)
    const frame = parseFrame(socket, text, agentFrame, 't', this.isOutdated() ? () => null : close)
    if (frame?.t === 'hello' && frame.serial !== attachmentOf(socket).serial)
      return close(CLOSE.protocol, 'another serial')
    if (frame && frame.t !== 'hello' && !this.presence().greeted) return close(CLOSE.protocol, 'hello first')
    if (!this.onResult) return frame && this.withKnownLinks(frame)
    if (frame?.t === 'config_result' && frame.state !== 'received') this.onResult(frame.hash)
    return null
  }

  /** Frames that wait on a socket closed from here are dropped: the device sends again on its next one. */
  private closing(socket: WebSocket): ReturnType<typeof closing> {
    return closing(socket, (code) => {
      const { epoch } = attachmentOf(socket)
      if (epoch === this.presence().epoch) this.frames.clear()
      this.onClosed(epoch, code)
    })
  }

  /** Drops reports and counters of links that are not in the document: a device could fill the hub with made-up ids. */
  private withKnownLinks(frame: AgentFrame): AgentFrame {
    if ((frame.t !== 'links' && frame.t !== 'counters') || frame.links === undefined) return frame
    const ids = (this.linkIds ??= linkIdsOf(loadDocument(this.ctx.storage)))
    if (frame.t === 'links') return { ...frame, links: frame.links.filter(({ id }) => ids.has(id)) }
    return { ...frame, links: Object.fromEntries(Object.entries(frame.links).filter(([id]) => ids.has(id))) }
  }

  /** Sets the links of the document; null: it was deleted. */
  onDocument(linkIds: ReadonlySet<string> | null): void {
    this.linkIds = linkIds
  }

  /** False if the frame could not be sent. */
  send(frame: HubFrame): boolean {
    try {
      const socket = this.current()
      socket?.send(JSON.stringify(frame))
      return socket !== null
    } catch {
      return false
    }
  }

  /**
   * Sends the empty document before the router's deletion and waits until the device has applied or refused it, at most
   * `EMPTYING_MS`. Other frames are ignored meanwhile.
   */
  async empty(frame: ConfigFrame): Promise<void> {
    if (!this.send(frame)) return
    await new Promise<void>((done) => {
      const timer = setTimeout(done, EMPTYING_MS)
      this.onResult = (hash) => {
        if (hash !== frame.hash) return
        clearTimeout(timer)
        done()
      }
    })
    this.onResult = null
  }

  close(code: number, reason: string): void {
    const socket = this.current()
    if (socket) this.closing(socket)(code, reason)
  }

  /** Saves traffic that is not stored yet in the attachment. */
  persist(pending: PackedPending): void {
    const socket = this.current()
    if (!socket) return
    const attachment: DeviceAttachment = { ...attachmentOf(socket), lastReceivedAt: this.frameAt, pending }
    socket.serializeAttachment(attachment)
  }

  pending(): PackedPending | null {
    const socket = this.current()
    return socket ? attachmentOf(socket).pending : null
  }

  private current(): WebSocket | null {
    const isCurrent = (socket: WebSocket) =>
      socket.readyState === WebSocket.OPEN && attachmentOf(socket).epoch === this.presence().epoch
    return this.ctx.getWebSockets(TAG).find(isCurrent) ?? null
  }
}

export const attachmentOf = (socket: WebSocket): DeviceAttachment => socket.deserializeAttachment() as DeviceAttachment

const LEASE_MS = STREAM.leaseSeconds * 1000

/** The device streams only while somebody watches. After hibernation the lease is renewed early. */
export class StreamLease {
  private until = 0
  private rateMs = 0
  private hasTrunks = false

  isRenewalDue(now: number): boolean {
    return this.until - now < LEASE_MS / 2
  }

  /**
   * The frame to send, if the lease has to be renewed, changed or ended.
   *
   * @param rateMs time between two frames of counters; null: nobody watches.
   */
  next(rateMs: number | null, now: number, trunks: boolean): HubFrame | null {
    if (rateMs === null) {
      if (this.until <= now) return null
      this.until = 0
      return streamFrame(false, STREAM.rateMs)
    }
    if (!this.isRenewalDue(now) && trunks === this.hasTrunks && rateMs === this.rateMs) return null
    this.until = now + LEASE_MS
    this.rateMs = rateMs
    this.hasTrunks = trunks
    return { ...streamFrame(true, rateMs), ...(trunks && { trunks }) }
  }

  /** Ends the lease: a fresh socket has none. */
  reset(): void {
    this.until = 0
  }
}

const streamFrame = (on: boolean, rate_ms: number): Extract<HubFrame, { t: 'stream' }> => ({
  t: 'stream',
  on,
  rate_ms,
  lease_s: STREAM.leaseSeconds,
})

/** Checks the lease of a device's socket: periodically, and early if its end is near or suspected. */
export class LeaseCheck {
  private readonly lastReceivedAt: () => number | null
  private readonly onChecked: (lastReceivedAt: number | null) => void
  private earlyAt: number | null = null

  constructor(lastReceivedAt: () => number | null, onChecked: (lastReceivedAt: number | null) => void) {
    this.lastReceivedAt = lastReceivedAt
    this.onChecked = onChecked
  }

  run(isSuspect = false): void {
    const lastReceivedAt = this.lastReceivedAt()
    this.earlyAt = nextLeaseCheckAt(lastReceivedAt, isSuspect, Date.now())
    this.onChecked(lastReceivedAt)
  }

  /** A device that somebody watches is checked at the end of each lease. Others are checked by their account's hub. */
  dueTimes(isWatched: boolean, isConnected: boolean): readonly (number | null)[] {
    const now = Date.now()
    const lastReceivedAt = this.lastReceivedAt()
    const isHeld = isConnected && lastReceivedAt !== null
    const watchedAt = isHeld ? lastReceivedAt + PRESENCE.leaseMs : now + PRESENCE.watchedCheckMs
    const idleAt = isConnected ? now + PRESENCE.ownCheckMs : null
    return [this.earlyAt, isWatched ? Math.max(watchedAt, now) : idleAt]
  }
}
