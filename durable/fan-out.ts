import { FAN_OUT_MS } from '../worker/contract/limits.ts'

/** Lets the first change out at once and gathers the next ones, so that a storm of changes is two frames a second. */
export class FanOut {
  private timer: ReturnType<typeof setTimeout> | null = null
  private waiting = false
  private readonly flush: () => void

  constructor(flush: () => void) {
    this.flush = flush
  }

  /** A pending timer keeps the hub awake, so nothing is lost by sleeping; viewers of a hub that dies start anew. */
  touch(): void {
    if (this.timer !== null) {
      this.waiting = true
      return
    }
    this.flush()
    this.timer = setTimeout(() => {
      this.timer = null
      if (!this.waiting) return
      this.waiting = false
      this.touch()
    }, FAN_OUT_MS)
  }
}
