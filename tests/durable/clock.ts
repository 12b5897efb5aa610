import { onTestFinished, vi } from 'vitest'

const AHEAD_MS = 3_600_000
const POLL_MS = 5

/** Stops the clock of the Worker and its hubs, an hour ahead of the platform's, so that no alarm fires by itself. */
export function stopClock(): number {
  const now = Date.now() + AHEAD_MS
  vi.useFakeTimers({ toFake: ['Date'], now })
  return now
}

export interface HeldTimers {
  /** Number of timers that wait. */
  waiting(): number
  /** Fires the timers that wait; those that they start wait in their turn. */
  release(): void
}

/** Timers of this length, or up to another, wait for `release`. They poll, because a timer of a hub must fire in that hub. */
export function holdTimers(fromMs: number, toMs = Infinity): HeldTimers {
  const [set, clear] = [globalThis.setTimeout, globalThis.clearTimeout]
  const waiting = new Set<ReturnType<typeof setInterval>>()
  let releases = 0
  let isOver = false
  const start = (run: () => void, ms = 0) => {
    if (ms < fromMs || ms > toMs) return set(run, ms)
    const before = releases
    const timer = setInterval(() => {
      if (releases === before && !isOver) return
      clearInterval(timer)
      waiting.delete(timer)
      run()
    }, POLL_MS)
    waiting.add(timer)
    return timer
  }
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(start as unknown as typeof setTimeout)
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    waiting.delete(timer as never)
    clear(timer)
  })
  onTestFinished(() => void (isOver = true))
  return { waiting: () => waiting.size, release: () => void releases++ }
}
