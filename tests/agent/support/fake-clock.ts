import type { Clock } from '#infra/agent/clock.ts'

/** Fake clock: timers fire in order on `advance`, with promises flushed between. */
export class FakeClock implements Clock {
  private time = 1_000_000
  private timers: { at: number; run: () => void }[] = []

  now(): number {
    return 1_750_000_000_000 + this.time
  }

  monotonic(): number {
    return this.time
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run }
    this.timers.push(timer)
    return () => {
      this.timers = this.timers.filter((t) => t !== timer)
    }
  }

  async advance(ms: number): Promise<void> {
    const end = this.time + ms
    for (;;) {
      await flushPromises()
      const due = this.timers.filter((t) => t.at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (!due) break
      this.timers = this.timers.filter((t) => t !== due)
      this.time = Math.max(this.time, due.at)
      due.run()
    }
    this.time = end
    await flushPromises()
  }
}

/** Lets everything that waits only on memory finish. */
export async function flushPromises(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve))
}
