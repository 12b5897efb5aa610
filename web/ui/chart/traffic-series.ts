import { timeText } from '#lib/format/format-time.ts'
import { rateText, type TrafficUnit } from '#lib/format/format-unit.ts'

/** One sample of an interface. A rate is null where the sample has none. */
export interface TrafficPoint {
  readonly atMs: number
  readonly downBitsPerSecond: number | null
  readonly upBitsPerSecond: number | null
  /** The highest rates within a long average. */
  readonly peak?: { readonly downBitsPerSecond: number; readonly upBitsPerSecond: number }
}

export type RateOf = (point: TrafficPoint) => number | null
export const downOf: RateOf = (point) => point.downBitsPerSecond
export const upOf: RateOf = (point) => point.upBitsPerSecond
/** The peak of a sample that is an average, else its rate. */
export const downPeakOf: RateOf = (point) => point.peak?.downBitsPerSecond ?? downOf(point)
export const upPeakOf: RateOf = (point) => point.peak?.upBitsPerSecond ?? upOf(point)

export interface TimeSpan {
  readonly fromMs: number
  readonly toMs: number
}

/** The time that a chart covers, however few samples there are. */
export interface TrafficFrame extends TimeSpan {
  /** Distance of two samples where none is lost. */
  readonly stepMs: number
  /** `live` ends now and is labelled in seconds before it. */
  readonly axis: 'live' | 'clock'
}

/** A value at a slot of the frame; `cut` ends the line here. */
export interface PlotPoint {
  readonly slot: number
  readonly value: number
  readonly cut: boolean
}

const LATE = 2.5 // a gap of more steps than this means lost samples
const FINE = 10 // slots of a step, in a frame of few steps
const FEW_STEPS = 100

/** Two samples with a lost one between. */
export const isGap = (beforeMs: number, atMs: number, stepMs: number): boolean => atMs - beforeMs > LATE * stepMs

export interface Slots {
  readonly slotMs: number
  /** The frame's left edge is slot 0; lines may come from the slots before it. */
  readonly first: number
  readonly last: number
}

/** The chart library gives each entry the same width, so time is linear on equal slots only. */
export function slotsOf({ fromMs, toMs, stepMs }: TrafficFrame): Slots {
  const perStep = (toMs - fromMs) / stepMs > FEW_STEPS ? 1 : FINE
  const slotMs = stepMs / perStep
  return { slotMs, first: -Math.ceil(LATE * perStep), last: Math.round((toMs - fromMs) / slotMs) }
}

/** Puts samples on their slots, in ascending order. Gaps are gaps, never zeros. */
export function plot(points: readonly TrafficPoint[], rate: RateOf, frame: TrafficFrame): readonly PlotPoint[] {
  const { slotMs, first, last } = slotsOf(frame)
  const line: { slot: number; value: number; cut: boolean }[] = []
  let beforeMs: number | null = null
  for (const point of points) {
    const before = line.at(-1)
    const value = rate(point)
    if (before && (value === null || isGap(beforeMs ?? point.atMs, point.atMs, frame.stepMs))) before.cut = true
    beforeMs = point.atMs
    const slot = Math.round((point.atMs - frame.fromMs) / slotMs)
    if (value === null || slot < first || slot > last || slot < (before?.slot ?? first)) continue
    if (slot === before?.slot) line.pop()
    line.push({ slot, value, cut: false })
  }
  return withLoneSteps(line, frame)
}

/** A point without neighbors would not be seen; it is drawn over the step that it is the average of. */
function withLoneSteps(line: readonly PlotPoint[], frame: TrafficFrame): readonly PlotPoint[] {
  const { slotMs, first } = slotsOf(frame)
  const isEnd = (point: PlotPoint | undefined) => point === undefined || point.cut
  return line.flatMap((point, index) => {
    const isLone = isEnd(line[index - 1]) && (point.cut || index === line.length - 1)
    const slot = point.slot - Math.round(frame.stepMs / slotMs)
    return isLone && slot >= first && slot > (line[index - 1]?.slot ?? -Infinity)
      ? [{ ...point, slot, cut: false }, point]
      : [point]
  })
}

export interface Stats {
  readonly now: number | null
  readonly mean: number | null
  readonly peak: number | null
}

/** Of the samples within a span: the last, the mean and the highest. Samples are equally far apart. */
export function stats(
  points: readonly TrafficPoint[],
  rate: RateOf,
  { fromMs, toMs }: TimeSpan,
  peakOf: RateOf = rate,
): Stats {
  const within = points.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
  const rates = within.flatMap((point) => rate(point) ?? [])
  const last = within.at(-1)
  if (last === undefined || rates.length === 0) return { now: null, mean: null, peak: null }
  const mean = rates.reduce((sum, one) => sum + one, 0) / rates.length
  return { now: rate(last), mean, peak: Math.max(...within.map((point) => peakOf(point) ?? 0)) }
}

/** The sample with a rate that is nearest to a moment, unless it is too far away to belong to it. */
export function nearestPoint(
  points: readonly TrafficPoint[],
  atMs: number,
  { stepMs }: Pick<TrafficFrame, 'stepMs'>,
): TrafficPoint | null {
  let nearest: TrafficPoint | null = null
  let distance = (LATE * stepMs) / 2
  for (const point of points) {
    if (point.downBitsPerSecond === null && point.upBitsPerSecond === null) continue
    const away = Math.abs(point.atMs - atMs)
    if (away <= distance) [nearest, distance] = [point, away]
  }
  return nearest
}

/** Text alternative of the chart: the time span, and of each line the last value, the mean and the highest. */
export function chartText(label: string, points: readonly TrafficPoint[], span: TimeSpan, unit: TrafficUnit): string {
  const title = `${label} 的上下行速率曲线`
  const within = points.filter(({ atMs }) => atMs >= span.fromMs && atMs <= span.toMs)
  const [first, last] = [within[0], within.at(-1)]
  if (first === undefined || last === undefined) return `${title}，暂无数据`
  const line = (name: string, rate: RateOf, peakOf: RateOf) => {
    const { now, mean, peak } = stats(within, rate, span, peakOf)
    if (mean === null || peak === null) return `${name}无数据`
    const current = now === null ? '无数据' : rateText(now, unit)
    return `${name}当前 ${current}，平均 ${rateText(mean, unit)}，峰值 ${rateText(peak, unit)}`
  }
  return `${title}，${timeText(first.atMs)} 至 ${timeText(last.atMs)}；${line('下行', downOf, downPeakOf)}；${line('上行', upOf, upPeakOf)}`
}
