import type { RatePoint, ViewerFrame } from '../../../worker/contract/protocol.ts'
import { STREAM, TRAFFIC } from '../../../worker/contract/limits.ts'
import type { TrafficPoint } from '../../ui/traffic-series.ts'

/** The last 40 samples of each interface, by its name (network 9). */
export type TrafficWindow = Readonly<Record<string, readonly TrafficPoint[]>>

export const EMPTY_WINDOW: TrafficWindow = {}

/**
 * A `history` frame is what the hub knows, which after its hibernation is one rate a minute; an `interface` frame is the
 * next sample of each interface.
 */
export function nextWindow(window: TrafficWindow, frame: ViewerFrame): TrafficWindow {
  switch (frame.type) {
    case 'history':
      return addHistory(window, frame.data)
    case 'interface':
      return addSamples(window, frame.data)
    default:
      return window
  }
}

/** Samples that the page has already stay, among what is older and newer. */
function addHistory(window: TrafficWindow, data: Readonly<Record<string, readonly RatePoint[]>>): TrafficWindow {
  const merged = Object.entries(data).map(([name, rates]) => {
    const own = window[name] ?? []
    const from = own[0]?.atMs ?? Infinity
    const older = rates.filter(({ time }) => time < from).reduce(addRate, [])
    return [
      name,
      rates.filter(({ time }) => time >= from).reduce(addRate, [...older, ...own].slice(-TRAFFIC.pointsKept)),
    ]
  })
  return { ...window, ...Object.fromEntries(merged) }
}

/** An interface that is missing in the frame gets a gap, so that its last rate is not shown as current. */
function addSamples(window: TrafficWindow, rates: Readonly<Record<string, RatePoint>>): TrafficWindow {
  const times = Object.values(rates).map(({ time }) => time)
  if (times.length === 0) return window
  const atMs = Math.max(...times)
  const next: Record<string, readonly TrafficPoint[]> = {}
  for (const [name, points] of Object.entries(window)) if (!(name in rates)) next[name] = addPoint(points, noRate(atMs))
  for (const [name, rate] of Object.entries(rates)) next[name] = addRate(window[name] ?? [], rate)
  return next
}

const addRate = (points: readonly TrafficPoint[], { down, upload, time }: RatePoint): readonly TrafficPoint[] =>
  addPoint(points, { atMs: time, downBitsPerSecond: down, upBitsPerSecond: upload })

const noRate = (atMs: number): TrafficPoint => ({ atMs, downBitsPerSecond: null, upBitsPerSecond: null })

/** Keeps times ascending: drops repeated and late samples. */
function addPoint(points: readonly TrafficPoint[], point: TrafficPoint): readonly TrafficPoint[] {
  const last = points.at(-1)
  return last !== undefined && point.atMs <= last.atMs ? points : [...points, point].slice(-TRAFFIC.pointsKept)
}

/** Appends a gap: no more samples are coming. */
export function withEnd(points: readonly TrafficPoint[]): readonly TrafficPoint[] {
  const last = points.at(-1)
  return last === undefined ? points : addPoint(points, noRate(last.atMs + STREAM.rateMs))
}
