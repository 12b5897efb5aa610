import type { CellAttrs, Graph } from '@antv/x6'
import { edgeCell } from './canvas-cells.ts'
import type { TrunkStyle } from './edge-style.ts'
import type { TopologyEdge, Trunk } from './edges.ts'
import type { TopologyNode } from './model.ts'
import type { NodeStyle } from './node-style.ts'

export interface DrawnEdge {
  readonly edge: TopologyEdge
  readonly className: string
}

/** Styles of the cells that are drawn: only what differs from the last time is touched. */
export interface CanvasPainter {
  /** The cells are new: forgets what was applied to those before. */
  readonly reset: () => void
  readonly paintNodes: (nodes: readonly TopologyNode[], style: (node: TopologyNode) => NodeStyle) => void
  /** Draws exactly these single lines, and restyles the trunks. */
  readonly paintLines: (
    edges: readonly DrawnEdge[],
    trunks: readonly Trunk[],
    trunkStyle: (trunk: Trunk) => TrunkStyle,
  ) => void
}

export function createPainter(graph: Graph): CanvasPainter {
  let lines = new Set<string>()
  const applied = new Map<string, string>()
  const restyle = (id: string, style: string, attrs: () => CellAttrs) => {
    if (applied.get(id) === style) return
    applied.set(id, style)
    graph.getCellById(id)?.setAttrs(attrs())
  }
  const replaceLines = (edges: readonly TopologyEdge[]) => {
    const next = new Set(edges.map(({ id }) => id))
    const gone = [...lines].filter((id) => !next.has(id))
    graph.removeCells(gone)
    for (const id of gone) applied.delete(id)
    graph.addCell(edges.filter(({ id }) => !lines.has(id)).map((edge) => graph.createEdge(edgeCell(edge))))
    lines = next
  }
  return {
    reset() {
      lines = new Set()
      applied.clear()
    },
    paintNodes(nodes, style) {
      graph.batchUpdate(() => {
        for (const node of nodes) {
          const look = style(node)
          restyle(node.id, nodeKey(look), () => nodeAttrs(look))
        }
      })
    },
    paintLines(edges, trunks, trunkStyle) {
      graph.batchUpdate(() => {
        replaceLines(edges.map(({ edge }) => edge))
        for (const { edge, className } of edges) restyle(edge.id, className, () => ({ line: { class: className } }))
        for (const trunk of trunks) {
          const look = trunkStyle(trunk)
          restyle(trunk.id, Object.values(look).join('|'), () => trunkAttrs(look))
        }
      })
    },
  }
}

const nodeKey = ({ ports, ...texts }: NodeStyle): string => [...Object.values(texts), ...Object.values(ports)].join('|')

const nodeAttrs = ({ className, outline, mark, title, sub, ports }: NodeStyle): CellAttrs => ({
  outline: { class: `nl-node ${className}`, d: outline },
  mark: { d: mark },
  title: { text: title },
  sub: { text: sub },
  ...Object.fromEntries(Object.entries(ports).map(([name, d]) => [name, { d }])),
})

const trunkAttrs = ({ className, widthPx, label }: TrunkStyle): CellAttrs => ({
  line: { class: `${className} nl-trunk`, style: { strokeWidth: `${widthPx}px` } },
  label: { text: label },
})
