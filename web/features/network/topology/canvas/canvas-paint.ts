import type { Graph } from '@antv/x6'
import { FRAME_ID, LINES_ID, SHAPE, titleId } from './canvas-cells.ts'
import { frameParts, nodeParts, type Part, titleParts, trunkParts } from './cell-parts.ts'
import { createLinesView, createPartsView, type DrawnEdge, PlainView } from './cell-views.ts'
import type { TrunkStyle } from './edge-style.ts'
import type { Trunk } from '../layout/edges.ts'
import type { Topology, TopologyNode } from '../layout/model.ts'
import type { NodeStyle } from '../node-style.ts'

/** What the cells look like. Views ask for it when they come near the window: nothing else is computed. */
export interface CanvasPainter {
  /** The cells that come next are those of another layout. */
  readonly reset: (topology: Topology) => void
  readonly paintNodes: (nodes: readonly TopologyNode[], style: (node: TopologyNode) => NodeStyle) => void
  /** Draws exactly these single lines, and restyles the trunks. */
  readonly paintLines: (
    edges: readonly DrawnEdge[],
    trunks: readonly Trunk[],
    style: (trunk: Trunk) => TrunkStyle,
  ) => void
}

export function createPainter(graph: Graph): CanvasPainter {
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
    reset({ titles, frame }) {
      lines = []
      partsOf.clear()
      for (const { label } of titles) partsOf.set(titleId(label), () => titleParts(label))
      if (frame !== null) partsOf.set(FRAME_ID, () => frameParts(frame))
    },
    paintNodes(nodes, style) {
      for (const node of nodes) partsOf.set(node.id, () => nodeParts(style(node)))
      show(nodes.map(({ id }) => id))
    },
    paintLines(edges, trunks, style) {
      lines = edges
      for (const trunk of trunks) partsOf.set(trunk.id, () => trunkParts(trunk, style(trunk)))
      show([LINES_ID, ...trunks.map(({ id }) => id)])
    },
  }
}
