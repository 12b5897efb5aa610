import { counts } from './meter.ts'

/* Virtual time of the metered Worker: Date and timers follow the bench's clock, and timers are counted. */

const RealDate = Date
const startTimer = setTimeout
const stopTimer = clearTimeout

/** Time of the bench's clock, frozen between its calls; null until the first call: the platform's clock. */
let frozenAt: number | null = null
/** Settings of the clock with the platform's time: pings that the platform answered have its dates. */
const settings: { real: number; virtual: number }[] = []

const now = (): number => frozenAt ?? RealDate.now()

export function setClock(at: number): void {
  frozenAt = at
  settings.push({ real: RealDate.now(), virtual: at })
  if (settings.length > 10_000) settings.splice(0, 5_000)
}

export function toVirtual(time: Date | null): Date | null {
  if (time === null) return null
  const setting = settings.findLast(({ real }) => real <= time.getTime())
  return setting ? new RealDate(setting.virtual) : time
}

class VirtualDate extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    super(...((args.length === 0 ? [now()] : args) as [number]))
  }

  static override now(): number {
    return now()
  }
}

/** Timers that wait, and those whose time has come. */
const timers = new Set<CountedTimer>()
/** The platform drops the timers of a request with its end: one that has not polled for this long never fires. */
const DROPPED_MS = 5_000

/** Times of the timers that still poll. */
const dueTimes = (): readonly number[] =>
  [...timers].filter(({ polledAt }) => RealDate.now() - polledAt < DROPPED_MS).map(({ dueAt }) => dueAt)

export const countDueTimers = (): number => dueTimes().filter((at) => at <= now()).length

/** Time of the next timer that is not due yet; null if there is none. */
export function nextTimerAt(): number | null {
  const waiting = dueTimes().filter((at) => at > now())
  return waiting.length > 0 ? Math.min(...waiting) : null
}

/** Shorter timers wait in real time: a request may wait for one, and time stands still until its answer. */
const SHORT_MS = 100
const POLL_MS = 2

/** Timer in place of the platform's id, which is unique within one hub only. It polls, because it must fire in its own hub. */
class CountedTimer {
  readonly dueAt: number
  /** Platform's time of the last poll. */
  polledAt = RealDate.now()
  private readonly startedAt = now()
  private readonly run: () => void
  private platformTimer: ReturnType<typeof startTimer>

  constructor(run: () => void, ms: number) {
    this.run = run
    this.dueAt = this.startedAt + (ms < SHORT_MS ? 0 : ms)
    timers.add(this)
    this.platformTimer = startTimer(() => this.poll(), ms < SHORT_MS ? ms : 0)
  }

  private poll(): void {
    this.polledAt = RealDate.now()
    if (now() < this.dueAt) this.platformTimer = startTimer(() => this.poll(), POLL_MS)
    else {
      this.end()
      this.run()
    }
  }

  /** Counts the time that the timer has waited: a deadline that is cleared with its answer keeps no hub awake. */
  private end(): void {
    if (timers.delete(this)) counts.hubTimerMs += now() - this.startedAt
  }

  clear(): void {
    this.end()
    stopTimer(this.platformTimer)
  }
}

/** Replaces Date and timers; called before any hub exists. */
export function installVirtualTime(): void {
  globalThis.Date = VirtualDate as DateConstructor
  const countedTimeout = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    new CountedTimer(() => run(...args), ms)
  globalThis.setTimeout = countedTimeout as unknown as typeof setTimeout
  globalThis.clearTimeout = ((timer: CountedTimer | null) => timer?.clear()) as unknown as typeof clearTimeout
}
