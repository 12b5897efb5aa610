import { counts, whilePending } from './meter.ts'

/* Virtual time of the metered Worker: Date follows the bench's clock, and timers are counted. */

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

/** Replaces Date and timers; called before any hub exists. */
export function installVirtualTime(): void {
  globalThis.Date = VirtualDate as DateConstructor
  const countedTimeout = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): CountedTimer => {
    const startedAt = now()
    let isOver = false
    let leave = () => {}
    void whilePending(() => new Promise<void>((resolve) => (leave = resolve)))
    const end = (waitedMs: number) => {
      if (!isOver) counts.hubTimerMs += waitedMs
      isOver = true
      leave()
    }
    const platformTimer = startTimer(() => {
      end(ms)
      run(...args)
    }, ms)
    return { platformTimer, clear: () => end(Math.min(ms, now() - startedAt)) }
  }
  globalThis.setTimeout = countedTimeout as unknown as typeof setTimeout
  const countedClear = (timer: CountedTimer | null) => {
    timer?.clear()
    stopTimer(timer?.platformTimer)
  }
  globalThis.clearTimeout = countedClear as unknown as typeof clearTimeout
}

/** Timer in place of the platform's id, which is unique within one hub only. */
interface CountedTimer {
  readonly platformTimer: ReturnType<typeof startTimer>
  /** Counts the time that the timer has waited: a deadline that is cleared with its answer keeps no hub awake. */
  readonly clear: () => void
}
