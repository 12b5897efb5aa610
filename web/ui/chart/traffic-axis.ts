import { dateText, timeText } from '#lib/format/format-time.ts'
import { RATE_UNIT, type TrafficUnit } from '#lib/format/format-unit.ts'
import type { TimeSpan, TrafficFrame } from './traffic-series.ts'
import { SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'

/** A label of an axis and its place along it, 0 to 1. */
export interface Tick {
  readonly at: number
  readonly text: string
}

interface ValueAxis {
  /** Top of the axis in bit/s; it starts at zero, so that heights can be compared. */
  readonly maxBitsPerSecond: number
  /** Four or five bare numbers of one unit, from zero to the top. */
  readonly ticks: readonly Tick[]
}

const NICE = [1, 2, 2.5, 5, 10]
const INTERVALS = 4
const LOWEST_MAX = 100_000 // bit/s; keep-alives alone must not fill a chart

/** One unit for the whole axis, whatever its height. */
export function valueAxis(peakBitsPerSecond: number, unit: TrafficUnit): ValueAxis {
  const { bits } = RATE_UNIT[unit]
  const peak = Math.max(peakBitsPerSecond, LOWEST_MAX) / bits
  const power = 10 ** Math.floor(Math.log10(peak / INTERVALS))
  const nice = NICE.find((one) => peak <= INTERVALS * one * power) ?? 10
  const step = nice * power
  const count = Math.ceil(Number((peak / step).toFixed(9)))
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (nice === 2.5 ? 1 : 0))
  const text = (index: number) => (index === 0 ? '0' : (index * step).toFixed(decimals))
  const ticks = Array.from({ length: count + 1 }, (_, index) => ({ at: index / count, text: text(index) }))
  return { maxBitsPerSecond: count * step * bits, ticks }
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 4, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 5, 10].map((count) => count * DAY),
]
const TIME_INTERVALS = { live: 5, clock: 8 } as const

/** Labels of the visible part: seconds before now on a live chart, else times of the clock in Asia/Shanghai. */
export function timeTicks({ fromMs, toMs }: TimeSpan, axis: TrafficFrame['axis']): readonly Tick[] {
  const spanMs = toMs - fromMs
  const step = STEPS.find((one) => spanMs / one <= TIME_INTERVALS[axis]) ?? 10 * DAY
  const originMs = axis === 'live' ? toMs : -SHANGHAI_OFFSET_MS
  const first = Math.ceil((fromMs - originMs) / step)
  const last = Math.floor((toMs - originMs) / step)
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const atMs = originMs + (first + index) * step
    const text = axis === 'live' ? agoText(toMs - atMs) : clockText(atMs, step)
    return { at: (atMs - fromMs) / spanMs, text }
  })
}

const agoText = (ms: number): string => (ms === 0 ? '现在' : `−${ms / SECOND} s`)

function clockText(atMs: number, step: number): string {
  const time = timeText(atMs).slice(11)
  if (step < MINUTE) return time
  return time === '00:00:00' ? dateText(atMs).slice(5) : time.slice(0, 5)
}

/** When a sample was taken, or over which time it is the average. */
export function momentText(atMs: number, { stepMs, axis }: TrafficFrame): string {
  if (axis === 'live' || stepMs < MINUTE) return timeText(atMs).slice(11)
  return `${timeText(atMs - stepMs).slice(5, 16)} – ${timeText(atMs).slice(11, 16)}`
}
