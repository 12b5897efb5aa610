import type { StateMove } from '#contract/kernel/hubs.ts'
import { ROUTER_OUTBOX } from '#contract/kernel/hub-limits.ts'
import type { ConnectionLog } from '#contract/router/saves.ts'
import { type LinkPeriod, mergePeriods } from './link-log.ts'
import type { JobResult } from '#contract/network/jobs.ts'
import { JOB } from '#contract/network/limits.ts'
import { withDataDropped } from '#domain/network/members/job-data.ts'

/* Outbox of a router hub: changes that the database and other hubs do not have yet, with limits and backoff. */

/**
 * The outbox is stored together with the change itself. Each flush sends the whole current state, so only the newest has to
 * arrive; connection log lines and transitions are stored one by one.
 */
export interface Outbox {
  /** Sequence number of the newest change. A target with the same number is up to date. */
  readonly change: number
  readonly saved: number
  readonly notified: number
  readonly logs: readonly ConnectionLog[]
  /** Times of links that began or ended and are not in their rows yet. */
  readonly periods?: readonly LinkPeriod[]
  /** Results of jobs that are not in their rows yet. */
  readonly results?: readonly JobResult[]
  /** Transitions that the account's hub has not got yet. */
  readonly moves: readonly StateMove[]
  /** True: the address that peers dial has changed, so their documents have to be compiled again. */
  readonly endpointMoved: boolean
  /** True: the LANs behind the device have changed, and so have its own document and those of its centres. */
  readonly lansMoved?: boolean
  /** True: the device has begun or ceased to run tunnels, and so have the links of its document and of all its peers. */
  readonly vpnMoved?: boolean
  /** Time at which the peers were compiled for the last move. */
  readonly peersAt: number
  readonly failures: number
  /** Time of the next flush; null: at once. */
  readonly flushAt: number | null
  /** Time before which no save is tried: the account's hub says when the database answers again. Absent or null: none. */
  readonly saveAt?: number | null
  /** Newest change of presence or of a final configuration state. Absent in an outbox of an older release. */
  readonly urgent?: number
  /** Newest change of presence. Absent before the first, and in an outbox of an older release. */
  readonly presence?: number
}

export const emptyOutbox: Outbox = {
  change: 0,
  saved: 0,
  notified: 0,
  logs: [],
  moves: [],
  endpointMoved: false,
  peersAt: 0,
  failures: 0,
  flushAt: null,
}

/** Bounds the outbox of a device that flaps while the database or another hub is away. */
const LOGS_MAX = 500
export const PERIODS_MAX = 500
const MOVES_MAX = 100
const RESULTS_MAX = 100
/** Characters of data in all, because they are saved as one value of the database, which holds 2 MB. */
const RESULT_DATA_MAX = 32 * JOB.dataMax

interface OutboxEntry {
  readonly logs?: readonly ConnectionLog[]
  readonly periods?: readonly LinkPeriod[]
  readonly move?: StateMove | null
  readonly results?: readonly JobResult[]
  /** Latest flush time. An entry without one flushes everything at once. */
  readonly flushAt?: number
  readonly endpointMoved?: boolean
  readonly lansMoved?: boolean
  readonly vpnMoved?: boolean
  /** True: the entry is for the database only, because other hubs would see no difference. */
  readonly isQuiet?: boolean
  /** True: presence or a final configuration state has changed. */
  readonly isUrgent?: boolean
  readonly isPresence?: boolean
}

export function enqueue(o: Outbox, entry: OutboxEntry): Outbox {
  const { logs = [], periods = [], move, results = [], flushAt, isQuiet, isUrgent, isPresence } = entry
  const change = o.change + 1
  return {
    ...o,
    change,
    notified: isQuiet && o.notified === o.change ? change : o.notified,
    logs: [...o.logs, ...logs].slice(-LOGS_MAX),
    periods: mergePeriods(o.periods ?? [], periods),
    moves: move ? [...o.moves, move].slice(-MOVES_MAX) : o.moves,
    results: withResults(o.results, results),
    endpointMoved: o.endpointMoved || entry.endpointMoved === true,
    lansMoved: o.lansMoved === true || entry.lansMoved === true,
    vpnMoved: o.vpnMoved === true || entry.vpnMoved === true,
    flushAt: nextFlushAt(o, flushAt),
    urgent: isUrgent === true ? change : (o.urgent ?? 0),
    presence: isPresence === true ? change : (o.presence ?? 0),
  }
}

/** Beyond the limits the oldest results go, or lose their data. */
function withResults(known: readonly JobResult[] = [], added: readonly JobResult[]): readonly JobResult[] {
  if (added.length === 0) return known
  let left = RESULT_DATA_MAX
  const newestFirst = [...known, ...added].slice(-RESULTS_MAX).toReversed()
  const kept = newestFirst.map((result) => {
    const { data, ...rest } = result
    left -= data?.length ?? 0
    return left < 0 && data !== undefined ? { ...rest, reason: withDataDropped(rest.reason) } : result
  })
  return kept.toReversed()
}

/** Time of the next flush with an entry that may wait until `flushAt`, or may not. */
const nextFlushAt = (o: Outbox, flushAt: number | undefined): number | null =>
  flushAt === undefined || (isPending(o) && o.flushAt === null) ? null : (o.flushAt ?? flushAt)

/** Marks the outbox as saved in the state `sent`, with its peers refreshed `now` if due; later changes are pending. */
export function withSaved(o: Outbox, sent: Outbox, now: number): Outbox {
  const delivered = new Set(sent.logs)
  const isRefreshed = arePeersDue(sent, now)
  const isSettled = isRefreshed && o.change === sent.change
  return resetBackoff({
    ...o,
    saved: Math.max(o.saved, sent.change),
    logs: o.logs.filter((entry) => !delivered.has(entry)),
    periods: (o.periods ?? []).filter((period) => !sent.periods?.includes(period)),
    results: (o.results ?? []).filter((result) => !sent.results?.includes(result)),
    endpointMoved: !isSettled && o.endpointMoved,
    lansMoved: !isSettled && o.lansMoved === true,
    vpnMoved: !isSettled && o.vpnMoved === true,
    peersAt: isRefreshed ? now : o.peersAt,
    saveAt: null,
  })
}

/** Leaves the next save to the account's hub; without its call the save is tried after the longest wait. */
export function withHeldSave(o: Outbox, now: number, random: number): Outbox {
  const at = now + (ROUTER_OUTBOX.maxRetryMs / 2) * (1 + random)
  return { ...o, failures: o.failures + 1, saveAt: at, flushAt: at }
}

export const isSaveHeld = ({ saveAt }: Outbox, now: number): boolean => (saveAt ?? 0) > now

/** After a flush without the save that is held: the next one is due when that is, unless there is a newer change. */
export const withoutSave = (o: Outbox, sent: Outbox): Outbox =>
  o.change === sent.change ? { ...o, flushAt: o.saveAt ?? null } : o

/** Limits the reads of peers of a device whose address changes all the time: changes after the first wait. */
export const arePeersDue = (o: Outbox, now: number): boolean =>
  arePeersStale(o) && (now >= o.peersAt + ROUTER_OUTBOX.peersMs || now < o.peersAt)

const arePeersStale = (o: Pick<Outbox, 'endpointMoved' | 'lansMoved' | 'vpnMoved'>): boolean =>
  o.endpointMoved || o.lansMoved === true || o.vpnMoved === true

export function outboxDue(o: Outbox): number | null {
  return o.flushAt ?? (arePeersStale(o) && o.saved >= o.change ? o.peersAt + ROUTER_OUTBOX.peersMs : null)
}

export const withNotified = (o: Outbox, sent: Outbox): Outbox =>
  resetBackoff({
    ...o,
    notified: Math.max(o.notified, sent.change),
    moves: o.moves.filter((move) => !sent.moves.includes(move)),
  })

/** Exponential backoff. `random` in [0, 1) spreads the retries of many hubs. */
export function withFailure(o: Outbox, now: number, random: number): Outbox {
  const wait = Math.min(ROUTER_OUTBOX.firstRetryMs * 2 ** o.failures, ROUTER_OUTBOX.maxRetryMs)
  return { ...o, failures: o.failures + 1, flushAt: now + wait / 2 + (wait / 2) * random }
}

export const isPending = (o: Outbox): boolean => o.saved < o.change || o.notified < o.change

/** True if the database has to be written: for a change, or for peers that are due. */
export const isSaveDue = (o: Outbox, now: number): boolean => o.saved < o.change || arePeersDue(o, now)

export const isDue = (o: Outbox, now: number): boolean =>
  (isPending(o) || arePeersDue(o, now)) && (o.flushAt ?? 0) <= now

const resetBackoff = (o: Outbox): Outbox => (isPending(o) ? o : { ...o, failures: 0, flushAt: null })

/** True while the database or another hub lacks a change of presence or of a final configuration state. */
export const isUrgent = (o: Outbox): boolean => (o.urgent ?? 0) > Math.min(o.saved, o.notified)

/** True for a save that may come from many routers at once: of a presence, or of lines of the connection log. */
export const isSharedSave = (o: Outbox): boolean => o.logs.length > 0 || (o.presence ?? 0) > o.saved

/** Times of flushes, for their rates. */
export interface FlushTimes {
  /** Starts of the newest flushes, oldest first. */
  readonly all: readonly number[]
  /** Time at which all urgent flushes would have been made, `urgentMs` apart from the start. */
  readonly urgentUntil: number
}

export const noFlushes: FlushTimes = { all: [], urgentUntil: 0 }

export const withFlush = ({ all, urgentUntil }: FlushTimes, o: Outbox, now: number): FlushTimes => ({
  all: [...all, now].slice(-ROUTER_OUTBOX.flushes),
  urgentUntil: isUrgent(o) ? Math.max(urgentUntil, now) + ROUTER_OUTBOX.urgentMs : urgentUntil,
})

/** Wait before the next flush: by the number of flushes in a window, or of an urgent change by that of urgent ones alone. */
export function flushWaitMs({ all, urgentUntil }: FlushTimes, o: Outbox, now: number): number {
  const { flushes, flushWindowMs, urgentMs, urgentBurst } = ROUTER_OUTBOX
  const oldest = all.at(-flushes)
  const [at, longestMs] = isUrgent(o)
    ? [urgentUntil - (urgentBurst - 1) * urgentMs, urgentMs]
    : [oldest === undefined ? now : oldest + flushWindowMs, flushWindowMs]
  return at - now > longestMs ? 0 : Math.max(0, at - now) // longer: the clock was set back
}
