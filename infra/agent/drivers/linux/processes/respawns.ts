/* Back-off of processes that end unasked. */

const DELAYS_MS = [1_000, 2_000, 4_000, 8_000]
const WINDOW_MS = 600_000

/** Counts exits by name: the fifth within ten minutes is the last. */
export class Respawns {
  private readonly exits = new Map<string, readonly number[]>()

  /** Delay before the next start; null at the limit. `now`: monotonic milliseconds. */
  next(name: string, now: number): number | null {
    const recent = (this.exits.get(name) ?? []).filter((at) => now - at < WINDOW_MS)
    this.exits.set(name, [...recent, now])
    return DELAYS_MS[recent.length] ?? null
  }

  /** Forgets the exits of a process. */
  reset(name: string): void {
    this.exits.delete(name)
  }
}
