import { SERIES } from '../../worker/contract/limits.ts'
import type { RatePoint } from '../../worker/contract/protocol.ts'
import { type Hours, addVolumes, hourOf, mergeHour, packHour, unpackHour, windowOf } from './series.ts'
import { type Reading, type Window, addPoints, intervalBetween, ratesOf } from './traffic.ts'

/** Not stored yet: lives in memory and in the attachment of the device's socket, which outlasts sleep. */
export interface Pending {
  readonly reading: Reading | null
  readonly hours: Hours
}

const WINDOW_HOURS = 5 // enough for 40 summaries
const SLOTS_MAX = 150 // an attachment holds 16 KiB

/**
 * The live window and the hour rows of one router. A row is written when an hour is over or the device is gone, so an
 * idle router costs one or two written rows an hour; a crash in between costs resolution and no volume, because the
 * next counters are compared with the last stored ones.
 */
export class TrafficLog {
  private pending: Pending
  private window: Window | null = null
  private readonly storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage, kept: Pending | null) {
    this.storage = storage
    storage.sql.exec('CREATE TABLE IF NOT EXISTS hours (hour INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT')
    this.pending = kept ?? { reading: storage.kv.get<Reading>('reading') ?? null, hours: {} }
  }

  /** Rates since the last reading, or null when there is nothing to tell. `keep` puts what is pending out of harm's way. */
  take(reading: Reading, now: number, keep: (pending: Pending) => void): Record<string, RatePoint> | null {
    const interval = intervalBetween(this.pending.reading, reading)
    if (!interval) return null
    const rates = ratesOf(interval, now)
    this.window = addPoints(this.points(), rates)
    this.pending = { reading, hours: addVolumes(this.pending.hours, interval, now) }
    if (this.isFull(now)) this.flush(now)
    keep(this.pending)
    return Object.keys(rates).length > 0 ? rates : null
  }

  points(): Window {
    this.window ??= windowOf(this.lastHours())
    return this.window
  }

  flush(now: number): void {
    const hours = Object.entries(this.pending.hours)
    if (hours.length === 0) return
    for (const [hour, slots] of hours) {
      const body = packHour(mergeHour(this.stored(Number(hour)), slots))
      this.storage.sql.exec('INSERT OR REPLACE INTO hours (hour, body) VALUES (?, ?)', Number(hour), body)
    }
    this.storage.kv.put('reading', this.pending.reading)
    this.storage.sql.exec('DELETE FROM hours WHERE hour < ?', hourOf(now) - SERIES.days * 24)
    this.pending = { ...this.pending, hours: {} }
  }

  private isFull(now: number): boolean {
    const hours = Object.entries(this.pending.hours)
    const slots = hours
      .flatMap(([, byInterface]) => Object.values(byInterface))
      .reduce((sum, list) => sum + list.length, 0)
    return slots > SLOTS_MAX || hours.some(([hour]) => Number(hour) < hourOf(now))
  }

  private stored(hour: number) {
    const [row] = this.storage.sql.exec<{ body: ArrayBuffer }>('SELECT body FROM hours WHERE hour = ?', hour)
    return row ? unpackHour(new Uint8Array(row.body)) : {}
  }

  private lastHours() {
    const rows = this.storage.sql
      .exec<{ hour: number; body: ArrayBuffer }>(
        'SELECT hour, body FROM hours ORDER BY hour DESC LIMIT ?',
        WINDOW_HOURS,
      )
      .toArray()
    const hours = new Map(rows.map(({ hour, body }) => [hour, unpackHour(new Uint8Array(body))]))
    for (const [hour, slots] of Object.entries(this.pending.hours)) {
      hours.set(Number(hour), mergeHour(hours.get(Number(hour)) ?? {}, slots))
    }
    return [...hours].toSorted(([a], [b]) => a - b)
  }
}
