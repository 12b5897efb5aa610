import { PONG, type ViewerFrame, viewerFrame, type ViewerRequest } from '#contract/kernel/protocol.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { CONSOLE_SOCKET, LINK_RATES } from '#contract/kernel/hub-limits.ts'
import { ApiError, call } from '#lib/call/call.ts'
import {
  INITIAL,
  type LiveState,
  liveState,
  step,
  type Stream,
  type StreamEffect,
  type StreamEvent,
  type LiveTarget,
  TICK_MS,
  liveAddress,
  toMessage,
} from './live-stream.ts'
import { trafficTicket } from '#contract/router/traffic-ticket.ts'

/* Connection of the live channel: runs the state machine of live-stream.ts on a real WebSocket. */

interface Listener {
  readonly onFrame: (frame: ViewerFrame) => void
  readonly onState: (state: LiveState) => void
  /** Frames were lost: the page must read its data again. */
  readonly onMissed: () => void
}

/** Events that end a long retry delay at once: the user or the network is back. */
const WAKE_EVENTS = ['focus', 'online'] as const

/** Wait that an overloaded service asks for. */
const waitOf = (error: unknown): { readonly waitMs?: number } =>
  error instanceof ApiError && error.retryAfter !== undefined ? { waitMs: error.retryAfter * 1000 } : {}

/** No retry helps if the object is gone or the right is missing. */
function isForGood(error: unknown): boolean {
  return error instanceof ApiError && (error.code === RESULT.notFound || error.code === RESULT.forbidden)
}

export class LiveConnection {
  private stream: Stream = INITIAL
  private socket: WebSocket | null = null
  private ticket = ''
  private asked = 0
  private frame: ViewerFrame | null = null
  private visible: readonly string[] = []
  private rates: readonly string[] = []
  private retry: ReturnType<typeof setTimeout> | undefined
  private hide: ReturnType<typeof setTimeout> | undefined
  private readonly ticks = setInterval(() => this.dispatch({ type: 'tick' }), TICK_MS)
  private readonly renewals = setInterval(() => this.sendRates(), LINK_RATES.renewMs)
  private readonly target: LiveTarget
  private readonly listener: Listener

  constructor(target: LiveTarget, listener: Listener) {
    this.target = target
    this.listener = listener
    document.addEventListener('visibilitychange', this.onVisibility)
    for (const type of WAKE_EVENTS) addEventListener(type, this.onWake)
    addEventListener('offline', this.onOffline)
    this.dispatch({ type: 'resume' })
  }

  /** Names the members on the page that is shown to the hub, now and on each new socket. */
  show(members: readonly string[]): void {
    this.visible = members
    this.sendVisible()
  }

  private sendVisible(): void {
    const request: ViewerRequest = { type: 'visible', members: [...this.visible] }
    if (this.visible.length > 0) this.send(JSON.stringify(request))
  }

  /** Names the links and trunks whose throughput is shown, now and again while it is: the hub forgets them. */
  watch(ids: readonly string[]): void {
    const isEnd = ids.length === 0 && this.rates.length > 0
    this.rates = ids
    this.sendRates(isEnd)
  }

  private sendRates(isEnd = false): void {
    const request: ViewerRequest = { type: 'rates', ids: this.rates.slice(0, LINK_RATES.idsMax) }
    if (isEnd || this.rates.length > 0) this.send(JSON.stringify(request))
  }

  stop(): void {
    this.asked++ // ignores a ticket that is on its way
    clearTimeout(this.hide)
    clearInterval(this.ticks)
    clearInterval(this.renewals)
    document.removeEventListener('visibilitychange', this.onVisibility)
    for (const type of WAKE_EVENTS) removeEventListener(type, this.onWake)
    removeEventListener('offline', this.onOffline)
    this.drop()
  }

  private readonly onWake = () => this.dispatch({ type: 'resume', isEarly: true })
  private readonly onOffline = () => this.dispatch({ type: 'offline' })

  private readonly onVisibility = () => {
    clearTimeout(this.hide)
    if (document.hidden) this.hide = setTimeout(() => this.dispatch({ type: 'pause' }), CONSOLE_SOCKET.hiddenMs)
    else this.dispatch({ type: 'resume', isEarly: true })
  }

  private dispatch(event: StreamEvent): void {
    const before = liveState(this.stream)
    const { stream, effects } = step(this.stream, event, Date.now(), Math.random())
    this.stream = stream
    for (const effect of effects) this.run(effect)
    const after = liveState(this.stream)
    if (after !== before) this.listener.onState(after)
  }

  private run(effect: StreamEffect): void {
    const message = toMessage(effect)
    if (message !== null) return this.send(message)
    switch (effect.type) {
      case 'ask-ticket':
        return void this.askTicket()
      case 'open':
        return this.open()
      case 'deliver':
        return this.frame === null ? undefined : this.listener.onFrame(this.frame)
      case 'missed':
        return this.listener.onMissed()
      case 'close':
        return this.drop()
      case 'wait':
        this.retry = setTimeout(() => this.dispatch({ type: 'resume' }), effect.delayMs)
    }
  }

  private async askTicket(): Promise<void> {
    clearTimeout(this.retry)
    const mine = ++this.asked
    try {
      const { data } = await call(trafficTicket, this.target, { quiet: true })
      this.ticket = data.ticket
      if (mine === this.asked) this.dispatch({ type: 'ticket' })
    } catch (error) {
      if (mine === this.asked) this.dispatch({ type: 'refused', forGood: isForGood(error), ...waitOf(error) })
    }
  }

  private open(): void {
    this.drop()
    const mine = new WebSocket(liveAddress(location.origin, this.target, this.ticket))
    this.socket = mine
    const isMine = () => this.socket === mine
    mine.onopen = () => {
      if (!isMine()) return
      this.dispatch({ type: 'opened' })
      this.sendVisible()
      this.sendRates()
    }
    mine.onclose = ({ code }) => isMine() && this.dispatch({ type: 'closed', code })
    mine.onmessage = ({ data }: MessageEvent<unknown>) => isMine() && typeof data === 'string' && this.read(data)
  }

  private read(text: string): void {
    if (text === PONG) return this.dispatch({ type: 'pong' })
    const body: unknown = JSON.parse(text)
    const known = viewerFrame.safeParse(body)
    this.frame = known.success ? known.data : null // unknown types are acknowledged all the same
    const { code = 0, seq = 0, type = '' } = body as { code?: number; seq?: number; type?: string }
    this.dispatch({ type: 'frame', frame: { code, seq, type } })
  }

  private drop(): void {
    clearTimeout(this.retry)
    const old = this.socket
    this.socket = null // ignores its late events
    if (old?.readyState === WebSocket.CONNECTING) old.onopen = () => old.close() // close() now would log a warning
    else old?.close()
  }

  private send(message: string): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(message)
  }
}
