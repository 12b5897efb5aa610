import { LINK_TOTALS } from '#contract/kernel/hub-limits.ts'

/* Fresh counters for those who read the bytes of links: the device sends them more often, and the first reader waits. */

export class TotalsReads {
  private until = 0
  private waiting: (() => void)[] = []

  isRead(now: number): boolean {
    return now < this.until
  }

  /** Called for each frame of counters. */
  counted(): void {
    for (const resume of this.waiting.splice(0)) resume()
  }

  /**
   * Resolves once the counters are fresh, or have not come in time.
   *
   * @param takenAt time of the newest counters; null: unknown.
   * @param ask lets the device send them.
   */
  async refresh(takenAt: number | null, now: number, ask: () => void): Promise<void> {
    this.until = now + LINK_TOTALS.leaseMs
    const isFresh = takenAt !== null && now - takenAt < LINK_TOTALS.freshMs
    const next = isFresh ? undefined : this.next()
    ask()
    await next
  }

  private next(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LINK_TOTALS.waitMs)
      this.waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
