import { type CSSProperties, lazy, Suspense, useState } from 'react'
import './traffic-chart.css'
import { Segmented } from './segmented.tsx'
import { chartText, type TrafficPoint } from './traffic-series.ts'
import { RateText } from './traffic-text.tsx'
import { useTrafficUnit } from './traffic-unit.ts'

export type { TrafficPoint } from './traffic-series.ts'

interface TrafficChartProps {
  /** What is measured: the interface, the link. */
  readonly label: string
  /** In order of time. */
  readonly points: readonly TrafficPoint[]
  /** Distance of two samples where none is lost. */
  readonly stepMs: number
  /** `live` keeps 40 points at the right edge; `range` shows all of them and can be dragged when zoomed. */
  readonly mode?: 'live' | 'range'
  /** 480 or 540 (network 2); on a phone the chart is lower. */
  readonly minHeightPx?: number
}

const ZOOM = { min: 1, max: 2, step: 0.25 } // network 2

const Canvas = lazy(() => import('./traffic-chart-canvas.tsx'))

/** Down and up rates over time. The chart library, its own chunk, comes when a chart is drawn. */
export function TrafficChart({ label, points, stepMs, mode = 'live', minHeightPx = 480 }: TrafficChartProps) {
  const [unit, setUnit] = useTrafficUnit()
  const [zoom, setZoom] = useState<number>(ZOOM.min)
  const last = points.at(-1)
  return (
    <figure className="nl-chart">
      <figcaption>
        <strong>{label}</strong>
        <span className="nl-chart-key nl-chart-down">
          下行{' '}
          <b>
            <RateText bitsPerSecond={last?.downBitsPerSecond ?? null} />
          </b>
        </span>
        <span className="nl-chart-key nl-chart-up">
          上行{' '}
          <b>
            <RateText bitsPerSecond={last?.upBitsPerSecond ?? null} />
          </b>
        </span>
        <span className="nl-chart-tools">
          <ZoomButtons zoom={zoom} onZoom={setZoom} />
          <Segmented label="流量单位" value={unit} onChange={setUnit} options={UNITS} />
        </span>
      </figcaption>
      <div
        className="nl-chart-area"
        style={{ '--nl-chart-height': `${minHeightPx}px` } as CSSProperties}
        role="img"
        aria-label={chartText(label, points, unit)}
      >
        {last === undefined ? (
          <p className="nl-muted">{mode === 'live' ? '等待数据…' : '暂无数据'}</p>
        ) : (
          <Suspense fallback={null}>
            <Canvas points={points} stepMs={stepMs} mode={mode} zoom={zoom} unit={unit} />
          </Suspense>
        )}
      </div>
    </figure>
  )
}

const UNITS = [
  { value: 'bit', label: 'bit/s' },
  { value: 'byte', label: 'B/s' },
] as const

function ZoomButtons({ zoom, onZoom }: { readonly zoom: number; readonly onZoom: (zoom: number) => void }) {
  return (
    <span className="nl-zoom" role="group" aria-label="缩放">
      <button type="button" aria-label="缩小" disabled={zoom <= ZOOM.min} onClick={() => onZoom(zoom - ZOOM.step)}>
        −
      </button>
      <output>{zoom.toFixed(2)}×</output>
      <button type="button" aria-label="放大" disabled={zoom >= ZOOM.max} onClick={() => onZoom(zoom + ZOOM.step)}>
        +
      </button>
    </span>
  )
}
