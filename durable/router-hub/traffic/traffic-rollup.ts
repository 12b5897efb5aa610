import type { StoredRate } from '#contract/router/views.ts'
import { SERIES } from '#contract/kernel/hub-limits.ts'
import { HOUR_MS, MINUTE_MS, dayOf, endOfStep, startOfDay } from './series-time.ts'
import { type Volume, toRate } from './traffic-rates.ts'
import type { HourSlots, Slot } from './traffic-slots.ts'

/** Traffic of one interface over an hour, or over a day. Peaks are in bit/s, and the same whether or not somebody watched. */
export interface Bucket extends Volume {
  /** Hour of the day, 0–23; 0 where the bucket is the whole day. */
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
  }
}

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
})

/** Merges two parts of a day. */
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

/** The hours of a day as one bucket. */
export const toDayBucket = (hours: Buckets): Buckets =>
  Object.fromEntries(
    Object.entries(hours).map(([name, list]) => [name, [list.map(asDay).reduce((sum, one) => addBucket(sum, one))]]),
  )

const asDay = (bucket: Bucket): Bucket => ({ ...bucket, hour: 0 })

export interface DayBuckets {
  readonly day: number
  readonly buckets: Buckets
}

interface BucketSteps {
  readonly from: number
  readonly to: number
  /** Length of a step, not shorter than the longest bucket. */
  readonly stepMs: number
}

/** Buckets averaged over equal steps. A step without buckets has no point. */
export function toBucketSteps(
  days: readonly DayBuckets[],
  { from, to, stepMs }: BucketSteps,
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
