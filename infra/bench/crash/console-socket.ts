import { WebSocket } from 'ws'
import {
  type ConfigView,
  type LinkView,
  type MemberView,
  PONG,
  type PresenceView,
  type ViewerFrame,
} from '#contract/kernel/protocol.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { routerApi } from '#contract/router/index.ts'
import type { Session } from './session.ts'
import {
  INITIAL,
  type Stream,
  type StreamEffect,
  type StreamEvent,
  step,
  type LiveTarget,
  TICK_MS,
  liveAddress,
  toMessage,
} from '#lib/live/live-stream.ts'

type RoutersFrame = Extract<ViewerFrame, { readonly type: 'routers' }>

interface ShownRouter {
  readonly presence: PresenceView
  readonly config: ConfigView
}

/** One live socket of a console: the console's own state machine on a socket of Node's, and the content of its page. */
export class ConsoleSocket {
  readonly target: LiveTarget
  readonly session: Session
  /** Hub of the watched object when the socket was opened: a router that is claimed again has another. */
  readonly hub: string
  /** Content of a network's page. */
  readonly members = new Map<string, MemberView>()
  readonly links = new Map<string, LinkView>()
  /** Content of a router's page. */
  router: ShownRouter | null = null
  /** Content of the lists: as read when the socket opened, and the frames since. */
  readonly routers = new Map<string, ShownRouter & { readonly createTime: number }>()
  private readonly origin: string
  private stream: Stream = INITIAL
  private socket: WebSocket | null = null
  private ticket = ''
  private frame: ViewerFrame | null = null
  private duringRead: RoutersFrame[] = []
  private retry: ReturnType<typeof setTimeout> | undefined
  private readonly ticks = setInterval(() => this.dispatch({ type: 'tick' }), TICK_MS)

  constructor(origin: string, session: Session, target: LiveTarget, hub: string) {
    this.origin = origin
    this.hub = hub
    this.session = session
    this.target = target
    this.dispatch({ type: 'resume' })
  }

  /** `open`; `ended` where its object or its session is gone. */
  get phase(): Stream['phase'] {
    return this.stream.phase
  }

  /** Somebody looks at the page: it does not wait any longer. */
  look(): void {
    this.dispatch({ type: 'resume' })
  }

  stop(): void {
    clearInterval(this.ticks)
    this.drop()
    this.stream = { ...INITIAL, phase: 'ended' }
  }

  private dispatch(event: StreamEvent): void {
    const { stream, effects } = step(this.stream, event, Date.now(), Math.random())
    this.stream = stream
    for (const effect of effects) this.run(effect)
    if (event.type === 'opened') this.clear()
  }

  private run(effect: StreamEffect): void {
    const message = toMessage(effect)
    if (message !== null) return this.socket?.send(message)
    switch (effect.type) {
      case 'ask-ticket':
        return void this.askTicket()
      case 'open':
        return this.open()
      case 'deliver':
        return this.frame === null ? undefined : this.show(this.frame)
      case 'missed':
        return void this.readLists()
      case 'close':
        return this.drop()
      case 'wait':
        this.retry = setTimeout(() => this.dispatch({ type: 'resume' }), effect.delayMs)
    }
  }

  private async askTicket(): Promise<void> {
    clearTimeout(this.retry)
    const { code, data } = await this.session.ask(routerApi.trafficTicket, this.target)
    if (code === RESULT.ok && data) {
      this.ticket = data.ticket
      return this.dispatch({ type: 'ticket' })
    }
    const isForGood = code === RESULT.notFound || code === RESULT.forbidden || code >= RESULT.expired
    this.dispatch({ type: 'refused', forGood: isForGood })
  }

  private open(): void {
    const mine = new WebSocket(liveAddress(this.origin, this.target, this.ticket), { origin: this.origin })
    this.socket = mine
    const isMine = () => this.socket === mine
    mine.on('error', () => {}) // followed by `close`
    mine.on('open', () => isMine() && this.dispatch({ type: 'opened' }))
    mine.on('close', (code) => isMine() && this.dispatch({ type: 'closed', code }))
    mine.on('message', (data) => {
      if (!isMine()) return
      const text = String(data)
      if (text === PONG) return this.dispatch({ type: 'pong' })
      this.frame = JSON.parse(text) as ViewerFrame
      this.dispatch({ type: 'frame', frame: this.frame })
    })
  }

  private drop(): void {
    clearTimeout(this.retry)
    const old = this.socket
    this.socket = null // ignores its late events
    old?.terminate()
  }

  private clear(): void {
    this.members.clear()
    this.links.clear()
    this.router = null
    void this.readLists()
  }

  private show(frame: ViewerFrame): void {
    if (frame.type === 'snapshot') {
      this.members.clear()
      this.links.clear()
    }
    if (frame.type === 'snapshot' || frame.type === 'delta') {
      for (const member of frame.data.members) this.members.set(member.router_name, member)
      for (const link of frame.data.links) this.links.set(link.id, link)
    }
    if (frame.type === 'router') this.router = frame.data
    if (frame.type === 'routers') {
      this.duringRead.push(frame)
      this.showRouters(frame)
    }
  }

  private showRouters({ data }: RoutersFrame): void {
    for (const { router_name: name, ...shown } of data) {
      const known = this.routers.get(name)
      if (known) this.routers.set(name, { ...known, ...shown })
    }
  }

  /** Reads the lists as a page does whose socket opened or has missed frames. Frames that come meanwhile are as new or newer. */
  private async readLists(): Promise<void> {
    if (this.target.kind !== 'account') return
    this.duringRead = []
    const { data } = await this.session.ask(routerApi.lists, { page: 1, limit: 100 })
    for (const { router_name: name, presence, config, create_time: createTime } of data ?? [])
      this.routers.set(name, { presence, config, createTime })
    for (const frame of this.duringRead) this.showRouters(frame)
  }
}
