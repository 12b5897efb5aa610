/** What the platform bills, counted while a real stack runs (infra/bench/cost/metered). */
export interface Counts {
  readonly workerRequests: number
  /** Upgrades, RPC calls and alarms. */
  readonly hubRequests: number
  /** WebSocket messages that reach a hub; pings that the platform answers do not. */
  readonly hubMessages: number
  readonly hubCloses: number
  readonly alarmsSet: number
  readonly hubRowsRead: number
  /** Rows of SQL and key-value storage; each alarm that is set is one. */
  readonly hubRowsWritten: number
  /** Bytes of what SQL inserts. */
  readonly hubBytesInserted: number
  /** Round trips a hub waits for: D1 and other hubs. */
  readonly hubTrips: number
  /** Timers of a hub: it cannot hibernate meanwhile. */
  readonly hubTimerMs: number
  /** Hubs made or woken, and the rows they read before their first event. */
  readonly wakes: number
  readonly wakeRowsRead: number
  readonly d1RowsRead: number
  readonly d1RowsWritten: number
  readonly logLines: number
  /** Warnings and errors among them: where there is one, something else was counted than was meant. */
  readonly faults: number
}

export const noCounts: Counts = {
  workerRequests: 0,
  hubRequests: 0,
  hubMessages: 0,
  hubCloses: 0,
  alarmsSet: 0,
  hubRowsRead: 0,
  hubRowsWritten: 0,
  hubBytesInserted: 0,
  hubTrips: 0,
  hubTimerMs: 0,
  wakes: 0,
  wakeRowsRead: 0,
  d1RowsRead: 0,
  d1RowsWritten: 0,
  logLines: 0,
  faults: 0,
}

const KEYS = Object.keys(noCounts) as readonly (keyof Counts)[]

/** `a + factor × b`, key by key. */
export function plus(a: Counts, b: Counts, factor = 1): Counts {
  return Object.fromEntries(KEYS.map((key) => [key, a[key] + factor * b[key]])) as unknown as Counts
}

export const times = (counts: Counts, factor: number): Counts => plus(noCounts, counts, factor)

/** What the metered Worker answers to each of the bench's calls. */
export interface MeterReply {
  readonly counts: Counts
  /** Events, calls and timers that have not ended. */
  readonly pending: number
  readonly nextAlarmAt: number | null
}
