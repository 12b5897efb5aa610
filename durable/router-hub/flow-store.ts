import type { FlowsFrame } from '../../worker/contract/flow-frames.ts'
import { FLOWS, SERIES } from '../../worker/contract/hub-limits.ts'
import { type FlowBucket, isTouched, toFlowDay, toFlowHours, toSlotBuckets } from './flow-buckets.ts'
import { packFlowHour, packFlows, unpackFlowHour, unpackFlows } from './flow-packing.ts'
import { HOUR_MS, dayOf, hourOf, startOfDay } from './traffic.ts'

/** The part of a hub's storage that is used here, so that it compiles without the platform's types. */
interface Storage {
  readonly sql: {
    exec<T extends Record<string, ArrayBuffer | string | number | null>>(
      query: string,
      ...values: (number | Uint8Array)[]
    ): Iterable<T> & { toArray(): T[] }
  }
}

/** Rows of hours are written over after so many: whole days before today whose slots are kept, today, and a day to roll up in. */
const RING_HOURS = (SERIES.slotDays + 2) * 24

interface Report {
  readonly hour: number
  readonly report: number
  readonly over: boolean
  readonly parts: Map<number, FlowsFrame['slots']>
  readonly count: number
}

interface Live {
  readonly hour: number
  readonly report: number
  readonly buckets: readonly FlowBucket[]
}

/**
 * Flows of one router: a row an hour in a ring that needs no deletions, and a row a day where they are older. An hour is
 * written once, when all parts of its report are here, and acknowledged then; what an eviction loses is sent again. The hour
 * that goes on is only in memory.
 */
export class FlowStore {
  private readonly storage: Storage
  /** Whose parts are not all here; a device sends one hour at a time. */
  private pending: Report | null = null
  private live: Live | null = null
  private stored = { hour: 0, count: 0 }

  constructor(storage: Storage) {
    this.storage = storage
    storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS flow_hours (place INTEGER PRIMARY KEY, hour INTEGER NOT NULL, body BLOB NOT NULL) STRICT',
    )
    storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS flow_days (day INTEGER PRIMARY KEY, by_hour INTEGER NOT NULL, body BLOB NOT NULL) STRICT',
    )
  }

  /** Hours to acknowledge. */
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

  /** When the report of the hour that goes on was made, by the device; null: none has come since the hub woke. */
  liveReport(): number | null {
    return this.live?.report ?? null
  }

  /** What a range touches, oldest first. */
  between(from: number, to: number): readonly FlowBucket[] {
    const rolledTo = this.rolledTo()
    const days = this.days(dayOf(from)).flatMap(({ buckets }) => buckets)
    const hours = this.hours(hourOf(from), hourOf(to)).filter(({ hour }) => dayOf(hour * HOUR_MS) > rolledTo)
    const { live } = this
    const isStored = hours.some(({ hour, report }) => hour === live?.hour && report >= live.report)
    const kept = hours.filter(({ hour }) => isStored || hour !== live?.hour)
    return [...days, ...kept.flatMap(({ buckets }) => buckets), ...(live && !isStored ? live.buckets : [])]
      .filter((bucket) => isTouched(bucket, from, to))
      .toSorted((a, b) => a.startMs - b.startMs)
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

  /** Writes the hour unless a newer report of it is stored. False: too many of this hour were written, the device comes again. */
  private save({ hour, report, buckets }: Live, now: number): boolean {
    if ((this.row(hour)?.report ?? -1) >= report) return true
    const current = hourOf(now)
    if (this.stored.hour !== current) this.stored = { hour: current, count: 0 }
    if (this.stored.count >= FLOWS.newPerHour) return false
    this.stored = { hour: current, count: this.stored.count + 1 }
    this.rollUp(now)
    this.storage.sql.exec(
      'INSERT INTO flow_hours (place, hour, body) VALUES (?, ?, ?) ON CONFLICT (place) DO UPDATE SET hour = excluded.hour, body = excluded.body',
      hour % RING_HOURS,
      hour,
      packFlowHour(hour, { report, buckets }),
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
    const hours = this.hours(hourOf(startOfDay(rolledTo + 1)), hourOf(startOfDay(before)) - 1)
    const days = new Set(hours.map(({ hour }) => dayOf(hour * HOUR_MS)))
    for (const day of days) {
      const within = hours.filter(({ hour }) => dayOf(hour * HOUR_MS) === day).flatMap(({ buckets }) => buckets)
      this.writeDay(day, true, toFlowHours(within))
    }
    const hourly = this.days(0, dayOf(now) - SERIES.hourDays, true)
    for (const { day, buckets } of hourly) this.writeDay(day, false, [toFlowDay(day, buckets)])
    this.storage.sql.exec('DELETE FROM flow_days WHERE day < ?', dayOf(now) - SERIES.days)
  }

  private writeDay(day: number, isByHour: boolean, buckets: readonly FlowBucket[]): void {
    this.storage.sql.exec(
      'INSERT INTO flow_days (day, by_hour, body) VALUES (?, ?, ?) ON CONFLICT (day) DO UPDATE SET by_hour = excluded.by_hour, body = excluded.body',
      day,
      Number(isByHour),
      packFlows({ report: 0, buckets }, startOfDay(day)),
    )
  }

  /** The newest day that has its row; -1 for none. */
  private rolledTo(): number {
    const [row] = this.storage.sql.exec<{ day: number | null }>('SELECT max(day) AS day FROM flow_days')
    return row?.day ?? -1
  }

  private row(hour: number): { report: number } | undefined {
    return this.hours(hour, hour)[0]
  }

  private hours(first: number, last: number) {
    const query = 'SELECT hour, body FROM flow_hours WHERE hour BETWEEN ? AND ?'
    return this.storage.sql
      .exec<{ hour: number; body: ArrayBuffer }>(query, first, last)
      .toArray()
      .map(({ hour, body }) => ({ hour, ...unpackFlowHour(hour, new Uint8Array(body)) }))
  }

  /** Rows of days; `before` and `isByHour` leave out those that are done. */
  private days(first: number, before = Number.MAX_SAFE_INTEGER, isByHour?: true) {
    const query = 'SELECT day, by_hour, body FROM flow_days WHERE day >= ? AND day < ?'
    return this.storage.sql
      .exec<{ day: number; by_hour: number; body: ArrayBuffer }>(query, first, before)
      .toArray()
      .filter((row) => !isByHour || row.by_hour === 1)
      .map(({ day, body }) => ({ day, buckets: unpackFlows(new Uint8Array(body), startOfDay(day)).buckets }))
  }
}
