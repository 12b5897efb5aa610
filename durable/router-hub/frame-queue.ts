import { SOCKET_GUARD } from '#contract/kernel/hub-limits.ts'

const { framesAtOnce, frameGapMs } = SOCKET_GUARD

/**
 * Queue that paces the frames of one device, in order: some at once, further ones `frameGapMs` apart. Frames may be long
 * and tenants share threads, so the frames of a second must not be read in one turn. The rate limit bounds the queue.
 */
export class FrameQueue {
  private readonly waiting: (() => void)[] = []
  /** Keeps the hub awake, so that hibernation loses no frame that waits. */
  private timer: ReturnType<typeof setTimeout> | null = null
  /** Time at which all handled frames would have been handled, `frameGapMs` apart from the start. */
  private pacedUntil = 0

  add(handle: () => void, now: number): void {
    this.waiting.push(handle)
    if (this.timer !== null) return
    const waitMs = this.pacedUntil - now - (framesAtOnce - 1) * frameGapMs
    if (waitMs > 0) this.wait(Math.min(waitMs, frameGapMs))
    else this.handleNext(now)
  }

  /** Handles all waiting frames, because the next event must not overtake them. */
  drain(): void {
    for (let handle = this.waiting.shift(); handle; handle = this.waiting.shift()) handle()
    this.clear()
  }

  clear(): void {
    this.waiting.length = 0
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
  }

  private handleNext(now: number): void {
    this.pacedUntil = Math.min(Math.max(this.pacedUntil, now), now + (framesAtOnce - 1) * frameGapMs) + frameGapMs
    const handle = this.waiting.shift()
    if (this.waiting.length > 0) this.wait(frameGapMs)
    handle?.()
  }

  private wait(ms: number): void {
    this.timer = setTimeout(() => {
      this.timer = null
      this.handleNext(Date.now())
    }, ms)
  }
}
