import { type KeyboardEvent, lazy, type PointerEvent, Suspense, useMemo, useRef, useState } from 'react'
import { RATE_UNIT } from '#lib/format/format-unit.ts'
import { timeTicks, valueAxis } from './traffic-axis.ts'
import { TrafficCrosshair } from './traffic-crosshair.tsx'
import { chartText, downOf, nearestPoint, plot, stats, type TrafficPoint, upOf } from './traffic-series.ts'
import { useTrafficUnit } from './traffic-unit.ts'
import { type TrafficView, useTrafficView } from './traffic-view.ts'

interface TrafficPlotProps {
  readonly label: string
  readonly points: readonly TrafficPoint[]
  /** Stands over the curve. */
  readonly message: string | undefined
  readonly empty: string
}

const Canvas = lazy(() => import('./traffic-chart-canvas.tsx'))

/** Axes and curves. The chart library, its own chunk, comes when a chart is drawn. */
export function TrafficPlot({ label, points, message, empty }: TrafficPlotProps) {
  const view = useTrafficView()
  const [unit] = useTrafficUnit()
  const { frame, visible } = view
  const down = useMemo(() => plot(points, downOf, frame), [points, frame])
  const up = useMemo(() => plot(points, upOf, frame), [points, frame])
  const peak = Math.max(stats(points, downOf, visible).peak ?? 0, stats(points, upOf, visible).peak ?? 0)
  const { maxBitsPerSecond, ticks } = valueAxis(peak, unit)
  const [isFocused, setIsFocused] = useState(false)
  const isEmpty = down.length === 0 && up.length === 0
  const text = message ?? (isEmpty ? empty : undefined)
  return (
    <>
      <span className="nl-chart-unit" aria-hidden="true">
        {RATE_UNIT[unit].name}
      </span>
      <div className="nl-chart-values" aria-hidden="true">
        {ticks.map(({ at, text: value }) => (
          <span key={at} style={{ bottom: percent(at) }}>
            {value}
          </span>
        ))}
      </div>
      <div
        className="nl-chart-plot"
        role="group"
        tabIndex={0}
        data-drags={view.pan !== null}
        onFocus={() => setIsFocused(true)}
        onBlur={() => {
          setIsFocused(false)
          view.hover.set(null)
        }}
        {...usePointer(view, points)}
        aria-label={`${label} 曲线，按左右方向键查看数值`}
      >
        {ticks.map(({ at }) => (
          <i key={at} className="nl-chart-grid" style={{ bottom: percent(at) }} />
        ))}
        <div className="nl-chart-canvas" role="img" aria-label={chartText(label, points, visible, unit)}>
          {!isEmpty && (
            <Suspense fallback={null}>
              <Canvas down={down} up={up} frame={frame} visible={visible} maxBitsPerSecond={maxBitsPerSecond} />
            </Suspense>
          )}
        </div>
        <TrafficCrosshair points={points} maxBitsPerSecond={maxBitsPerSecond} isRead={isFocused} />
        {text !== undefined && <p className="nl-chart-message">{text}</p>}
      </div>
      <div className="nl-chart-times" aria-hidden="true">
        {timeTicks(visible, frame.axis).map(({ at, text: time }) => (
          <span
            key={time}
            style={{ left: percent(at) }}
            data-edge={at > 0.97 ? 'end' : at < 0.03 ? 'start' : undefined}
          >
            {time}
          </span>
        ))}
      </div>
    </>
  )
}

const percent = (part: number): string => `${(part * 100).toFixed(3)}%`

/** The pointer and the arrow keys move the crosshair of the page; dragging moves what is in sight. */
function usePointer({ hover, pan, visible, frame }: TrafficView, points: readonly TrafficPoint[]) {
  const dragged = useRef<number | null>(null)
  const part = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(Math.max((clientX - left) / (width || 1), 0), 1)
  }
  const spanMs = visible.toMs - visible.fromMs
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (pan === null) return hover.set(part(event))
      dragged.current = part(event)
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const at = part(event)
      if (dragged.current === null || pan === null) return hover.set(at)
      hover.set(null)
      pan(at - dragged.current)
      dragged.current = at
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (dragged.current !== null) hover.set(part(event))
      dragged.current = null
    },
    onPointerCancel() {
      dragged.current = null
      hover.set(null)
    },
    onPointerLeave: () => hover.set(null),
    onKeyDown({ key }: KeyboardEvent) {
      if (key === 'Escape') hover.set(null)
      const side = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0
      if (side === 0) return
      const at = hover.get()
      const nowMs = at === null ? null : visible.fromMs + at * spanMs
      const shown = nowMs === null ? null : nearestPoint(points, nowMs, frame)
      const within = points.filter(({ atMs }) => atMs >= visible.fromMs && atMs <= visible.toMs)
      const next =
        nowMs === null
          ? within.at(-1)
          : side === 1
            ? within.find(({ atMs }) => atMs > (shown?.atMs ?? nowMs))
            : within.findLast(({ atMs }) => atMs < (shown?.atMs ?? nowMs))
      if (next) hover.set((next.atMs - visible.fromMs) / spanMs)
    },
  }
}
