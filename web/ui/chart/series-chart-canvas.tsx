import {
  type AutoscaleInfo,
  createChart,
  type IChartApi,
  type ISeriesApi,
  type LineData,
  LineSeries,
  type UTCTimestamp,
} from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import { rateText } from '#lib/format/format-unit.ts'
import type { ChartSeries, SeriesFrame } from './series-chart.tsx'
import { useTheme } from '#ui/layout/theme.ts'
import { SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'

interface CanvasProps {
  readonly series: readonly ChartSeries[]
  readonly frame: SeriesFrame
  /** The end of the step under the pointer; null: none. */
  readonly onHover: (atMs: number | null) => void
}

interface Drawing {
  readonly chart: IChartApi
  readonly timeAxisSeries: ISeriesApi<'Line'>
  readonly lines: ISeriesApi<'Line'>[]
}

const HIDDEN = 'transparent'

/** The library prints UTC: moved by eight hours, that is the time in Asia/Shanghai. */
const toTime = (atMs: number) => ((atMs + SHANGHAI_OFFSET_MS) / 1000) as UTCTimestamp
const toMs = (time: number) => time * 1000 - SHANGHAI_OFFSET_MS

/** A step is drawn from its start to its end; the library colours a segment by the point that it starts from. */
function lineData({ points }: ChartSeries, stepMs: number): LineData<UTCTimestamp>[] {
  return points.flatMap(({ atMs, value }, i) => {
    const start = { time: toTime(atMs - stepMs), value }
    const isLast = points[i + 1]?.atMs !== atMs + stepMs
    return isLast ? [start, { time: toTime(atMs), value, color: HIDDEN }] : [start]
  })
}

/** One invisible point per step, so that a gap keeps its width. */
const timeSteps = ({ fromMs, toMs: end, stepMs }: SeriesFrame) =>
  Array.from({ length: Math.round((end - fromMs) / stepMs) + 1 }, (_, i) => ({ time: toTime(fromMs + i * stepMs) }))

export default function SeriesChartCanvas({ series, frame, onHover }: CanvasProps) {
  const host = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing | null>(null)
  const { theme } = useTheme()

  useEffect(() => {
    if (host.current === null) return
    const chart = createChart(host.current, {
      autoSize: true,
      layout: { background: { color: HIDDEN }, attributionLogo: false },
      localization: {
        locale: 'zh-CN',
        dateFormat: 'yyyy-MM-dd',
        priceFormatter: (bits: number) => rateText(bits, 'bit'),
      },
      rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0 } },
      timeScale: { borderVisible: false, timeVisible: true, fixLeftEdge: true, fixRightEdge: true },
      handleScroll: false,
      handleScale: false,
    })
    drawing.current = { chart, timeAxisSeries: chart.addSeries(LineSeries, { visible: false }), lines: [] }
    chart.subscribeCrosshairMove(({ time }) => onHover(typeof time === 'number' ? toMs(time) : null))
    return () => {
      drawing.current = null
      chart.remove()
    }
  }, [onHover])

  useEffect(() => {
    if (drawing.current === null) return
    const { chart, timeAxisSeries, lines } = drawing.current
    const style = getComputedStyle(document.body)
    const colour = (name: string) => style.getPropertyValue(name).trim()
    chart.applyOptions({
      layout: { textColor: colour('--nl-chart-text') },
      grid: { vertLines: { visible: false }, horzLines: { color: colour('--nl-chart-grid') } },
    })
    timeAxisSeries.setData(timeSteps(frame))
    for (const line of lines.splice(0)) chart.removeSeries(line)
    for (const [i, one] of series.entries()) {
      const line = chart.addSeries(LineSeries, {
        color: colour(`--nl-series-${i + 1}`),
        lineWidth: 2,
        priceLineVisible: false,
        lastValueVisible: false,
        crosshairMarkerVisible: false,
        autoscaleInfoProvider: (read: () => AutoscaleInfo | null) => {
          const found = read()
          const max = Math.max(found?.priceRange?.maxValue ?? 0, 1)
          return { ...found, priceRange: { minValue: 0, maxValue: max } }
        },
      })
      line.setData(lineData(one, frame.stepMs))
      lines.push(line)
    }
    chart.timeScale().fitContent()
  }, [series, frame, theme])

  return <div ref={host} className="nl-series-chart-host" aria-hidden="true" />
}
