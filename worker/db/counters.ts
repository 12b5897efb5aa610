import { type CounterName, type Counters, STATUS_COUNTERS } from '#contract/kernel/status.ts'

/* Counters of this isolate since its last report to the StatusHub. Requests and hubs of one isolate share them. */

let counted: Partial<Record<CounterName, number>> = {}
let reportedAt = 0

export function count(name: CounterName, n = 1): void {
  counted[name] = (counted[name] ?? 0) + n
}

/** True once something has failed for which a hub reports by itself: calls of a quiet fleet are not worth a report each. */
export const hasTrouble = (): boolean => (counted.refusedTrips ?? 0) + (counted.failedDeliveries ?? 0) > 0

/** Takes the counters for a report; null if there are none, or if the last report was a moment ago. */
export function takeDueCounters(now: number): Counters | null {
  const isDue = now - reportedAt >= STATUS_COUNTERS.sendMs || now < reportedAt
  if (!isDue || Object.keys(counted).length === 0) return null
  const taken = counted
  counted = {}
  reportedAt = now
  return taken
}

/** Adds counters whose report has failed to those of the next one. */
export function returnCounters(counters: Counters): void {
  for (const [name, n] of Object.entries(counters)) count(name as CounterName, n)
}
