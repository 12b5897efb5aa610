import {
  type AreaData,
  AreaSeries,
  type AutoscaleInfo,
  createOptionsChart,
  type IChartApiBase,
  type ISeriesApi,
  type LineData,
  LineSeries,
  LineStyle,
} from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import { useTheme } from '#ui/layout/theme.ts'
import { type ChartFrame, type ChartSeries, type PlotPoint, slotsOf, type TimeSpan } from './chart-series.ts'
import { usePageVisible } from '#ui/hooks/use-media.ts'

/* Curves of averages, drawn by the chart library over a linear time; axes and crosshair are not part of it. */

export interface CanvasLine extends Pick<ChartSeries, 'name' | 'colour' | 'drawing'> {
  readonly points: readonly PlotPoint[]
}

interface CanvasProps {
  readonly lines: readonly CanvasLine[]
  readonly frame: ChartFrame
  readonly visible: TimeSpan
  /** Value at the upper edge; zero is at the lower one. */
  readonly top: number
}

type DrawnLine =
  | { readonly drawing: 'area'; readonly drawn: ISeriesApi<'Area', number> }
  | { readonly drawing: 'line' | 'dashed'; readonly drawn: ISeriesApi<'Line', number> }

interface Drawing {
  readonly chart: IChartApiBase<number>
  readonly slots: ISeriesApi<'Line', number>
  lines: readonly DrawnLine[]
  top: number
}

const HIDDEN = 'transparent'
const EDGE_PX = 2 // the canvas is higher than the plot by this on both sides, so that no line is cut

/** Creates the chart of the library for curves only: axes, grid and crosshair are ours, and the plot takes the pointer. */
function draw(element: HTMLElement): Drawing {
  const chart = createOptionsChart(element, {
    autoSize: true,
    layout: { background: { color: HIDDEN }, attributionLogo: false }, // its licence allows the notice on /licenses instead
    leftPriceScale: { visible: false },
    rightPriceScale: { visible: false, scaleMargins: { top: 0, bottom: 0 } },
    timeScale: { visible: false, minBarSpacing: 0.01, lockVisibleTimeRangeOnResize: true },
    grid: { vertLines: { visible: false }, horzLines: { visible: false } },
    crosshair: {
      vertLine: { visible: false, labelVisible: false },
      horzLine: { visible: false, labelVisible: false },
    },
    handleScroll: false,
    handleScale: false,
  })
  return { chart, slots: chart.addSeries(LineSeries, { visible: false }), lines: [], top: 1 }
}

/** Replaces the lines by new ones without points. */
function addLines(drawing: Drawing, drawings: readonly ChartSeries['drawing'][]): void {
  const { chart } = drawing
  for (const { drawn } of drawing.lines) chart.removeSeries(drawn)
  const common = {
    lineWidth: 2,
    priceLineVisible: false,
    lastValueVisible: false,
    crosshairMarkerVisible: false,
    autoscaleInfoProvider: (): AutoscaleInfo => ({
      priceRange: { minValue: 0, maxValue: drawing.top },
      margins: { above: EDGE_PX, below: EDGE_PX },
    }),
  } as const
  drawing.lines = drawings.map((drawing): DrawnLine => {
    if (drawing === 'area') return { drawing, drawn: chart.addSeries(AreaSeries, common) }
    const style = drawing === 'dashed' ? { lineStyle: LineStyle.Dashed } : {}
    return { drawing, drawn: chart.addSeries(LineSeries, { ...common, ...style }) }
  })
}

/** The library draws a segment in the colour of its first point, so a cut point gets an invisible colour. */
function lineData({ slot, value, cut }: PlotPoint, first: number): LineData<number> {
  return { time: slot - first, value, ...(cut && { color: HIDDEN }) }
}

function areaData({ slot, value, cut }: PlotPoint, first: number): AreaData<number> {
  const hidden = { lineColor: HIDDEN, topColor: HIDDEN, bottomColor: HIDDEN }
  return { time: slot - first, value, ...(cut && hidden) }
}

export default function ChartCanvas({ lines, frame, visible, top }: CanvasProps) {
  const host = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing | null>(null)
  const { theme } = useTheme()
  const isSeen = usePageVisible()
  const { slotMs, first, last } = slotsOf(frame)
  const left = (visible.fromMs - frame.fromMs) / slotMs - first
  const right = (visible.toMs - frame.fromMs) / slotMs - first
  const drawings = lines.map((line) => line.drawing).join(' ')
  const colours = lines.map((line) => line.colour).join(' ')

  useEffect(() => {
    if (host.current === null) return
    const made = draw(host.current)
    drawing.current = made
    return () => {
      drawing.current = null
      made.chart.remove()
    }
  }, [])

  useEffect(() => {
    if (drawing.current !== null) addLines(drawing.current, drawings.split(' ') as ChartSeries['drawing'][])
  }, [drawings])

  useEffect(() => {
    if (drawing.current !== null) paint(drawing.current.lines, colours.split(' '))
  }, [theme, drawings, colours])

  useEffect(() => {
    // Slots without values, because the library gives each entry the same width.
    const grid = Array.from({ length: last - first + 1 }, (_, index) => ({ time: index }))
    drawing.current?.slots.setData(grid)
  }, [first, last])

  useEffect(() => {
    if (drawing.current === null || !isSeen) return
    drawing.current.top = top
    for (const [i, line] of drawing.current.lines.entries()) setPoints(line, lines[i]?.points ?? [], first)
    showRange(drawing.current.chart, left + 0.5, right - 0.5) // the library puts a point in the middle of its slot
  }, [lines, first, last, left, right, top, isSeen])

  return <div ref={host} className="nl-chart-host" aria-hidden="true" />
}

function setPoints(line: DrawnLine, points: readonly PlotPoint[], first: number): void {
  if (line.drawing === 'area') line.drawn.setData(points.map((point) => areaData(point, first)))
  else line.drawn.setData(points.map((point) => lineData(point, first)))
}

const NEAR = 1e-6 // the library calculates its range from widths

/**
 * Asks the library for its range each time, because it counts from the last value. An unchanged range is not set, because
 * that would draw everything again.
 */
function showRange(chart: IChartApiBase<number>, from: number, to: number): void {
  const scale = chart.timeScale()
  const shown = scale.getVisibleLogicalRange()
  const isShown = shown !== null && Math.abs(shown.from - from) < NEAR && Math.abs(shown.to - to) < NEAR
  if (!isShown) scale.setVisibleLogicalRange({ from, to })
}

/** Colours are plain hex in the theme, which is all the library can read. */
function paint(lines: readonly DrawnLine[], names: readonly string[]): void {
  const style = getComputedStyle(document.body)
  for (const [i, { drawing, drawn }] of lines.entries()) {
    const colour = style.getPropertyValue(names[i] ?? '').trim()
    if (drawing === 'area')
      drawn.applyOptions({ lineColor: colour, topColor: `${colour}33`, bottomColor: `${colour}05` })
    else drawn.applyOptions({ color: colour })
  }
}
