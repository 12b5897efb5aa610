import { clockText, dateText, timeText } from '#lib/format/format-time.ts'
import { countText, lossText, RATE_UNIT, rateNumber, rateText, type TrafficUnit } from '#lib/format/format-unit.ts'
import { type ChartFrame, type ChartSeries, stats, type Stats, type TimeSpan } from './chart-series.ts'
import { SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'

/* Units, axis labels and texts of charts. */

/**
 * `rate`: rates in one unit; `scaledRate`: rates too different for one unit; `count`: numbers of things; `latency`:
 * milliseconds; `loss`: per mille, shown as a percentage.
 */
export type Measure = 'rate' | 'scaledRate' | 'count' | 'latency' | 'loss'

interface Figure {
  readonly key: keyof Stats
  readonly label: string
}

export interface ChartUnit {
  /** Unit at the axis; `divisor` is its size. */
  readonly name: string
  readonly divisor: number
  /** The lowest top of the axis. */
  readonly lowestTop: number
  readonly isWhole: boolean
  readonly curve: string
  /** Figures of the legend, and their unit if they do not name it. */
  readonly figures: readonly Figure[]
  readonly figureUnit: string
  readonly figureText: (value: number) => string
  /** A value and its unit, with a space between. */
  readonly text: (value: number) => string
}

const NOW: Figure = { key: 'now', label: '当前' }
const AVERAGES: readonly Figure[] = [
  { key: 'mean', label: '平均' },
  { key: 'peak', label: '峰值' },
]
const COUNT: ChartUnit = {
  name: '',
  divisor: 1,
  lowestTop: 1,
  isWhole: true,
  curve: '曲线',
  figures: [NOW, { key: 'highest', label: '最高' }, { key: 'lowest', label: '最低' }],
  figureUnit: '',
  figureText: countText,
  text: countText,
}

const PROBED = { isWhole: false, figures: AVERAGES }
const LATENCY: ChartUnit = {
  ...PROBED,
  name: 'ms',
  divisor: 1,
  lowestTop: 1,
  curve: '时延曲线',
  figureUnit: 'ms',
  figureText: (value) => value.toFixed(1),
  text: (value) => `${value.toFixed(1)} ms`,
}
const LOSS: ChartUnit = {
  ...PROBED,
  name: '%',
  divisor: 10,
  lowestTop: 10,
  curve: '丢包曲线',
  figureUnit: '%',
  figureText: (value) => (value / 10).toFixed(1),
  text: (value) => lossText(Math.round(value)),
}
const OTHER_UNITS: Readonly<Record<Exclude<Measure, 'rate' | 'scaledRate'>, ChartUnit>> = {
  count: COUNT,
  latency: LATENCY,
  loss: LOSS,
}

export function chartUnit(measure: Measure, unit: TrafficUnit): ChartUnit {
  if (measure !== 'rate' && measure !== 'scaledRate') return OTHER_UNITS[measure]
  const { name, bits } = RATE_UNIT[unit]
  const axis = { name, divisor: bits, lowestTop: 100_000, isWhole: false, curve: '速率曲线' } // keep-alives alone must not fill a chart
  if (measure === 'scaledRate') {
    const text = (value: number) => rateText(value, unit)
    return { ...axis, figures: AVERAGES, figureUnit: '', figureText: text, text }
  }
  const figureText = (value: number) => rateNumber(value, unit)
  return {
    ...axis,
    figures: [NOW, ...AVERAGES],
    figureUnit: name,
    figureText,
    text: (value) => `${figureText(value)} ${name}`,
  }
}

/** Label of an axis with its place along it, 0 to 1. */
interface Tick {
  readonly at: number
  readonly text: string
}

const NICE = [1, 2, 2.5, 5, 10]
const INTERVALS = 4

/**
 * Value axis with one unit at any height, from zero, so that heights can be compared, to `top`: at most five bare numbers.
 */
export function valueAxis(highest: number, { divisor, lowestTop, isWhole }: ChartUnit) {
  const peak = Math.max(highest, lowestTop) / divisor
  const power = 10 ** Math.floor(Math.log10(peak / INTERVALS))
  const isFit = (one: number) => peak <= INTERVALS * one * power && (!isWhole || Number.isInteger(one * power))
  const nice = NICE.find(isFit) ?? 10
  const step = nice * power
  const count = Math.ceil(Number((peak / step).toFixed(9)))
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (nice === 2.5 ? 1 : 0))
  const text = (value: number) => (isWhole ? countText(value) : value === 0 ? '0' : value.toFixed(decimals))
  const ticks = Array.from({ length: count + 1 }, (_, index): Tick => ({ at: index / count, text: text(index * step) }))
  return { top: count * step * divisor, ticks }
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 4, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 5, 10, 20, 30].map((count) => count * DAY),
]
const TIME_INTERVALS = { live: 5, clock: 8 } as const

/** Labels of the visible part: seconds before now on a live chart, else times of the clock in Asia/Shanghai. */
export function timeTicks({ fromMs, toMs }: TimeSpan, axis: ChartFrame['axis']): readonly Tick[] {
  const spanMs = toMs - fromMs
  const step = STEPS.find((one) => spanMs / one <= TIME_INTERVALS[axis]) ?? 30 * DAY
  const originMs = axis === 'live' ? toMs : -SHANGHAI_OFFSET_MS
  const first = Math.ceil((fromMs - originMs) / step)
  const last = Math.floor((toMs - originMs) / step)
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const atMs = originMs + (first + index) * step
    const text = axis === 'live' ? agoText(toMs - atMs) : tickText(atMs, step)
    return { at: (atMs - fromMs) / spanMs, text }
  })
}

const agoText = (ms: number): string => (ms === 0 ? '现在' : `−${ms / SECOND} s`)

function tickText(atMs: number, step: number): string {
  const time = timeText(atMs).slice(11)
  if (step < MINUTE) return time
  return time === '00:00:00' ? dateText(atMs).slice(5) : time.slice(0, 5)
}

/** Time of a sample, or the span that it averages. */
export function momentText(atMs: number, { stepMs, toMs }: ChartFrame): string {
  if (stepMs < MINUTE) return clockText(atMs, toMs)
  return `${timeText(atMs - stepMs).slice(5, 16)} – ${timeText(atMs).slice(stepMs < DAY ? 11 : 5, 16)}`
}

/** Text alternative of the chart: time span, and the figures of each line. */
export function chartText(label: string, series: readonly ChartSeries[], span: TimeSpan, unit: ChartUnit): string {
  const title = `${label} 的${unit.curve}`
  const times = series.flatMap(({ points }) => points.map(({ atMs }) => atMs))
  const within = times.filter((atMs) => atMs >= span.fromMs && atMs <= span.toMs)
  if (within.length === 0) return `${title}，暂无数据`
  const lines = series.map((one) => {
    const found = stats(one, span)
    if (found.mean === null) return `${one.name}无数据`
    const figures = unit.figures.map(({ key, label: name }) => {
      const value = found[key]
      return `${name} ${value === null ? '无数据' : unit.text(value)}`
    })
    return `${one.name}${figures.join('，')}`
  })
  const [first, last] = [Math.min(...within), Math.max(...within)]
  return `${title}，${timeText(first)} 至 ${timeText(last)}；${lines.join('；')}`
}
