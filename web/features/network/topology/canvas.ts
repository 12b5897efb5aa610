import { type CellAttrs, Graph } from '@antv/x6'
import { createCells, edgeCell, registerShapes, SHAPE } from './canvas-cells.ts'
import type { TrunkStyle } from './edge-style.ts'
import type { TopologyEdge, Trunk } from './edges.ts'
import { NODE_HEIGHT_PX, PADDING_PX } from './grid.ts'
import type { Rect, Topology, TopologyNode } from './model.ts'
import { listenPinch } from './pinch.ts'
import { revealStep, scrollStep } from './scroll.ts'
import type { NodeStyle } from './node-style.ts'

/** At `fitMin` the texts have 12 and 13 px: a fit never makes them smaller. */
const SCALE = { min: 0.15, max: 2, fitMin: 1, fitMax: 1.25, focusMin: 0.8 } as const
const TOP_PX = 32
const MARGIN_PX = 160 // rendered beyond each edge of the window, for panning
const CLICK_PX = 4 // a press that moved less is a click
const LINE_PX = 16 // a wheel that counts in lines
const OPENED_ROWS_PX = 120 // of an opened fold, that are brought into sight

export interface CanvasEvents {
  /** Null: the ground. */
  readonly onPick: (id: string | null) => void
  readonly onHover: (id: string | null, at: { readonly x: number; readonly y: number }) => void
  readonly onScale: (scale: number) => void
}

export interface DrawnEdge {
  readonly edge: TopologyEdge
  readonly className: string
}

export interface Canvas {
  /** Redraws; fits the window the first time, and again until a pan or a zoom. */
  readonly draw: (topology: Topology, trunks: readonly Trunk[]) => void
  readonly paintNodes: (style: (node: TopologyNode) => NodeStyle) => void
  readonly paintLines: (edges: readonly DrawnEdge[], trunkStyle: (trunk: Trunk) => TrunkStyle) => void
  readonly fit: () => void
  readonly zoom: (factor: number) => void
  /** Pans as little as brings a node into sight. */
  readonly reveal: (id: string) => void
  /** Fits after a node was opened, and shows it with the first rows of what it holds. */
  readonly revealOpened: (id: string) => void
  /** Renders all cells, visible or not, and passes the element that holds them. */
  readonly withAllCells: <T>(use: (stage: SVGElement) => T) => T
  readonly dispose: () => void
}

function newGraph(container: HTMLElement): Graph {
  registerShapes()
  return new Graph({
    container,
    autoResize: container.parentElement ?? true,
    async: false,
    virtual: { enabled: true, margin: MARGIN_PX }, // only what is near the window is in the document
    interacting: false,
    clickThreshold: Infinity, // X6 counts move events, not pixels; see CLICK_PX
    panning: { enabled: true, eventTypes: ['leftMouseDown'] },
    mousewheel: {
      enabled: true,
      modifiers: ['ctrl', 'meta'], // the plain wheel scrolls
      zoomAtMousePosition: true,
      minScale: SCALE.min,
      maxScale: SCALE.max,
    },
    scaling: { min: SCALE.min, max: SCALE.max },
  })
}

function listen(graph: Graph, container: HTMLElement, events: CanvasEvents): void {
  const pointer = ({ clientX, clientY }: { clientX?: number; clientY?: number }) => {
    const { left, top } = container.getBoundingClientRect()
    return { x: (clientX ?? 0) - left, y: (clientY ?? 0) - top }
  }
  let pressed = { x: 0, y: 0 }
  const isClick = (e: { clientX?: number; clientY?: number }) => {
    const { x, y } = pointer(e)
    return Math.hypot(x - pressed.x, y - pressed.y) <= CLICK_PX
  }
  container.addEventListener('mousedown', (e) => (pressed = pointer(e)), { capture: true })
  graph.on('cell:click', ({ e, cell }) => {
    if (!isClick(e)) return
    events.onPick(cell.shape === SHAPE.title || cell.shape === SHAPE.frame ? null : cell.id)
  })
  graph.on('blank:click', ({ e }) => isClick(e) && events.onPick(null))
  graph.on('cell:mouseenter', ({ e, cell }) => {
    const isDragged = (e.buttons ?? 0) !== 0 // a pan passes over nodes; none of them is pointed at
    if (!isDragged && cell.shape !== SHAPE.title && cell.shape !== SHAPE.frame) events.onHover(cell.id, pointer(e))
  })
  graph.on('cell:mouseleave', () => events.onHover(null, { x: 0, y: 0 }))
  graph.on('translate', () => events.onHover(null, { x: 0, y: 0 }))
  graph.on('scale', ({ sx }) => events.onScale(sx))
  listenPinch(container, ({ factor, at, by }) => {
    graph.translateBy(by.x, by.y)
    graph.zoomTo(graph.zoom() * factor, { center: graph.clientToGraph(at), minScale: SCALE.min, maxScale: SCALE.max })
  })
}

const windowOf = (container: HTMLElement) => (container.parentElement ?? container).getBoundingClientRect()

/** Fits the drawing; where it is too large to be read at that scale, shows its top left. */
function fitTo(graph: Graph, container: HTMLElement, drawn: Topology): void {
  const { width, height } = windowOf(container)
  const whole = Math.min((width - 2 * PADDING_PX) / drawn.width, (height - 2 * PADDING_PX) / drawn.height)
  const scale = Math.min(SCALE.fitMax, Math.max(SCALE.fitMin, whole))
  graph.zoomTo(scale)
  graph.translate(
    Math.max(PADDING_PX, (width - drawn.width * scale) / 2),
    Math.max(PADDING_PX, Math.min(TOP_PX, (height - drawn.height * scale) / 2)),
  )
}

/** The plain wheel scrolls what is larger than the window, then the page. */
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
    graph.translateBy(x, y)
  }
  container.addEventListener('wheel', onWheel, { passive: false })
  return () => container.removeEventListener('wheel', onWheel)
}

export function openCanvas(container: HTMLElement, events: CanvasEvents): Canvas {
  const graph = newGraph(container)
  listen(graph, container, events)
  let drawn: Topology | null = null
  let trunks: readonly Trunk[] = []
  let lines = new Set<string>()
  const applied = new Map<string, string>()
  const unlistenWheel = listenWheel(graph, container, () => drawn)

  // Before the first pan or zoom, a resize fits again.
  let isFitted = false
  const fit = () => {
    if (drawn === null) return
    fitTo(graph, container, drawn)
    updateRenderArea()
    isFitted = true
  }
  const updateRenderArea = () => graph.renderer.setRenderArea(graph.getGraphArea().inflate(MARGIN_PX)) // X6 itself: 200 ms later
  graph.on('translate', () => (isFitted = false))
  graph.on('scale', () => (isFitted = false))
  graph.on('resize', () => isFitted && fit())

  const show = ({ x, y, width, height }: Rect) => {
    const [area, { tx, ty }, scale] = [windowOf(container), graph.translate(), graph.zoom()]
    const by = {
      x: revealStep({ offset: tx + x * scale, size: width * scale, window: area.width }),
      y: revealStep({ offset: ty + y * scale, size: height * scale, window: area.height }),
    }
    if (by.x === 0 && by.y === 0) return
    graph.translateBy(by.x, by.y)
    updateRenderArea()
  }
  const rectOf = (id: string | null): Rect | null => {
    const node = drawn?.nodes.find((one) => one.id === id)
    return node === undefined ? null : { x: node.x, y: node.y, width: drawn?.nodeWidth ?? 0, height: NODE_HEIGHT_PX }
  }

  /** Restyles a cell in place when its style differs from the last one. */
  const restyle = (id: string, style: string, attrs: () => CellAttrs) => {
    if (applied.get(id) === style) return
    applied.set(id, style)
    graph.getCellById(id)?.setAttrs(attrs())
  }

  return {
    fit,
    draw(topology, nextTrunks) {
      const isFirst = drawn === null
      drawn = topology
      trunks = nextTrunks
      lines = new Set()
      applied.clear()
      graph.resetCells(createCells(graph, topology, trunks))
      if (isFirst || isFitted) fit()
    },
    paintNodes(style) {
      graph.batchUpdate(() => {
        for (const node of drawn?.nodes ?? []) {
          const { className, outline, mark, title, sub, ports } = style(node)
          const key = [className, outline, mark, title, sub, ...Object.values(ports)].join('|')
          restyle(node.id, key, () => ({
            outline: { class: `nl-node ${className}`, d: outline },
            mark: { d: mark },
            title: { text: title },
            sub: { text: sub },
            ...Object.fromEntries(Object.entries(ports).map(([name, d]) => [name, { d }])),
          }))
        }
      })
    },
    paintLines(edges, trunkStyle) {
      const next = new Set(edges.map(({ edge }) => edge.id))
      graph.batchUpdate(() => {
        graph.removeCells([...lines].filter((id) => !next.has(id)))
        for (const id of lines) if (!next.has(id)) applied.delete(id)
        graph.addCell(
          edges.filter(({ edge }) => !lines.has(edge.id)).map(({ edge }) => graph.createEdge(edgeCell(edge))),
        )
        for (const { edge, className } of edges) restyle(edge.id, className, () => ({ line: { class: className } }))
        for (const trunk of trunks) {
          const { className, widthPx, label } = trunkStyle(trunk)
          restyle(trunk.id, `${className}|${widthPx}|${label}`, () => ({
            line: { class: `${className} nl-trunk`, style: { strokeWidth: `${widthPx}px` } },
            label: { text: label },
          }))
        }
      })
      lines = next
    },
    zoom: (factor) => void graph.zoomTo(graph.zoom() * factor, { minScale: SCALE.min, maxScale: SCALE.max }),
    reveal(id) {
      const rect = rectOf(id)
      if (rect === null) return
      if (graph.zoom() < SCALE.focusMin) graph.zoomTo(SCALE.fitMin)
      show(rect)
    },
    revealOpened(id) {
      fit()
      const rect = rectOf(id)
      if (rect !== null) show({ ...rect, height: Math.min(OPENED_ROWS_PX, (drawn?.height ?? 0) - rect.y) })
    },
    withAllCells(use) {
      graph.disableVirtualRender()
      try {
        return use(graph.view.viewport)
      } finally {
        graph.enableVirtualRender()
      }
    },
    dispose() {
      unlistenWheel()
      graph.dispose()
    },
  }
}
