import type { RatePoint, ViewerFrame } from '#contract/kernel/protocol.ts'
import type { StoredRate } from '#contract/router/views.ts'
import { TRAFFIC } from '#contract/kernel/limits.ts'
import { STREAM } from '#contract/kernel/hub-limits.ts'
import { type ChartPoint, type ChartSeries, isGap, toDirections } from '#ui/chart/chart-series.ts'

/* Window of the last traffic samples of each interface: updated by live frames, and turned into chart series. */

/** One sample of an interface. A rate is null if the sample has none. */
export interface TrafficPoint {
  readonly atMs: number
  readonly downBitsPerSecond: number | null
  readonly upBitsPerSecond: number | null
  /** The highest rates within a long average. */
  readonly peak?: { readonly downBitsPerSecond: number; readonly upBitsPerSecond: number }
}

/** Last 40 samples by interface name (network 9), and two earlier ones for the start of the line. */
export type TrafficWindow = Readonly<Record<string, readonly TrafficPoint[]>>

const NO_POINTS: readonly TrafficPoint[] = []
const KEPT = TRAFFIC.pointsKept + 2

export const EMPTY_WINDOW: TrafficWindow = {}

/** A `history` frame is the whole window, an `interface` frame the next samples of each interface. */
export function nextWindow(window: TrafficWindow, frame: ViewerFrame): TrafficWindow {
  switch (frame.type) {
    case 'history':
      return withSeconds(toWindow(frame.data), window)
    case 'interface':
      return [...(frame.earlier ?? []), frame.data].reduce(addSamples, window)
    default:
      return window
  }
}

/**
 * Samples of the live curve, one second each. A rate is the average since the sample before, so the first one after a
 * silence is the average of the silence and is left out.
 */
export function toSeconds(points: readonly TrafficPoint[]): readonly TrafficPoint[] {
  return points.filter(({ atMs }, index) => {
    const before = points[index - 1]
    return before !== undefined && !isGap(before.atMs, atMs, { stepMs: STREAM.rateMs })
  })
}

/** Keeps the seconds that were already shown: a hub that has slept sends only averages. */
function withSeconds(window: TrafficWindow, seen: TrafficWindow): TrafficWindow {
  const hasSeconds = (points: readonly TrafficPoint[]) => toSeconds(points).length > 0
  const keep = ([name, points]: [string, readonly TrafficPoint[]]) => {
    const before = seen[name] ?? []
    return [name, hasSeconds(before) && !hasSeconds(points) ? before : points] as const
  }
  return Object.fromEntries(Object.entries(window).map(keep))
}

/** Rates of each interface, oldest first. */
export function toWindow(data: Readonly<Record<string, readonly RatePoint[]>>): TrafficWindow {
  return Object.fromEntries(
    Object.entries(data).map(([name, rates]) => [name, rates.map(toPoint).reduce(addPoint, NO_POINTS)]),
  )
}

/** Adds a frame. An interface missing in it gets a gap, so that its last rate is not shown as current. */
function addSamples(window: TrafficWindow, rates: Readonly<Record<string, RatePoint>>): TrafficWindow {
  const times = Object.values(rates).map(({ time }) => time)
  if (times.length === 0) return window
  const atMs = Math.max(...times)
  const next: Record<string, readonly TrafficPoint[]> = {}
  for (const [name, points] of Object.entries(window)) if (!(name in rates)) next[name] = addPoint(points, noRate(atMs))
  for (const [name, rate] of Object.entries(rates)) next[name] = addPoint(window[name] ?? [], toPoint(rate))
  return next
}

const toPoint = ({ down, upload, time }: RatePoint): TrafficPoint => ({
  atMs: time,
  downBitsPerSecond: down,
  upBitsPerSecond: upload,
})

/** Stored average, with its peak if it covers an hour or more. */
export const toStoredPoint = ({ down_peak, upload_peak, ...rate }: StoredRate): TrafficPoint => ({
  ...toPoint(rate),
  ...(down_peak !== undefined &&
    upload_peak !== undefined && { peak: { downBitsPerSecond: down_peak, upBitsPerSecond: upload_peak } }),
})

const noRate = (atMs: number): TrafficPoint => ({ atMs, downBitsPerSecond: null, upBitsPerSecond: null })

/** Adds a sample; drops repeated and late ones, so that times ascend. */
function addPoint(points: readonly TrafficPoint[], point: TrafficPoint): readonly TrafficPoint[] {
  const last = points.at(-1)
  return last !== undefined && point.atMs <= last.atMs ? points : [...points, point].slice(-KEPT)
}

const AVERAGE_LABEL = '5 分钟平均'

/** `earlier`: the average before the first of the points. */
export function toTrafficSeries(points: readonly TrafficPoint[], earlier?: TrafficPoint): readonly ChartSeries[] {
  const of = (key: 'downBitsPerSecond' | 'upBitsPerSecond'): readonly ChartPoint[] =>
    points.map(({ atMs, peak, ...rates }) => ({ atMs, value: rates[key], ...(peak && { peak: peak[key] }) }))
  const levels = [earlier?.downBitsPerSecond, earlier?.upBitsPerSecond]
  return toDirections(of('downBitsPerSecond'), of('upBitsPerSecond')).map((series, index) => {
    const value = levels[index]
    return typeof value === 'number' ? { ...series, earlier: { value, label: AVERAGE_LABEL } } : series
  })
}
