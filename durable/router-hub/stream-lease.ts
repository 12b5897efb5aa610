import { STREAM } from '../../worker/contract/limits.ts'
import type { HubFrame } from '../../worker/contract/protocol.ts'

const LEASE_MS = STREAM.leaseSeconds * 1000

/** The device streams every second only while somebody watches. A hub that slept asks again, which does no harm. */
export class StreamLease {
  private until = 0

  needsLook(now: number): boolean {
    return this.until - now < LEASE_MS / 2
  }

  /** The frame to send, if the lease has to be renewed or given back. */
  next(isWatched: boolean, now: number): HubFrame | null {
    if (isWatched && this.needsLook(now)) {
      this.until = now + LEASE_MS
      return streamFrame(true)
    }
    if (isWatched || this.until <= now) return null
    this.until = 0
    return streamFrame(false)
  }

  /** A fresh socket knows of no lease. */
  reset(): void {
    this.until = 0
  }
}

const streamFrame = (on: boolean): HubFrame => ({
  t: 'stream',
  on,
  rate_ms: STREAM.rateMs,
  lease_s: STREAM.leaseSeconds,
})
