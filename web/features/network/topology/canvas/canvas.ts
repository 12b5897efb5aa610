import { type Cell, type CellViewEventArgs, Graph } from '@antv/x6'
import type { Trunk } from '../layout/edges.ts'
import { NODE_HEIGHT_PX, SCALE } from '../layout/grid.ts'
import type { Rect, Topology, TopologyNode } from '../layout/topology-types.ts'
import type { NodeStyle } from '../node-style.ts'
import { memberAt, rectInMap } from '../layout/density-map.ts'
import { createCells, createPainter, type DrawnEdge, MAP_ID, registerShapes, SHAPE } from './canvas-paint.ts'
import { type MapStyle, mapParts } from './map-parts.ts'
import { createView, MARGIN_PX } from './pan-zoom.ts'
import { LINE_ID } from './cell-parts.ts'
import type { TrunkStyle } from './edge-style.ts'

/* Canvas of the topology drawing on X6: sets up the graph, draws a layout, and reports clicks, hovers and scale. */

const CLICK_PX = 4 // a press that moved less is a click
const OPENED_ROWS_PX = 120 // rows of an opened fold that are brought into sight

export interface CanvasEvents {
  /** Null stands for the background. */
  readonly onPick: (id: string | null) => void
  readonly onHover: (id: string | null, at: { readonly x: number; readonly y: number }) => void
  readonly onScale: (scale: number) => void
}

export type Canvas = ReturnType<typeof openCanvas>

function newGraph(container: HTMLElement): Graph {
  registerShapes()
  return new Graph({
    container,
    autoResize: container.parentElement ?? true,
    async: false,
    virtual: { enabled: true, margin: MARGIN_PX }, // only cells near the window are in the document
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

type PointerAt = Pick<MouseEvent, 'clientX' | 'clientY'>

/** Id that a click on a cell picks; null for the background. A cell of the density map picks its member. */
function pickedId({ id, shape }: Cell, target: Element, inMap: () => string | null): string | null {
  if (shape === SHAPE.map) return inMap()
  if (shape === SHAPE.lines) return target.closest(`[${LINE_ID}]`)?.getAttribute(LINE_ID) ?? null
  return shape === SHAPE.title || shape === SHAPE.frame ? null : id
}

function listen(
  graph: Graph,
  container: HTMLElement,
  events: CanvasEvents,
  inMap: (at: Partial<PointerAt>) => string | null,
): void {
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
  graph.on('cell:click', ({ e, cell }) => isClick(e) && events.onPick(pickedId(cell, e.target, () => inMap(e))))
  graph.on('blank:click', ({ e }) => isClick(e) && events.onPick(null))
  const hover = ({ e, cell }: CellViewEventArgs['cell:mouseenter' | 'cell:mouseover']) => {
    const id = pickedId(cell, e.target, () => inMap(e))
    const isDragged = (e.buttons ?? 0) !== 0 // a pan passes over nodes without pointing at them
    if (!isDragged && id !== null) events.onHover(id, pointer(e))
  }
  graph.on('cell:mouseenter', hover)
  graph.on('cell:mouseover', (event) => event.cell.shape === SHAPE.lines && hover(event)) // from line to line
  let pointed: string | null = null
  container.addEventListener('mousemove', (e) => {
    const isOver =
      e.buttons === 0 && e.target instanceof Element && e.target.closest(`[data-cell-id="${MAP_ID}"]`) !== null
    const name = isOver ? inMap(e) : null
    if (name !== pointed && (name !== null || isOver)) events.onHover(name, pointer(e))
    pointed = name
  })
  graph.on('cell:mouseleave', () => events.onHover(null, { x: 0, y: 0 }))
  graph.on('translate', () => events.onHover(null, { x: 0, y: 0 }))
  graph.on('scale', ({ sx }) => events.onScale(sx))
}

export function openCanvas(container: HTMLElement, events: CanvasEvents) {
  const graph = newGraph(container)
  let drawn: Topology | null = null
  listen(graph, container, events, ({ clientX = 0, clientY = 0 }) => {
    const map = drawn?.map ?? null
    return map === null ? null : memberAt(map, graph.clientToLocal(clientX, clientY))
  })
  let trunks: readonly Trunk[] = []
  const view = createView(graph, container, () => drawn)
  const painter = createPainter(graph)
  const rectOf = (id: string): Rect | null => {
    const node = drawn?.nodes.find((one) => one.id === id)
    if (node === undefined) return rectInMap(drawn?.map ?? null, id)
    return { x: node.x, y: node.y, width: drawn?.nodeWidth ?? 0, height: NODE_HEIGHT_PX }
  }
  return {
    fit: view.fit,
    zoom: view.zoom,
    /** Redraws; fits the window the first time, and again until a pan or a zoom. */
    draw(topology: Topology, nextTrunks: readonly Trunk[]) {
      const isFirst = drawn === null
      drawn = topology
      trunks = nextTrunks
      painter.reset(topology)
      graph.resetCells(createCells(graph, topology, trunks))
      if (isFirst) view.fit()
      else view.refit()
    },
    paintNodes: (style: (node: TopologyNode) => NodeStyle) => painter.paintNodes(drawn?.nodes ?? [], style),
    paintMap(style: MapStyle) {
      if (drawn?.map) painter.paintMap(mapParts(drawn.map, style))
    },
    paintLines: (edges: readonly DrawnEdge[], trunkStyle: (trunk: Trunk) => TrunkStyle) =>
      painter.paintLines(edges, trunks, trunkStyle),
    /** Pans as little as needed to bring a node into sight. */
    reveal: (id: string) => view.show(() => rectOf(id)),
    /** Fits after a node was opened, and shows it with its first rows. */
    revealOpened(id: string) {
      view.fit()
      view.show(() => {
        const rect = rectOf(id)
        return rect && { ...rect, height: Math.min(OPENED_ROWS_PX, (drawn?.height ?? 0) - rect.y) }
      })
    },
    /** Renders all cells, visible or not, and passes the element that holds them. */
    withAllCells<T>(use: (stage: SVGElement) => T): T {
      graph.disableVirtualRender()
      try {
        return use(graph.view.viewport)
      } finally {
        graph.enableVirtualRender()
      }
    },
    dispose() {
      view.dispose()
      graph.dispose()
    },
  }
}
