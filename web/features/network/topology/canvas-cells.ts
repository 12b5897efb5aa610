import { type Cell, type EdgeMetadata, Graph, type NodeMetadata } from '@antv/x6'
import type { TopologyEdge, Trunk } from './edges.ts'
import { NODE_HEIGHT_PX } from './grid.ts'
import type { Point, Rect, SectionTitle, Topology, TopologyNode } from './model.ts'
import { PORT_MARKS } from './ports.ts'
import { TEXT_X_PX } from './node-style.ts'

export const SHAPE = {
  node: 'netloom-node',
  edge: 'netloom-edge',
  trunk: 'netloom-trunk',
  title: 'netloom-title',
  frame: 'netloom-frame',
} as const
const CONNECTOR = 'netloom-edge-path'
const LAYER = { frame: 0, edge: 1, trunk: 2, node: 3 } as const
const TRUNK_HEIGHT_PX = 24
const LABEL_Y_PX = 5

/** A Bézier curve with horizontal ends. */
function bend(from: Point, to: Point): string {
  const x = (from.x + to.x) / 2
  return `C${x} ${from.y} ${x} ${to.y} ${to.x} ${to.y}`
}

let isRegistered = false

/** Plain SVG. Colours come from classes on the first element of each cell. */
export function registerShapes(): void {
  if (isRegistered) return
  isRegistered = true
  Graph.registerNode(SHAPE.node, {
    height: NODE_HEIGHT_PX,
    zIndex: LAYER.node,
    markup: [
      { tagName: 'path', selector: 'outline' },
      { tagName: 'path', selector: 'mark', className: 'nl-node-icon' },
      { tagName: 'text', selector: 'title', className: 'nl-node-title' },
      { tagName: 'text', selector: 'sub', className: 'nl-node-sub' },
      { tagName: 'path', selector: 'ground', className: 'nl-port-ground' },
      ...PORT_MARKS.map((mark) => ({ tagName: 'path', selector: mark, className: `nl-port nl-port-${mark}` })),
    ],
    attrs: {
      mark: { transform: 'translate(10 14)' },
      title: { x: TEXT_X_PX, y: 17 },
      sub: { x: TEXT_X_PX, y: 33 },
    },
  })
  Graph.registerNode(SHAPE.trunk, {
    height: TRUNK_HEIGHT_PX,
    zIndex: LAYER.trunk,
    markup: [
      { tagName: 'path', selector: 'line' },
      { tagName: 'path', selector: 'hit', className: 'nl-edge-hit' },
      { tagName: 'text', selector: 'label', className: 'nl-trunk-label' },
    ],
  })
  Graph.registerNode(SHAPE.title, {
    markup: [{ tagName: 'text', selector: 'title', className: 'nl-column-title' }],
    attrs: { title: { x: 0, y: 14 } },
  })
  Graph.registerNode(SHAPE.frame, {
    zIndex: LAYER.frame,
    markup: [{ tagName: 'rect', selector: 'frame', className: 'nl-frame' }],
    attrs: { frame: { refWidth: '100%', refHeight: '100%', rx: 8 } },
  })
  Graph.registerEdge(SHAPE.edge, {
    markup: [
      { tagName: 'path', selector: 'line' },
      { tagName: 'path', selector: 'hit', className: 'nl-edge-hit' },
    ],
    attrs: { line: { connection: true, sourceMarker: null, targetMarker: null }, hit: { connection: true } },
    connector: { name: CONNECTOR },
    zIndex: LAYER.edge,
  })
  Graph.registerConnector(CONNECTOR, (from, to, [enter, leave]) =>
    enter === undefined || leave === undefined
      ? `M${from.x} ${from.y}${bend(from, to)}`
      : `M${from.x} ${from.y}${bend(from, enter)}H${leave.x}${bend(leave, to)}`,
  )
}

/** All that does not depend on states. Single lines come and go with them: `edgeCell`. */
export function createCells(graph: Graph, topology: Topology, trunks: readonly Trunk[]): Cell[] {
  const { nodes, titles, frame, nodeWidth } = topology
  return [
    ...(frame === null ? [] : [graph.createNode(frameCell(frame))]),
    ...trunks.map((trunk) => graph.createNode(trunkCell(trunk))),
    ...nodes.map((node) => graph.createNode(nodeCell(node, nodeWidth))),
    ...titles.map((title) => graph.createNode(titleCell(title))),
  ]
}

const nodeCell = ({ id, x, y }: TopologyNode, width: number): NodeMetadata => ({ id, shape: SHAPE.node, x, y, width })
const frameCell = ({ x, y, width, height }: Rect): NodeMetadata => ({ shape: SHAPE.frame, x, y, width, height })
const titleCell = ({ label, x, y }: SectionTitle): NodeMetadata => ({
  shape: SHAPE.title,
  x,
  y,
  width: 160,
  height: 20,
  attrs: { title: { text: label } },
})

function trunkCell({ id, from, to }: Trunk): NodeMetadata {
  const d = `M0 ${TRUNK_HEIGHT_PX / 2}H${to.x - from.x}`
  const place = { x: from.x, y: from.y - TRUNK_HEIGHT_PX / 2, width: to.x - from.x }
  const label = { x: place.width / 2, y: LABEL_Y_PX }
  return { id, shape: SHAPE.trunk, ...place, attrs: { line: { d }, hit: { d }, label } }
}

export function edgeCell({ id, from, to, lane }: TopologyEdge): EdgeMetadata {
  const vertices = (lane ?? []).map((at) => ({ ...at }))
  return { id, shape: SHAPE.edge, source: { ...from }, target: { ...to }, vertices }
}
