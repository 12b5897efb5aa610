import { STREAM } from '#contract/kernel/hub-limits.ts'
import { logFault } from './fault-log.ts'
import type { HubName, Viewer } from '#contract/kernel/hubs.ts'
import { CLOSE, type ViewerFrame, type ViewerRequest, viewerRequest } from '#contract/kernel/protocol.ts'
import { admitFrame, parseFrame, rememberNonce } from './socket-guard.ts'
import { type Credit, acknowledge, INITIAL_CREDIT, offer } from './viewer-credit.ts'

/* Viewer sockets of one hub: single-use tickets, credit-based flow control, leases. */

/** Frame to a viewer without its head (`code`, `seq`). */
export type ViewerBody = ViewerFrame extends infer F ? (F extends ViewerFrame ? Omit<F, 'code' | 'seq'> : never) : never

/** Survives hibernation on the socket. */
interface ViewerAttachment {
  readonly viewer: Viewer
  readonly lastReceivedAt: number
  readonly isBehind: boolean
}
/** State of a viewer's socket, in memory while the hub is awake. */
interface ViewerState {
  attachment: ViewerAttachment
  credit: Credit
  /** True: the account's hub has not confirmed the session yet, and nothing is sent. */
  isWaiting?: boolean
  /** Start of the time in which frames were left out; null while there is none. */
  behindSince: number | null
}

interface ViewersDeps {
  readonly hub: HubName
  register(viewer: Viewer, on: boolean): Promise<boolean>
  /** Asked on connect, because a ticket outlives its grant by seconds. */
  isAuthorized(viewer: Viewer): boolean
  seq(): number
  state(viewer: Viewer, what: 'all' | 'latest'): readonly ViewerBody[]
}

const TAG = 'viewer'
const LEASE_STEP_MS = 10_000 // precision of the stored time of a viewer's last message

export class Viewers {
  private readonly states = new WeakMap<WebSocket, ViewerState>()
  private sweptAt = 0
  private readonly ctx: DurableObjectState
  private readonly deps: ViewersDeps

  constructor(ctx: DurableObjectState, deps: ViewersDeps) {
    this.ctx = ctx
    this.deps = deps
  }

  /** A refused socket is closed before the hub holds it, so that its connection ends at once. */
  accept(viewer: Viewer, now: number): Response {
    if (!this.deps.isAuthorized(viewer)) return closedSocket(CLOSE.sessionEnded, 'not allowed')
    if (this.socketsOf(viewer).length >= STREAM.socketsPerSession)
      return closedSocket(CLOSE.tooOften, 'too many sockets')
    if (!rememberNonce(this.ctx.storage, viewer.ticketId, now)) return closedSocket(CLOSE.sessionEnded, 'ticket used')
    const { 0: client, 1: socket } = new WebSocketPair()
    this.ctx.acceptWebSocket(socket, [TAG])
    const attachment = { viewer, lastReceivedAt: now, isBehind: false }
    socket.serializeAttachment(attachment)
    this.states.set(socket, { attachment, credit: INITIAL_CREDIT, isWaiting: true, behindSince: null })
    this.ctx.waitUntil(this.authorizeOnConnect(socket, viewer))
    return new Response(null, { status: 101, webSocket: client })
  }

  /** Open sockets; the platform may still list some that are closed. */
  sockets(): WebSocket[] {
    return this.ctx.getWebSockets(TAG).filter((socket) => socket.readyState === WebSocket.OPEN)
  }

  viewers(): Viewer[] {
    return this.sockets().map((socket) => this.stateOf(socket).attachment.viewer)
  }

  private socketsOf({ sessionId }: Viewer): WebSocket[] {
    return this.sockets().filter((socket) => this.stateOf(socket).attachment.viewer.sessionId === sessionId)
  }

  /** True for a viewer's socket, by its attachment: one that closes while its object is replaced has no tags. */
  isViewer(socket: WebSocket): boolean {
    return this.states.has(socket) || 'viewer' in (socket.deserializeAttachment() ?? {})
  }

  /**
   * True while a viewer has acknowledged or pinged within the stream's lease; a hidden tab closes its socket. One that
   * has left frames unacknowledged for longer takes nothing, whether or not it pings.
   */
  isWatched(now: number): boolean {
    return this.sockets().some((socket) => {
      const { attachment, behindSince } = this.stateOf(socket)
      const leaseMs = attachment.viewer.isLegacy ? STREAM.viewerSilentMs : STREAM.leaseSeconds * 1000
      return now - this.lastReceivedAt(socket) < leaseMs && now - (behindSince ?? now) < leaseMs
    })
  }

  /** A paused device sends nothing to acknowledge, so pings that the platform answers count as well. */
  private lastReceivedAt(socket: WebSocket): number {
    const pingedAt = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0
    return Math.max(pingedAt, this.stateOf(socket).attachment.lastReceivedAt)
  }

  /** Sends one frame to all viewers with credit; a function if viewers may see different things. */
  broadcast(body: ViewerBody | ((viewer: Viewer) => ViewerBody)): void {
    const seq = this.deps.seq()
    const same = typeof body === 'function' ? null : toViewerText(body, seq)
    const textFor = (viewer: Viewer) => same ?? toViewerText((body as (viewer: Viewer) => ViewerBody)(viewer), seq)
    for (const socket of this.ctx.getWebSockets(TAG)) this.send(socket, seq, textFor)
  }

  /** Returns the request that the message carries; null if it was refused or is unknown. */
  onMessage(socket: WebSocket, message: string | ArrayBuffer, now: number): ViewerRequest | null {
    const text = admitFrame(socket, message, now)
    const request = text === null ? null : (parseAck(text) ?? parseFrame(socket, text, viewerRequest, 'type'))
    if (request === null) return null
    const state = this.stateOf(socket)
    if (now - state.attachment.lastReceivedAt >= LEASE_STEP_MS) {
      this.persist(socket, { ...state.attachment, lastReceivedAt: now })
    }
    if (request.type === 'snapshot') this.sendState(socket, 'all')
    if (request.type === 'ack') this.acknowledge(socket, state, request.seq)
    return request
  }

  private acknowledge(socket: WebSocket, state: ViewerState, seq: number): void {
    const { credit, catchUp } = acknowledge(state.credit, seq)
    this.setCredit(socket, credit)
    if (catchUp) this.sendState(socket, 'latest')
  }

  onClose(socket: WebSocket): void {
    const { viewer } = this.stateOf(socket).attachment
    if (this.socketsOf(viewer).length === 0) this.ctx.waitUntil(this.deps.register(viewer, false))
  }

  /** Closes viewers that neither acknowledge nor ping. */
  sweep(now: number): void {
    if (now - this.sweptAt < LEASE_STEP_MS) return
    this.sweptAt = now
    for (const socket of this.sockets()) {
      if (now - this.lastReceivedAt(socket) >= STREAM.viewerSilentMs) socket.close(CLOSE.silent, 'silent')
    }
  }

  end(sessionIds: readonly string[]): void {
    for (const socket of this.sockets()) {
      const { sessionId } = this.stateOf(socket).attachment.viewer
      if (sessionIds.includes(sessionId)) socket.close(CLOSE.sessionEnded, 'session ended')
    }
  }

  closeUnauthorized(): void {
    for (const socket of this.sockets()) {
      if (!this.deps.isAuthorized(this.stateOf(socket).attachment.viewer))
        socket.close(CLOSE.sessionEnded, 'not allowed')
    }
  }

  closeAll(code: number, reason: string): void {
    for (const socket of this.sockets()) socket.close(code, reason)
  }

  private sendState(socket: WebSocket, what: 'all' | 'latest'): void {
    const seq = this.deps.seq()
    const { viewer } = this.stateOf(socket).attachment
    for (const body of this.deps.state(viewer, what)) this.send(socket, seq, () => toViewerText(body, seq))
  }

  private send(socket: WebSocket, seq: number, textFor: (viewer: Viewer) => string): void {
    const state = this.stateOf(socket)
    if (state.isWaiting) return
    const { credit, send } = offer(
      state.credit,
      seq,
      state.attachment.viewer.isLegacy ? STREAM.plainFrames : STREAM.creditFrames,
    )
    this.setCredit(socket, credit)
    if (!send) return
    try {
      socket.send(textFor(state.attachment.viewer))
    } catch {
      // just closed, close event pending; checking readyState of each socket first costs more
    }
  }

  /** Hibernation may lose the count of frames in flight, but not the mark that a viewer is behind. */
  private setCredit(socket: WebSocket, credit: Credit): void {
    const state = this.stateOf(socket)
    state.credit = credit
    state.behindSince = credit.isBehind ? (state.behindSince ?? Date.now()) : null
    if (credit.isBehind !== state.attachment.isBehind)
      this.persist(socket, { ...state.attachment, isBehind: credit.isBehind })
  }

  private persist(socket: WebSocket, attachment: ViewerAttachment): void {
    this.stateOf(socket).attachment = attachment
    socket.serializeAttachment(attachment)
  }

  private stateOf(socket: WebSocket): ViewerState {
    const known = this.states.get(socket)
    if (known) return known
    const attachment = socket.deserializeAttachment() as ViewerAttachment
    const { isBehind } = attachment
    const woken = {
      attachment,
      credit: { ...INITIAL_CREDIT, isBehind },
      behindSince: isBehind ? Date.now() : null,
    }
    this.states.set(socket, woken)
    return woken
  }

  /** Re-authorizes on connect: a session that ended after the ticket was issued is closed before any frame is sent. */
  private async authorizeOnConnect(socket: WebSocket, viewer: Viewer): Promise<void> {
    try {
      if (!(await this.deps.register(viewer, true))) return socket.close(CLOSE.sessionEnded, 'session ended')
      this.stateOf(socket).isWaiting = false
      this.sendState(socket, 'all')
    } catch (error) {
      logFault(this.deps.hub, 'viewer', error)
      socket.close(CLOSE.silent, 'try again')
    }
  }
}

const toViewerText = (body: ViewerBody, seq: number): string => JSON.stringify({ code: 200, seq, ...body })

/**
 * Acknowledgements are nearly all messages, so they are read without the schema: for 200 viewers that saves half a tick.
 */
function parseAck(text: string): ViewerRequest | null {
  const seq = /^\{"type":"ack","seq":(\d{1,15})\}$/.exec(text)?.[1]
  return seq === undefined ? null : { type: 'ack', seq: Number(seq) }
}

/** Accepts the upgrade and closes it: a browser or a device cannot read a refused one. */
export function closedSocket(code: number, reason: string): Response {
  const { 0: client, 1: socket } = new WebSocketPair()
  socket.accept()
  socket.close(code, reason)
  return new Response(null, { status: 101, webSocket: client })
}
