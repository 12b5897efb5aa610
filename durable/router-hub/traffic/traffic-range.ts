import type { FlowPoint } from '#contract/kernel/hubs.ts'
import { SERIES } from '#contract/kernel/hub-limits.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/kernel/time.ts'
import { endOfStep, startOfDay, hourOf } from './series-time.ts'
import { packDay, unpackDay, unpackHour } from './traffic-packing.ts'
import {
  type HourSlots,
  type Buckets,
  type DayBuckets,
  mergeBuckets,
  toDayBucket,
  toHourBuckets,
} from './traffic-slots.ts'
import { keepNames, withoutLinks } from './traffic-reading.ts'
import { toBitRate } from './traffic-rates.ts'

/* Table of days: rolls hours up, deletes old rows; pieces of stored traffic within a range of time, and their sums. */

/** Bytes in a piece of time: a minute, five, an hour or a day. */
export interface TrafficPiece extends TrafficSum {
  readonly startMs: number
  readonly lengthMs: number
}

interface StoredTraffic {
  readonly days: readonly StoredDay[]
  readonly hours: readonly (readonly [hour: number, slots: HourSlots])[]
}

/** Pieces of stored traffic of these interfaces that a range touches. Sent bytes are up, received ones down. */
export function toPieces({ days, hours }: StoredTraffic, names: readonly string[], from: number, to: number) {
  const pieces = [...days.flatMap((day) => ofDay(day, names)), ...hours.flatMap((hour) => ofHour(hour, names))]
  return merge(pieces.filter((piece) => isTouched(piece, from, to)))
}

export const isTouched = (
  { startMs, lengthMs }: Pick<TrafficPiece, 'startMs' | 'lengthMs'>,
  from: number,
  to: number,
): boolean => from < to && startMs + lengthMs > from && startMs < to

function ofDay({ day, isByHour, buckets }: StoredDay, names: readonly string[]): TrafficPiece[] {
  const lengthMs = isByHour ? HOUR_MS : DAY_MS
  return names.flatMap((name) =>
    (buckets[name] ?? []).map(({ hour, minutes, rx, tx }) => ({
      startMs: startOfDay(day) + hour * HOUR_MS,
      lengthMs,
      coveredMs: minutes * MINUTE_MS,
      up: tx,
      down: rx,
    })),
  )
}

/** A slot's volume evenly over its minutes. */
const ofHour = ([hour, slots]: StoredTraffic['hours'][number], names: readonly string[]): TrafficPiece[] =>
  names.flatMap((name) =>
    (slots[name] ?? []).flatMap(({ minute, span, rx, tx }) =>
      Array.from({ length: span }, (_, back) => ({
        startMs: hour * HOUR_MS + (minute - back) * MINUTE_MS,
        lengthMs: MINUTE_MS,
        coveredMs: MINUTE_MS,
        up: tx / span,
        down: rx / span,
      })),
    ),
  )

/** Sums interfaces: one piece for each time; it counts as watched if one of them was. */
function merge(pieces: readonly TrafficPiece[]): readonly TrafficPiece[] {
  const byStart = new Map<number, TrafficPiece>()
  for (const piece of pieces) {
    const known = byStart.get(piece.startMs) ?? NO_TRAFFIC
    const coveredMs = Math.max(known.coveredMs, piece.coveredMs)
    byStart.set(piece.startMs, { ...piece, coveredMs, up: known.up + piece.up, down: known.down + piece.down })
  }
  return [...byStart.values()].toSorted((a, b) => a.startMs - b.startMs)
}

export interface TrafficSum {
  readonly coveredMs: number
  readonly up: number
  readonly down: number
}
export const NO_TRAFFIC: TrafficSum = { coveredMs: 0, up: 0, down: 0 }

/** Sums by the end of their step. */
export function sumBySteps(pieces: readonly TrafficPiece[], stepMs: number): ReadonlyMap<number, TrafficSum> {
  const steps = new Map<number, TrafficSum>()
  for (const { startMs, coveredMs, up, down } of pieces) {
    const end = endOfStep(startMs, stepMs)
    const known = steps.get(end) ?? NO_TRAFFIC
    steps.set(end, { coveredMs: known.coveredMs + coveredMs, up: known.up + up, down: known.down + down })
  }
  return steps
}

/** A step that was not watched has no point. Minutes that are not over have no rate yet. */
export function toTrafficPoints(pieces: readonly TrafficPiece[], stepMs: number, now: number): readonly FlowPoint[] {
  const over = pieces.filter(({ startMs, coveredMs }) => startMs + coveredMs <= now)
  return [...sumBySteps(over, stepMs)].map(([time, sum]) => toPoint(time, sum))
}

export const toPoint = (time: number, { coveredMs, up, down }: TrafficSum): FlowPoint => ({
  time,
  input: toBitRate(up, coveredMs),
  out: toBitRate(down, coveredMs),
})

/** Day in storage; `isByHour`: its hours are not one bucket yet. */
type StoredDay = DayBuckets & { readonly isByHour: boolean }

/** Days whose slots are no longer kept: their hours for 30 days, and one bucket up to 180. A packed row a router-day. */
export class TrafficDays {
  private readonly sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.sql = sql
    sql.exec(
      'CREATE TABLE IF NOT EXISTS days (day INTEGER PRIMARY KEY, by_hour INTEGER NOT NULL, body BLOB NOT NULL) STRICT',
    )
  }

  /** Rolls older days up; called in the transaction that stores the first row to end on this day. */
  rollUp(today: number): void {
    this.toHours(today - SERIES.slotDays)
    this.toDays(today - SERIES.hourDays)
    this.sql.exec('DELETE FROM days WHERE day < ?', today - SERIES.days)
  }

  /** Days from that one on, with interfaces alone. */
  since(day: number): readonly StoredDay[] {
    return this.withLinksSince(day).map((each) => ({ ...each, buckets: withoutLinks(each.buckets) }))
  }

  withLinksSince(day: number): readonly StoredDay[] {
    return this.read('SELECT day, by_hour, body FROM days WHERE day >= ? ORDER BY day', day)
  }

  /** Keeps these interfaces and links in all days. */
  keep(isKept: (name: string) => boolean): void {
    for (const { day, isByHour, buckets } of this.withLinksSince(0))
      if (!Object.keys(buckets).every(isKept)) this.write(day, isByHour, keepNames(buckets, isKept))
  }

  /** Rows of hours before this one are part of a day's row: they may be written over. */
  firstHour(): number {
    const [row] = this.sql.exec<{ day: number | null }>('SELECT max(day) AS day FROM days')
    return row?.day === null || row === undefined ? 0 : hourOf(startOfDay(row.day + 1))
  }

  /** Rolls rows of hours up into rows of their days. The newest row, which holds the reading, is never old enough. */
  private toHours(before: number): void {
    const query = 'SELECT hour, body FROM hours WHERE hour >= ? AND hour < ?'
    const rows = this.sql
      .exec<{ hour: number; body: ArrayBuffer }>(query, this.firstHour(), hourOf(startOfDay(before)))
      .toArray()
    const days = new Map<number, Buckets>()
    for (const { hour, body } of rows) {
      const { day, buckets } = toHourBuckets(hour, unpackHour(new Uint8Array(body)).slots)
      days.set(day, mergeBuckets(days.get(day) ?? {}, buckets))
    }
    for (const [day, buckets] of days) if (Object.keys(buckets).length > 0) this.write(day, true, buckets)
    const spare = 'hour < ? AND hour NOT IN (SELECT hour FROM hours WHERE hour < ? ORDER BY hour DESC LIMIT 24)'
    this.sql.exec(`DELETE FROM hours WHERE ${spare}`, this.firstHour(), this.firstHour())
  }

  private toDays(before: number): void {
    const byHour = this.read('SELECT day, by_hour, body FROM days WHERE day < ? AND by_hour = 1', before)
    for (const { day, buckets } of byHour) this.write(day, false, toDayBucket(buckets))
  }

  private write(day: number, isByHour: boolean, buckets: Buckets): void {
    this.sql.exec(
      'INSERT INTO days (day, by_hour, body) VALUES (?, ?, ?) ON CONFLICT (day) DO UPDATE SET by_hour = excluded.by_hour, body = excluded.body',
      day,
      Number(isByHour),
      packDay(buckets),
    )
  }

  private read(query: string, day: number): readonly StoredDay[] {
    const rows = this.sql.exec<{ day: number; by_hour: number; body: ArrayBuffer }>(query, day).toArray()
    return rows.map(({ day: at, by_hour, body }) => ({
      day: at,
      isByHour: by_hour === 1,
      buckets: unpackDay(new Uint8Array(body)),
    }))
  }
}
