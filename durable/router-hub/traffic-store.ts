import { SERIES, TRAFFIC } from '../../worker/contract/limits.ts'
import type { Counters, RatePoint } from '../../worker/contract/protocol.ts'
import { packHour, unpackHour } from './hour-row.ts'
import {
  type Interval,
  type KnownInterfaces,
  type Reading,
  type Volume,
  type Window,
  addPoints,
  admitInterfaces,
  intervalBetween,
  toRate,
  toRates,
} from './traffic.ts'

/** Traffic not stored yet: in memory and in the attachment of the device's socket, which survives hibernation. */
export interface Pending {
  readonly reading: Reading | null
  /** Where there are none, `reading` is stored. */
  readonly hours: Hours
}

const WINDOW_HOURS = 5 // enough for 40 summaries
const SLOTS_MAX = 150 // an attachment holds 16 KiB
/** Key of the reading in an older release, which stored it beside the hours. */
const OLD_READING_KEY = 'reading'
const NAMES_KEY = 'interfaces'

/**
 * The live window and the hour rows of one router. A row is written when an hour is over or the device is gone, so an
 * idle router costs one written row an hour. The row of the newest hour holds the reading up to which volumes are stored:
 * a crash costs resolution and no volume, because the next counters are compared with that reading.
 */
export class TrafficStore {
  private pending: Pending
  private window: Window | null = null
  /** When the last reading was taken, by the hub's clock; null after hibernation. */
  private takenAt: number | null = null
  private known: KnownInterfaces | null
  private readonly storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage, pending: Pending | null) {
    this.storage = storage
    storage.sql.exec('CREATE TABLE IF NOT EXISTS hours (hour INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT')
    this.pending = pending ?? { reading: this.storedReading(), hours: {} }
    this.known = storage.kv.get<KnownInterfaces>(NAMES_KEY) ?? null
  }

  /** Rates since the last reading, or null where there are none. `persist` saves what is pending over hibernation. */
  add(reading: Reading, now: number, persist: (pending: Pending) => void): Record<string, RatePoint> | null {
    const last = this.pending.reading
    const counters = this.admit(reading.counters, now)
    const interval = intervalBetween(last, { ...reading, counters }, this.takenAt === null ? null : now - this.takenAt)
    if (!interval) return null
    this.takenAt = now
    const rates = toRates(interval, now)
    this.window = addPoints(this.points(), rates)
    this.pending = { reading: interval.reading, hours: addVolumes(this.pending.hours, interval, now) }
    if (!isGapless(last, interval) || this.countSlots() > SLOTS_MAX) this.save(now, this.pending.hours, {})
    else this.saveFullHours(now)
    persist(this.pending)
    return Object.keys(rates).length > 0 ? rates : null
  }

  points(): Window {
    this.window ??= toWindow(this.lastHours())
    return this.window
  }

  flush(now: number): void {
    if (Object.keys(this.pending.hours).length > 0) this.save(now, this.pending.hours, {})
  }

  private admit(counters: Counters, now: number): Counters {
    const admitted = admitInterfaces(this.known, counters, now)
    if (admitted.known !== this.known) this.storage.kv.put(NAMES_KEY, admitted.known)
    this.known = admitted.known
    return admitted.counters
  }

  /** The hour that has just begun stays pending, so that each hour is written once. */
  private saveFullHours(now: number): void {
    const isFull = ([hour]: [string, HourSlots]) => Number(hour) < hourOf(now)
    const hours = Object.entries(this.pending.hours)
    if (!hours.some(isFull)) return
    this.save(
      now,
      Object.fromEntries(hours.filter(isFull)),
      Object.fromEntries(hours.filter((entry) => !isFull(entry))),
    )
  }

  /** Writes `hours` in one transaction with the reading that the volumes lead up to; `rest` stays pending. */
  private save(now: number, hours: Hours, rest: Hours): void {
    const { reading } = this.pending
    const stored = this.newestRow()?.hour
    const given = Object.keys(hours).map(Number)
    const newest = Math.max(stored ?? hourOf(now), ...given)
    for (const hour of new Set([...given, newest])) {
      const slots = mergeHour(this.stored(hour), hours[hour] ?? {})
      const body = packHour(slots, hour === newest && reading ? withoutVolumes(reading, rest, now) : null)
      this.storage.sql.exec(
        'INSERT INTO hours (hour, body) VALUES (?, ?) ON CONFLICT (hour) DO UPDATE SET body = excluded.body',
        hour,
        body,
      )
    }
    if (this.storage.kv.get(OLD_READING_KEY) !== undefined) this.storage.kv.delete(OLD_READING_KEY)
    if (stored !== undefined && dayAfter(newest) > dayAfter(stored)) {
      this.storage.sql.exec('DELETE FROM hours WHERE hour < ?', hourOf(now) - SERIES.days * 24)
    }
    this.pending = { reading, hours: rest }
  }

  private countSlots(): number {
    const lists = Object.values(this.pending.hours).flatMap((byInterface) => Object.values(byInterface))
    return lists.reduce((sum, list) => sum + list.length, 0)
  }

  private newestRow(): { hour: number; body: ArrayBuffer } | undefined {
    const query = 'SELECT hour, body FROM hours ORDER BY hour DESC LIMIT 1'
    const [row] = this.storage.sql.exec<{ hour: number; body: ArrayBuffer }>(query)
    return row
  }

  private storedReading(): Reading | null {
    const row = this.newestRow()
    const reading = row ? unpackHour(new Uint8Array(row.body)).reading : null
    return reading ?? this.storage.kv.get<Reading>(OLD_READING_KEY) ?? null
  }

  private stored(hour: number): HourSlots {
    const [row] = this.storage.sql.exec<{ body: ArrayBuffer }>('SELECT body FROM hours WHERE hour = ?', hour)
    return row ? unpackHour(new Uint8Array(row.body)).slots : {}
  }

  private lastHours() {
    const rows = this.storage.sql
      .exec<{ hour: number; body: ArrayBuffer }>(
        'SELECT hour, body FROM hours ORDER BY hour DESC LIMIT ?',
        WINDOW_HOURS,
      )
      .toArray()
    const hours = new Map(rows.map(({ hour, body }) => [hour, unpackHour(new Uint8Array(body)).slots]))
    for (const [hour, slots] of Object.entries(this.pending.hours)) {
      hours.set(Number(hour), mergeHour(hours.get(Number(hour)) ?? {}, slots))
    }
    return [...hours].toSorted(([a], [b]) => a - b)
  }
}

/** The day in which this hour ends. */
const dayAfter = (hour: number): number => Math.floor((hour + 1) / 24)

/** All counters of both readings went into the volumes: later ones can still be compared with an earlier reading. */
function isGapless(last: Reading | null, { reading, lengthMs, volumes }: Interval): boolean {
  const count = Object.keys(volumes).length
  const before = Object.keys(last?.counters ?? {}).length
  return lengthMs > 0 && lengthMs <= SERIES.gapMs && count === Object.keys(reading.counters).length && count === before
}

/** The reading as it was before the volumes of `rest`, which began with the first of these hours. */
function withoutVolumes({ bootId, atMs, counters }: Reading, rest: Hours, now: number): Reading {
  const hours = Object.entries(rest)
  const since = Math.max(0, now - Math.min(...Object.keys(rest).map(Number)) * HOUR_MS)
  const before = Object.entries(counters).map(([name, { rx, tx }]) => {
    const slots = hours.flatMap(([, byInterface]) => byInterface[name] ?? [])
    const left = slots.reduce((sum, slot) => ({ rx: sum.rx - slot.rx, tx: sum.tx - slot.tx }), { rx, tx })
    return [name, left] as const
  })
  return { bootId, atMs: atMs - since, counters: Object.fromEntries(before) }
}

/**
 * Traffic of a router by the hour. A slot is the volume up to the end of one minute; `span` says how many minutes it
 * covers: one with viewers, five where the device sends summaries. Gaps have no slot.
 */
export interface Slot extends Volume {
  /** 0–59, the last minute of the slot. */
  readonly minute: number
  readonly span: number
}
export type HourSlots = Readonly<Record<string, readonly Slot[]>>
/** By epoch hour. */
export type Hours = Readonly<Record<number, HourSlots>>

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

export const hourOf = (time: number): number => Math.floor(time / HOUR_MS)

/** Adds what went through up to `now`. Volumes are exact in sum; an interval over a full hour is shared out by time. */
export function addVolumes(hours: Hours, { volumes, lengthMs }: Interval, now: number): Hours {
  if (lengthMs === 0 || lengthMs > SERIES.gapMs || Object.keys(volumes).length === 0) return hours
  let grown = hours
  let from = now - lengthMs
  let given = 0
  while (from < now) {
    const to = Math.min(now, (hourOf(from) + 1) * HOUR_MS)
    const share = to === now ? 1 : (to - (now - lengthMs)) / lengthMs
    grown = addToHour(grown, volumes, from, to, given, share)
    given = share
    from = to
  }
  return grown
}

function addToHour(
  hours: Hours,
  volumes: Interval['volumes'],
  from: number,
  to: number,
  given: number,
  share: number,
): Hours {
  const hour = hourOf(from)
  const slots: Record<string, readonly Slot[]> = { ...hours[hour] }
  const minute = Math.floor(((to - 1) % HOUR_MS) / MINUTE_MS)
  const span = Math.max(1, minute - Math.floor(((from % HOUR_MS) - 1) / MINUTE_MS))
  for (const [name, { rx, tx }] of Object.entries(volumes)) {
    const part = {
      rx: Math.round(rx * share) - Math.round(rx * given),
      tx: Math.round(tx * share) - Math.round(tx * given),
    }
    slots[name] = addSlot(slots[name] ?? [], { minute, span, ...part })
  }
  return { ...hours, [hour]: slots }
}

function addSlot(slots: readonly Slot[], slot: Slot): readonly Slot[] {
  const at = slots.findIndex((known) => known.minute >= slot.minute)
  const known = slots[at]
  if (!known) return [...slots, slot]
  if (known.minute > slot.minute) return slots.toSpliced(at, 0, slot)
  const span = Math.max(known.span, slot.span)
  return slots.with(at, { minute: slot.minute, span, rx: known.rx + slot.rx, tx: known.tx + slot.tx })
}

/** Both halves of one hour: what was stored before and what came since. */
export function mergeHour(stored: HourSlots, since: HourSlots): HourSlots {
  const merged: Record<string, readonly Slot[]> = { ...stored }
  for (const [name, slots] of Object.entries(since)) merged[name] = slots.reduce(addSlot, merged[name] ?? [])
  return merged
}

/** The newest slots as rates, for a viewer who comes when the live window is empty. Hours oldest first. */
export function toWindow(hours: readonly (readonly [number, HourSlots])[]): Window {
  const window: Record<string, RatePoint[]> = {}
  for (const [hour, slots] of hours) {
    for (const [name, list] of Object.entries(slots)) {
      const points = list.map((slot) =>
        toRate(slot, slot.span * MINUTE_MS, hour * HOUR_MS + (slot.minute + 1) * MINUTE_MS),
      )
      window[name] = [...(window[name] ?? []), ...points].slice(-TRAFFIC.pointsKept)
    }
  }
  return window
}
