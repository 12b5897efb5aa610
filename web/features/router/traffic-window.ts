import type { RatePoint, ViewerFrame } from '../../../worker/contract/protocol.ts'
import { TRAFFIC } from '../../../worker/contract/limits.ts'
import type { TrafficPoint } from '../../ui/traffic-series.ts'

/** The last 40 samples of each interface, by its name (network 9), and the one before them. */
export type TrafficWindow = Readonly<Record<string, readonly TrafficPoint[]>>

const NO_POINTS: readonly TrafficPoint[] = []
const KEPT = TRAFFIC.pointsKept + 1

export const EMPTY_WINDOW: TrafficWindow = {}

/** A `history` frame is the whole window, an `interface` frame the next sample of each interface. */
export function nextWindow(window: TrafficWindow, frame: ViewerFrame): TrafficWindow {
  switch (frame.type) {
    case 'history':
      return toWindow(frame.data)
    case 'interface':
      return addSamples(window, frame.data)
    default:
      return window
  }
}

/** Rates of each interface, oldest first. */
export function toWindow(data: Readonly<Record<string, readonly RatePoint[]>>): TrafficWindow {
  return Object.fromEntries(
    Object.entries(data).map(([name, rates]) => [name, rates.map(toPoint).reduce(addPoint, NO_POINTS)]),
  )
}

/** An interface that is missing in the frame gets a gap, so that its last rate is not shown as current. */
function addSamples(window: TrafficWindow, rates: Readonly<Record<string, RatePoint>>): TrafficWindow {
  const times = Object.values(rates).map(({ time }) => time)
  if (times.length === 0) return window
  const atMs = Math.max(...times)
  const next: Record<string, readonly TrafficPoint[]> = {}
  for (const [name, points] of Object.entries(window)) if (!(name in rates)) next[name] = addPoint(points, noRate(atMs))
  for (const [name, rate] of Object.entries(rates)) next[name] = addPoint(window[name] ?? [], toPoint(rate))
  return next
}

export const toPoint = ({ down, upload, time }: RatePoint): TrafficPoint => ({
  atMs: time,
  downBitsPerSecond: down,
  upBitsPerSecond: upload,
})

const noRate = (atMs: number): TrafficPoint => ({ atMs, downBitsPerSecond: null, upBitsPerSecond: null })

/** Keeps times ascending: drops repeated and late samples. */
function addPoint(points: readonly TrafficPoint[], point: TrafficPoint): readonly TrafficPoint[] {
  const last = points.at(-1)
  return last !== undefined && point.atMs <= last.atMs ? points : [...points, point].slice(-KEPT)
}
