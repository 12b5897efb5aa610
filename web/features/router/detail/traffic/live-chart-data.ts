import { TRAFFIC } from '#contract/kernel/limits.ts'
import { STREAM } from '#contract/kernel/hub-limits.ts'
import type { ChartFrame } from '#ui/chart/chart-series.ts'
import { toSeconds, type TrafficPoint, type TrafficWindow } from './traffic-window.ts'

/* Data of the live traffic charts of a router: frame of time, points, and the kind of the points. */

export interface LiveChartData {
  /** `live` ends now; `last` ends with the last sample; `averages` are long averages of an unwatched device. */
  readonly kind: 'live' | 'last' | 'averages'
  readonly frame: ChartFrame
  readonly points: TrafficWindow
  /** Average of the minutes before the first second, by interface; none where seconds fill the frame or nothing is live. */
  readonly earlier: Readonly<Record<string, TrafficPoint>>
}

const WINDOW_MS = TRAFFIC.pointsKept * STREAM.rateMs

/** `nowMs`: the hub's time while samples arrive; null if none are expected. */
export function toLiveChartData(window: TrafficWindow, nowMs: number | null): LiveChartData {
  const seconds = Object.fromEntries(Object.entries(window).map(([name, points]) => [name, toSeconds(points)]))
  const lastMs = newest(seconds)
  if (nowMs !== null)
    return {
      kind: 'live',
      points: seconds,
      frame: liveFrame(nowMs, 'live'),
      earlier: averagesBefore(window, seconds, nowMs),
    }
  const earlier = {}
  if (lastMs !== null) return { kind: 'last', points: seconds, frame: liveFrame(lastMs, 'clock'), earlier }
  const times = Object.values(window).flatMap((points) => points.map(({ atMs }) => atMs))
  if (times.length === 0) return { kind: 'last', points: window, frame: liveFrame(0, 'live'), earlier }
  const [fromMs, toMs] = [Math.min(...times) - STREAM.summaryMs, Math.max(...times)]
  return { kind: 'averages', points: window, frame: { fromMs, toMs, stepMs: STREAM.summaryMs, axis: 'clock' }, earlier }
}

const FRESH_MS = 2 * STREAM.summaryMs // a device reports its averages somewhat late

/** The last average of a silence before the first second of each interface, unless it is too old to say anything. */
function averagesBefore(window: TrafficWindow, seconds: TrafficWindow, nowMs: number): LiveChartData['earlier'] {
  const entries = Object.entries(window).flatMap(([name, points]) => {
    const firstMs = seconds[name]?.[0]?.atMs ?? Infinity
    const average = points.findLast(({ atMs, downBitsPerSecond }) => atMs < firstMs && downBitsPerSecond !== null)
    return average !== undefined && nowMs - average.atMs < FRESH_MS ? [[name, average] as const] : []
  })
  return Object.fromEntries(entries)
}

const liveFrame = (toMs: number, axis: ChartFrame['axis']): ChartFrame => ({
  fromMs: toMs - WINDOW_MS,
  toMs,
  stepMs: STREAM.rateMs,
  axis,
})

export function newest(window: TrafficWindow): number | null {
  const times = Object.values(window).flatMap((points) => points.at(-1)?.atMs ?? [])
  return times.length === 0 ? null : Math.max(...times)
}
