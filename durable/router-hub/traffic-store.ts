import { SERIES, TRAFFIC } from '../../worker/contract/limits.ts'
import type { RatePoint } from '../../worker/contract/protocol.ts'
import {
  type Interval,
  type Reading,
  type Volume,
  type Window,
  addPoints,
  intervalBetween,
  toRate,
  toRates,
} from './traffic.ts'

/** Traffic not stored yet: in memory and in the attachment of the device's socket, which survives hibernation. */
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
export class TrafficStore {
  private pending: Pending
  private window: Window | null = null
  private readonly storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage, pending: Pending | null) {
    this.storage = storage
    storage.sql.exec('CREATE TABLE IF NOT EXISTS hours (hour INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT')
    this.pending = pending ?? { reading: storage.kv.get<Reading>('reading') ?? null, hours: {} }
  }

  /** Rates since the last reading, or null where there are none. `persist` saves what is pending over hibernation. */
  add(reading: Reading, now: number, persist: (pending: Pending) => void): Record<string, RatePoint> | null {
    const interval = intervalBetween(this.pending.reading, reading)
    if (!interval) return null
    const rates = toRates(interval, now)
    this.window = addPoints(this.points(), rates)
    this.pending = { reading, hours: addVolumes(this.pending.hours, interval, now) }
    if (this.isFull(now)) this.flush(now)
    persist(this.pending)
    return Object.keys(rates).length > 0 ? rates : null
  }

  points(): Window {
    this.window ??= toWindow(this.lastHours())
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

/** Packs an hour as LEB128 numbers: a tenth of its JSON, because storage is priced by the byte. */
export function packHour(slots: HourSlots): Uint8Array {
  const bytes: number[] = []
  const put = (value: number) => {
    let rest = value
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  const names = Object.keys(slots)
  put(names.length)
  for (const name of names) {
    const text = new TextEncoder().encode(name)
    put(text.length)
    bytes.push(...text)
    const list = slots[name] ?? []
    put(list.length)
    for (const { minute, span, rx, tx } of list) [minute, span, rx, tx].forEach(put)
  }
  return Uint8Array.from(bytes)
}

export function unpackHour(bytes: Uint8Array): HourSlots {
  let at = 0
  const take = (): number => {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error('series: an hour is cut short')
      value += (byte % 128) * unit
      if (byte < 128) return value
    }
  }
  const slots: Record<string, readonly Slot[]> = {}
  for (let names = take(); names > 0; names--) {
    const length = take()
    const name = new TextDecoder().decode(bytes.subarray(at, (at += length)))
    slots[name] = Array.from({ length: take() }, () => ({ minute: take(), span: take(), rx: take(), tx: take() }))
  }
  return slots
}
