/* Samples of charts: series, time frame, gaps, figures, and the sample at a moment. */

/** Sample of a series; its value is null if there is none. */
export interface ChartPoint {
  readonly atMs: number
  readonly value: number | null
  /** Highest value within a long average. */
  readonly peak?: number
}

export interface ChartSeries {
  readonly name: string
  /** Colour of the theme, in plain hex. */
  readonly colour: `--nl-${string}`
  readonly drawing: 'area' | 'line' | 'dashed'
  /** Oldest first. */
  readonly points: readonly ChartPoint[]
  /** Average of the time before the first sample, which fills the chart until samples do. */
  readonly earlier?: { readonly value: number; readonly label: string }
}

/** End of the time without samples at the left of a span, for series with an earlier average; null without such a time. */
export function earlierEnd(series: readonly ChartSeries[], { fromMs, toMs }: TimeSpan): number | null {
  if (series.every(({ earlier }) => earlier === undefined)) return null
  const first = Math.min(
    toMs,
    ...series.flatMap(({ points }) => points.find(({ value }) => value !== null)?.atMs ?? []),
  )
  return first > fromMs ? first : null
}

/** Both directions of traffic, in bit/s. */
export const toDirections = (down: readonly ChartPoint[], up: readonly ChartPoint[]): readonly ChartSeries[] => [
  { name: '下行', colour: '--nl-series-1', drawing: 'area', points: down },
  { name: '上行', colour: '--nl-series-2', drawing: 'dashed', points: up },
]

export interface TimeSpan {
  readonly fromMs: number
  readonly toMs: number
}

/** Time span of a chart, however few samples there are. */
export interface ChartFrame extends TimeSpan {
  /** Interval between samples, each the average of the step before it; 0 if a value holds until the next one. */
  readonly stepMs: number
  /** `live` ends now and is labelled in seconds before it. */
  readonly axis: 'live' | 'clock'
  /** Samples come exactly in their steps, so that a single missing one is a gap. */
  readonly isExact?: boolean
}

/** Values that hold until the next one are drawn as steps; other values are averages. */
export const isHeld = ({ stepMs }: Pick<ChartFrame, 'stepMs'>): boolean => stepMs === 0

/** A value at a slot of the frame; `cut` ends the line here. */
export interface PlotPoint {
  readonly slot: number
  readonly value: number
  readonly cut: boolean
}

const LATE = { exact: 1.5, jittering: 2.5 } as const // a gap of more steps than this means lost samples
const FINE = 10 // slots of a step, in a frame of few steps
const FEW_STEPS = 100

const lateMs = ({ stepMs, isExact = false }: Pick<ChartFrame, 'stepMs' | 'isExact'>): number =>
  stepMs * (isExact ? LATE.exact : LATE.jittering)

/** True if a sample was lost between these two. */
export const isGap = (beforeMs: number, atMs: number, frame: Pick<ChartFrame, 'stepMs' | 'isExact'>): boolean =>
  atMs - beforeMs > lateMs(frame)

/**
 * Equal slots of a frame: the chart library gives each entry the same width, so only they make time linear. Slot 0 is the
 * left edge of the frame; lines may come from slots before it.
 */
export function slotsOf({ fromMs, toMs, stepMs }: ChartFrame) {
  const perStep = (toMs - fromMs) / stepMs > FEW_STEPS ? 1 : FINE
  const slotMs = stepMs / perStep
  return { slotMs, first: -Math.ceil(LATE.jittering * perStep), last: Math.round((toMs - fromMs) / slotMs) }
}

/** Puts samples on their slots, in ascending order. Gaps are gaps, never zeros. */
export function plot(points: readonly ChartPoint[], frame: ChartFrame): readonly PlotPoint[] {
  const { slotMs, first, last } = slotsOf(frame)
  const line: { slot: number; value: number; cut: boolean }[] = []
  let beforeMs: number | null = null
  for (const { atMs, value } of points) {
    const before = line.at(-1)
    if (before && (value === null || isGap(beforeMs ?? atMs, atMs, frame))) before.cut = true
    beforeMs = atMs
    const slot = Math.round((atMs - frame.fromMs) / slotMs)
    if (value === null || slot < first || slot > last || slot < (before?.slot ?? first)) continue
    if (slot === before?.slot) line.pop()
    line.push({ slot, value, cut: false })
  }
  return withLoneSteps(line, frame)
}

/** A point without neighbours would be invisible; it is drawn over the step that it averages. */
function withLoneSteps(line: readonly PlotPoint[], frame: ChartFrame): readonly PlotPoint[] {
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
  /** Includes peaks within averages. */
  readonly peak: number | null
  /** Highest and lowest drawn value, without peaks. */
  readonly highest: number | null
  readonly lowest: number | null
}

const NO_STATS: Stats = { now: null, mean: null, peak: null, highest: null, lowest: null }

/** Figures of the samples within a span; the samples have equal distances. */
export function stats({ points }: Pick<ChartSeries, 'points'>, { fromMs, toMs }: TimeSpan): Stats {
  const within = points.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
  const values = within.flatMap(({ value }) => value ?? [])
  const last = within.at(-1)
  if (last === undefined || values.length === 0) return NO_STATS
  return {
    now: last.value,
    mean: values.reduce((sum, one) => sum + one, 0) / values.length,
    peak: Math.max(...within.map(({ value, peak }) => peak ?? value ?? 0)),
    highest: Math.max(...values),
    lowest: Math.min(...values),
  }
}

/** Times at which any series has a value, ascending. */
export const momentsOf = (series: readonly ChartSeries[]): readonly number[] =>
  [
    ...new Set(series.flatMap(({ points }) => points.flatMap(({ atMs, value }) => (value === null ? [] : atMs)))),
  ].toSorted((a, b) => a - b)

/** Moment to read at a time: of the nearest samples, or null if none is near enough. */
export function momentAt(moments: readonly number[], atMs: number, frame: ChartFrame): number | null {
  const [first] = moments
  if (isHeld(frame)) return first === undefined ? null : Math.max(first, atMs)
  const reach = reachMs(frame)
  let nearest: number | null = null
  let distance = Infinity
  for (const moment of moments) {
    const away = Math.abs(moment - atMs)
    const isInReach = away <= (moment > atMs ? reach.before : reach.after)
    if (isInReach && away <= distance) [nearest, distance] = [moment, away]
  }
  return nearest
}

/** Distances before and after a sample within which it is read; an exact sample also covers its whole drawn step. */
function reachMs(frame: ChartFrame) {
  const half = lateMs(frame) / 2
  return frame.isExact ? { before: frame.stepMs, after: frame.stepMs / 2 } : { before: half, after: half }
}

export const pointAt = ({ points }: ChartSeries, momentMs: number, frame: ChartFrame): ChartPoint | undefined =>
  isHeld(frame) ? points.findLast(({ atMs }) => atMs <= momentMs) : points.find(({ atMs }) => atMs === momentMs)

const PAGE = 12

/** Next moment of the crosshair after a key, from a time or into a chart without one; null for other keys. */
export function nextMoment(key: string, moments: readonly number[], fromMs: number | null): number | null {
  const end = moments.length - 1
  const after = fromMs === null ? -1 : moments.findIndex((moment) => moment > fromMs)
  const right = after === -1 ? end : after
  const left = fromMs === null ? end : moments.findLastIndex((moment) => moment < fromMs)
  const next: Readonly<Record<string, number>> = {
    ArrowLeft: left,
    ArrowRight: right,
    PageDown: left + 1 - PAGE,
    PageUp: right - 1 + PAGE,
    Home: 0,
    End: end,
  }
  const to = next[key]
  return to === undefined ? null : (moments[Math.min(end, Math.max(0, to))] ?? null)
}
