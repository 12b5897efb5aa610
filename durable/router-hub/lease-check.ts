import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { nextLeaseCheckAt } from './state/presence.ts'

/** Checks the lease of a device's socket: periodically, and early where its end is near or suspected to be. */
export class LeaseCheck {
  private readonly lastReceivedAt: () => number | null
  private readonly onChecked: (lastReceivedAt: number | null) => void
  private earlyAt: number | null = null

  constructor(lastReceivedAt: () => number | null, onChecked: (lastReceivedAt: number | null) => void) {
    this.lastReceivedAt = lastReceivedAt
    this.onChecked = onChecked
  }

  run(isSuspect = false): void {
    const lastReceivedAt = this.lastReceivedAt()
    this.earlyAt = nextLeaseCheckAt(lastReceivedAt, isSuspect, Date.now())
    this.onChecked(lastReceivedAt)
  }

  dueTimes(isWatched: boolean, isConnected: boolean): readonly (number | null)[] {
    const everyMs = isWatched ? PRESENCE.watchedCheckMs : PRESENCE.idleCheckMs
    return [this.earlyAt, isWatched || isConnected ? Date.now() + everyMs : null]
  }
}
