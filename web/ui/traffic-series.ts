import { SHANGHAI_OFFSET_MS, timeText } from '../lib/format-time.ts'
import { rateText, type TrafficUnit } from '../lib/format-unit.ts'

/** One sample of an interface. A rate is null where the sample has none. */
export interface TrafficPoint {
  readonly atMs: number
  readonly downBitsPerSecond: number | null
  readonly upBitsPerSecond: number | null
}

/** A slot on the time axis. Without a value nothing is drawn; `cut` ends the line here. */
export interface PlotPoint {
  /** Seconds, moved to Asia/Shanghai because the chart library labels in UTC. */
  readonly time: number
  readonly value?: number
  readonly cut?: boolean
}

const LATE = 2.5 // a gap of more steps than this means lost samples
const EMPTY_MAX = 60 // maximum empty slots of one gap

/**
 * Turns samples into a line whose gaps are gaps, never zeros. The axis gives each entry the same width, so a gap gets
 * an empty slot for each step that is missing. Times ascend strictly, as the chart library demands.
 */
export function plot(
  points: readonly TrafficPoint[],
  rate: (point: TrafficPoint) => number | null,
  stepMs: number,
): readonly PlotPoint[] {
  const line: { time: number; value?: number; cut?: boolean }[] = []
  let beforeMs: number | null = null
  for (const point of points) {
    if (beforeMs !== null && point.atMs - beforeMs > LATE * stepMs) {
      cutLast(line)
      const missing = Math.min(Math.round((point.atMs - beforeMs) / stepMs) - 1, EMPTY_MAX)
      for (let index = 1; index <= missing; index++) push(line, beforeMs + index * stepMs, null)
    }
    const value = rate(point)
    if (value === null) cutLast(line)
    push(line, point.atMs, value)
    beforeMs = point.atMs
  }
  return line
}

function push(line: { time: number; value?: number }[], atMs: number, value: number | null): void {
  const time = Math.max(Math.floor((atMs + SHANGHAI_OFFSET_MS) / 1_000), (line.at(-1)?.time ?? 0) + 1)
  line.push(value === null ? { time } : { time, value })
}

function cutLast(line: { value?: number; cut?: boolean }[]): void {
  const last = line.at(-1)
  if (last?.value !== undefined) last.cut = true
}

/** Text alternative of the chart: the time span, and of each line the last value and the highest. */
export function chartText(label: string, points: readonly TrafficPoint[], unit: TrafficUnit): string {
  const title = `${label} 的上下行速率曲线`
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return `${title}，暂无数据`
  const line = (name: string, rate: (point: TrafficPoint) => number | null) => {
    const rates = points.flatMap((point) => rate(point) ?? [])
    const now = rate(last)
    if (rates.length === 0) return `${name}无数据`
    return `${name}最近 ${now === null ? '无数据' : rateText(now, unit)}，最高 ${rateText(Math.max(...rates), unit)}`
  }
  const span = `${timeText(first.atMs)} 至 ${timeText(last.atMs)}`
  const down = line('下行', (point) => point.downBitsPerSecond)
  return `${title}，${span}；${down}；${line('上行', (point) => point.upBitsPerSecond)}`
}
