import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { createStore, type Store } from '#lib/store.ts'
import { RATE_UNIT } from '#lib/format/format-unit.ts'
import { Segmented } from '#ui/form/segmented.tsx'
import './time-chart.css'
import type { ChartFrame, TimeSpan } from './chart-series.ts'
import { useTrafficUnit } from './traffic-unit.ts'

/* Charts of one page: they share time axis, crosshair and tool bar. */

interface ChartGroupProps {
  readonly frame: ChartFrame
  /** Tool bar with zoom and unit; a group of numbers has none. */
  readonly bar?: ChartBarProps
  readonly children: ReactNode
}

interface ChartBarProps {
  readonly title?: ReactNode
  /** Interval between two points, in words: 每秒一次, 5 分钟平均. */
  readonly resolution?: string
  readonly tools?: ReactNode
}

export function ChartGroup({ frame, bar, children }: ChartGroupProps) {
  return (
    <ChartViewContext.Provider value={useCreateView(frame)}>
      {bar !== undefined && <ChartBar {...bar} />}
      {children}
    </ChartViewContext.Provider>
  )
}

function ChartBar({ title, resolution, tools }: ChartBarProps) {
  const [unit, setUnit] = useTrafficUnit()
  return (
    <header className="nl-flow nl-chart-bar">
      {title !== undefined && <h2>{title}</h2>}
      {resolution !== undefined && <span className="nl-muted">{resolution}</span>}
      <div className="nl-flow nl-chart-tools">
        {tools}
        <ZoomButtons />
        <Segmented label="流量单位" value={unit} onChange={setUnit} options={UNITS} />
      </div>
    </header>
  )
}

const UNITS = [
  { value: 'bit', label: RATE_UNIT.bit.name },
  { value: 'byte', label: RATE_UNIT.byte.name },
] as const

const ZOOM = { min: 1, max: 2, step: 0.25 } as const // network 2

function ZoomButtons() {
  const { zoom, setZoom } = useChartView()
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

export interface ChartView {
  readonly frame: ChartFrame
  readonly visible: TimeSpan
  /** Pointer position on the time axis of all charts: 0 to 1 of the visible range, or null. A move draws crosshairs only. */
  readonly hover: Store<number | null>
  readonly zoom: number
  readonly setZoom: (zoom: number) => void
  /** Moves the visible span by a part of its width; null if there is nothing to move. */
  readonly pan: ((part: number) => void) | null
}

export const ChartViewContext = createContext<ChartView | null>(null)

export function useChartView(): ChartView {
  const view = useContext(ChartViewContext)
  if (view === null) throw new Error('a chart stands outside of a ChartGroup')
  return view
}

/** Visible part of a frame: if zoomed, it ends `panMs` before the frame. */
function visibleSpan({ fromMs, toMs }: TimeSpan, zoom: number, panMs: number): TimeSpan {
  const spanMs = (toMs - fromMs) / zoom
  const end = toMs - Math.min(Math.max(panMs, 0), toMs - fromMs - spanMs)
  return { fromMs: end - spanMs, toMs: end }
}

function useCreateView({ fromMs, toMs, stepMs, axis, isExact = false }: ChartFrame): ChartView {
  const [zoom, setZoom] = useState<number>(ZOOM.min)
  const [panMs, setPanMs] = useState(0)
  const [hover] = useState(() => createStore<number | null>(null))
  return useMemo(() => {
    const frame: ChartFrame = { fromMs, toMs, stepMs, axis, isExact }
    const isPannable = axis === 'clock' && zoom > ZOOM.min
    const visible = visibleSpan(frame, zoom, isPannable ? panMs : 0)
    const pan = (part: number) =>
      setPanMs(toMs - visibleSpan(frame, zoom, toMs - visible.toMs + part * (visible.toMs - visible.fromMs)).toMs)
    return { frame, visible, hover, zoom, setZoom, pan: isPannable ? pan : null }
  }, [fromMs, toMs, stepMs, axis, isExact, zoom, panMs, hover])
}
