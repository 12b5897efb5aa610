import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useStore } from '#lib/store.ts'
import { type ChartUnit, momentText } from './chart-axis.ts'
import { type ChartView, useChartView } from './chart-group.tsx'
import { type ChartSeries, momentAt, momentsOf, nextMoment, pointAt } from './chart-series.ts'

/* Crosshair that all charts of a group share, with time and values, and its pointer and key input. */

interface ChartCrosshairProps {
  readonly series: readonly ChartSeries[]
  readonly unit: ChartUnit
  readonly top: number
  /** The arrow keys move it in this chart, so a screen reader reads its values. */
  readonly isRead: boolean
}

export function ChartCrosshair({ series, unit, top, isRead }: ChartCrosshairProps) {
  const { frame, visible, hover } = useChartView()
  const part = useStore(hover)
  if (part === null) return null
  const pointedMs = timeOf(part, visible)
  const momentMs = momentAt(momentsOf(series), pointedMs, frame)
  const at = momentMs === null ? part : partOf(momentMs, visible)
  const lines = series.map((one) => {
    const point = momentMs === null ? undefined : pointAt(one, momentMs, frame)
    return { ...one, value: point?.value ?? null, peak: point?.peak }
  })
  return (
    <div className="nl-chart-cross" style={{ '--nl-at': at } as CSSProperties}>
      {lines.map(
        ({ name, colour, value }) =>
          value !== null && <i key={name} style={{ ...lineColour(colour), bottom: `${(value / top) * 100}%` }} />,
      )}
      <div className="nl-chart-tip" {...(isRead && { role: 'status' })} data-side={at > 0.5 ? 'left' : 'right'}>
        <time>{momentText(momentMs ?? pointedMs, frame)}</time>
        {momentMs === null ? (
          <span className="nl-muted">无数据</span>
        ) : (
          lines.map(({ value, peak, ...one }) => (
            <span key={one.name}>
              <LineName series={one} />
              <Value value={value} unit={unit} />
              {peak !== undefined && <span className="nl-chart-tip-peak">峰值 {unit.figureText(peak)}</span>}
            </span>
          ))
        )}
      </div>
    </div>
  )
}

export function LineName({ series }: { readonly series: Omit<ChartSeries, 'points'> }) {
  return (
    <span className="nl-chart-key" data-drawing={series.drawing} style={lineColour(series.colour)}>
      <span className="nl-clip">{series.name}</span>
    </span>
  )
}

const lineColour = (colour: ChartSeries['colour']) => ({ '--nl-line-colour': `var(${colour})` }) as CSSProperties

function Value({ value, unit }: { readonly value: number | null; readonly unit: ChartUnit }) {
  const [figure, symbol] = value === null ? ['—', unit.name] : unit.text(value).split(' ')
  return (
    <>
      <b>{figure}</b>
      {symbol !== undefined && symbol !== '' && ` ${symbol}`}
    </>
  )
}

type Visible = ChartView['visible']
/** Whole milliseconds, so that the time matches a sample. */
const timeOf = (part: number, { fromMs, toMs }: Visible): number => Math.round(fromMs + part * (toMs - fromMs))
const partOf = (atMs: number, { fromMs, toMs }: Visible): number =>
  Math.min(Math.max((atMs - fromMs) / (toMs - fromMs), 0), 1)

/** Handlers of pointer and keys that move the crosshair of the group; dragging moves the visible span. */
export function useCrosshairInput({ hover, pan, visible, frame }: ChartView, series: readonly ChartSeries[]) {
  const dragged = useRef<number | null>(null)
  const part = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(Math.max((clientX - left) / (width || 1), 0), 1)
  }
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
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Escape') return hover.set(null)
      const at = hover.get()
      const fromMs = at === null ? null : timeOf(at, visible)
      const moments = momentsOf(series)
      const within = moments.filter((moment) => moment >= visible.fromMs && moment <= visible.toMs)
      const next = nextMoment(event.key, within, fromMs === null ? null : (momentAt(moments, fromMs, frame) ?? fromMs))
      if (next === null) return
      event.preventDefault()
      hover.set(partOf(next, visible))
    },
  }
}
