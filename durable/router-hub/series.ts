import { SERIES, TRAFFIC } from '../../worker/contract/limits.ts'
import type { RatePoint } from '../../worker/contract/protocol.ts'
import { type Interval, type Volume, type Window, rateOf } from './traffic.ts'

/**
 * Traffic of a router by the hour. A slot is the volume up to the end of one minute; `span` says how many minutes it
 * stands for: one while somebody watches, five where the device sends summaries. Gaps have no slot.
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
export function windowOf(hours: readonly (readonly [number, HourSlots])[]): Window {
  const window: Record<string, RatePoint[]> = {}
  for (const [hour, slots] of hours) {
    for (const [name, list] of Object.entries(slots)) {
      const points = list.map((slot) =>
        rateOf(slot, slot.span * MINUTE_MS, hour * HOUR_MS + (slot.minute + 1) * MINUTE_MS),
      )
      window[name] = [...(window[name] ?? []), ...points].slice(-TRAFFIC.pointsKept)
    }
  }
  return window
}

/** Packs an hour as LEB128 numbers: a tenth of its JSON, and 180 days of 10,000 routers are paid by the byte. */
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
