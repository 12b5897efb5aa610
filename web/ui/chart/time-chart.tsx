import { type CSSProperties, memo, type ReactNode, useId, useRef, type RefObject, useEffect, useState } from 'react'
import './time-chart.css'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'
import { chartUnit, type ChartUnit, type Measure } from './chart-axis.ts'
import { LineName } from './chart-crosshair.tsx'
import { type ChartView, ChartViewContext, useChartView } from './chart-group.tsx'
import { ChartPlot } from './chart-plot.tsx'
import { type ChartSeries, stats } from './chart-series.ts'
import { useTrafficUnit } from './traffic-unit.ts'

/* Chart of values over time, inside a ChartGroup: title, legend, plot. */

interface TimeChartProps {
  readonly label: string
  /** At most 11, because there are 11 colours. */
  readonly series: readonly ChartSeries[]
  readonly measure?: Measure
  /** 480 or 540 (network 2, directory 9); on a phone the chart is lower. */
  readonly minHeightPx?: number
  /** Reason for missing new samples; it is shown, and the curve is grey. */
  readonly silence?: string | null
  /** Text while no sample is in view. */
  readonly empty?: string
  /** Facts of the measured object; they stay when the chart is folded. */
  readonly details?: ReactNode
  /** A folded chart shows its latest values only. */
  readonly fold?: { readonly isOpen: boolean; readonly onToggle: () => void } | undefined
}

const MARGIN = '100px' // charts are drawn just before they scroll into view

/** False while the element is out of view; true if the browser cannot tell. */
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

/** The frame of the group says if values are averages or hold. An open chart out of view is not redrawn. */
export function TimeChart(props: TimeChartProps) {
  const figure = useRef<HTMLElement>(null)
  const isInView = useInView(figure)
  return (
    <figure ref={figure} className="nl-chart">
      <StillOutOfView isInView={isInView} view={useChartView()} chart={props} />
    </figure>
  )
}

const StillOutOfView = memo(
  ({ view, chart }: { isInView: boolean; view: ChartView; chart: TimeChartProps }) => (
    <ChartViewContext.Provider value={view}>
      <ChartContent {...chart} />
    </ChartViewContext.Provider>
  ),
  (_, next) => !next.isInView && next.chart.fold?.isOpen !== false,
)

const FEW_LINES = 2

interface ChartLegendProps extends Pick<TimeChartProps, 'series'> {
  readonly unit: ChartUnit
  /** Shows the first figures only, with the unit that the axis would name. */
  readonly isShort: boolean
  /** Without new samples there is no present value. */
  readonly isSilent: boolean
}

/** Figures of each line over the visible range; many lines stand in columns. */
function ChartLegend({ series, unit, isShort, isSilent }: ChartLegendProps) {
  const figures = isShort ? unit.figures.slice(0, 1) : unit.figures
  const { visible } = useChartView()
  return (
    <span className="nl-chart-legend">
      {series.map((one) => {
        const found = stats(one, visible)
        return (
          <span key={one.name} className="nl-chart-line">
            {series.length > 1 && <LineName series={one} />}
            <span className="nl-chart-figures">
              {figures.map(({ key, label }) => {
                const isNow = key === 'now'
                const value = isSilent && isNow ? null : found[key]
                if (isNow && !isSilent && value === null && one.earlier !== undefined)
                  return (
                    <span key={key}>
                      {one.earlier.label} <b>{unit.figureText(one.earlier.value)}</b>
                    </span>
                  )
                return (
                  <span key={key}>
                    {label} <b>{value === null ? '—' : unit.figureText(value)}</b>
                  </span>
                )
              })}
            </span>
          </span>
        )
      })}
      {isShort && <span>{unit.figureUnit}</span>}
    </span>
  )
}

function ChartTitle({ label, fold, plotId }: Pick<TimeChartProps, 'label' | 'fold'> & { readonly plotId: string }) {
  if (fold === undefined) return <strong>{label}</strong>
  return (
    <button
      type="button"
      className="nl-chart-fold"
      aria-expanded={fold.isOpen}
      aria-controls={plotId}
      onClick={fold.onToggle}
    >
      <StrokeIcon path="m6 3.5 4.5 4.5L6 12.5" box={16} />
      <strong>{label}</strong>
    </button>
  )
}

function ChartContent({
  label,
  series,
  measure = 'rate',
  minHeightPx = 480,
  silence = null,
  empty = '暂无数据',
  details,
  fold,
}: TimeChartProps) {
  const isOpen = fold?.isOpen ?? true
  const plotId = useId()
  const unit = chartUnit(measure, useTrafficUnit()[0])
  const isMany = series.length > FEW_LINES
  const legend = <ChartLegend series={series} unit={unit} isShort={!isOpen} isSilent={silence !== null} />
  return (
    <div className="nl-chart-content" data-measure={measure} data-many={isMany} data-silent={silence !== null}>
      <figcaption>
        <ChartTitle label={label} fold={fold} plotId={plotId} />
        {!isOpen && silence !== null ? <span className="nl-muted">{silence}</span> : !(isMany && isOpen) && legend}
      </figcaption>
      {details}
      <div
        id={plotId}
        hidden={!isOpen}
        className="nl-chart-area"
        style={{ '--nl-chart-height': `${minHeightPx}px` } as CSSProperties}
      >
        {isOpen && <ChartPlot label={label} series={series} unit={unit} message={silence ?? undefined} empty={empty} />}
      </div>
      {isMany && isOpen && legend}
    </div>
  )
}
