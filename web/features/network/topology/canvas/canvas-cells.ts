import { type Cell, Graph, type NodeMetadata } from '@antv/x6'
import { TRUNK_HEIGHT_PX } from './cell-parts.ts'
import type { Trunk } from '../layout/edges.ts'
import { NODE_HEIGHT_PX } from '../layout/grid.ts'
import type { Topology } from '../layout/model.ts'

export const SHAPE = {
  node: 'netloom-node',
  lines: 'netloom-lines',
  trunk: 'netloom-trunk',
  title: 'netloom-title',
  frame: 'netloom-frame',
} as const
const LAYER = { [SHAPE.frame]: 0, [SHAPE.lines]: 1, [SHAPE.trunk]: 2, [SHAPE.title]: 3, [SHAPE.node]: 3 } as const
export const FRAME_ID = 'frame'
export const LINES_ID = 'lines'
const TITLE_PX = { width: 160, height: 20 } as const

export const titleId = (label: string) => `title:${label}`

let isRegistered = false

/** Without markup and attributes: views of `cell-views.ts` draw them. */
export function registerShapes(): void {
  if (isRegistered) return
  isRegistered = true
  for (const shape of Object.values(SHAPE)) Graph.registerNode(shape, { zIndex: LAYER[shape], markup: [], attrs: {} })
}

/** Single lines are one cell: a cell for each would take X6 longer than all the rest. */
export function createCells(graph: Graph, topology: Topology, trunks: readonly Trunk[]): Cell[] {
  const { nodes, titles, frame, nodeWidth, width, height } = topology
  const cells: readonly NodeMetadata[] = [
    ...(frame === null ? [] : [{ id: FRAME_ID, shape: SHAPE.frame, ...frame }]),
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
