/** Billed quantities of the platform, counted while a real stack runs (infra/bench/cost/metered). */
export const noCounts = {
  workerRequests: 0,
  /** Upgrades, RPC calls and alarms. */
  hubRequests: 0,
  /** WebSocket messages that reach a hub; pings that the platform answers do not. */
  hubMessages: 0,
  hubCloses: 0,
  alarmsSet: 0,
  hubRowsRead: 0,
  /** Rows of SQL and key-value storage; each alarm that is set is one. */
  hubRowsWritten: 0,
  /** Bytes that SQL inserts. */
  hubBytesInserted: 0,
  /** Round trips for which a hub waits: to D1 and to other hubs. */
  hubTrips: 0,
  /** Timers of a hub: it cannot hibernate meanwhile. */
  hubTimerMs: 0,
  /** Hubs made or woken, and the rows they read before their first event. */
  wakes: 0,
  wakeRowsRead: 0,
  d1RowsRead: 0,
  d1RowsWritten: 0,
  logLines: 0,
  /** Warnings and errors among them: where there is one, something else was counted than was meant. */
  faults: 0,
}
export type Counts = Readonly<typeof noCounts>

/** `a + factor × b`, key by key. */
export function plus(a: Counts, b: Counts, factor = 1): Counts {
  const keys = Object.keys(noCounts) as (keyof Counts)[]
  return Object.fromEntries(keys.map((key) => [key, a[key] + factor * b[key]])) as Counts
}

export const times = (counts: Counts, factor: number): Counts => plus(noCounts, counts, factor)

/** Reply of the metered Worker to each of the bench's calls. */
export interface MeterReply {
  readonly counts: Counts
  /** Events, calls and timers that have not ended. */
  readonly pending: number
  readonly nextAlarmAt: number | null
}
