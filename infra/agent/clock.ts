/** Clock and timers, injected so that tests can fake them. */
export interface Clock {
  /** Wall clock, epoch ms. Only for logs and for guessing the server's time. */
  now(): number
  /** Milliseconds that never go back, not even over a restart of the process on the same boot. */
  monotonic(): number
  /** Runs once after `ms`; returns the cancellation. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint() / 1_000_000n), // CLOCK_MONOTONIC: counts from boot, as boot_id does
  after(ms, run) {
    const timer = setTimeout(run, Math.max(ms, 0))
    return () => clearTimeout(timer)
  },
}
