/** A message that a fake received. */
export interface Arrival {
  /** Name of the fake: 'smtp', 'dingtalk', … */
  readonly at: string
  readonly to: string
  /** Text as its reader sees it. */
  readonly text: string
  readonly detail: Readonly<Record<string, unknown>>
  readonly received: number
  /** Answer of the fake. */
  readonly answer: string
}

export class Arrivals {
  private list: Arrival[] = []
  private readonly modes = new Map<string, string>()
  readonly now: () => number

  constructor(now: () => number = Date.now) {
    this.now = now
  }

  add(arrival: Omit<Arrival, 'received'>): void {
    this.list = [{ ...arrival, received: this.now() }, ...this.list].slice(0, 1000)
  }

  all = (at?: string): readonly Arrival[] => this.list.filter((arrival) => at === undefined || arrival.at === at)
  setMode = (at: string, mode: string): void => void this.modes.set(at, mode)
  mode = (at: string): string => this.modes.get(at) ?? 'ok'

  /** Text of the newest for a recipient: mails leave behind the answer that promises them. */
  async awaitText(at: string, to: string, withinMs = 10_000): Promise<string> {
    for (const until = performance.now() + withinMs; ; await new Promise((done) => setTimeout(done, 20))) {
      const found = this.list.find((arrival) => arrival.at === at && arrival.to === to)
      if (found) return found.text
      if (performance.now() > until) throw new Error(`${at}: nothing for ${to}`)
    }
  }

  clear(): void {
    this.list = []
    this.modes.clear()
  }
}

/** HTTP reply of a fake; `hang` never replies, `close` ends the connection without a reply. */
export interface FakeReply {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly hang?: true
  readonly close?: true
}

export interface FakeRequest {
  readonly method: string
  /** IP address of the caller. */
  readonly from: string
  /** Path behind the fake's own prefix. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export type Fake = (request: FakeRequest, arrivals: Arrivals) => FakeReply
