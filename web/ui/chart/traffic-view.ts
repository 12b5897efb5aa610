import { createContext, useContext, useMemo, useState } from 'react'
import type { TimeSpan, TrafficFrame } from './traffic-series.ts'

export const ZOOM = { min: 1, max: 2, step: 0.25 } as const // network 2

/** The part of a frame that is in sight: zoomed, it ends `panMs` before the frame does. */
function visibleSpan({ fromMs, toMs }: TimeSpan, zoom: number, panMs: number): TimeSpan {
  const spanMs = (toMs - fromMs) / zoom
  const end = toMs - Math.min(Math.max(panMs, 0), toMs - fromMs - spanMs)
  return { fromMs: end - spanMs, toMs: end }
}

/** Pointer position on the time axis of all charts of a page: 0 to 1 of the visible range, or null. */
interface HoverStore {
  readonly get: () => number | null
  readonly set: (at: number | null) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** Outside React's state, so that a moving pointer draws crosshairs only. */
function createHoverStore(): HoverStore {
  const listeners = new Set<() => void>()
  let at: number | null = null
  return {
    get: () => at,
    set(next) {
      if (next === at) return
      at = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export interface TrafficView {
  readonly frame: TrafficFrame
  readonly visible: TimeSpan
  readonly hover: HoverStore
  readonly zoom: number
  readonly setZoom: (zoom: number) => void
  /** Moves what is in sight by a part of its width; null where there is nothing to move. */
  readonly pan: ((part: number) => void) | null
}

export const TrafficViewContext = createContext<TrafficView | null>(null)

/** The view shared by the charts of a group. */
export function useTrafficView(): TrafficView {
  const view = useContext(TrafficViewContext)
  if (view === null) throw new Error('a chart stands outside of a TrafficChartGroup')
  return view
}

export function useCreateView(frame: TrafficFrame): TrafficView {
  const [zoom, setZoom] = useState<number>(ZOOM.min)
  const [panMs, setPanMs] = useState(0)
  const [hover] = useState(createHoverStore)
  const { fromMs, toMs, stepMs, axis } = frame
  return useMemo(() => {
    const shown: TrafficFrame = { fromMs, toMs, stepMs, axis }
    const isPannable = axis === 'clock' && zoom > ZOOM.min
    const visible = visibleSpan(shown, zoom, isPannable ? panMs : 0)
    const pan = (part: number) =>
      setPanMs(toMs - visibleSpan(shown, zoom, toMs - visible.toMs + part * (visible.toMs - visible.fromMs)).toMs)
    return { frame: shown, visible, hover, zoom, setZoom, pan: isPannable ? pan : null }
  }, [fromMs, toMs, stepMs, axis, zoom, panMs, hover])
}
