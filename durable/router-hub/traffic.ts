import { SHANGHAI_OFFSET_MS, TRAFFIC } from '../../worker/contract/limits.ts'
import { SERIES } from '../../worker/contract/hub-limits.ts'
import type { Counters, RatePoint } from '../../worker/contract/protocol.ts'

/** The last counters of the device: what the next ones are compared with. */
export interface Reading {
  readonly bootId: string
  /** The agent's monotonic milliseconds; only differences mean something. */
  readonly atMs: number
  readonly counters: Counters
}

/** Bytes that went through one interface. */
export interface Volume {
  readonly rx: number
  readonly tx: number
}

export interface Interval {
  readonly reading: Reading
  readonly lengthMs: number
  /** Only interfaces whose counters grew from the last reading to this one. */
  readonly volumes: Readonly<Record<string, Volume>>
}

/**
 * Compares two readings. A reboot, a counter that fell or an interface that is new gives no volume, and neither does a rate
 * above any line's: a reset is no spike. Null: too soon after the last reading, which remains the base of the next rate.
 * `sinceMs` is the hub's own time since that reading, null where it is unknown: a device's clock makes no rate higher, and
 * an interval that it reports too long has no volume.
 */
export function intervalBetween(last: Reading | null, next: Reading, sinceMs: number | null): Interval | null {
  if (sinceMs !== null && sinceMs < SERIES.rateFloorMs) return null
  if (!last || last.bootId !== next.bootId || next.atMs < last.atMs) {
    return { reading: next, lengthMs: 0, volumes: {} }
  }
  const reportedMs = next.atMs - last.atMs
  if (sinceMs !== null && reportedMs > sinceMs + SERIES.aheadMs) return { reading: next, lengthMs: 0, volumes: {} }
  if (reportedMs < SERIES.rateFloorMs) return null
  const lengthMs = Math.max(reportedMs, sinceMs ?? 0)
  const bytesMax = (SERIES.bpsMax / 8000) * lengthMs
  const volumes: Record<string, Volume> = {}
  for (const [name, { rx, tx }] of Object.entries(next.counters)) {
    const before = last.counters[name]
    if (!before || rx < before.rx || tx < before.tx) continue
    const volume = { rx: rx - before.rx, tx: tx - before.tx }
    if (Math.max(volume.rx, volume.tx) <= bytesMax) volumes[name] = volume
  }
  return { reading: next, lengthMs, volumes }
}

/** Received is down, sent is upload; bits per second. */
export function toRate({ rx, tx }: Volume, lengthMs: number, time: number): RatePoint {
  return { down: Math.round((rx * 8000) / lengthMs), upload: Math.round((tx * 8000) / lengthMs), time }
}

export function toRates({ volumes, lengthMs }: Interval, now: number): Record<string, RatePoint> {
  return Object.fromEntries(Object.entries(volumes).map(([name, volume]) => [name, toRate(volume, lengthMs, now)]))
}

/** Interface names that a router's traffic is kept for, on one day by the hub's clock. */
export interface KnownInterfaces {
  readonly day: number
  readonly names: readonly string[]
}

/** Counters of the first `SERIES.interfacesPerDay` names of a day: rows of made-up names would fill the hub. */
export function admitInterfaces(
  known: KnownInterfaces | null,
  counters: Counters,
  now: number,
): { known: KnownInterfaces; counters: Counters } {
  const day = dayOf(now)
  const before = known?.day === day ? known : { day, names: [] }
  const fresh = Object.keys(counters).filter((name) => !before.names.includes(name))
  const names = [...before.names, ...fresh].slice(0, SERIES.interfacesPerDay)
  const isAdmitted = ([name]: [string, unknown]) => names.includes(name)
  return {
    known: fresh.length > 0 && names.length > before.names.length ? { day, names } : before,
    counters: Object.fromEntries(Object.entries(counters).filter(isAdmitted)),
  }
}

export type Window = Readonly<Record<string, readonly RatePoint[]>>

export function addPoints(window: Window, points: Readonly<Record<string, RatePoint>>): Window {
  const grown = Object.entries(points).map(([name, point]) => [
    name,
    [...(window[name] ?? []), point].slice(-TRAFFIC.pointsKept),
  ])
  return { ...window, ...Object.fromEntries(grown) }
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

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

export const hourOf = (time: number): number => Math.floor(time / HOUR_MS)
/** The day in Asia/Shanghai. */
export const dayOf = (time: number): number => Math.floor((time + SHANGHAI_OFFSET_MS) / DAY_MS)
export const startOfDay = (day: number): number => day * DAY_MS - SHANGHAI_OFFSET_MS

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

/**
 * The newest slots as rates, for a viewer who comes when the live window is empty. Hours oldest first. The minute that has
 * not ended has no rate yet, and its end lies ahead of the samples to come.
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

interface Steps {
  readonly from: number
  readonly to: number
  readonly stepMs: number
  /** The minute that is not over has no rate yet. */
  readonly now: number
}

/** The end of the step that a moment is in. A day is cut into whole steps, or a step is whole days. */
export const endOfStep = (atMs: number, stepMs: number): number =>
  (Math.floor((atMs + SHANGHAI_OFFSET_MS) / stepMs) + 1) * stepMs - SHANGHAI_OFFSET_MS

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
