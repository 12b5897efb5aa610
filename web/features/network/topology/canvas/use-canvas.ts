import { useEffect, useRef } from 'react'
import { useLatest } from '#lib/use-latest.ts'
import { isCollapsible, type TopologyNode } from '../layout/topology-types.ts'
import { isCenterAway } from '../drawing-data.ts'
import { mapLook } from '../map-look.ts'
import { nodeStyle } from '../node-style.ts'
import type { TopologyLayout } from '../use-topology-layout.ts'
import type { TopologyModel } from '../use-topology-model.ts'
import { type Canvas, type CanvasEvents, openCanvas } from './canvas.ts'
import { edgeClass, isDrawn, trunkStyle } from './edge-style.ts'

/* Hooks between React and the canvas of the topology drawing: create, draw, reveal and paint. */

/** Creates the canvas on mount and disposes it on unmount; its events reach the latest handlers. */
export function useCanvas(events: CanvasEvents) {
  const paper = useRef<HTMLDivElement>(null)
  const canvas = useRef<Canvas | null>(null)
  const latest = useLatest(events)
  useEffect(() => {
    const host = paper.current
    if (host === null) return
    const sheet = document.createElement('div') // X6 does not restore its container on dispose
    host.append(sheet)
    const opened = openCanvas(sheet, {
      onPick: (id) => latest.current.onPick(id),
      onHover: (id, at) => latest.current.onHover(id, at),
      onScale: (scale) => latest.current.onScale(scale),
    })
    canvas.current = opened
    return () => {
      canvas.current = null
      opened.dispose()
      sheet.remove()
    }
  }, [latest])
  return { paper, canvas }
}

interface DrawInput {
  readonly canvas: { readonly current: Canvas | null }
  /** The size of the element is known. */
  readonly isReady: boolean
  readonly layout: TopologyLayout
  /** The node that was opened or closed since the last layout. */
  readonly consumeToggled: () => string | null
}

/** Draws the layout, and brings an opened node into sight. */
export function useDraw({ canvas, isReady, layout: { topology, trunks }, consumeToggled }: DrawInput): void {
  useEffect(() => {
    if (!isReady) return
    canvas.current?.draw(topology, trunks)
    const toggled = consumeToggled()
    const node = topology.nodes.find(({ id }) => id === toggled)
    if (node === undefined || !isCollapsible(node)) return
    // An opened fold spreads over the whole grid, so the drawing is fitted; other nodes open next to themselves.
    if (node.kind === 'fold') canvas.current?.fit()
    else canvas.current?.revealOpened(node.id)
  }, [canvas, topology, trunks, isReady, consumeToggled])
}

/** Brings a node into sight when it changes, and when the layout does. */
export function useReveal(canvas: DrawInput['canvas'], id: string | null, topology?: TopologyLayout['topology']): void {
  useEffect(() => {
    if (id !== null) canvas.current?.reveal(id)
  }, [canvas, id, topology])
}

interface PaintInput extends Omit<DrawInput, 'consumeToggled'> {
  readonly model: TopologyModel
  readonly selected: string | null
  readonly current: string | null
  readonly hovered: string | null
  /** Lines of text about the throughput of a trunk; none while it is unknown. */
  readonly throughputOf: (trunkId: string) => readonly string[]
}

/** Restyles nodes, and draws the single lines of faults and of the hovered or selected node. */
export function usePaint({
  canvas,
  isReady,
  layout,
  model,
  selected,
  current,
  hovered,
  throughputOf,
}: PaintInput): void {
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
    canvas.current?.paintMap({
      look: (name) => mapLook(painted.membersByName.get(name), painted),
      isDimmed: (name) => isDimmed({ members: [name] }),
      isMarked: (name) => name === hit || name === selected,
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
      .filter((edge) => isDrawn(edge, linksById, { painted, focused, isCrowd: topology.map !== null }))
      .map((edge) => ({ edge, className: edgeClass(edge, linksById, flags(edge.id, nodes.get(edge.node))) }))
    canvas.current?.paintLines(drawn, (trunk) => {
      const isCause = isCenterAway(painted, trunk.center)
      return trunkStyle(trunk, linksById, { ...flags(trunk.center, undefined), isCause }, throughputOf(trunk.id))
    })
  }, [canvas, isReady, topology, trunks, edges, linksById, painted, isDimmed, selected, current, hovered, throughputOf])
}
