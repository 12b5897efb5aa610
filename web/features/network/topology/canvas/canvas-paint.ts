import { type Cell, type CellViewOptions, Graph, type NodeMetadata, NodeView, type NodeViewOptions } from '@antv/x6'
import type { TopologyEdge, Trunk } from '../layout/edges.ts'
import { NODE_HEIGHT_PX } from '../layout/grid.ts'
import type { Topology, TopologyNode } from '../layout/topology-types.ts'
import type { NodeStyle } from '../node-style.ts'
import {
  frameParts,
  LINE_ID,
  lineParts,
  nodeParts,
  type Part,
  titleParts,
  TRUNK_HEIGHT_PX,
  trunkParts,
} from './cell-parts.ts'
import type { TrunkStyle } from './edge-style.ts'

/* Cells of the topology drawing in X6: their shapes, and the painting of nodes, trunks and single lines. */

export const SHAPE = {
  node: 'netloom-node',
  lines: 'netloom-lines',
  trunk: 'netloom-trunk',
  title: 'netloom-title',
  frame: 'netloom-frame',
  map: 'netloom-map',
} as const
const LAYER = {
  [SHAPE.frame]: 0,
  [SHAPE.map]: 1,
  [SHAPE.lines]: 1,
  [SHAPE.trunk]: 2,
  [SHAPE.title]: 3,
  [SHAPE.node]: 3,
} as const
const FRAME_ID = 'frame'
const LINES_ID = 'lines'
export const MAP_ID = 'map'
const TITLE_PX = { width: 160, height: 20 } as const

const titleId = (label: string) => `title:${label}`

let isRegistered = false

/** Shapes have no X6 markup or attributes, because PartsView and LinesView draw them. */
export function registerShapes(): void {
  if (isRegistered) return
  isRegistered = true
  for (const shape of Object.values(SHAPE)) Graph.registerNode(shape, { zIndex: LAYER[shape], markup: [], attrs: {} })
}

/** All single lines are one cell: one cell for each would take X6 longer than everything else. */
export function createCells(graph: Graph, topology: Topology, trunks: readonly Trunk[]): Cell[] {
  const { nodes, titles, frame, map, nodeWidth, width, height } = topology
  const cells: readonly NodeMetadata[] = [
    ...(frame === null ? [] : [{ id: FRAME_ID, shape: SHAPE.frame, ...frame }]),
    ...(map === null
      ? []
      : [{ id: MAP_ID, shape: SHAPE.map, x: map.x, y: map.y, width: map.width, height: map.height }]),
    { id: LINES_ID, shape: SHAPE.lines, x: 0, y: 0, width, height },
    ...trunks.map(trunkCell),
    ...nodes.map(({ id, x, y }) => ({ id, shape: SHAPE.node, x, y, width: nodeWidth, height: NODE_HEIGHT_PX })),
    ...titles.map(({ label, x, y }) => ({ id: titleId(label), shape: SHAPE.title, x, y, ...TITLE_PX })),
  ]
  return cells.map((cell) => graph.createNode(cell))
}

const trunkCell = ({ id, from, to }: Trunk): NodeMetadata => ({
  id,
  shape: SHAPE.trunk,
  x: from.x,
  y: from.y - TRUNK_HEIGHT_PX / 2,
  width: to.x - from.x,
  height: TRUNK_HEIGHT_PX,
})

/** Content of the cells. It is computed only for cells near the window, when their views ask for it. */
export function createPainter(graph: Graph) {
  const partsOf = new Map<string, () => readonly Part[]>()
  let lines: readonly DrawnEdge[] = []
  const PartsView = createPartsView((id) => partsOf.get(id)?.() ?? null)
  const LinesView = createLinesView(() => lines)
  graph.options.createCellView = ({ shape }) => (shape === SHAPE.lines ? LinesView : PartsView)
  const show = (ids: readonly string[]) => {
    for (const id of ids) {
      const view = graph.findViewByCell(id)
      if (view instanceof PlainView) view.show()
    }
  }
  return {
    /** Called before another layout is painted; keeps only the titles and frame of that layout. */
    reset({ titles, frame }: Topology) {
      lines = []
      partsOf.clear()
      for (const { label } of titles) partsOf.set(titleId(label), () => titleParts(label))
      if (frame !== null) partsOf.set(FRAME_ID, () => frameParts(frame))
    },
    paintNodes(nodes: readonly TopologyNode[], style: (node: TopologyNode) => NodeStyle) {
      for (const node of nodes) partsOf.set(node.id, () => nodeParts(style(node)))
      show(nodes.map(({ id }) => id))
    },
    paintMap(parts: readonly Part[]) {
      partsOf.set(MAP_ID, () => parts)
      show([MAP_ID])
    },
    /** Draws exactly these single lines, and restyles the trunks. */
    paintLines(edges: readonly DrawnEdge[], trunks: readonly Trunk[], style: (trunk: Trunk) => TrunkStyle) {
      lines = edges
      for (const trunk of trunks) partsOf.set(trunk.id, () => trunkParts(trunk, style(trunk)))
      show([LINES_ID, ...trunks.map(({ id }) => id)])
    },
  }
}

export interface DrawnEdge {
  readonly edge: TopologyEdge
  readonly className: string
}

const SVG = 'http://www.w3.org/2000/svg'

function createElement({ tag, className, attributes, text, strokePx }: Part): SVGElement {
  const element = document.createElementNS(SVG, tag)
  element.setAttribute('class', className)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  if (text !== undefined) element.textContent = text
  if (strokePx !== undefined) element.style.strokeWidth = `${strokePx}px`
  return element
}

let shared: NodeViewOptions | null = null

/** View that draws its cell itself. X6's markup and attributes take a millisecond a cell: ten fill most of a frame. */
abstract class PlainView extends NodeView {
  abstract draw(): void

  /** Shows a change. A cell outside the window needs nothing: X6 asks again later. */
  show(): void {
    if (this.container.isConnected) this.draw()
  }

  override confirmUpdate(): number {
    this.updateTransform()
    this.draw()
    return 0
  }

  /** Shared, because X6 would copy the options deeply for each cell. */
  protected override ensureOptions(own: Partial<CellViewOptions>): NodeViewOptions {
    shared ??= super.ensureOptions({})
    return { ...shared, ...own }
  }
}

/** View of the current parts of a cell. `partsOf` gives null before they are known. */
function createPartsView(partsOf: (id: string) => readonly Part[] | null) {
  return class PartsView extends PlainView {
    shown = ''

    override draw(): void {
      const parts = partsOf(this.cell.id)
      const key = JSON.stringify(parts)
      if (parts === null || key === this.shown) return
      this.shown = key
      this.container.replaceChildren(...parts.map(createElement))
    }
  }
}

/** View of all single lines. Lines that stay keep their elements, because the pointer may be on one of them. */
function createLinesView(drawn: () => readonly DrawnEdge[]) {
  return class LinesView extends PlainView {
    readonly lines = new Map<string, SVGElement>()

    override draw(): void {
      const edges = drawn()
      const kept = new Set(edges.map(({ edge }) => edge.id))
      for (const [id, line] of this.lines) {
        if (kept.has(id)) continue
        line.remove()
        this.lines.delete(id)
      }
      const added = edges.flatMap(({ edge, className }) => {
        const line = this.lines.get(edge.id)
        if (line === undefined) return this.createLine(edge, className)
        if (line.firstElementChild?.getAttribute('class') !== className)
          line.firstElementChild?.setAttribute('class', className)
        return []
      })
      this.container.append(...added)
    }

    createLine(edge: TopologyEdge, className: string): SVGElement {
      const line = document.createElementNS(SVG, 'g')
      line.setAttribute(LINE_ID, edge.id)
      line.append(...lineParts(edge, className).map(createElement))
      this.lines.set(edge.id, line)
      return line
    }
  }
}
