import { type Cell, type CellAttrs, type EdgeMetadata, Graph, type NodeMetadata } from '@antv/x6'
import type { BoxLook } from './looks.ts'
import { BOX, type Box, type Spot, type Topology, type Wire } from './layout.ts'
import { listenPinch } from './pinch.ts'

const BOX_SHAPE = 'netloom-box'
const WIRE_SHAPE = 'netloom-wire'
const TITLE_SHAPE = 'netloom-title'
const WIRE_PATH = 'netloom-wire-path'
const TROUBLE = /-(down|one_sided|mixed)$/
const SCALE = { min: 0.15, max: 2, fitMin: 0.4, fitMax: 1, focus: 1 } as const
const PADDING_PX = 24
const PHONE_PX = 480
const MARGIN_PX = 160 // drawn around the window, ready to be moved into it
const CLICK_PX = 4 // a hand is never quite still while it clicks
const LAYER = { wire: 1, trouble: 2, box: 3 } as const // trouble is never hidden under what is well

/** Leaves and arrives level. */
function bend(from: Spot, to: Spot): string {
  const x = (from.x + to.x) / 2
  return `C${x} ${from.y} ${x} ${to.y} ${to.x} ${to.y}`
}

let isRegistered = false

/** Plain SVG: a node is five elements, an edge two. Colours come from classes on the first of them. */
function register(): void {
  if (isRegistered) return
  isRegistered = true
  Graph.registerNode(BOX_SHAPE, {
    width: BOX.width,
    height: BOX.height,
    zIndex: LAYER.box,
    markup: [
      { tagName: 'path', selector: 'outline' },
      { tagName: 'path', selector: 'mark', className: 'nl-box-mark' },
      { tagName: 'text', selector: 'title', className: 'nl-box-title' },
      { tagName: 'text', selector: 'sub', className: 'nl-box-sub' },
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
  Graph.registerEdge(WIRE_SHAPE, {
    markup: [
      { tagName: 'path', selector: 'line' },
      { tagName: 'path', selector: 'hit', className: 'nl-wire-hit' },
    ],
    attrs: { line: { connection: true, sourceMarker: null, targetMarker: null }, hit: { connection: true } },
    connector: { name: WIRE_PATH },
    zIndex: LAYER.wire,
  })
  Graph.registerConnector(WIRE_PATH, (from, to, [enter, leave]) =>
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
  /** Draws anew, with `anchor` where it was on the screen; the first time, all of it. */
  readonly draw: (topology: Topology, anchor: string | null) => void
  /** Recolours what looks different from before, in place. */
  readonly paint: (boxLook: (box: Box) => BoxLook, wireClass: (wire: Wire) => string) => void
  readonly fit: () => void
  readonly zoom: (factor: number) => void
  readonly pan: (x: number, y: number) => void
  /** Brings a box into the middle. */
  readonly focus: (id: string) => void
  /** Lifts a box or a wire out, with all that is tied to it; null lets go. */
  readonly highlight: (id: string | null) => void
  /** Everything, drawn or not, as the element that holds it. */
  readonly whole: <T>(use: (stage: SVGElement) => T) => T
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
    clickThreshold: Infinity, // it counts moves, not how far they went
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
  graph.on('node:mouseenter', ({ e, node }) => node.shape === BOX_SHAPE && events.onHover(node.id, pointer(e)))
  graph.on('edge:mouseenter', ({ e, edge }) => events.onHover(edge.id, pointer(e)))
  graph.on('cell:mouseleave', () => events.onHover(null, { x: 0, y: 0 }))
  graph.on('translate', () => events.onHover(null, { x: 0, y: 0 }))
  listenPinch(container, ({ factor, at, by }) => {
    graph.translateBy(by.x, by.y)
    graph.zoomTo(graph.zoom() * factor, { center: graph.clientToGraph(at), minScale: SCALE.min, maxScale: SCALE.max })
  })
}

/** Shows the whole drawing; where it would be too small to read, its beginning. */
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
  const looks = new Map<string, string>()
  let lifted: readonly string[] = []

  // As long as nobody has moved it, the drawing goes on filling a window that changes its size.
  let isFitted = false
  const fit = () => {
    if (drawn === null) return
    fitTo(graph, container, drawn)
    graph.renderer.setRenderArea(graph.getGraphArea().inflate(MARGIN_PX)) // X6 itself looks again 200 ms later
    isFitted = true
  }
  graph.on('translate', () => (isFitted = false))
  graph.on('scale', () => (isFitted = false))
  graph.on('resize', () => isFitted && fit())

  return {
    fit,
    draw(topology, anchor) {
      const isFirst = drawn === null
      const before = placeOf(drawn, anchor)
      const after = placeOf(topology, anchor)
      drawn = topology
      looks.clear()
      lifted = []
      graph.resetCells(cellsOf(graph, topology))
      if (isFirst) fit()
      else if (before && after)
        graph.translateBy((before.x - after.x) * graph.zoom(), (before.y - after.y) * graph.zoom())
    },
    paint(boxLook, wireClass) {
      graph.batchUpdate(() => {
        for (const box of drawn?.boxes ?? []) {
          const { className, outline, mark, title, sub } = boxLook(box)
          recolour(box.id, `${className}|${outline}|${mark}|${title}|${sub}`, () => ({
            outline: { class: `nl-box ${className}`, d: outline },
            mark: { d: mark },
            title: { text: title },
            sub: { text: sub },
          }))
        }
        for (const wire of drawn?.wires ?? []) {
          const className = wireClass(wire)
          const isNew = recolour(wire.id, className, () => ({ line: { class: className } }))
          if (isNew) graph.getCellById(wire.id)?.setZIndex(TROUBLE.test(className) ? LAYER.trouble : LAYER.wire)
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
      for (const old of lifted) graph.findViewByCell(old)?.container.classList.remove('nl-lifted')
      lifted = id === null ? [] : tiedTo(id, drawn)
      for (const one of lifted) graph.findViewByCell(one)?.container.classList.add('nl-lifted')
    },
    whole(use) {
      graph.disableVirtualRender()
      try {
        return use(graph.view.viewport)
      } finally {
        graph.enableVirtualRender()
      }
    },
    dispose: () => graph.dispose(),
  }

  function recolour(id: string, look: string, attrs: () => CellAttrs): boolean {
    if (looks.get(id) === look) return false
    looks.set(id, look)
    graph.getCellById(id)?.setAttrs(attrs())
    return true
  }
}

const placeOf = (topology: Topology | null, id: string | null): Box | undefined =>
  topology?.boxes.find((box) => box.id === id)

function tiedTo(id: string, topology: Topology | null): readonly string[] {
  const tied = (topology?.wires ?? []).filter((wire) => wire.id === id || wire.ends.includes(id))
  return [...new Set([id, ...tied.map((wire) => wire.id)])]
}

function cellsOf(graph: Graph, { wires, boxes, titles }: Topology): Cell[] {
  const title = { shape: TITLE_SHAPE, y: 0, width: BOX.width, height: 20 }
  return [
    ...wires.map((wire) => graph.createEdge(wireCell(wire))),
    ...boxes.map((box) => graph.createNode(boxCell(box))),
    ...titles.map(({ label, x }) => graph.createNode({ ...title, x, attrs: { title: { text: label } } })),
  ]
}

function boxCell({ id, x, y }: Box): NodeMetadata {
  return { id, shape: BOX_SHAPE, x, y }
}

function wireCell({ id, from, to, lane }: Wire): EdgeMetadata {
  return {
    id,
    shape: WIRE_SHAPE,
    source: { ...from },
    target: { ...to },
    vertices: (lane ?? []).map((at) => ({ ...at })),
  }
}
