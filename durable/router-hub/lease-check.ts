import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { nextLeaseCheckAt } from './state/presence.ts'

interface Parts {
  lastReceivedAt(): number | null
  onChecked(lastReceivedAt: number | null): void
}

/** Checks the lease of a device's socket: periodically, and early where its end is near or suspected to be. */
export class LeaseCheck {
  private readonly parts: Parts
  private earlyAt: number | null = null

  constructor(parts: Parts) {
    this.parts = parts
  }

  run(isSuspect = false): void {
    const lastReceivedAt = this.parts.lastReceivedAt()
    this.earlyAt = nextLeaseCheckAt(lastReceivedAt, isSuspect, Date.now())
    this.parts.onChecked(lastReceivedAt)
  }

  dueTimes(isWatched: boolean, isConnected: boolean): readonly (number | null)[] {
    const everyMs = isWatched ? PRESENCE.watchedCheckMs : PRESENCE.idleCheckMs
    return [this.earlyAt, isWatched || isConnected ? Date.now() + everyMs : null]
  }
}
