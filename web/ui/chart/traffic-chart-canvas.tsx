import {
  type AreaData,
  AreaSeries,
  type AutoscaleInfo,
  createChart,
  type IChartApi,
  type ISeriesApi,
  type LineData,
  LineSeries,
  LineStyle,
  type UTCTimestamp,
} from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import { useTheme } from '#ui/layout/theme.ts'
import { type PlotPoint, slotsOf, type TimeSpan, type TrafficFrame } from './traffic-series.ts'
import { usePageVisible } from '#ui/hooks/use-page-visible.ts'

interface CanvasProps {
  readonly down: readonly PlotPoint[]
  readonly up: readonly PlotPoint[]
  readonly frame: TrafficFrame
  readonly visible: TimeSpan
  readonly maxBitsPerSecond: number
}

interface Drawing {
  readonly chart: IChartApi
  readonly slots: ISeriesApi<'Line'>
  readonly down: ISeriesApi<'Area'>
  readonly up: ISeriesApi<'Line'>
  max: number
}

const HIDDEN = 'transparent'
const EDGE_PX = 2 // the canvas is higher than the plot by this on both sides, so that no line is cut

/** Curves only: axes, grid and crosshair are ours, and the plot takes the pointer. */
function draw(element: HTMLElement): Drawing {
  const chart = createChart(element, {
    autoSize: true,
    layout: { background: { color: HIDDEN }, attributionLogo: false }, // its licence is content with /licenses
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
  const common = {
    lineWidth: 2,
    priceLineVisible: false,
    lastValueVisible: false,
    crosshairMarkerVisible: false,
    autoscaleInfoProvider: (): AutoscaleInfo => ({
      priceRange: { minValue: 0, maxValue: drawing.max },
      margins: { above: EDGE_PX, below: EDGE_PX },
    }),
  } as const
  const drawing: Drawing = {
    chart,
    slots: chart.addSeries(LineSeries, { visible: false }),
    down: chart.addSeries(AreaSeries, common),
    up: chart.addSeries(LineSeries, { ...common, lineStyle: LineStyle.Dashed }),
    max: 1,
  }
  return drawing
}

const toChartTime = (slot: number, first: number) => (slot - first) as UTCTimestamp

/** The library draws a segment in the colour of the point it starts from, so a cut point starts an invisible one. */
function lineData({ slot, value, cut }: PlotPoint, first: number): LineData<UTCTimestamp> {
  return { time: toChartTime(slot, first), value, ...(cut && { color: HIDDEN }) }
}

function areaData({ slot, value, cut }: PlotPoint, first: number): AreaData<UTCTimestamp> {
  const hidden = { lineColor: HIDDEN, topColor: HIDDEN, bottomColor: HIDDEN }
  return { time: toChartTime(slot, first), value, ...(cut && hidden) }
}

export default function TrafficChartCanvas({ down, up, frame, visible, maxBitsPerSecond }: CanvasProps) {
  const host = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing | null>(null)
  const { theme } = useTheme()
  const isSeen = usePageVisible()
  const { slotMs, first, last } = slotsOf(frame)
  const left = (visible.fromMs - frame.fromMs) / slotMs - first
  const right = (visible.toMs - frame.fromMs) / slotMs - first

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
    if (drawing.current !== null) paint(drawing.current)
  }, [theme])

  useEffect(() => {
    // Places without values: the library gives each entry the same width.
    const grid = Array.from({ length: last - first + 1 }, (_, index) => ({ time: index as UTCTimestamp }))
    drawing.current?.slots.setData(grid)
  }, [first, last])

  useEffect(() => {
    if (drawing.current === null || !isSeen) return
    const { chart, ...series } = drawing.current
    drawing.current.max = maxBitsPerSecond
    series.down.setData(down.map((point) => areaData(point, first)))
    series.up.setData(up.map((point) => lineData(point, first)))
    showRange(chart, left + 0.5, right - 0.5) // it puts a point in the middle of its place
  }, [down, up, first, last, left, right, maxBitsPerSecond, isSeen])

  return <div ref={host} className="nl-chart-host" aria-hidden="true" />
}

const NEAR = 1e-6 // the library calculates its range from widths

/**
 * Asked for each time, because the library counts from the last value. It applies a range while it draws, and draws
 * everything again after that, so the range that is shown is not set again.
 */
function showRange(chart: IChartApi, from: number, to: number): void {
  const scale = chart.timeScale()
  const shown = scale.getVisibleLogicalRange()
  const isShown = shown !== null && Math.abs(shown.from - from) < NEAR && Math.abs(shown.to - to) < NEAR
  if (!isShown) scale.setVisibleLogicalRange({ from, to })
}

/** Series colours are plain hex in the theme, which is all the library can read. */
function paint({ down, up }: Drawing): void {
  const style = getComputedStyle(document.body)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const downColour = colour('--nl-series-down')
  down.applyOptions({ lineColor: downColour, topColor: `${downColour}33`, bottomColor: `${downColour}05` })
  up.applyOptions({ color: colour('--nl-series-up') })
}
