import { act } from '@testing-library/react'
import { onTestFinished, vi } from 'vitest'

interface Timer {
  readonly at: number
  readonly run: () => void
}

/** Timers of this length or longer fire when `pass` moves their time; shorter ones, which the test library uses, as ever. */
export function holdLongTimers(fromMs: number): { pass(ms: number): Promise<void> } {
  const [set, clear] = [globalThis.setTimeout, globalThis.clearTimeout]
  const timers = new Map<number, Timer>()
  let [now, last] = [0, 0]
  const start = (run: () => void, ms = 0) => {
    if (ms < fromMs) return set(run, ms)
    timers.set(--last, { at: now + ms, run })
    return last
  }
  const spies = [
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(start as unknown as typeof setTimeout),
    vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
      if (!timers.delete(timer as unknown as number)) clear(timer)
    }),
  ]
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  const turn = () => new Promise<void>((done) => set(done))
  const nextBy = (end: number) => [...timers].toSorted(([, a], [, b]) => a.at - b.at).find(([, { at }]) => at <= end)
  return {
    pass: (ms) =>
      act(async () => {
        const end = now + ms
        for (let next = nextBy(end); next; next = nextBy(end)) {
          const [id, { at, run }] = next
          timers.delete(id)
          now = at
          run()
          await turn()
        }
        now = end
        await turn()
      }),
  }
}
