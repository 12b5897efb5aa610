import { type CSSProperties, memo, type ReactNode, useId, useRef, type RefObject, useEffect, useState } from 'react'
import { RATE_UNIT, rateNumber } from '#lib/format/format-unit.ts'
import './traffic-chart.css'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'
import { TrafficPlot } from './traffic-plot.tsx'
import { type TrafficPoint, downOf, downPeakOf, type RateOf, stats, upOf, upPeakOf } from './traffic-series.ts'
import { useTrafficUnit } from './traffic-unit.ts'
import { type TrafficView, TrafficViewContext, useTrafficView } from './traffic-view.ts'

interface TrafficChartProps {
  /** Name of the measured interface or link. */
  readonly label: string
  /** In order of time. */
  readonly points: readonly TrafficPoint[]
  /** 480 or 540 (network 2); on a phone the chart is lower. */
  readonly minHeightPx?: number
  /** Reason why no new samples arrive: greys the curve and is shown. */
  readonly silence?: string | null
  /** Shown while there is no sample in sight. */
  readonly empty?: string
  /** Facts of what is measured; stay when the chart is folded. */
  readonly details?: ReactNode
  /** A folded chart shows its latest rates only. */
  readonly fold?: { readonly isOpen: boolean; readonly onToggle: () => void }
}

const MARGIN = '100px' // charts are drawn just before they scroll into sight

/** False while the element is scrolled out of sight; true where the browser cannot tell. */
function useInView(element: RefObject<Element | null>): boolean {
  const [isInView, setIsInView] = useState(true)
  useEffect(() => {
    if (element.current === null || !('IntersectionObserver' in globalThis)) return
    const observer = new IntersectionObserver((entries) => setIsInView(entries.at(-1)?.isIntersecting ?? true), {
      rootMargin: MARGIN,
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isInView
}

/** Down and up rates over time, inside a TrafficChartGroup. Scrolled out of sight it stands still. */
export function TrafficChart(props: TrafficChartProps) {
  const figure = useRef<HTMLElement>(null)
  const isInView = useInView(figure)
  return (
    <figure ref={figure} className="nl-chart">
      <StillOutOfView isInView={isInView} view={useTrafficView()} chart={props} />
    </figure>
  )
}

interface StillOutOfViewProps {
  readonly isInView: boolean
  readonly view: TrafficView
  readonly chart: TrafficChartProps
}

const StillOutOfView = memo(
  ({ view, chart }: StillOutOfViewProps) => (
    <TrafficViewContext.Provider value={view}>
      <ChartContent {...chart} />
    </TrafficViewContext.Provider>
  ),
  (_, next) => !next.isInView,
)

interface TrafficLegendProps {
  readonly points: readonly TrafficPoint[]
  /** The latest rates only, with the unit that the axis would name. */
  readonly isShort: boolean
  /** Without new samples there is no present rate. */
  readonly isSilent: boolean
}

const FIGURES = [
  { key: 'now', label: '当前' },
  { key: 'mean', label: '平均' },
  { key: 'peak', label: '峰值' },
] as const

/** Current rate, mean and peak of each line over the visible range. */
function TrafficLegend({ points, isShort, isSilent }: TrafficLegendProps) {
  const [unit] = useTrafficUnit()
  const figures = isShort ? FIGURES.slice(0, 1) : FIGURES
  const { visible } = useTrafficView()
  const line = (name: string, className: string, rate: RateOf, peakOf: RateOf) => {
    const found = stats(points, rate, visible, peakOf)
    const shown = isSilent ? { ...found, now: null } : found
    return (
      <span className="nl-chart-line">
        <span className={`nl-chart-key ${className}`}>{name}</span>
        {figures.map(({ key, label }) => {
          const value = shown[key]
          return (
            <span key={key} className="nl-chart-figure">
              {label} <b>{value === null ? '—' : rateNumber(value, unit)}</b>
            </span>
          )
        })}
      </span>
    )
  }
  return (
    <span className="nl-chart-legend">
      {line('下行', 'nl-chart-down', downOf, downPeakOf)}
      {line('上行', 'nl-chart-up', upOf, upPeakOf)}
      {isShort && <span>{RATE_UNIT[unit].name}</span>}
    </span>
  )
}

function ChartContent({
  label,
  points,
  minHeightPx = 480,
  silence = null,
  empty = '暂无数据',
  details,
  fold,
}: TrafficChartProps) {
  const isOpen = fold?.isOpen ?? true
  const plotId = useId()
  return (
    <div className="nl-chart-content" data-silent={silence !== null}>
      <figcaption>
        {fold === undefined ? (
          <strong>{label}</strong>
        ) : (
          <button
            type="button"
            className="nl-chart-fold"
            aria-expanded={isOpen}
            aria-controls={plotId}
            onClick={fold.onToggle}
          >
            <StrokeIcon path="m6 3.5 4.5 4.5L6 12.5" box={16} />
            <strong>{label}</strong>
          </button>
        )}
        {!isOpen && silence !== null ? (
          <span className="nl-muted">{silence}</span>
        ) : (
          <TrafficLegend points={points} isShort={!isOpen} isSilent={silence !== null} />
        )}
      </figcaption>
      {details}
      <div
        id={plotId}
        hidden={!isOpen}
        className="nl-chart-area"
        style={{ '--nl-chart-height': `${minHeightPx}px` } as CSSProperties}
      >
        {isOpen && <TrafficPlot label={label} points={points} message={silence ?? undefined} empty={empty} />}
      </div>
    </div>
  )
}
