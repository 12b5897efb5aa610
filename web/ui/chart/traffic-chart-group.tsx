import type { ReactNode } from 'react'
import { RATE_UNIT } from '#lib/format/format-unit.ts'
import { Segmented } from '#ui/form/segmented.tsx'
import './traffic-chart.css'
import type { TrafficFrame } from './traffic-series.ts'
import { useTrafficUnit } from './traffic-unit.ts'
import { TrafficViewContext, useCreateView, useTrafficView, ZOOM } from './traffic-view.ts'

interface TrafficChartGroupProps {
  /** The time that every chart of the group shows. */
  readonly frame: TrafficFrame
  readonly title: ReactNode
  /** Interval between two points, in words: 每秒一次, 5 分钟平均. */
  readonly resolution: string
  /** Switch of the range. */
  readonly tools?: ReactNode
  readonly children: ReactNode
}

/** Charts of one page: one tool bar, one time axis, one crosshair. */
export function TrafficChartGroup({ frame, title, resolution, tools, children }: TrafficChartGroupProps) {
  return (
    <TrafficViewContext.Provider value={useCreateView(frame)}>
      <header className="nl-chart-bar">
        <h2>{title}</h2>
        <span className="nl-muted">{resolution}</span>
        <div className="nl-chart-tools">
          {tools}
          <ZoomButtons />
          <UnitSwitch />
        </div>
      </header>
      {children}
    </TrafficViewContext.Provider>
  )
}

const UNITS = [
  { value: 'bit', label: RATE_UNIT.bit.name },
  { value: 'byte', label: RATE_UNIT.byte.name },
] as const

function UnitSwitch() {
  const [unit, setUnit] = useTrafficUnit()
  return <Segmented label="流量单位" value={unit} onChange={setUnit} options={UNITS} />
}

function ZoomButtons() {
  const { zoom, setZoom } = useTrafficView()
  return (
    <span className="nl-zoom" role="group" aria-label="缩放">
      <span aria-hidden="true">缩放</span>
      <button type="button" aria-label="缩小" disabled={zoom <= ZOOM.min} onClick={() => setZoom(zoom - ZOOM.step)}>
        −
      </button>
      <output>{zoom.toFixed(2)}×</output>
      <button type="button" aria-label="放大" disabled={zoom >= ZOOM.max} onClick={() => setZoom(zoom + ZOOM.step)}>
        +
      </button>
    </span>
  )
}
