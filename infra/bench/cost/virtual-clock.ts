import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#infra/agent/clock.ts'
import { type Counts, type MeterReply, plus } from './prices.ts'

/* Clock of the agents and the metered Worker in the bench of costs. It stands still while anything but a timer is due. */

const STUCK_MS = 60_000
/** Wait after which a frame is lost: the hub had closed its socket when it was sent. */
const LOST_MS = 10_000
/** Looks that find nothing to do while devices connect, whose key operations take real time. */
const SETTLED = { rounds: 2, everyMs: 5 } as const
/** Work that waits for a time of the clock keeps the stack busy; after that wait, time passes with each look. */
const CREEP = { afterMs: 1_000, stepMs: 100 } as const

export class VirtualClock implements Clock {
  private time: number
  private timers: { readonly at: number; readonly run: () => void }[] = []
  private outbox: (() => void)[] = []
  /** Frames and pings sent, pongs received, sockets being opened and requests being answered. */
  private readonly traffic = { frames: 0, pings: 0, pongs: 0, opening: 0 }
  private nextEventAt: number | null = null
  /** Frames that hubs have counted. */
  private arrived = 0
  /** A request was sent to the Worker since it was last idle. */
  private hasWork = true
  private readonly origin: string
  /** A device is not connected: key operations and upgrades take real time. */
  isSettling = true

  constructor(origin: string, startAt: number) {
    this.origin = origin
    this.time = startAt
  }

  now(): number {
    return this.time
  }

  monotonic(): number {
    return this.time
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + Math.ceil(Math.max(ms, 0)), run }
    this.timers.push(timer)
    return () => {
      this.timers = this.timers.filter((other) => other !== timer)
    }
  }

  /** Queues a message until the Worker's clock is set. */
  send(transmit: () => void, isPing: boolean): void {
    this.outbox.push(() => {
      this.traffic[isPing ? 'pings' : 'frames'] += 1
      transmit()
    })
  }

  /** Repeats until the result is called. */
  every(ms: number, run: () => void): () => void {
    let cancel = (): void => {}
    const next = () => {
      cancel = this.after(ms, () => {
        run()
        next()
      })
    }
    next()
    return () => cancel()
  }

  /** Call with 1 before a socket opens or a request is sent, with -1 when that has ended. */
  noteOpening(step: 1 | -1): void {
    this.traffic.opening += step
    this.hasWork = true
  }

  /** A request; time stands still until its answer. */
  async request<T>(answer: Promise<T>): Promise<T> {
    this.noteOpening(1)
    try {
      return await answer
    } finally {
      this.noteOpening(-1)
    }
  }

  /** A request that nothing else waits beside: time passes slowly where the answer waits for it. */
  async answerOf<T>(answer: Promise<T>): Promise<T> {
    const [reply] = await Promise.all([this.request(answer), this.waitUntilIdle()])
    return reply
  }

  notePong(): void {
    this.traffic.pongs += 1
  }

  /** Call when a socket has ended: its pings will not be answered any more. */
  noteClosed(): void {
    this.traffic.pings = this.traffic.pongs
  }

  /** Lets time pass; timers and alarms run at their moment, one after the other. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms
    await this.waitUntilIdle()
    for (;;) {
      const [timer] = this.timers.toSorted((a, b) => a.at - b.at)
      const next = Math.min(timer?.at ?? Infinity, this.nextEventAt ?? Infinity)
      if (next > end) break
      this.time = Math.max(this.time, next)
      if (timer?.at === next) {
        this.timers = this.timers.filter((other) => other !== timer)
        timer.run()
      } else await this.meter(`clock?at=${this.time}`)
      await this.waitUntilIdle()
    }
    this.time = end
    await this.meter(`clock?at=${end}`)
    await this.waitUntilIdle()
  }

  /** Lets time pass without events; only while nothing is connected. */
  async leap(ms: number): Promise<void> {
    this.time += ms
    await this.meter(`clock?at=${this.time}`)
    await this.waitUntilIdle()
  }

  /** Counts since the stack was started. */
  async counts(): Promise<Counts> {
    await this.waitUntilIdle()
    return (await this.meter('counts')).counts
  }

  async count(run: () => Promise<unknown>): Promise<Counts> {
    const before = await this.counts()
    await run()
    return plus(await this.counts(), before, -1)
  }

  async meter(path: 'counts' | 'cron' | 'stored' | `clock?at=${number}`): Promise<MeterReply> {
    if (path !== 'counts') this.hasWork = true
    const response = await fetch(`${this.origin}/__meter/${path}`, { method: 'POST' })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    const reply = (await response.json()) as MeterReply
    this.nextEventAt = reply.nextEventAt
    return reply
  }

  /** Resolves when Worker and sockets are idle. */
  private async waitUntilIdle(): Promise<void> {
    const startedAt = performance.now()
    for (let idleRounds = 0; idleRounds < (this.isSettling ? SETTLED.rounds : 1);) {
      await (this.isSettling ? sleep(SETTLED.everyMs) : tick())
      const isIdleNow = (await this.flush()) && (await this.isIdle())
      idleRounds = isIdleNow ? idleRounds + 1 : 0
      if (!isIdleNow) await sleep(1)
      const waitedMs = performance.now() - startedAt
      if (waitedMs > LOST_MS) this.traffic.frames = Math.min(this.traffic.frames, this.arrived)
      if (waitedMs > STUCK_MS)
        throw new Error(
          `the stack does not come to rest: ${JSON.stringify({ ...this.traffic, arrived: this.arrived })}`,
        )
      if (!isIdleNow && waitedMs > CREEP.afterMs) await this.meter(`clock?at=${(this.time += CREEP.stepMs)}`)
    }
  }

  /** True if nothing had to be sent. */
  private async flush(): Promise<boolean> {
    if (this.outbox.length === 0) return true
    await this.meter(`clock?at=${this.time}`)
    for (const transmit of this.outbox.splice(0)) transmit()
    return false
  }

  private async isIdle(): Promise<boolean> {
    const { frames, pings, pongs, opening } = this.traffic
    if (pongs < pings || opening > 0) return false
    if (!this.isSettling && !this.hasWork) return true
    const { counts, pending } = await this.meter('counts')
    this.arrived = counts.hubMessages
    this.hasWork = pending > 0 || counts.hubMessages < frames
    return !this.hasWork
  }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
