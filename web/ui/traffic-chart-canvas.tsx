import {
  AreaSeries,
  type AreaData,
  type AutoscaleInfo,
  createChart,
  type IChartApi,
  type ISeriesApi,
  type LineData,
  LineSeries,
  LineStyle,
  type UTCTimestamp,
  type WhitespaceData,
} from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import { TRAFFIC } from '../../worker/contract/limits.ts'
import { rateText, type TrafficUnit } from '../lib/format-unit.ts'
import { useTheme } from './theme.ts'
import { plot, type PlotPoint, type TrafficPoint } from './traffic-series.ts'
import { usePageVisible } from './use-page-visible.ts'

interface CanvasProps {
  readonly points: readonly TrafficPoint[]
  readonly stepMs: number
  readonly mode: 'live' | 'range'
  readonly zoom: number
  readonly unit: TrafficUnit
}

interface Drawing {
  readonly chart: IChartApi
  readonly down: ISeriesApi<'Area'>
  readonly up: ISeriesApi<'Line'>
}

const HIDDEN = 'transparent'

/** The axis starts at zero, so that heights are comparable. */
function fromZero(automatic: () => AutoscaleInfo | null): AutoscaleInfo | null {
  const info = automatic()
  if (info === null || info.priceRange === null) return info
  return { ...info, priceRange: { minValue: 0, maxValue: Math.max(info.priceRange.maxValue, 1) } }
}

function draw(element: HTMLElement): Drawing {
  const chart = createChart(element, {
    autoSize: true,
    layout: {
      background: { color: HIDDEN },
      fontFamily: getComputedStyle(document.body).fontFamily,
      fontSize: 12,
      attributionLogo: false, // its licence is content with the notice on /licenses
    },
    rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.1, bottom: 0 } },
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: true, fixLeftEdge: true, fixRightEdge: true },
    handleScale: false,
    localization: { locale: 'zh-CN', dateFormat: 'yyyy-MM-dd' },
  })
  const common = {
    lineWidth: 2,
    priceLineVisible: false,
    lastValueVisible: false,
    autoscaleInfoProvider: fromZero,
  } as const
  return {
    chart,
    down: chart.addSeries(AreaSeries, common),
    up: chart.addSeries(LineSeries, { ...common, lineStyle: LineStyle.Dashed }),
  }
}

/** The library draws a segment in the colour of the point it starts from, so a cut point starts an invisible one. */
function lineData(
  { time, value, cut }: PlotPoint,
  factor: number,
): LineData<UTCTimestamp> | WhitespaceData<UTCTimestamp> {
  const at = time as UTCTimestamp
  if (value === undefined) return { time: at }
  return { time: at, value: value * factor, ...(cut && { color: HIDDEN }) }
}

function areaData(
  { time, value, cut }: PlotPoint,
  factor: number,
): AreaData<UTCTimestamp> | WhitespaceData<UTCTimestamp> {
  const at = time as UTCTimestamp
  if (value === undefined) return { time: at }
  const hidden = { lineColor: HIDDEN, topColor: HIDDEN, bottomColor: HIDDEN }
  return { time: at, value: value * factor, ...(cut && hidden) }
}

export default function TrafficChartCanvas({ points, stepMs, mode, zoom, unit }: CanvasProps) {
  const host = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing | null>(null)
  const { theme } = useTheme()
  const visible = usePageVisible()

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
    if (drawing.current === null || !visible) return
    const { chart, down, up } = drawing.current
    // Values are converted to the user's unit, so that the axis has round numbers in it.
    const factor = unit === 'bit' ? 1 : 1 / 8
    const downLine = plot(points, (point) => point.downBitsPerSecond, stepMs)
    const upLine = plot(points, (point) => point.upBitsPerSecond, stepMs)
    const priceFormatter = (value: number) => rateText(value / factor, unit)
    chart.applyOptions({ localization: { priceFormatter }, handleScroll: mode === 'range' && zoom > 1 })
    down.setData(downLine.map((point) => areaData(point, factor)))
    up.setData(upLine.map((point) => lineData(point, factor)))
    const places = mode === 'live' ? TRAFFIC.pointsKept : downLine.length
    const end = downLine.length - 0.5
    chart.timeScale().setVisibleLogicalRange({ from: end - places / zoom, to: end })
  }, [points, stepMs, mode, zoom, unit, visible])

  return <div ref={host} className="nl-chart-canvas" aria-hidden="true" />
}

/** Series colours are plain hex in the theme, which is all the library can read. */
function paint({ chart, down, up }: Drawing): void {
  const style = getComputedStyle(document.body)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const grid = { color: colour('--nl-chart-grid') }
  chart.applyOptions({
    layout: { textColor: colour('--nl-chart-text') },
    grid: { vertLines: { visible: false }, horzLines: grid },
    crosshair: {
      vertLine: { color: colour('--nl-chart-text'), labelBackgroundColor: colour('--nl-chart-text') },
      horzLine: { color: colour('--nl-chart-text'), labelBackgroundColor: colour('--nl-chart-text') },
    },
  })
  const downColour = colour('--nl-series-down')
  down.applyOptions({ lineColor: downColour, topColor: `${downColour}33`, bottomColor: `${downColour}05` })
  up.applyOptions({ color: colour('--nl-series-up') })
}
