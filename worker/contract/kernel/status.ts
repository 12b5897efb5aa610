import type { ErrorKey } from './errors.ts'

/* Counters of releases: isolates add them up, and the StatusHub keeps them by release and time. */

/** `faults`: answers by a fault. `trips`: database calls of Worker and hubs, and those that an overload refused. */
export type CounterName =
  | 'calls'
  | 'faults'
  | 'refusals'
  | 'overloads'
  | 'connects'
  | 'trips'
  | 'tripMs'
  | 'refusedTrips'
  | 'deliveries'
  | 'failedDeliveries'
  | `refused ${ErrorKey}`

/** Counts by name; a name that is missing stands for 0. */
export type Counters = Readonly<Partial<Record<CounterName, number>>>

/** Sums, also of names that only a newer release knows. */
export function addCounters(...all: readonly Counters[]): Counters {
  const sums: Record<string, number> = {}
  for (const counters of all) for (const [name, n] of Object.entries(counters)) sums[name] = (sums[name] ?? 0) + n
  return sums
}

/** Release of a local run, which has no version. */
export const LOCAL_RELEASE = 'local'

export const STATUS_COUNTERS = {
  sendMs: 10_000, // between two reports of an isolate
  slotMs: 10_000,
  keptMs: 6 * 3_600_000,
  cleanMs: 60_000, // between two deletions of old rows
  answerMs: 3_000,
} as const

export interface StatusReading {
  /** Sums of the slots that overlap the range, by release. */
  readonly releases: Readonly<Record<string, Counters>>
  /** Routers online at the last sample before `onlineBefore`; null without one. */
  readonly online: number | null
}

export interface StatusQuestion {
  readonly from: number
  readonly to: number
  readonly onlineBefore: number
}

/** Access of the Worker to the StatusHub; null stands for an installation without one. */
export interface StatusPort {
  /** Reports what this isolate has counted; null if no report is due. It never rejects. */
  report(): Promise<void> | null
  read(question: StatusQuestion): Promise<StatusReading> | null
  sample(online: number): Promise<void> | null
  /** Rejects unless a hub of the other classes stores and answers. */
  probeHub(): Promise<void>
}

/** RPC of the StatusHub. The two versions of a step call it: a new argument is optional. */
export interface StatusHubRpc {
  /** Adds what an isolate has counted. */
  add(release: string, counters: Counters): Promise<void>
  /** Keeps the number of routers that are online now. */
  sample(online: number): Promise<void>
  read(question: StatusQuestion): Promise<StatusReading>
}
