import { HOUR_MS, MINUTE_MS } from '#contract/kernel/time.ts'
import { type Counts, plus, times } from './prices.ts'
import type { VirtualClock } from './virtual-clock.ts'

/* Counts of some work beyond what idle routers cost in the same time. */

/** Counted time: it includes one lease check of every router, the own checks of a quarter of them, and no full hour. */
const WINDOW_MS = 15 * MINUTE_MS
/** Time after a full hour in which its rows are written, with the next counters. */
const HOUR_WRITTEN_MS = 6 * MINUTE_MS

export class ExtraCounts {
  private readonly clock: VirtualClock
  /** Counts of a window without any other work. */
  private readonly idle: Counts

  private constructor(clock: VirtualClock, idle: Counts) {
    this.clock = clock
    this.idle = idle
  }

  static async create(clock: VirtualClock): Promise<ExtraCounts> {
    await beforeWindow(clock)
    return new ExtraCounts(clock, await clock.count(() => clock.advance(WINDOW_MS)))
  }

  /** An hour of something that goes on; opening and closing it is left out. */
  async hourOf(open: () => Promise<() => void | Promise<void>>): Promise<Counts> {
    const { clock } = this
    await beforeWindow(clock)
    const close = await settling(clock, open)
    await clock.advance(MINUTE_MS)
    const window = await this.of(() => clock.advance(WINDOW_MS))
    await settling(clock, close)
    return times(window, HOUR_MS / WINDOW_MS)
  }

  /** One piece of work, in which routers may connect. */
  async settledOf(run: () => Promise<unknown>): Promise<Counts> {
    await beforeWindow(this.clock)
    return settling(this.clock, () => this.of(run))
  }

  private async of(run: () => Promise<unknown>): Promise<Counts> {
    const startedAt = this.clock.now()
    const counts = await this.clock.count(run)
    return plus(counts, this.idle, (startedAt - this.clock.now()) / WINDOW_MS)
  }
}

/** Waits until a window and its preparation lie between two full hours. */
async function beforeWindow(clock: VirtualClock): Promise<void> {
  const inHour = clock.now() % HOUR_MS
  if (inHour < HOUR_WRITTEN_MS) await clock.advance(HOUR_WRITTEN_MS - inHour)
  if (inHour + WINDOW_MS + 2 * MINUTE_MS > HOUR_MS) await clock.advance(HOUR_MS - inHour + HOUR_WRITTEN_MS)
}

/** Sockets open and close meanwhile, which takes real time. */
async function settling<T>(clock: VirtualClock, run: () => T | Promise<T>): Promise<T> {
  clock.isSettling = true
  const result = await run()
  await clock.advance(0)
  clock.isSettling = false
  return result
}
