import { type CSSProperties, lazy, Suspense, useMemo, useState } from 'react'
import { timeText } from '#lib/format/format-time.ts'
import { rateText } from '#lib/format/format-unit.ts'
import './series-chart.css'

/** A value in bit/s, over the step that ends at `atMs`. */
interface SeriesPoint {
  readonly atMs: number
  readonly value: number
}
export interface ChartSeries {
  readonly name: string
  readonly points: readonly SeriesPoint[]
}
/** The time that a chart covers; both ends are ends of steps. */
export interface SeriesFrame {
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
}

interface SeriesChartProps {
  readonly label: string
  /** At most 11: there are as many colours. */
  readonly series: readonly ChartSeries[]
  readonly frame: SeriesFrame
  /** 480 or 540 (directory 9); on a phone the chart is lower. */
  readonly minHeightPx?: number
}

const Canvas = lazy(() => import('./series-chart-canvas.tsx'))

/** Lines over time. A step without a point is a gap, never zero. The legend reads what is under the pointer. */
export function SeriesChart({ label, series, frame, minHeightPx = 480 }: SeriesChartProps) {
  const [hover, setHover] = useState<number | null>(null)
  const isEmpty = series.every(({ points }) => points.length === 0)
  const lines = useMemo(() => series.map(toFigures), [series])
  const valueAt = ({ points }: ChartSeries) =>
    hover === null ? undefined : points.find(({ atMs }) => hover >= atMs - frame.stepMs && hover < atMs)?.value
  const summary = lines.map(
    ({ name, mean, peak }) => `${name}平均${rateText(mean, 'bit')}，峰值${rateText(peak, 'bit')}`,
  )
  return (
    <figure className="nl-series-chart" style={{ '--nl-series-chart-height': `${minHeightPx}px` } as CSSProperties}>
      <div
        className="nl-series-chart-area"
        role="img"
        aria-label={`${label}：${isEmpty ? '暂无数据' : summary.join('；')}`}
      >
        {isEmpty ? (
          <p className="nl-series-chart-empty">暂无数据</p>
        ) : (
          <Suspense fallback={null}>
            <Canvas series={series} frame={frame} onHover={setHover} />
          </Suspense>
        )}
      </div>
      {!isEmpty && (
        <figcaption>
          <span className="nl-muted">{hover === null ? '平均 / 峰值' : timeText(hover)}</span>
          <ul>
            {lines.map(({ name, mean, peak }, i) => {
              const value = series[i] && valueAt(series[i])
              return (
                <li key={name}>
                  <i data-series={i + 1} aria-hidden="true" />
                  <span>{name}</span>
                  <b>
                    {hover === null
                      ? `${rateText(mean, 'bit')} / ${rateText(peak, 'bit')}`
                      : value === undefined
                        ? '—'
                        : rateText(value, 'bit')}
                  </b>
                </li>
              )
            })}
          </ul>
        </figcaption>
      )}
    </figure>
  )
}

function toFigures({ name, points }: ChartSeries) {
  const sum = points.reduce((all, { value }) => all + value, 0)
  return { name, mean: sum / Math.max(1, points.length), peak: Math.max(0, ...points.map(({ value }) => value)) }
}
