import { useEffect } from 'react'
import type { Canvas } from './canvas.ts'
import { edgeClass, isDrawn, trunkStyle } from './edge-style.ts'
import type { TopologyNode } from '../layout/model.ts'
import { nodeStyle } from '../node-style.ts'
import type { TopologyLayout } from '../use-topology-layout.ts'
import type { TopologyModel } from '../use-topology-model.ts'

interface PaintInput {
  readonly canvas: { readonly current: Canvas | null }
  /** The canvas shows the topology: its window is known. */
  readonly isReady: boolean
  readonly layout: TopologyLayout
  readonly model: TopologyModel
  readonly selected: string | null
  /** Id of the node with the keyboard focus. */
  readonly current: string | null
  readonly hovered: string | null
}

/** Restyles nodes, and draws the single lines that belong to the states and to what is hovered or selected. */
export function usePaint(input: PaintInput): void {
  const { canvas, isReady, layout, model, selected, current, hovered } = input
  const { topology, edges, trunks, linksById } = layout
  const { painted, isDimmed, isFound } = model
  const { hit } = model.find
  useEffect(() => {
    const classOf = (node: TopologyNode) =>
      [
        isDimmed(node) && 'nl-faded',
        isFound(node) && 'nl-found',
        node.id === hit && 'nl-hit',
        node.id === selected && 'nl-selected',
        node.id === current && 'nl-current',
      ].filter((name) => name !== false)
    canvas.current?.paintNodes((node) => {
      const style = nodeStyle(node, topology.nodeWidth, painted)
      return { ...style, className: [style.className, ...classOf(node)].join(' ') }
    })
  }, [canvas, isReady, topology, trunks, painted, isDimmed, isFound, hit, selected, current])
  useEffect(() => {
    const focused = new Set(
      [hovered, selected, current].flatMap((id) => (id === null ? [] : [id.replace(/^trunk:/, '')])),
    )
    const nodes = new Map(topology.nodes.map((node) => [node.id, node]))
    const flags = (id: string, node: TopologyNode | undefined) => ({
      isDimmed: node !== undefined && isDimmed(node),
      isFocused: focused.has(id),
    })
    const drawn = edges
      .filter((edge) => isDrawn(edge, linksById, focused))
      .map((edge) => ({ edge, className: edgeClass(edge, linksById, flags(edge.id, nodes.get(edge.node))) }))
    canvas.current?.paintLines(drawn, (trunk) => trunkStyle(trunk, linksById, flags(trunk.center, undefined)))
  }, [canvas, isReady, topology, trunks, edges, linksById, painted, isDimmed, selected, current, hovered])
}
