import { useSyncExternalStore } from 'react'
import { RATE_UNIT, rateNumber } from '#lib/format/format-unit.ts'
import { momentText } from './traffic-axis.ts'
import { nearestPoint, type TrafficPoint } from './traffic-series.ts'
import { useTrafficUnit } from './traffic-unit.ts'
import { useTrafficView } from './traffic-view.ts'
import './traffic-crosshair.css'

interface TrafficCrosshairProps {
  readonly points: readonly TrafficPoint[]
  readonly maxBitsPerSecond: number
  /** The arrow keys move it in this chart, so its values are read out. */
  readonly isRead: boolean
}

/** The crosshair at the moment that the pointer is at, in whichever chart, with time and both rates. */
export function TrafficCrosshair({ points, maxBitsPerSecond, isRead }: TrafficCrosshairProps) {
  const { frame, visible, hover } = useTrafficView()
  const [unit] = useTrafficUnit()
  const part = useSyncExternalStore(hover.subscribe, hover.get)
  if (part === null) return null
  const spanMs = visible.toMs - visible.fromMs
  const atMs = visible.fromMs + part * spanMs
  const point = nearestPoint(points, atMs, frame)
  const at = point === null ? part : Math.min(Math.max((point.atMs - visible.fromMs) / spanMs, 0), 1)
  const lines = toLines(point)
  return (
    <div className="nl-chart-cross" style={{ left: `${(at * 100).toFixed(3)}%` }}>
      {lines.map(
        ({ className, rate }) =>
          rate !== null && (
            <i key={className} className={className} style={{ bottom: `${(rate / maxBitsPerSecond) * 100}%` }} />
          ),
      )}
      <div className="nl-chart-tip" {...(isRead && { role: 'status' })} data-side={at > 0.5 ? 'left' : 'right'}>
        <time>{momentText(point?.atMs ?? atMs, frame)}</time>
        {point === null ? (
          <span className="nl-muted">无数据</span>
        ) : (
          lines.map(({ name, className, rate, peak }) => (
            <span key={name}>
              <span className={`nl-chart-key ${className}`}>{name}</span>
              <b>{rate === null ? '—' : rateNumber(rate, unit)}</b> {RATE_UNIT[unit].name}
              {peak !== undefined && <span className="nl-chart-tip-peak">峰值 {rateNumber(peak, unit)}</span>}
            </span>
          ))
        )}
      </div>
    </div>
  )
}

const toLines = (point: TrafficPoint | null) => [
  {
    name: '下行',
    className: 'nl-chart-down',
    rate: point?.downBitsPerSecond ?? null,
    peak: point?.peak?.downBitsPerSecond,
  },
  {
    name: '上行',
    className: 'nl-chart-up',
    rate: point?.upBitsPerSecond ?? null,
    peak: point?.peak?.upBitsPerSecond,
  },
]
