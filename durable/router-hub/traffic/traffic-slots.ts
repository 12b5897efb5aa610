import { SERIES } from '#contract/kernel/hub-limits.ts'
import { TRAFFIC } from '#contract/kernel/limits.ts'
import type { RatePoint } from '#contract/kernel/protocol.ts'
import type { StoredRate } from '#contract/router/views.ts'
import { addProbes, shareOf } from './link-probes.ts'
import { type RangeSteps, hourOf, endOfStep, dayOf, startOfDay } from './series-time.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/kernel/time.ts'
import { type Interval, type Window, toRate } from './traffic-rates.ts'
import type { Volume } from './traffic-reading.ts'

/* Traffic of a router in slots of one to five minutes, and their sums in buckets of hours and days. */

/**
 * Volume up to the end of one minute. `span` is the number of minutes that the slot covers: one with viewers, five when the
 * device sends summaries. Gaps have no slot.
 */
export interface Slot extends Volume {
  /** Last minute of the slot within its hour, 0–59. */
  readonly minute: number
  readonly span: number
}
export type HourSlots = Readonly<Record<string, readonly Slot[]>>
/** Slots by epoch hour. */
export type Hours = Readonly<Record<number, HourSlots>>

/** Adds volumes up to `now`. Sums are exact; an interval over a full hour is divided by time. */
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
  for (const [name, { rx, tx, probes }] of Object.entries(volumes)) {
    const part = {
      rx: Math.round(rx * share) - Math.round(rx * given),
      tx: Math.round(tx * share) - Math.round(tx * given),
      ...(probes && { probes: shareOf(probes, given, share) }),
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
  const probes = addProbes(known.probes, slot.probes)
  return slots.with(at, { minute: slot.minute, span, rx: known.rx + slot.rx, tx: known.tx + slot.tx, ...probes })
}

export function mergeHour(stored: HourSlots, since: HourSlots): HourSlots {
  const merged: Record<string, readonly Slot[]> = { ...stored }
  for (const [name, slots] of Object.entries(since)) merged[name] = slots.reduce(addSlot, merged[name] ?? [])
  return merged
}

/**
 * Newest slots as rates, for a viewer who comes when the live window is empty. Hours oldest first. The running minute is
 * left out: it has no rate yet, and its end would lie ahead of the next samples.
 */
export function toWindow(hours: readonly (readonly [number, HourSlots])[], now: number): Window {
  const window: Record<string, RatePoint[]> = {}
  for (const [hour, slots] of hours) {
    const endOf = ({ minute }: Slot) => hour * HOUR_MS + (minute + 1) * MINUTE_MS
    for (const [name, list] of Object.entries(slots)) {
      const ended = list.filter((slot) => endOf(slot) <= now)
      const points = ended.map((slot) => toRate(slot, slot.span * MINUTE_MS, endOf(slot)))
      window[name] = [...(window[name] ?? []), ...points].slice(-TRAFFIC.pointsKept)
    }
  }
  return window
}

interface Steps extends RangeSteps {
  /** The minute that is not over has no rate yet. */
  readonly now: number
}

/** Slots averaged over equal steps of whole minutes. Minutes that no slot covers do not lower an average. */
export function toSteps(
  hours: readonly (readonly [number, HourSlots])[],
  { from, to, stepMs, now }: Steps,
): Record<string, RatePoint[]> {
  const sums = new Map<string, Map<number, { rx: number; tx: number; minutes: number }>>()
  const addMinute = (name: string, atMs: number, { rx, tx, span }: Slot) => {
    if (atMs < from || atMs >= to || atMs + MINUTE_MS > now) return
    const steps = sums.get(name) ?? new Map()
    sums.set(name, steps)
    const end = endOfStep(atMs, stepMs)
    const sum = steps.get(end) ?? { rx: 0, tx: 0, minutes: 0 }
    steps.set(end, { rx: sum.rx + rx / span, tx: sum.tx + tx / span, minutes: sum.minutes + 1 })
  }
  for (const [hour, byInterface] of hours) {
    for (const [name, slots] of Object.entries(byInterface)) {
      for (const slot of slots) {
        const endMs = hour * HOUR_MS + (slot.minute + 1) * MINUTE_MS
        for (let back = slot.span; back > 0; back--) addMinute(name, endMs - back * MINUTE_MS, slot)
      }
    }
  }
  const toPoints = (steps: ReadonlyMap<number, { rx: number; tx: number; minutes: number }>) =>
    [...steps]
      .toSorted(([a], [b]) => a - b)
      .map(([end, { minutes, ...volume }]) => toRate(volume, minutes * MINUTE_MS, end))
  return Object.fromEntries([...sums].map(([name, steps]) => [name, toPoints(steps)]))
}

/** Traffic of one interface in an hour or a day. Peaks are in bit/s, and the same with or without viewers. */
export interface Bucket extends Volume {
  /** Hour of the day, 0–23; 0 if the bucket is the whole day. */
  readonly hour: number
  /** Minutes that a slot covers; the others do not lower the average. */
  readonly minutes: number
  readonly rxPeak: number
  readonly txPeak: number
}

/** Buckets of one day, by interface, in order of time. */
export type Buckets = Readonly<Record<string, readonly Bucket[]>>

/** An hour's slots as one bucket each. Slots that end after `now` are left out: their minutes are not over. */
export function toHourBuckets(hour: number, byInterface: HourSlots, now = Infinity): DayBuckets {
  const startMs = hour * HOUR_MS
  const day = dayOf(startMs)
  const isOver = ({ minute }: Slot) => startMs + (minute + 1) * MINUTE_MS <= now
  const hourOfDay = (startMs - startOfDay(day)) / HOUR_MS
  const entries = Object.entries(byInterface)
    .map(([name, slots]) => [name, slots.filter(isOver)] as const)
    .filter(([, slots]) => slots.length > 0)
    .map(([name, slots]) => [name, [toBucket(hourOfDay, slots)]] as const)
  return { day, buckets: Object.fromEntries(entries) }
}

function toBucket(hour: number, slots: readonly Slot[]): Bucket {
  const windows = new Map<number, { rx: number; tx: number; minutes: number }>()
  for (const { minute, span, rx, tx } of slots) {
    for (let back = 0; back < span; back++) {
      const key = Math.floor((minute - back) / SERIES.peakMinutes)
      const window = windows.get(key) ?? { rx: 0, tx: 0, minutes: 0 }
      windows.set(key, { rx: window.rx + rx / span, tx: window.tx + tx / span, minutes: window.minutes + 1 })
    }
  }
  const rates = [...windows.values()].map(({ minutes, ...volume }) => toRate(volume, minutes * MINUTE_MS, 0))
  return {
    hour,
    minutes: sumBy(slots, ({ span }) => span),
    rx: sumBy(slots, ({ rx }) => rx),
    tx: sumBy(slots, ({ tx }) => tx),
    rxPeak: Math.max(...rates.map(({ down }) => down)),
    txPeak: Math.max(...rates.map(({ upload }) => upload)),
    ...slots.reduce((sum: ProbePart, { probes }) => addProbes(sum.probes, probes), {}),
  }
}

type ProbePart = ReturnType<typeof addProbes>

const sumBy = <T>(items: readonly T[], value: (item: T) => number): number =>
  items.reduce((sum, item) => sum + value(item), 0)

/** Sum of two buckets of the same time, or of a day `a` and a part `b` of it. */
const addBucket = (a: Bucket, b: Bucket): Bucket => ({
  hour: a.hour,
  minutes: a.minutes + b.minutes,
  rx: a.rx + b.rx,
  tx: a.tx + b.tx,
  rxPeak: Math.max(a.rxPeak, b.rxPeak),
  txPeak: Math.max(a.txPeak, b.txPeak),
  ...addProbes(a.probes, b.probes),
})

export function mergeBuckets(day: Buckets, more: Buckets): Buckets {
  const merged = new Map(Object.entries(day))
  for (const [name, list] of Object.entries(more)) merged.set(name, mergeLists(merged.get(name) ?? [], list))
  return Object.fromEntries(merged)
}

function mergeLists(list: readonly Bucket[], more: readonly Bucket[]): readonly Bucket[] {
  const byHour = new Map(list.map((bucket) => [bucket.hour, bucket]))
  for (const bucket of more) {
    const known = byHour.get(bucket.hour)
    byHour.set(bucket.hour, known ? addBucket(known, bucket) : bucket)
  }
  return [...byHour.values()].toSorted((a, b) => a.hour - b.hour)
}

export const toDayBucket = (hours: Buckets): Buckets =>
  Object.fromEntries(Object.entries(hours).map(([name, list]) => [name, [{ ...list.reduce(addBucket), hour: 0 }]]))

export interface DayBuckets {
  readonly day: number
  readonly buckets: Buckets
}

/** Buckets averaged over equal steps, none shorter than the longest bucket. A step without buckets has no point. */
export function toBucketSteps(
  days: readonly DayBuckets[],
  { from, to, stepMs }: RangeSteps,
): Record<string, StoredRate[]> {
  const sums = new Map<string, Map<number, Bucket>>()
  for (const { day, buckets } of days) {
    for (const [name, list] of Object.entries(buckets)) {
      const steps = sums.get(name) ?? new Map<number, Bucket>()
      for (const bucket of list) {
        const startMs = startOfDay(day) + bucket.hour * HOUR_MS
        if (startMs < from || startMs >= to) continue
        const end = endOfStep(startMs, stepMs)
        const known = steps.get(end)
        steps.set(end, known ? addBucket(known, bucket) : bucket)
      }
      if (steps.size > 0) sums.set(name, steps)
    }
  }
  return Object.fromEntries([...sums].map(([name, steps]) => [name, toPoints(steps)]))
}

const toPoints = (steps: ReadonlyMap<number, Bucket>): StoredRate[] =>
  [...steps]
    .toSorted(([a], [b]) => a - b)
    .map(([end, bucket]) => ({
      ...toRate(bucket, bucket.minutes * MINUTE_MS, end),
      down_peak: bucket.rxPeak,
      upload_peak: bucket.txPeak,
    }))
