import { FLOWS, SERIES } from '#contract/kernel/hub-limits.ts'
import type { FlowsFrame } from '#contract/device/flows.ts'
import {
  FLOW_KINDS,
  type FlowBucket,
  type FlowKind,
  ofKind,
  toFlowDay,
  toFlowHour,
  toFlowHours,
  toFlowSum,
  toSlotBuckets,
  toSumBucket,
  type FlowVolume,
  type FlowVolumes,
} from './flow-buckets.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/kernel/time.ts'
import { dayOf, hourOf, startOfDay } from '../traffic/series-time.ts'
import { Packer, Unpacker } from '../traffic/traffic-packing.ts'
import { type TrafficPiece, isTouched } from '../traffic/traffic-range.ts'

/* Storage of one router's flows: a row per hour, and a row per day for older times. */

/** Hours until a row is written over: the days before today whose slots are kept, today, and a day to roll up in. */
const RING_HOURS = (SERIES.slotDays + 2) * 24

interface Report {
  readonly hour: number
  readonly report: number
  readonly over: boolean
  readonly parts: Map<number, FlowsFrame['slots']>
  readonly count: number
}

interface Live extends FlowRow {
  readonly hour: number
}

interface FlowRange {
  readonly buckets: readonly FlowBucket[]
  /** Sums without names, by hours if these are kept. */
  readonly sums: readonly TrafficPiece[]
}

/** Range of keys, both ends included. */
type Keys = readonly [first: number, last: number]
const NONE: Keys = [1, 0]

/**
 * Rows of hours lie in a ring that needs no deletions. Both kinds of rows hold totals by application and by address as
 * well, so that a top of half a year reads one column a day. An hour is written once, when all parts of its report are
 * here, and acknowledged then; after an eviction the device sends it again. The running hour is only in memory.
 */
export class FlowStore {
  private readonly storage: Pick<DurableObjectStorage, 'sql'>
  /** Report whose parts are not all here; a device sends one hour at a time. */
  private pending: Report | null = null
  private live: Live | null = null
  private stored = { hour: 0, count: 0 }

  constructor(storage: Pick<DurableObjectStorage, 'sql'>) {
    this.storage = storage
    storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS hour_flows (place INTEGER PRIMARY KEY, hour INTEGER NOT NULL, slots BLOB NOT NULL, apps BLOB NOT NULL, sources BLOB NOT NULL) STRICT',
    )
    storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS day_flows (day INTEGER PRIMARY KEY, hours BLOB, apps BLOB NOT NULL, sources BLOB NOT NULL) STRICT',
    )
  }

  /** Adds a part of an hour's report; returns the hours to acknowledge. */
  add(frame: FlowsFrame, now: number): readonly number[] {
    const { hour } = frame
    if (hour * HOUR_MS > now + FLOWS.aheadMs) return []
    if (dayOf(hour * HOUR_MS) < this.oldestDay(now)) return [hour] // its day is rolled up
    const report = this.collect(frame)
    if (report.parts.size < report.count) return []
    this.pending = null
    const slots = [...report.parts].toSorted(([a], [b]) => a - b).flatMap(([, part]) => part)
    const buckets = toSlotBuckets(hour, slots)
    if (!report.over) {
      if (report.report > (this.live?.report ?? -1)) this.live = { hour, report: report.report, buckets }
      return []
    }
    return this.save({ hour, report: report.report, buckets }, now) ? [hour] : []
  }

  /** Time of the running hour's report, by the device; null: none has come since the hub woke. */
  liveReport(): number | null {
    return this.live?.report ?? null
  }

  /**
   * Buckets that a range touches, oldest first. If pieces may be `largestMs` long, hours and days within it become one
   * bucket each, with the names of `kind` alone. A day without kept hours is always one bucket.
   */
  between(from: number, to: number, kind: FlowKind, largestMs: number = FLOWS.slotMs): FlowRange {
    const wholeDays: Keys = largestMs < DAY_MS ? NONE : [dayOf(from - 1) + 1, dayOf(to) - 1]
    const wholeHours: Keys = largestMs < HOUR_MS ? NONE : [hourOf(from - 1) + 1, hourOf(to) - 1]
    const rolledTo = this.rolledTo()
    const days = this.days([dayOf(from), dayOf(to)], wholeDays, kind)
    const hours = this.hours([hourOf(from), hourOf(to)], wholeHours, kind).filter(
      ({ key }) => dayOf(key * HOUR_MS) > rolledTo,
    )
    const { live } = this
    const isStored = hours.some(({ key, report }) => key === live?.hour && report >= live.report)
    const kept = hours.filter(({ key }) => isStored || key !== live?.hour)
    const ranges = [...days, ...kept, ...(live && !isStored ? [toRange(live)] : [])]
    const within = <T extends Pick<FlowBucket, 'startMs' | 'lengthMs'>>(pieces: readonly T[]) =>
      pieces.filter((piece) => isTouched(piece, from, to)).toSorted((a, b) => a.startMs - b.startMs)
    return {
      buckets: within(ranges.flatMap(({ buckets }) => buckets)),
      sums: within(ranges.flatMap(({ sums }) => sums)),
    }
  }

  private collect({ hour, report, over, part, parts, slots }: FlowsFrame): Report {
    const { pending } = this
    const isSame =
      pending?.hour === hour && pending.report === report && pending.over === over && pending.count === parts
    const into: Report = isSame ? pending : { hour, report, over, parts: new Map(), count: parts }
    into.parts.set(part, slots)
    this.pending = into
    return into
  }

  /** Writes the hour unless a newer report of it is stored. False: too many of it were written; it is sent again. */
  private save({ hour, report, buckets }: Live, now: number): boolean {
    const [stored] = this.hours([hour, hour], NONE, 'apps')
    if (stored && stored.report >= report) return true
    const current = hourOf(now)
    if (this.stored.hour !== current) this.stored = { hour: current, count: 0 }
    if (this.stored.count >= FLOWS.newPerHour) return false
    this.stored = { hour: current, count: this.stored.count + 1 }
    this.rollUp(now)
    const total = toFlowHour(hour, buckets)
    this.storage.sql.exec(
      'INSERT INTO hour_flows (place, hour, slots, apps, sources) VALUES (?, ?, ?, ?, ?) ON CONFLICT (place) DO UPDATE SET hour = excluded.hour, slots = excluded.slots, apps = excluded.apps, sources = excluded.sources',
      hour % RING_HOURS,
      hour,
      packFlowHour(hour, { report, buckets }),
      ...FLOW_KINDS.map((kind) => packFlowHour(hour, { report, buckets: toTotal(kind, total, [total]) })),
    )
    return true
  }

  private oldestDay(now: number): number {
    return dayOf(now) - SERIES.slotDays
  }

  /** Days that are no longer kept by slots get their row, before their hours are written over. */
  private rollUp(now: number): void {
    const [rolledTo, before] = [this.rolledTo(), this.oldestDay(now)]
    if (rolledTo >= before - 1) return
    const first = hourOf(startOfDay(rolledTo + 1))
    const hours = this.hours([first, hourOf(startOfDay(before)) - 1], NONE, 'apps')
    const days = new Set(hours.map(({ key }) => dayOf(key * HOUR_MS)))
    for (const day of days) {
      const within = hours.filter(({ key }) => dayOf(key * HOUR_MS) === day).flatMap(({ buckets }) => buckets)
      this.writeDay(day, toFlowHours(within))
    }
    this.storage.sql.exec(
      'UPDATE day_flows SET hours = NULL WHERE day < ? AND hours IS NOT NULL',
      dayOf(now) - SERIES.hourDays,
    )
    this.storage.sql.exec('DELETE FROM day_flows WHERE day < ?', dayOf(now) - SERIES.days)
  }

  private writeDay(day: number, hours: readonly FlowBucket[]): void {
    const pack = (buckets: readonly FlowBucket[]) => packFlows({ report: 0, buckets }, startOfDay(day))
    this.storage.sql.exec(
      'INSERT INTO day_flows (day, hours, apps, sources) VALUES (?, ?, ?, ?) ON CONFLICT (day) DO UPDATE SET hours = excluded.hours, apps = excluded.apps, sources = excluded.sources',
      day,
      pack(hours),
      ...FLOW_KINDS.map((kind) => pack(toTotal(kind, toFlowDay(day, hours), hours))),
    )
  }

  /** The newest day that has its row; -1 for none. */
  private rolledTo(): number {
    const [row] = this.storage.sql.exec<{ day: number | null }>('SELECT max(day) AS day FROM day_flows')
    return row?.day ?? -1
  }

  /** Hours by slots; those within the keys of `whole` by totals. */
  private hours(keys: Keys, whole: Keys, kind: FlowKind): readonly (FlowRange & { key: number; report: number })[] {
    const totals = `SELECT hour AS key, ${kind} AS body FROM hour_flows WHERE hour BETWEEN ? AND ?`
    const slots = `SELECT hour AS key, slots AS body FROM hour_flows WHERE hour BETWEEN ? AND ? AND hour NOT BETWEEN ? AND ?`
    return [
      ...this.read(totals, whole, unpackFlowHour).map((row) => ({ ...row, ...toTotalRange(row) })),
      ...this.read(slots, [...keys, ...whole], unpackFlowHour).map((row) => ({ ...row, ...toRange(row) })),
    ]
  }

  private days(keys: Keys, whole: Keys, kind: FlowKind): readonly FlowRange[] {
    const totals = `SELECT day AS key, ${kind} AS body FROM day_flows WHERE day BETWEEN ? AND ? AND (hours IS NULL OR day BETWEEN ? AND ?)`
    const hours = `SELECT day AS key, hours AS body FROM day_flows WHERE day BETWEEN ? AND ? AND hours IS NOT NULL AND day NOT BETWEEN ? AND ?`
    return [
      ...this.read(totals, [...keys, ...whole], unpackDay).map(toTotalRange),
      ...this.read(hours, [...keys, ...whole], unpackDay).map(toRange),
    ]
  }

  /** Reads one column of rows, by their hour or day (`key`). */
  private read(query: string, keys: readonly number[], unpack: typeof unpackFlowHour) {
    return this.storage.sql
      .exec<{ key: number; body: ArrayBuffer }>(query, ...keys)
      .toArray()
      .map(({ key, body }) => ({ key, ...unpack(key, new Uint8Array(body)) }))
  }
}

const unpackDay = (day: number, bytes: Uint8Array): FlowRow => unpackFlows(bytes, startOfDay(day))

const toRange = ({ buckets }: Pick<FlowRow, 'buckets'>): FlowRange => ({ buckets, sums: buckets.map(toFlowSum) })

/** Stored total of one kind, followed by the sums of its pieces. */
const toTotal = (kind: FlowKind, total: FlowBucket, pieces: readonly FlowBucket[]): readonly FlowBucket[] => [
  ofKind(kind, total),
  ...pieces.map(toSumBucket),
]

const toTotalRange = ({ buckets: [total, ...pieces] }: FlowRow): FlowRange => ({
  buckets: total ? [total] : [],
  sums: pieces.map(toFlowSum),
})

/** Content of a row: buckets of one hour or one day, and the number of the report that the hour comes from. */
interface FlowRow {
  readonly report: number
  readonly buckets: readonly FlowBucket[]
}

/**
 * Packs buckets as LEB128 numbers. Each name stands once in a row, in one JSON text because that is read at once, and
 * buckets name it by its place. Times are minutes since `baseMs`.
 */
function packFlows({ report, buckets }: FlowRow, baseMs: number): Uint8Array {
  const to = new Packer()
  const names = [...new Set(buckets.flatMap(({ apps, sources }) => [...apps.keys(), ...sources.keys()]))]
  const indexOf = new Map(names.map((name, i) => [name, i]))
  to.put(report)
  to.putText(JSON.stringify(names))
  to.put(buckets.length)
  for (const { startMs, lengthMs, coveredMs, ...kinds } of buckets) {
    to.put((startMs - baseMs) / MINUTE_MS)
    to.put(lengthMs / MINUTE_MS)
    to.put(coveredMs / MINUTE_MS)
    for (const kind of FLOW_KINDS) {
      to.put(kinds[kind].size)
      for (const [name, { up, down }] of kinds[kind]) {
        to.put(indexOf.get(name) ?? 0)
        to.put(up)
        to.put(down)
      }
    }
  }
  return to.packed()
}

function unpackFlows(bytes: Uint8Array, baseMs: number): FlowRow {
  const from = new Unpacker(bytes)
  const report = from.take()
  const names = JSON.parse(from.takeText()) as readonly string[]
  const takeVolumes = (): FlowVolumes => {
    const volumes = new Map<string, FlowVolume>()
    for (let left = from.take(); left > 0; left--) {
      volumes.set(names[from.take()] ?? '', { up: from.take(), down: from.take() })
    }
    return volumes
  }
  const buckets = Array.from({ length: from.take() }, (): FlowBucket => {
    const time = {
      startMs: baseMs + from.take() * MINUTE_MS,
      lengthMs: from.take() * MINUTE_MS,
      coveredMs: from.take() * MINUTE_MS,
    }
    return { ...time, apps: takeVolumes(), sources: takeVolumes() }
  })
  return { report, buckets }
}

const packFlowHour = (hour: number, row: FlowRow): Uint8Array => packFlows(row, hour * HOUR_MS)
const unpackFlowHour = (hour: number, bytes: Uint8Array): FlowRow => unpackFlows(bytes, hour * HOUR_MS)
