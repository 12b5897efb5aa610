import { SERIES } from '#contract/kernel/hub-limits.ts'
import { hourOf, startOfDay } from './series-time.ts'
import { packDay, unpackDay, unpackHour } from './traffic-packing.ts'
import { type Buckets, type DayBuckets, mergeBuckets, toDayBucket, toHourBuckets } from './traffic-rollup.ts'

/** The part of a hub's storage that its series use, so that they compile without the platform's types. */
export interface SeriesStorage {
  readonly sql: {
    exec<T extends Record<string, ArrayBuffer | string | number | null>>(
      query: string,
      ...values: (number | Uint8Array | null)[]
    ): Iterable<T> & { toArray(): T[] }
  }
  readonly kv: {
    get<T>(key: string): T | undefined
    put(key: string, value: unknown): void
    delete(key: string): boolean
  }
}

/** Day in storage; `isByHour`: its hours are not one bucket yet. */
export type StoredDay = DayBuckets & { readonly isByHour: boolean }

/** Days whose slots are no longer kept: their hours for 30 days, and one bucket up to 180. A packed row a router-day. */
export class TrafficDays {
  private readonly storage: SeriesStorage

  constructor(storage: SeriesStorage) {
    this.storage = storage
    storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS days (day INTEGER PRIMARY KEY, by_hour INTEGER NOT NULL, body BLOB NOT NULL) STRICT',
    )
  }

  /** Rolls older days up; called in the transaction that stores the first row to end on this day. */
  rollUp(today: number): void {
    this.toHours(today - SERIES.slotDays)
    this.toDays(today - SERIES.hourDays)
    this.storage.sql.exec('DELETE FROM days WHERE day < ?', today - SERIES.days)
  }

  since(day: number): readonly StoredDay[] {
    return this.read('SELECT day, by_hour, body FROM days WHERE day >= ? ORDER BY day', day)
  }

  /** Rows of hours before this one are part of a day's row: they may be written over. */
  firstHour(): number {
    const [row] = this.storage.sql.exec<{ day: number | null }>('SELECT max(day) AS day FROM days')
    return row?.day === null || row === undefined ? 0 : hourOf(startOfDay(row.day + 1))
  }

  /** Rows of hours become rows of their days. The newest of them, which holds the reading, is too new. */
  private toHours(before: number): void {
    const query = 'SELECT hour, body FROM hours WHERE hour >= ? AND hour < ?'
    const rows = this.storage.sql
      .exec<{ hour: number; body: ArrayBuffer }>(query, this.firstHour(), hourOf(startOfDay(before)))
      .toArray()
    const days = new Map<number, Buckets>()
    for (const { hour, body } of rows) {
      const { day, buckets } = toHourBuckets(hour, unpackHour(new Uint8Array(body)).slots)
      days.set(day, mergeBuckets(days.get(day) ?? {}, buckets))
    }
    for (const [day, buckets] of days) if (Object.keys(buckets).length > 0) this.write(day, true, buckets)
    const spare = 'hour < ? AND hour NOT IN (SELECT hour FROM hours WHERE hour < ? ORDER BY hour DESC LIMIT 24)'
    this.storage.sql.exec(`DELETE FROM hours WHERE ${spare}`, this.firstHour(), this.firstHour())
  }

  private toDays(before: number): void {
    const byHour = this.read('SELECT day, by_hour, body FROM days WHERE day < ? AND by_hour = 1', before)
    for (const { day, buckets } of byHour) this.write(day, false, toDayBucket(buckets))
  }

  private write(day: number, isByHour: boolean, buckets: Buckets): void {
    this.storage.sql.exec(
      'INSERT INTO days (day, by_hour, body) VALUES (?, ?, ?) ON CONFLICT (day) DO UPDATE SET by_hour = excluded.by_hour, body = excluded.body',
      day,
      Number(isByHour),
      packDay(buckets),
    )
  }

  private read(query: string, day: number): readonly StoredDay[] {
    const rows = this.storage.sql.exec<{ day: number; by_hour: number; body: ArrayBuffer }>(query, day).toArray()
    return rows.map(({ day: at, by_hour, body }) => ({
      day: at,
      isByHour: by_hour === 1,
      buckets: unpackDay(new Uint8Array(body)),
    }))
  }
}
