import type { TrafficHistory } from '#contract/local/history.ts'
import type { StoredRate } from '#contract/router/views.ts'
import { SERIES, TRAFFIC_RANGE, type LinkRange, type TrafficRange } from '#contract/kernel/hub-limits.ts'
import type { RatePoint } from '#contract/kernel/protocol.ts'
import type { LinkTotals, QualityPoint } from '#contract/network/tunnels.ts'
import { isLinkIn } from '#domain/network/members/links.ts'
import {
  type Reading,
  isLinkName,
  isRestarted,
  keepNames,
  linkIdOf,
  linkName,
  withoutLinks,
} from './traffic-reading.ts'
import { type PackedHours, packHour, packHours, unpackHour, unpackHours } from './traffic-packing.ts'
import { piecesOfDay, piecesOfHour, stepsOf, toQuality } from './link-quality.ts'
import { type TrafficPiece, toPieces, TrafficDays } from './traffic-range.ts'
import { HOUR_MS } from '#contract/kernel/time.ts'
import { type RangeSteps, dayOf, endOfStep, hourOf } from './series-time.ts'
import {
  type Interval,
  type KnownNames,
  type Rates,
  type Window,
  addPoints,
  admitCounters,
  intervalBetween,
  toLinkRates,
  toRates,
} from './traffic-rates.ts'
import {
  type Hours,
  type HourSlots,
  addVolumes,
  mergeHour,
  toWindow,
  toSteps,
  toBucketSteps,
  toHourBuckets,
} from './traffic-slots.ts'

/* Traffic of one router: the live window, and stored rows of hours and days. */

/** Traffic not stored yet: in memory, and packed in the attachment of the device's socket, which survives hibernation. */
interface Pending {
  readonly reading: Reading | null
  /** Hours that are not stored yet; if there are none, `reading` is stored. */
  readonly hours: Hours
  /** Time at which `reading` was taken, by the hub's clock; unknown of one that was read from storage. */
  readonly takenAt: number | null
}

export interface PackedPending {
  readonly reading: Reading
  readonly hours: PackedHours
  readonly takenAt: number
}

const WINDOW_HOURS = 5 // enough for 40 summaries
const SLOTS_MAX = 250 // an attachment holds 16 KiB
/** Key of the reading in an older release, which stored it next to the hours. */
const OLD_READING_KEY = 'reading'
/** Key of the names of interfaces and links. */
const NAMES_KEY = 'interfaces'

/**
 * The row of an hour is written when the hour is over or the device is gone, so an idle router costs one written row an
 * hour. The row of the newest hour holds the reading up to which volumes are stored: a crash costs resolution and no
 * volume, because the next counters are compared with that reading.
 */
export class TrafficStore {
  private pending: Pending
  private window: Window | null = null
  private ofLinks: Rates = {}
  /** Gaps count against `SERIES.gapsAtOnce` until then. */
  private gapsUntil = 0
  private known: KnownNames | null
  private readonly days: TrafficDays
  private readonly storage: Pick<DurableObjectStorage, 'kv' | 'sql'>

  constructor(storage: Pick<DurableObjectStorage, 'kv' | 'sql'>, packed: PackedPending | null) {
    this.storage = storage
    storage.sql.exec('CREATE TABLE IF NOT EXISTS hours (hour INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT')
    this.days = new TrafficDays(storage.sql)
    this.pending = packed
      ? { ...packed, hours: unpackHours(packed.hours, packed.reading) }
      : { reading: this.storedReading(), hours: {}, takenAt: null }
    this.known = storage.kv.get<KnownNames>(NAMES_KEY) ?? null
  }

  /** Rates of interfaces since the last reading; null if there are none. `persist` saves pending traffic over hibernation. */
  add(reading: Reading, now: number, persist: (packed: PackedPending) => void): Record<string, RatePoint> | null {
    const { reading: last, takenAt } = this.pending
    this.ofLinks = {}
    const counters = this.admit(reading.counters, now)
    const interval = intervalBetween(last, { ...reading, counters }, takenAt === null ? null : now - takenAt)
    if (!interval) return null
    const isGap = !isGapless(last, interval)
    if (isGap && !this.admitGap(now)) return null
    const rates = toRates(interval, now)
    this.ofLinks = toLinkRates(interval, now)
    this.window = addPoints(this.points(now), rates)
    this.pending = { reading: interval.reading, hours: addVolumes(this.pending.hours, interval, now), takenAt: now }
    if (isGap || this.countSlots() > SLOTS_MAX) this.save(now, this.pending.hours, {})
    else this.saveFullHours(now)
    persist({ reading: interval.reading, hours: packHours(this.pending.hours, interval.reading), takenAt: now })
    return Object.keys(rates).length > 0 ? rates : null
  }

  private points(now: number): Window {
    this.window ??= toWindow(this.lastHours(), now)
    return this.window
  }

  /** Rates of the live window, by interface. */
  history(now: number): Record<string, RatePoint[]> {
    return Object.fromEntries(Object.entries(this.points(now)).map(([name, points]) => [name, [...points]]))
  }

  /** Newest point of each interface. */
  latest(now: number): Record<string, RatePoint> {
    const newest = Object.entries(this.points(now)).map(([name, points]) => [name, points.at(-1)] as const)
    return Object.fromEntries(newest.filter((entry): entry is [string, RatePoint] => entry[1] !== undefined))
  }

  /**
   * Averages over the steps of a range around a time; without a time, or close to now, the last step is the present one.
   * Steps of an hour and more have peaks.
   */
  series(range: TrafficRange, now: number, at = now): { from: number; to: number; data: Record<string, StoredRate[]> } {
    const { spanMs, stepMs } = TRAFFIC_RANGE[range]
    const to = endOfStep(Math.min(now, at + spanMs / 2) - 1, stepMs)
    const steps = { from: to - spanMs, to, stepMs }
    const hours = this.hoursFrom(hourOf(steps.from))
    if (stepMs < HOUR_MS) return { ...steps, data: toSteps(hours, { ...steps, now }) }
    const recent = hours.map(([hour, slots]) => toHourBuckets(hour, slots, now))
    return { ...steps, data: toBucketSteps([...this.days.since(dayOf(steps.from)), ...recent], steps) }
  }

  /** Rates of links by the last counters, by id; empty if those gave no rate. */
  linkRates(): Rates {
    return this.ofLinks
  }

  /** Time of the last counters by the hub's clock; null: unknown. */
  get takenAt(): number | null {
    return this.pending.takenAt
  }

  /** Bytes of links by the last counters; a link that these do not have is missing. */
  linkTotals(ids: readonly string[]): LinkTotals {
    const counters = this.pending.reading?.counters ?? {}
    return Object.fromEntries(
      ids.flatMap((id) => {
        const counter = counters[linkName(id)]
        return counter ? [[id, { down: counter.rx, upload: counter.tx }] as const] : []
      }),
    )
  }

  /** Latency and loss of a link by the steps of a range. */
  linkSeries(id: string, range: LinkRange, now: number): { steps: RangeSteps; points: readonly QualityPoint[] } {
    const [name, steps] = [linkName(id), stepsOf(range, now)]
    const ofDays = this.days.withLinksSince(dayOf(steps.from)).flatMap((day) => piecesOfDay(day, name))
    const ofHours = this.rowsFrom(hourOf(steps.from)).flatMap(([hour, slots]) => piecesOfHour(hour, slots, name))
    return { steps, points: toQuality([...ofDays, ...ofHours], steps) }
  }

  /** Pieces of stored traffic of these interfaces that a range touches. */
  pieces(names: readonly string[], from: number, to: number): readonly TrafficPiece[] {
    return toPieces({ days: this.days.since(dayOf(from)), hours: this.hoursFrom(hourOf(from)) }, names, from, to)
  }

  /** Adds traffic of the past as if the device had reported it; after an absence its counters begin anew. */
  importHistory({ from, step_ms: stepMs, interfaces }: TrafficHistory): void {
    const names = Object.keys(interfaces)
    const length = Math.max(0, ...names.map((name) => interfaces[name]?.length ?? 0))
    let [counters, boot]: [Reading['counters'], number] = [
      Object.fromEntries(names.map((name) => [name, { rx: 0, tx: 0 }])),
      0,
    ]
    const add = (step: number) => {
      const at = from + step * stepMs
      this.add({ bootId: `history-${boot}`, atMs: at - from, counters }, at, () => {})
    }
    add(0)
    for (let step = 0; step < length; step++) {
      const volumes = names.map((name) => [name, interfaces[name]?.[step] ?? null] as const)
      if (volumes.some(([, volume]) => volume === null)) boot = step + 1
      counters = Object.fromEntries(
        volumes.map(([name, volume]) => {
          const { rx, tx } = counters[name] ?? { rx: 0, tx: 0 }
          return [name, { rx: rx + (volume?.[0] ?? 0), tx: tx + (volume?.[1] ?? 0) }]
        }),
      )
      add(step + 1)
    }
    this.flush(from + length * stepMs)
  }

  /** Deletes the links of these networks, whose customers this node no longer carries. */
  forgetLinks(networks: readonly string[], persist: (packed: PackedPending) => void): void {
    const isKept = (name: string) => !isLinkName(name) || !networks.some((number) => isLinkIn(number, linkIdOf(name)))
    const keepReading = (reading: Reading | null) =>
      reading && { ...reading, counters: keepNames(reading.counters, isKept) }
    const rows = this.storage.sql.exec<{ hour: number; body: ArrayBuffer }>('SELECT hour, body FROM hours').toArray()
    for (const { hour, body } of rows) {
      const { slots, reading } = unpackHour(new Uint8Array(body))
      if (![...Object.keys(slots), ...Object.keys(reading?.counters ?? {})].every(isKept))
        this.write(hour, packHour(keepNames(slots, isKept), keepReading(reading)))
    }
    this.days.keep(isKept)
    const { reading, hours, takenAt } = this.pending
    const kept = Object.entries(hours).map(([hour, slots]) => [hour, keepNames(slots, isKept)] as const)
    this.pending = { reading: keepReading(reading), hours: Object.fromEntries(kept), takenAt }
    if (this.known) this.known = { ...this.known, names: this.known.names.filter(isKept) }
    if (this.known) this.storage.kv.put(NAMES_KEY, this.known)
    const left = this.pending
    if (left.reading && takenAt !== null)
      persist({ reading: left.reading, hours: packHours(left.hours, left.reading), takenAt })
  }

  flush(now: number): void {
    if (Object.keys(this.pending.hours).length > 0) this.save(now, this.pending.hours, {})
  }

  /**
   * False if there were too many gaps in a row. The reading is then skipped like one that comes too soon, so that each
   * admitted gap is stored.
   */
  private admitGap(now: number): boolean {
    const until = Math.max(this.gapsUntil, now) + SERIES.gapEveryMs
    if (until - now > SERIES.gapsAtOnce * SERIES.gapEveryMs) return false
    this.gapsUntil = until
    return true
  }

  private admit(counters: Reading['counters'], now: number): Reading['counters'] {
    const admitted = admitCounters(this.known, counters, now)
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
      this.write(hour, body)
    }
    if (this.storage.kv.get(OLD_READING_KEY) !== undefined) this.storage.kv.delete(OLD_READING_KEY)
    if (stored !== undefined && dayAfter(newest) > dayAfter(stored)) this.days.rollUp(dayAfter(newest))
    this.pending = { ...this.pending, hours: rest }
  }

  /**
   * A new hour takes over the row of an hour whose day has its own row: deleting that row would cost a second written row
   * an hour.
   */
  private write(hour: number, body: Uint8Array): void {
    const spare = this.isStored(hour) ? null : this.spareHour()
    if (spare !== null) this.storage.sql.exec('UPDATE hours SET hour = ?, body = ? WHERE hour = ?', hour, body, spare)
    else {
      this.storage.sql.exec(
        'INSERT INTO hours (hour, body) VALUES (?, ?) ON CONFLICT (hour) DO UPDATE SET body = excluded.body',
        hour,
        body,
      )
    }
  }

  private isStored(hour: number): boolean {
    return this.storage.sql.exec('SELECT 1 FROM hours WHERE hour = ?', hour).toArray().length > 0
  }

  private spareHour(): number | null {
    const query = 'SELECT min(hour) AS hour FROM hours WHERE hour < ?'
    const [row] = this.storage.sql.exec<{ hour: number | null }>(query, this.days.firstHour())
    return row?.hour ?? null
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
    return withInterfacesAlone(
      this.withPending('SELECT hour, body FROM hours ORDER BY hour DESC LIMIT ?', WINDOW_HOURS),
    )
  }

  private hoursFrom(hour: number) {
    return withInterfacesAlone(this.rowsFrom(hour))
  }

  private rowsFrom(hour: number) {
    return this.withPending('SELECT hour, body FROM hours WHERE hour >= ?', Math.max(hour, this.days.firstHour()))
  }

  /** Stored and pending hours, oldest first. */
  private withPending(query: string, value: number): readonly HourEntry[] {
    const rows = this.storage.sql.exec<{ hour: number; body: ArrayBuffer }>(query, value).toArray()
    const hours = new Map(rows.map(({ hour, body }) => [hour, unpackHour(new Uint8Array(body)).slots]))
    for (const [hour, slots] of Object.entries(this.pending.hours)) {
      hours.set(Number(hour), mergeHour(hours.get(Number(hour)) ?? {}, slots))
    }
    return [...hours].toSorted(([a], [b]) => a - b)
  }
}

type HourEntry = readonly [hour: number, slots: HourSlots]

const withInterfacesAlone = (hours: readonly HourEntry[]): readonly HourEntry[] =>
  hours.map(([hour, slots]) => [hour, withoutLinks(slots)] as const)

/** The day in which this hour ends. */
const dayAfter = (hour: number): number => dayOf((hour + 1) * HOUR_MS)

/** True if all counters of both readings went into the volumes, so that later ones can be compared with an earlier one. */
function isGapless(last: Reading | null, { reading, lengthMs, volumes }: Interval): boolean {
  const count = Object.keys(volumes).length
  const before = last?.counters ?? {}
  const counters = Object.entries(reading.counters)
  if (lengthMs === 0 || lengthMs > SERIES.gapMs || count !== Object.keys(before).length) return false
  return count === counters.length && !counters.some(([name, counter]) => isRestarted(before[name], counter))
}

/** The reading as it was before the volumes of `rest`, which began with the first of these hours. */
function withoutVolumes({ bootId, atMs, counters }: Reading, rest: Hours, now: number): Reading {
  const hours = Object.entries(rest)
  const since = Math.max(0, now - Math.min(...Object.keys(rest).map(Number)) * HOUR_MS)
  const before = Object.entries(counters).map(([name, counter]) => {
    const slots = hours.flatMap(([, byName]) => byName[name] ?? [])
    const left = slots.reduce((sum, slot) => ({ ...sum, rx: sum.rx - slot.rx, tx: sum.tx - slot.tx }), counter)
    return [name, left] as const
  })
  return { bootId, atMs: atMs - since, counters: Object.fromEntries(before) }
}
