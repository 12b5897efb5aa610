import { type Counters, addCounters } from '#contract/kernel/status.ts'
import { MINUTE_MS } from '#contract/kernel/time.ts'
import { STATUS } from '#contract/ops/limits.ts'
import {
  type Indicator,
  type ReleaseCounters,
  STATUS_LEVELS,
  type StatusLevel,
} from '#contract/ops/endpoints/status.ts'

/* Status of the service: indicators with their levels, from rows, counters and the probe of a hub. */

/** Number of rows, and the time of the oldest. */
interface Backlog {
  readonly count: number
  readonly since: number | null
}

export interface StatusRows {
  readonly migrations: { readonly newest: string; readonly expected: string; readonly isThere: boolean }
  /** Notices of the hub outbox; `stuck`: refused by their hub, or not tried in time. */
  readonly outbox: { readonly waiting: number; readonly stuck: Backlog }
  readonly online: number
  readonly unreadable: Backlog
  readonly documents: Backlog
  readonly directories: { readonly all: number; readonly failing: number }
  /** Providers of mail and SMS that are down, in words. */
  readonly providersDown: readonly string[]
  readonly missing: { readonly recent: number; readonly limit: number; readonly heldSince: number | null }
  readonly cronAt: number | null
}

export interface StatusCounters {
  readonly spanMs: number
  readonly releases: Readonly<Record<string, Counters>>
  /** Sums of the same length, an hour before. */
  readonly before: Counters
  readonly onlineBefore: number | null
}

export interface StatusFacts {
  readonly now: number
  readonly database: { readonly ms: number; readonly fault: string | null }
  /** Null while the database does not answer. */
  readonly rows: StatusRows | null
  readonly counters: StatusCounters | 'unbound' | 'away'
  /** Null: the probe of a hub was answered. */
  readonly probeFault: string | null
}

export function toIndicators(facts: StatusFacts): readonly Indicator[] {
  return [
    ...toCounted(facts),
    toDatabase(facts),
    toHubs(facts),
    toOnline(facts),
    ...(facts.rows === null ? toUnread() : toRows(facts.rows, facts.now)),
  ]
}

export const worstOf = (indicators: readonly Indicator[]): StatusLevel =>
  STATUS_LEVELS[Math.max(0, ...indicators.map(({ level }) => STATUS_LEVELS.indexOf(level)))] ?? 'ok'

type Subject = Pick<Indicator, 'name' | 'threshold' | 'runbook'>

const {
  trip,
  faults,
  overloads,
  refusals,
  calls,
  offline,
  unreadable,
  documents,
  outbox,
  deliveries,
  directories,
  cron,
} = STATUS

/** Indicators in the order in which they are shown, without the value. */
const SUBJECTS = {
  release: subject('release', 'release-bad', `faults: ${faults.warn} %, bad ${faults.bad} % and ${faults.least}`),
  calls: subject(
    'calls',
    'cost-jump',
    `${calls.warn} % of an hour ago and ${calls.leastPerMinute} a minute, bad ${calls.bad} %`,
  ),
  refusals: subject(
    'refusals',
    'key-leaked',
    `${refusals.warn} % of calls and ${refusals.least}, bad ${refusals.bad} %`,
  ),
  overloads: subject('overloads', 'database-overloaded', `${overloads.warn}, bad ${overloads.bad}`),
  deliveries: subject(
    'deliveries',
    'carrier-host',
    `${deliveries.warn} % failed and ${deliveries.least}, bad ${deliveries.bad} % or a provider down`,
  ),
  database: subject(
    'database',
    'database-overloaded',
    `${trip.warnMs} ms or a refused call, bad ${trip.badMs} ms, ${trip.badRefused} refused, or no answer`,
  ),
  hubs: subject('hubs', 'region-dark', `1 unreadable router, bad ${unreadable.bad}, or the probe is not answered`),
  online: subject(
    'online',
    'fleet-gone',
    `${offline.warn} % less than an hour ago and ${offline.least}, bad ${offline.bad} %`,
  ),
  migrations: subject('migrations', 'release-bad', 'bad without the last one of this release'),
  outbox: subject('outbox', 'queue-stuck', `1 stuck, bad once for ${outbox.badMs / 1000} s`),
  documents: subject(
    'documents',
    'agent-upgrade',
    `${documents.warn} % of the routers online and ${documents.least}, bad ${documents.bad} %`,
  ),
  directories: subject(
    'directories',
    'queue-stuck',
    `${directories.warn} % failing and ${directories.least}, bad ${directories.bad} %`,
  ),
  missing: subject('missing', 'database-restored', '1 recent row, bad while the hold is on'),
  cron: subject('cron', 'queue-stuck', `${cron.warnMs / 1000} s ago, bad ${cron.badMs / 1000} s`),
} as const satisfies Readonly<Record<string, Subject>>

function subject(name: string, runbook: Indicator['runbook'], threshold: string): Subject {
  return { name, runbook, threshold }
}

const toIndicator = (of: Subject, level: StatusLevel, value: string): Indicator => ({
  name: of.name,
  level,
  value,
  threshold: of.threshold,
  runbook: of.runbook,
})

/** Level of a number that gets worse as it grows. */
const levelOf = (n: number, warn: number, bad: number): StatusLevel => (n >= bad ? 'bad' : n >= warn ? 'warn' : 'ok')

/** The same of a share in percent, which needs a least number to count. */
function shareLevel(
  n: number,
  of: number,
  { warn, bad, least }: { readonly warn: number; readonly bad: number; readonly least: number },
): StatusLevel {
  return n < least ? 'ok' : levelOf((100 * n) / Math.max(1, of), warn, bad)
}

const AWAY = {
  unbound: 'no StatusHub is bound: nothing is counted',
  away: 'the StatusHub does not answer',
} as const

const COUNTED = [SUBJECTS.release, SUBJECTS.calls, SUBJECTS.refusals, SUBJECTS.overloads] as const

function toCounted({ counters, rows }: StatusFacts): readonly Indicator[] {
  const down = rows?.providersDown ?? []
  if (typeof counters === 'string') {
    const level = down.length > 0 ? 'bad' : 'unknown'
    const value = [...down, AWAY[counters]].join('; ')
    return [
      ...COUNTED.map((of) => toIndicator(of, 'unknown', AWAY[counters])),
      toIndicator(SUBJECTS.deliveries, level, value),
    ]
  }
  const sum = addCounters(...Object.values(counters.releases))
  const perMinute = (of: Counters) => ((of.calls ?? 0) * MINUTE_MS) / counters.spanMs
  const [callsNow, callsBefore] = [perMinute(sum), perMinute(counters.before)]
  const { calls: all = 0, faults: failed = 0, refusals: refused = 0, overloads: shed = 0 } = sum
  const growth = callsNow < calls.leastPerMinute || callsBefore === 0 ? 0 : (100 * callsNow) / callsBefore
  const { deliveries: sent = 0, failedDeliveries: lost = 0 } = sum
  return [
    toIndicator(
      SUBJECTS.release,
      shareLevel(failed, all, faults),
      `${toShares(counters.releases)}; ${failed} faults of ${all} calls`,
    ),
    toIndicator(
      SUBJECTS.calls,
      levelOf(growth, calls.warn, calls.bad),
      `${Math.round(callsNow)} a minute, an hour ago ${Math.round(callsBefore)}`,
    ),
    toIndicator(SUBJECTS.refusals, shareLevel(refused, all, refusals), `${refused} of ${all} calls${toReasons(sum)}`),
    toIndicator(SUBJECTS.overloads, levelOf(shed, overloads.warn, overloads.bad), `${shed} of ${all} calls`),
    toIndicator(
      SUBJECTS.deliveries,
      down.length > 0 ? 'bad' : shareLevel(lost, sent, deliveries),
      [...down, `${lost} of ${sent} alerts failed`].join('; '),
    ),
  ]
}

/** Releases by their share of the calls. */
function toShares(releases: StatusCounters['releases']): string {
  const all = addCounters(...Object.values(releases)).calls ?? 0
  const shares = Object.entries(releases)
    .filter(([, { calls: n = 0 }]) => n > 0)
    .toSorted(([, a], [, b]) => (b.calls ?? 0) - (a.calls ?? 0))
    .map(([release, { calls: n = 0 }]) => `${release} ${Math.round((100 * n) / all)} %`)
  return shares.join(', ') || 'no calls'
}

function toReasons(sum: Counters): string {
  const reasons = Object.entries(reasonsOf(sum))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, STATUS.reasons)
  return reasons.length === 0 ? '' : `: ${reasons.map(([key, n]) => `${key} ${n}`).join(', ')}`
}

const REFUSED = 'refused '

const reasonsOf = (counters: Counters): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(counters).flatMap(([name, n]) =>
      name.startsWith(REFUSED) ? [[name.slice(REFUSED.length), n]] : [],
    ),
  )

/** Counters of a release as the operator and `npm run deploy` read them. */
export const toReleaseCounters = (release: string, counters: Counters): ReleaseCounters => ({
  release,
  calls: counters.calls ?? 0,
  faults: counters.faults ?? 0,
  refusals: counters.refusals ?? 0,
  overloads: counters.overloads ?? 0,
  connects: counters.connects ?? 0,
  database_calls: counters.trips ?? 0,
  database_ms: counters.tripMs ?? 0,
  reasons: reasonsOf(counters),
})

function toDatabase({ database, counters }: StatusFacts): Indicator {
  if (database.fault !== null) return toIndicator(SUBJECTS.database, 'bad', `no answer: ${database.fault}`)
  const sum = typeof counters === 'string' ? {} : addCounters(...Object.values(counters.releases))
  const { trips = 0, tripMs = 0, refusedTrips = 0 } = sum
  const average = trips === 0 ? database.ms : Math.round(tripMs / trips)
  const levels = [
    levelOf(Math.max(average, database.ms), trip.warnMs, trip.badMs),
    levelOf(refusedTrips, 1, trip.badRefused),
  ]
  const level = levels.includes('bad') ? 'bad' : levels.includes('warn') ? 'warn' : 'ok'
  const counted = trips === 0 ? '' : `, ${average} ms on average of ${trips} calls, ${refusedTrips} refused`
  return toIndicator(SUBJECTS.database, level, `${database.ms} ms now${counted}`)
}

function toHubs({ probeFault, rows, now }: StatusFacts): Indicator {
  const routers = rows === null ? null : rows.unreadable.count
  const words = rows === null ? NO_ROWS : `${routers} unreadable routers${ageText(rows.unreadable.since, now)}`
  if (probeFault !== null)
    return toIndicator(SUBJECTS.hubs, 'bad', `the probe is not answered: ${probeFault}; ${words}`)
  const level = routers === null ? 'unknown' : levelOf(routers, 1, unreadable.bad)
  return toIndicator(SUBJECTS.hubs, level, `the probe is answered; ${words}`)
}

function toOnline({ rows, counters }: StatusFacts): Indicator {
  if (rows === null) return toIndicator(SUBJECTS.online, 'unknown', NO_ROWS)
  if (typeof counters === 'string')
    return toIndicator(SUBJECTS.online, 'unknown', `${rows.online} now; ${AWAY[counters]}`)
  const { onlineBefore } = counters
  if (onlineBefore === null)
    return toIndicator(SUBJECTS.online, 'unknown', `${rows.online} now; nothing was counted an hour ago`)
  const gone = onlineBefore - rows.online
  return toIndicator(
    SUBJECTS.online,
    shareLevel(gone, onlineBefore, offline),
    `${rows.online} now, an hour ago ${onlineBefore}`,
  )
}

const NO_ROWS = 'not readable while the database is away'
const FROM_ROWS = [SUBJECTS.migrations, SUBJECTS.outbox, SUBJECTS.documents, SUBJECTS.directories] as const

const toUnread = (): readonly Indicator[] =>
  [...FROM_ROWS, SUBJECTS.missing, SUBJECTS.cron].map((of) => toIndicator(of, 'unknown', NO_ROWS))

function toRows(rows: StatusRows, now: number): readonly Indicator[] {
  const { migrations, missing } = rows
  const { waiting, stuck } = rows.outbox
  const stuckMs = stuck.since === null ? 0 : now - stuck.since
  const cronMs = rows.cronAt === null ? null : now - rows.cronAt
  return [
    toIndicator(
      SUBJECTS.migrations,
      migrations.isThere ? 'ok' : 'bad',
      `${migrations.newest}, this release needs ${migrations.expected}`,
    ),
    toIndicator(
      SUBJECTS.outbox,
      stuck.count === 0 ? 'ok' : stuckMs >= outbox.badMs ? 'bad' : 'warn',
      `${waiting} waiting, ${stuck.count} stuck${ageText(stuck.since, now)}`,
    ),
    toIndicator(
      SUBJECTS.documents,
      shareLevel(rows.documents.count, rows.online, documents),
      `${rows.documents.count} not applied${ageText(rows.documents.since, now)}`,
    ),
    toIndicator(
      SUBJECTS.directories,
      shareLevel(rows.directories.failing, rows.directories.all, directories),
      `${rows.directories.failing} of ${rows.directories.all} failing`,
    ),
    toIndicator(
      SUBJECTS.missing,
      missing.heldSince !== null ? 'bad' : levelOf(missing.recent, 1, Infinity),
      `${missing.recent} recently, the hold ${missing.heldSince === null ? 'is off' : `is on${ageText(missing.heldSince, now)}`}, by itself above ${missing.limit}`,
    ),
    toIndicator(
      SUBJECTS.cron,
      cronMs === null ? 'bad' : levelOf(cronMs, cron.warnMs, cron.badMs),
      cronMs === null ? 'it has never run' : `ran ${secondsText(cronMs)} ago`,
    ),
  ]
}

const secondsText = (ms: number): string =>
  ms < 2 * MINUTE_MS ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / MINUTE_MS)} min`

const ageText = (since: number | null, now: number): string =>
  since === null ? '' : `, the oldest for ${secondsText(Math.max(0, now - since))}`
