import { type CSSProperties, memo, type ReactNode, useId, useRef } from 'react'
import './traffic-chart.css'
import { StrokeIcon } from '#ui/layout/buttons/stroke-icon.tsx'
import { TrafficLegend } from './traffic-legend.tsx'
import { TrafficPlot } from './traffic-plot.tsx'
import type { TrafficPoint } from './traffic-series.ts'
import { type TrafficView, TrafficViewContext, useTrafficView } from './traffic-view.ts'
import { useInView } from '#ui/hooks/use-in-view.ts'

interface TrafficChartProps {
  /** What is measured: the interface, the link. */
  readonly label: string
  /** In order of time. */
  readonly points: readonly TrafficPoint[]
  /** 480 or 540 (network 2); on a phone the chart is lower. */
  readonly minHeightPx?: number
  /** Why no new samples come: greys the curve and says so. */
  readonly silence?: string | null
  /** Shown while there is no sample in sight. */
  readonly empty?: string
  /** Facts of what is measured; stay when the chart is folded. */
  readonly details?: ReactNode
  /** A folded chart shows its latest rates only. */
  readonly fold?: { readonly isOpen: boolean; readonly onToggle: () => void }
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
