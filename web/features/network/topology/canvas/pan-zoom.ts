import type { Graph } from '@antv/x6'
import { PADDING_PX, SCALE } from '../layout/grid.ts'
import type { Point, Rect, Topology } from '../layout/topology-types.ts'

/* Panning and zooming of the topology drawing: fit to the window, wheel, pinch, and scroll to a node. */

export const MARGIN_PX = 160 // rendered beyond each edge of the window, for panning
const LINE_PX = 16 // step of a wheel that counts in lines

const windowOf = (container: HTMLElement) => (container.parentElement ?? container).getBoundingClientRect()

const windowSize = () => `${innerWidth} ${innerHeight}`

/** Fits the drawing into the window, centred. If it would be too small to read, shows its top left instead. */
function fitTo(graph: Graph, container: HTMLElement, drawn: Topology): void {
  const { width, height } = windowOf(container)
  const whole = Math.min((width - 2 * PADDING_PX) / drawn.width, (height - 2 * PADDING_PX) / drawn.height)
  const scale = Math.min(SCALE.fitMax, Math.max(SCALE.min, whole))
  graph.zoomTo(scale)
  // Whole pixels, because texts of a layer between pixels are blurred.
  graph.translate(
    Math.round(Math.max(PADDING_PX, (width - drawn.width * scale) / 2)),
    Math.round(Math.max(PADDING_PX, (height - drawn.height * scale) / 2)),
  )
}

function panTo(graph: Graph, container: HTMLElement, { x, y, width, height }: Rect): void {
  const [area, { tx, ty }, scale] = [windowOf(container), graph.translate(), graph.zoom()]
  const by = {
    x: revealStep({ offset: tx + x * scale, size: width * scale, window: area.width }),
    y: revealStep({ offset: ty + y * scale, size: height * scale, window: area.height }),
  }
  if (by.x !== 0 || by.y !== 0) graph.translateBy(by.x, by.y)
}

/** The plain wheel scrolls a drawing larger than the window, then the page. */
function listenWheel(graph: Graph, container: HTMLElement, sizeOf: () => Topology | null): () => void {
  const onWheel = (event: WheelEvent) => {
    const drawn = sizeOf()
    if (event.ctrlKey || event.metaKey || drawn === null) return
    const [{ width, height }, { tx, ty }, scale] = [windowOf(container), graph.translate(), graph.zoom()]
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1
    const x = scrollStep({ offset: tx, size: drawn.width * scale, window: width }, event.deltaX * unit)
    const y = scrollStep({ offset: ty, size: drawn.height * scale, window: height }, event.deltaY * unit)
    if (x === 0 && y === 0) return
    event.preventDefault()
    graph.translateBy(Math.round(x), Math.round(y))
  }
  container.addEventListener('wheel', onWheel, { passive: false })
  return () => container.removeEventListener('wheel', onWheel)
}

/** Pans on a layer of its own, which is rastered once and moved. After a zoom an old layer would be blurred. */
function keepRaster(graph: Graph): void {
  const { style } = graph.view.viewport
  let isRescaled = false // since the last frame; the layer would still be the old one
  graph.on('scale', () => {
    style.willChange = ''
    isRescaled = true
    requestAnimationFrame(() => (isRescaled = false))
  })
  graph.on('translate', () => {
    if (!isRescaled) style.willChange = 'transform'
  })
}

/** X6 renders newly visible cells every 200 ms; a fast pan has left the rendered area by then. */
function followPan(graph: Graph, render: () => void): void {
  let rendered = { tx: 0, ty: 0 }
  graph.on('translate', ({ tx, ty }) => {
    if (Math.max(Math.abs(tx - rendered.tx), Math.abs(ty - rendered.ty)) < MARGIN_PX / 2) return
    rendered = { tx, ty }
    render()
  })
}

export function createView(graph: Graph, container: HTMLElement, sizeOf: () => Topology | null) {
  let isFitted = false
  let isMoving = false // by this view, not by the person
  let fittedTo = ''
  let shown: (() => Rect | null) | null = null // until the person pans or zooms; after a change of size it is shown again
  const updateRenderArea = () => graph.renderer.setRenderArea(graph.getGraphArea().inflate(MARGIN_PX)) // X6 itself: 200 ms later
  const move = (by: () => void) => {
    isMoving = true
    by()
    isMoving = false
    updateRenderArea()
  }
  const fit = () => {
    const drawn = sizeOf()
    if (drawn === null) return
    move(() => fitTo(graph, container, drawn))
    isFitted = true
    fittedTo = windowSize()
    shown = null
  }
  /** Pans as little as needed to bring a part into the window; null if it is not drawn. */
  const show = (part: () => Rect | null) => {
    const rect = part()
    if (rect === null) return
    move(() => panTo(graph, container, rect))
    shown = part
  }
  /** Fits again, and shows the same part again, unless the person has panned or zoomed since. */
  const refit = () => {
    if (!isFitted) return
    const part = shown
    fit()
    if (part !== null) show(part)
  }
  const onMoved = () => {
    if (isMoving) return
    isFitted = false
    shown = null
  }
  graph.on('translate', onMoved)
  graph.on('scale', onMoved)
  keepRaster(graph)
  followPan(graph, updateRenderArea)
  // A panel or a notice takes room from the drawing, and moves no node but to keep the selected one in sight.
  graph.on('resize', () => {
    if (windowSize() !== fittedTo) return refit()
    if (shown !== null) show(shown)
    updateRenderArea()
  })
  const unlistenWheel = listenWheel(graph, container, sizeOf)
  listenPinch(container, ({ factor, at, by }) => {
    graph.translateBy(by.x, by.y)
    graph.zoomTo(graph.zoom() * factor, { center: graph.clientToGraph(at), minScale: SCALE.min, maxScale: SCALE.max })
  })
  return {
    fit,
    refit,
    zoom: (factor: number) => void graph.zoomTo(graph.zoom() * factor, { minScale: SCALE.min, maxScale: SCALE.max }),
    show,
    dispose: unlistenWheel,
  }
}

/** One axis of the drawing in its window, in pixels of the screen. */
interface Extent {
  readonly offset: number
  readonly size: number
  readonly window: number
}

/** Distance by which a wheel turn scrolls the drawing; 0 at its end, so that the page scrolls instead. */
export function scrollStep({ offset, size, window }: Extent, delta: number): number {
  const hidden = delta > 0 ? offset + size + PADDING_PX - window : PADDING_PX - offset
  const step = Math.min(Math.abs(delta), Math.max(0, hidden))
  return delta > 0 ? -step : step
}

/** Smallest move that brings a part of the drawing into the window, or its start if it is larger than the window. */
export function revealStep({ offset, size, window }: Extent): number {
  if (offset < PADDING_PX || size > window - 2 * PADDING_PX) return PADDING_PX - offset
  return Math.min(0, window - PADDING_PX - (offset + size))
}

interface Pinch {
  readonly middle: Point
  readonly widthPx: number
}

export interface PinchMove {
  /** Factor of the scale since the last move. */
  readonly factor: number
  /** Middle of the fingers, in the window's coordinates. */
  readonly at: Point
  /** Movement of that point since the last move. */
  readonly by: Point
}

/**
 * Two fingers zoom and pan at once. X6 supports one finger and would follow the first: its move events are stopped until
 * all fingers are lifted.
 */
export function listenPinch(element: HTMLElement, onMove: (move: PinchMove) => void): void {
  let before: Pinch | null = null
  let isPinching = false
  const count = ({ touches }: TouchEvent) => {
    before = toPinch(touches)
    isPinching = before !== null || (isPinching && touches.length > 0)
  }
  const move = (event: TouchEvent) => {
    if (!isPinching) return
    event.stopPropagation()
    const now = toPinch(event.touches)
    if (now !== null && before !== null) {
      const by = { x: now.middle.x - before.middle.x, y: now.middle.y - before.middle.y }
      onMove({ factor: now.widthPx / before.widthPx, at: now.middle, by })
    }
    before = now
  }
  element.addEventListener('touchstart', count, { capture: true, passive: true })
  element.addEventListener('touchmove', move, { capture: true, passive: true })
  for (const end of ['touchend', 'touchcancel'] as const) element.addEventListener(end, count, { passive: true })
}

function toPinch(touches: TouchList): Pinch | null {
  const [one, two] = [touches[0], touches[1]]
  if (one === undefined || two === undefined) return null
  return {
    middle: { x: (one.clientX + two.clientX) / 2, y: (one.clientY + two.clientY) / 2 },
    widthPx: Math.max(1, Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY)),
  }
}
