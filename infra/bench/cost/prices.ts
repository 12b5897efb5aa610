/* Prices of the platform, and the monthly bill of counted quantities. */

/** Billed quantities of the platform, counted while a real stack runs (infra/bench/cost/metered). */
export const noCounts = {
  workerRequests: 0,
  /** Upgrades, RPC calls and alarms. */
  hubRequests: 0,
  /** WebSocket messages that reach a hub; pings that the platform answers do not. */
  hubMessages: 0,
  hubCloses: 0,
  hubRowsRead: 0,
  /** Rows of SQL and key-value storage; each alarm that is set is one. */
  hubRowsWritten: 0,
  /** Round trips for which a hub waits, to D1 and to other hubs; those under way at the same time count once. */
  hubTrips: 0,
  /** Timers of a hub: it cannot hibernate meanwhile. */
  hubTimerMs: 0,
  d1RowsRead: 0,
  d1RowsWritten: 0,
  logLines: 0,
  /** Warnings and errors among the lines: any of them means that something else than intended was counted. */
  faults: 0,
}
export type Counts = Readonly<typeof noCounts>

/** `a + factor × b`, key by key. */
export function plus(a: Counts, b: Counts, factor = 1): Counts {
  const keys = Object.keys(noCounts) as (keyof Counts)[]
  return Object.fromEntries(keys.map((key) => [key, a[key] + factor * b[key]])) as Counts
}

export const times = (counts: Counts, factor: number): Counts => plus(noCounts, counts, factor)

/** Bytes in the hub of a router: its rows of hours, of days by the hour and of older days on average, and everything else. */
export interface StoredBytes {
  readonly hour: number
  readonly dayByHour: number
  readonly day: number
  readonly rest: number
}

/** Reply of the metered Worker to each of the bench's calls. */
export interface MeterReply {
  readonly counts: Counts
  /** One of each router's hub; on request only. */
  readonly stored?: readonly StoredBytes[]
  /** Warnings and errors of the Worker; with `stored`. */
  readonly faultLines?: readonly string[]
  /** Events and calls that have not ended, and timers that are due. */
  readonly pending: number
  /** Time of the next alarm or timer. */
  readonly nextEventAt: number | null
}

const MILLION = 1e6
const GB = 1e9

/** Day whose prices these are. Those of logs are new from it on; the others were read on 2026-11-28. */
export const PRICES_OF = '2026-12-01'
/** Price of the plan itself: developers.cloudflare.com/workers/platform/pricing. */
export const PLAN_DOLLARS = 5
/** Price of AWS IoT Core: 10,000 connections at $0.08 a million minutes and a message a minute at $1 a million. */
export const BROKER_DOLLARS = 467

/** Cloudflare's monthly prices in US dollars: the included quantity, and each unit beyond it. */
const PRICES = {
  // durable-objects/platform/pricing: messages count 20 to a request; setAlarm is a row written
  hubRequests: { what: 'hub requests (20 messages are one)', included: MILLION, unit: MILLION, dollars: 0.15 },
  hubGbSeconds: { what: 'hub duration, GB-s', included: 400_000, unit: MILLION, dollars: 12.5 },
  hubRowsRead: { what: 'hub rows read', included: 25_000 * MILLION, unit: MILLION, dollars: 0.001 },
  hubRowsWritten: { what: 'hub rows written, alarms included', included: 50 * MILLION, unit: MILLION, dollars: 1 },
  hubBytes: { what: 'hub storage, bytes', included: 5 * GB, unit: GB, dollars: 0.2 },
  // d1/platform/pricing
  d1RowsRead: { what: 'D1 rows read', included: 25_000 * MILLION, unit: MILLION, dollars: 0.001 },
  d1RowsWritten: { what: 'D1 rows written', included: 50 * MILLION, unit: MILLION, dollars: 1 },
  d1Bytes: { what: 'D1 storage, bytes', included: 5 * GB, unit: GB, dollars: 0.75 },
  // workers/platform/pricing
  workerRequests: { what: 'Worker requests', included: 10 * MILLION, unit: MILLION, dollars: 0.3 },
  workerCpuMs: { what: 'Worker processor time, ms', included: 30 * MILLION, unit: MILLION, dollars: 0.02 },
  // workers/observability/pricing from 2026-12-01: ingested, and kept
  logBytes: { what: 'logs, bytes', included: 50 * GB, unit: GB, dollars: 0.25 },
  logBytesKept: { what: 'logs kept, bytes', included: 0, unit: GB, dollars: 0.1 },
} as const

type Meter = keyof typeof PRICES

/** Conservative assumptions; their effect is within the plan's included usage. */
const EVENT_MS = 5 // measured here: 1 ms to wake a hub, 0.06 ms for a message
const WAKE_ROWS = 20 // a hub reads 17 before its first event; every event is taken to wake one
const TRIP_MS = 50 // a hub waits for D1 or another hub in the same region
const HUB_GB = 0.128
const REQUEST_CPU_MS = 10
const MESSAGES_PER_REQUEST = 20
const LOG_LINE_BYTES = 4_840 // the documented average of a Workers event, whatever our own text is
const LOGS_KEPT_SHARE = 7 / 30 // days of retention

export function bill(counts: Counts, hubBytes: number, d1Bytes: number) {
  const events = counts.hubRequests + counts.hubMessages + counts.hubCloses
  const hubMs = events * EVENT_MS + counts.hubTrips * TRIP_MS + counts.hubTimerMs
  const logBytes = counts.logLines * LOG_LINE_BYTES
  const used: Readonly<Record<Meter, number>> = {
    hubRequests: counts.hubRequests + (counts.hubMessages + counts.hubCloses) / MESSAGES_PER_REQUEST,
    hubGbSeconds: (hubMs / 1000) * HUB_GB,
    hubRowsRead: counts.hubRowsRead + WAKE_ROWS * events,
    hubRowsWritten: counts.hubRowsWritten,
    hubBytes,
    d1RowsRead: counts.d1RowsRead,
    d1RowsWritten: counts.d1RowsWritten,
    d1Bytes,
    workerRequests: counts.workerRequests,
    workerCpuMs: counts.workerRequests * REQUEST_CPU_MS,
    logBytes,
    logBytesKept: logBytes * LOGS_KEPT_SHARE,
  }
  const lines = (Object.keys(PRICES) as Meter[]).map((meter) => {
    const { what, included, unit, dollars } = PRICES[meter]
    const beyond = Math.max(used[meter] - included, 0)
    return { what, quantity: formatQuantity(used[meter]), dollars: (beyond / unit) * dollars }
  })
  return { lines, dollars: PLAN_DOLLARS + lines.reduce((sum, line) => sum + line.dollars, 0) }
}

const formatQuantity = (value: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }).format(value)
