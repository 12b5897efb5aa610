import { type AgentFrame, PING, PONG } from '#contract/kernel/protocol.ts'
import type { OpenSocket, SocketEvents } from '#infra/agent/agent-socket.ts'

/** In-memory sockets: record what the agent sends; the test sends for the hub. */
export class FakeSockets {
  readonly all: FakeSocket[] = []

  readonly open: OpenSocket = (_, __, events) => {
    const socket = new FakeSocket(events)
    this.all.push(socket)
    return socket
  }

  get last(): FakeSocket {
    return this.all.at(-1)!
  }
}

export class FakeSocket {
  readonly sent: string[] = []
  closedWith: number | null = null
  backlog = 0
  answersPings = true
  readonly events: SocketEvents

  constructor(events: SocketEvents) {
    this.events = events
  }

  send(text: string): void {
    this.sent.push(text)
    if (text === PING && this.answersPings) queueMicrotask(() => this.events.message(PONG))
  }

  close(code: number): void {
    this.closedWith ??= code
  }

  bufferedAmount(): number {
    return this.backlog
  }

  get pings(): number {
    return this.sent.filter((text) => text === PING).length
  }

  ofType(t: AgentFrame['t']): AgentFrame[] {
    return this.sent
      .filter((text) => text !== PING)
      .map((text) => JSON.parse(text) as AgentFrame)
      .filter((frame) => frame.t === t)
  }
}
