import { STREAM } from '../worker/contract/limits.ts'
import { logFault } from './fault-log.ts'
import type { AccountHubRpc, HUB_HEADER, Viewer } from '../worker/contract/hubs.ts'
import { CLOSE, type ViewerFrame, type ViewerRequest, viewerRequest } from '../worker/contract/protocol.ts'
import { isWithinRate, readFrame } from './read-frame.ts'
import { useOnce } from './single-use.ts'
import { type Credit, acknowledge, freshCredit, offer } from './viewer-credit.ts'

/** A frame without its head. */
export type ViewerBody = ViewerFrame extends infer F ? (F extends ViewerFrame ? Omit<F, 'code' | 'seq'> : never) : never

/** What a socket remembers while its hub sleeps. */
interface Seat {
  readonly viewer: Viewer
  readonly heardAt: number
  readonly isBehind: boolean
}
/** What the hub knows of a viewer while it is awake. */
interface Place {
  seat: Seat
  credit: Credit
  /** Its session is being asked for: nothing is told yet. */
  isWaiting?: boolean
}

interface Parts {
  /** This hub's own name, for the account's register of who watches what. */
  readonly hub: string
  account(accountId: number): Pick<AccountHubRpc, 'watching'>
  /** The viewer may still watch: a ticket outlives what it was made for by seconds, and ids of deleted rows come again. */
  isFor(viewer: Viewer): boolean
  /** The number of the newest frame. */
  seq(): number
  /** Frames for a viewer that has just come or has lost its place (`all`), or that was slow (`latest`). */
  state(viewer: Viewer, what: 'all' | 'latest'): readonly ViewerBody[]
}

const TAG = 'viewer'
const HEARD_STEP_MS = 10_000 // how exactly a sleeping hub knows when a viewer was last heard

/** The browsers on one hub: tickets used once, credit, leases. */
export class Viewers {
  private readonly places = new WeakMap<WebSocket, Place>()
  private sweptAt = 0
  private readonly ctx: DurableObjectState
  private readonly parts: Parts

  constructor(ctx: DurableObjectState, parts: Parts) {
    this.ctx = ctx
    this.parts = parts
  }

  accept(viewer: Viewer, now: number): Response {
    const { 0: client, 1: socket } = new WebSocketPair()
    this.ctx.acceptWebSocket(socket, [TAG])
    const seat = { viewer, heardAt: now, isBehind: false }
    socket.serializeAttachment(seat)
    this.places.set(socket, { seat, credit: freshCredit, isWaiting: true })
    if (!this.parts.isFor(viewer)) {
      socket.close(CLOSE.sessionEnded, 'not allowed')
    } else if (useOnce(this.ctx.storage, viewer.ticketId, now)) {
      this.ctx.waitUntil(this.admit(socket, viewer))
    } else {
      socket.close(CLOSE.sessionEnded, 'ticket used')
    }
    return new Response(null, { status: 101, webSocket: client })
  }

  /** Open sockets; the platform may still list some that are closed. */
  sockets(): WebSocket[] {
    return this.ctx.getWebSockets(TAG).filter((socket) => socket.readyState === WebSocket.OPEN)
  }

  isViewer(socket: WebSocket): boolean {
    return this.places.has(socket) || this.ctx.getTags(socket).includes(TAG)
  }

  /** Somebody watches: acknowledged within the stream's lease. A hidden tab stops doing so, and its lease runs out. */
  isWatched(now: number): boolean {
    return this.sockets().some((socket) => {
      const { viewer, heardAt } = this.place(socket).seat
      return now - heardAt < (viewer.isPlain ? STREAM.viewerSilentMs : STREAM.leaseSeconds * 1000)
    })
  }

  /** One frame to everybody with credit; a function where viewers may see different things. */
  broadcast(body: ViewerBody | ((viewer: Viewer) => ViewerBody)): void {
    const seq = this.parts.seq()
    const same = typeof body === 'function' ? null : textOf(body, seq)
    const textFor = (viewer: Viewer) => same ?? textOf((body as (viewer: Viewer) => ViewerBody)(viewer), seq)
    for (const socket of this.ctx.getWebSockets(TAG)) this.send(socket, seq, textFor)
  }

  heard(socket: WebSocket, message: string | ArrayBuffer, now: number): void {
    const ack = ackOf(message)
    const request = ack && isWithinRate(socket, now) ? ack : readFrame(socket, message, viewerRequest, 'type', now)
    if (request === null) return
    const place = this.place(socket)
    if (now - place.seat.heardAt >= HEARD_STEP_MS) {
      this.remember(socket, { ...place.seat, heardAt: now })
    }
    if (request.type === 'snapshot') return this.sendState(socket, 'all')
    const { credit, catchUp } = acknowledge(place.credit, request.seq)
    this.settle(socket, credit)
    if (catchUp) this.sendState(socket, 'latest')
  }

  left(socket: WebSocket): void {
    const { viewer } = this.place(socket).seat
    const isSame = (other: WebSocket) => this.place(other).seat.viewer.sessionId === viewer.sessionId
    if (!this.sockets().some(isSame)) this.ctx.waitUntil(this.register(viewer, false))
  }

  /** Closes viewers that neither acknowledge nor ping. */
  sweep(now: number): void {
    if (now - this.sweptAt < HEARD_STEP_MS) return
    this.sweptAt = now
    for (const socket of this.sockets()) {
      const pingedAt = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0
      const heardAt = Math.max(pingedAt, this.place(socket).seat.heardAt)
      if (now - heardAt >= STREAM.viewerSilentMs) socket.close(CLOSE.silent, 'silent')
    }
  }

  end(sessionIds: readonly string[]): void {
    for (const socket of this.sockets()) {
      const { sessionId } = this.place(socket).seat.viewer
      if (sessionIds.includes(sessionId)) socket.close(CLOSE.sessionEnded, 'session ended')
    }
  }

  /** Closes whoever may watch no longer. */
  dismiss(): void {
    for (const socket of this.sockets()) {
      if (!this.parts.isFor(this.place(socket).seat.viewer)) socket.close(CLOSE.sessionEnded, 'not allowed')
    }
  }

  closeAll(code: number, reason: string): void {
    for (const socket of this.sockets()) socket.close(code, reason)
  }

  private sendState(socket: WebSocket, what: 'all' | 'latest'): void {
    const seq = this.parts.seq()
    const { viewer } = this.place(socket).seat
    for (const body of this.parts.state(viewer, what)) this.send(socket, seq, () => textOf(body, seq))
  }

  private send(socket: WebSocket, seq: number, textFor: (viewer: Viewer) => string): void {
    const place = this.place(socket)
    if (place.isWaiting) return
    const { credit, send } = offer(
      place.credit,
      seq,
      place.seat.viewer.isPlain ? STREAM.plainFrames : STREAM.creditFrames,
    )
    this.settle(socket, credit)
    if (!send) return
    try {
      socket.send(textFor(place.seat.viewer))
    } catch {
      // closed a moment ago, its close event is on the way; asking each socket for its state first costs more
    }
  }

  /** What is in flight may be forgotten over a sleep; that a viewer is behind may not. */
  private settle(socket: WebSocket, credit: Credit): void {
    const place = this.place(socket)
    place.credit = credit
    if (credit.isBehind !== place.seat.isBehind) this.remember(socket, { ...place.seat, isBehind: credit.isBehind })
  }

  private remember(socket: WebSocket, seat: Seat): void {
    this.place(socket).seat = seat
    socket.serializeAttachment(seat)
  }

  private place(socket: WebSocket): Place {
    const known = this.places.get(socket)
    if (known) return known
    const seat = socket.deserializeAttachment() as Seat
    const woken = { seat, credit: { ...freshCredit, isBehind: seat.isBehind } }
    this.places.set(socket, woken)
    return woken
  }

  /** Signed out between ticket and socket: the register knows, and the socket goes without having heard anything. */
  private async admit(socket: WebSocket, viewer: Viewer): Promise<void> {
    try {
      if (!(await this.register(viewer, true))) return socket.close(CLOSE.sessionEnded, 'session ended')
      this.place(socket).isWaiting = false
      this.sendState(socket, 'all')
    } catch (error) {
      logFault(this.parts.hub, 'viewer', error)
      socket.close(CLOSE.silent, 'try again')
    }
  }

  private register({ accountId, sessionId }: Viewer, on: boolean): Promise<boolean> {
    return this.parts.account(accountId).watching({ sessionId, hub: this.parts.hub, on })
  }
}

const textOf = (body: ViewerBody, seq: number): string => JSON.stringify({ code: 200, seq, ...body })

/** What the Worker put into the upgrade after checking the ticket or the device's token; null where it put nothing. */
export function passOf<T>(request: Request, header: (typeof HUB_HEADER)[keyof typeof HUB_HEADER]): T | null {
  const text = request.headers.get(header)
  return text === null ? null : (JSON.parse(decodeURIComponent(text)) as T)
}

/** Nearly all that viewers say, read without the schema: at 200 viewers this is half of what a tick costs. */
function ackOf(message: string | ArrayBuffer): ViewerRequest | null {
  const seq = typeof message === 'string' ? /^\{"type":"ack","seq":(\d{1,15})\}$/.exec(message)?.[1] : undefined
  return seq === undefined ? null : { type: 'ack', seq: Number(seq) }
}
