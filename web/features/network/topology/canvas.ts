import { type Cell, type CellAttrs, type EdgeMetadata, Graph, type NodeMetadata } from '@antv/x6'
import type { NodeStyle } from './styles.ts'
import { NODE_SIZE, type TopologyNode, type Point, type Topology, type TopologyEdge } from './layout.ts'
import { listenPinch } from './pinch.ts'

const NODE_SHAPE = 'netloom-node'
const EDGE_SHAPE = 'netloom-edge'
const TITLE_SHAPE = 'netloom-title'
const EDGE_CONNECTOR = 'netloom-edge-path'
const TROUBLE = /-(down|one_sided|mixed)$/
const SCALE = { min: 0.15, max: 2, fitMin: 0.4, fitMax: 1, focus: 1 } as const
const PADDING_PX = 24
const PHONE_PX = 480
const MARGIN_PX = 160 // rendered beyond each edge of the window, for panning
const CLICK_PX = 4 // a press that moved less is a click
const LAYER = { edge: 1, trouble: 2, node: 3 } as const // z-index: edges that are not up lie above the others

/** A Bézier curve with horizontal ends. */
function bend(from: Point, to: Point): string {
  const x = (from.x + to.x) / 2
  return `C${x} ${from.y} ${x} ${to.y} ${to.x} ${to.y}`
}

let isRegistered = false

/** Plain SVG: a node is five elements, an edge two. Colours come from classes on the first of them. */
function register(): void {
  if (isRegistered) return
  isRegistered = true
  Graph.registerNode(NODE_SHAPE, {
    width: NODE_SIZE.width,
    height: NODE_SIZE.height,
    zIndex: LAYER.node,
    markup: [
      { tagName: 'path', selector: 'outline' },
      { tagName: 'path', selector: 'mark', className: 'nl-node-icon' },
      { tagName: 'text', selector: 'title', className: 'nl-node-title' },
      { tagName: 'text', selector: 'sub', className: 'nl-node-sub' },
    ],
    attrs: {
      mark: { transform: 'translate(12 16)' },
      title: { x: 34, y: 18 },
      sub: { x: 34, y: 35 },
    },
  })
  Graph.registerNode(TITLE_SHAPE, {
    markup: [{ tagName: 'text', selector: 'title', className: 'nl-column-title' }],
    attrs: { title: { x: 0, y: 14 } },
  })
  Graph.registerEdge(EDGE_SHAPE, {
    markup: [
      { tagName: 'path', selector: 'line' },
      { tagName: 'path', selector: 'hit', className: 'nl-edge-hit' },
    ],
    attrs: { line: { connection: true, sourceMarker: null, targetMarker: null }, hit: { connection: true } },
    connector: { name: EDGE_CONNECTOR },
    zIndex: LAYER.edge,
  })
  Graph.registerConnector(EDGE_CONNECTOR, (from, to, [enter, leave]) =>
    enter === undefined || leave === undefined
      ? `M${from.x} ${from.y}${bend(from, to)}`
      : `M${from.x} ${from.y}${bend(from, enter)}H${leave.x}${bend(leave, to)}`,
  )
}

export interface CanvasEvents {
  readonly onPick: (id: string) => void
  readonly onHover: (id: string | null, at: { readonly x: number; readonly y: number }) => void
}

export interface Canvas {
  /** Redraws with `anchor` at its place on the screen; fits the window the first time. */
  readonly draw: (topology: Topology, anchor: string | null) => void
  /** Updates in place the cells whose style changed. */
  readonly paint: (nodeStyle: (node: TopologyNode) => NodeStyle, edgeClass: (edge: TopologyEdge) => string) => void
  readonly fit: () => void
  readonly zoom: (factor: number) => void
  readonly pan: (x: number, y: number) => void
  /** Centres a node. */
  readonly focus: (id: string) => void
  /** Highlights a node or an edge with everything connected to it; null clears. */
  readonly highlight: (id: string | null) => void
  /** Renders all cells, visible or not, and passes the element that holds them. */
  readonly withAllCells: <T>(use: (stage: SVGElement) => T) => T
  readonly dispose: () => void
}

function newGraph(container: HTMLElement): Graph {
  register()
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
      modifiers: ['ctrl', 'meta'], // the plain wheel scrolls the page
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
  graph.on('cell:mousedown', ({ e }) => (pressed = pointer(e)))
  graph.on('cell:click', ({ e, cell }) => {
    const { x, y } = pointer(e)
    const isDrag = Math.hypot(x - pressed.x, y - pressed.y) > CLICK_PX
    if (!isDrag && cell.shape !== TITLE_SHAPE) events.onPick(cell.id)
  })
  graph.on('node:mouseenter', ({ e, node }) => node.shape === NODE_SHAPE && events.onHover(node.id, pointer(e)))
  graph.on('edge:mouseenter', ({ e, edge }) => events.onHover(edge.id, pointer(e)))
  graph.on('cell:mouseleave', () => events.onHover(null, { x: 0, y: 0 }))
  graph.on('translate', () => events.onHover(null, { x: 0, y: 0 }))
  listenPinch(container, ({ factor, at, by }) => {
    graph.translateBy(by.x, by.y)
    graph.zoomTo(graph.zoom() * factor, { center: graph.clientToGraph(at), minScale: SCALE.min, maxScale: SCALE.max })
  })
}

/** Fits the drawing; below a readable scale, shows its top left. */
function fitTo(graph: Graph, container: HTMLElement, drawn: Topology): void {
  const { width, height } = (container.parentElement ?? container).getBoundingClientRect()
  const padding = width < PHONE_PX ? PADDING_PX / 3 : PADDING_PX
  const whole = Math.min((width - 2 * padding) / drawn.width, (height - 2 * padding) / drawn.height)
  const scale = Math.min(SCALE.fitMax, Math.max(SCALE.fitMin, whole))
  graph.zoomTo(scale)
  graph.translate(
    Math.max(padding, (width - drawn.width * scale) / 2),
    Math.max(padding, (height - drawn.height * scale) / 2),
  )
}

export function openCanvas(container: HTMLElement, events: CanvasEvents): Canvas {
  const graph = newGraph(container)
  listen(graph, container, events)
  let drawn: Topology | null = null
  const applied = new Map<string, string>()
  let highlighted: readonly string[] = []

  // Before the first pan or zoom, a resize fits again.
  let isFitted = false
  const fit = () => {
    if (drawn === null) return
    fitTo(graph, container, drawn)
    graph.renderer.setRenderArea(graph.getGraphArea().inflate(MARGIN_PX)) // X6 itself updates it 200 ms later
    isFitted = true
  }
  graph.on('translate', () => (isFitted = false))
  graph.on('scale', () => (isFitted = false))
  graph.on('resize', () => isFitted && fit())

  return {
    fit,
    draw(topology, anchor) {
      const isFirst = drawn === null
      const before = findNode(drawn, anchor)
      const after = findNode(topology, anchor)
      drawn = topology
      applied.clear()
      highlighted = []
      graph.resetCells(createCells(graph, topology))
      if (isFirst) fit()
      else if (before && after)
        graph.translateBy((before.x - after.x) * graph.zoom(), (before.y - after.y) * graph.zoom())
    },
    paint(nodeStyle, edgeClass) {
      graph.batchUpdate(() => {
        for (const node of drawn?.nodes ?? []) {
          const { className, outline, mark, title, sub } = nodeStyle(node)
          restyle(node.id, `${className}|${outline}|${mark}|${title}|${sub}`, () => ({
            outline: { class: `nl-node ${className}`, d: outline },
            mark: { d: mark },
            title: { text: title },
            sub: { text: sub },
          }))
        }
        for (const edge of drawn?.edges ?? []) {
          const className = edgeClass(edge)
          const isNew = restyle(edge.id, className, () => ({ line: { class: className } }))
          if (isNew) graph.getCellById(edge.id)?.setZIndex(TROUBLE.test(className) ? LAYER.trouble : LAYER.edge)
        }
      })
    },
    zoom: (factor) => void graph.zoomTo(graph.zoom() * factor, { minScale: SCALE.min, maxScale: SCALE.max }),
    pan: (x, y) => void graph.translateBy(x, y),
    focus(id) {
      const cell = graph.getCellById(id)
      if (!cell?.isNode()) return
      graph.zoomTo(Math.max(graph.zoom(), SCALE.focus))
      graph.centerPoint(cell.getBBox().center.x, cell.getBBox().center.y)
    },
    highlight(id) {
      for (const old of highlighted) graph.findViewByCell(old)?.container.classList.remove('nl-highlighted')
      highlighted = id === null ? [] : withNeighbours(id, drawn)
      for (const one of highlighted) graph.findViewByCell(one)?.container.classList.add('nl-highlighted')
    },
    withAllCells(use) {
      graph.disableVirtualRender()
      try {
        return use(graph.view.viewport)
      } finally {
        graph.enableVirtualRender()
      }
    },
    dispose: () => graph.dispose(),
  }

  function restyle(id: string, look: string, attrs: () => CellAttrs): boolean {
    if (applied.get(id) === look) return false
    applied.set(id, look)
    graph.getCellById(id)?.setAttrs(attrs())
    return true
  }
}

const findNode = (topology: Topology | null, id: string | null): TopologyNode | undefined =>
  topology?.nodes.find((node) => node.id === id)

function withNeighbours(id: string, topology: Topology | null): readonly string[] {
  const connected = (topology?.edges ?? []).filter((edge) => edge.id === id || edge.ends.includes(id))
  return [...new Set([id, ...connected.map((edge) => edge.id)])]
}

function createCells(graph: Graph, { edges, nodes, titles }: Topology): Cell[] {
  const title = { shape: TITLE_SHAPE, y: 0, width: NODE_SIZE.width, height: 20 }
  return [
    ...edges.map((edge) => graph.createEdge(edgeCell(edge))),
    ...nodes.map((node) => graph.createNode(nodeCell(node))),
    ...titles.map(({ label, x }) => graph.createNode({ ...title, x, attrs: { title: { text: label } } })),
  ]
}

function nodeCell({ id, x, y }: TopologyNode): NodeMetadata {
  return { id, shape: NODE_SHAPE, x, y }
}

function edgeCell({ id, from, to, lane }: TopologyEdge): EdgeMetadata {
  return {
    id,
    shape: EDGE_SHAPE,
    source: { ...from },
    target: { ...to },
    vertices: (lane ?? []).map((at) => ({ ...at })),
  }
}
