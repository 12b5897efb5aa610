import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import type { LinkView } from '#contract/kernel/protocol.ts'
import { useStableJson } from '#lib/use-stable-json.ts'
import type { LinksById } from './canvas/edge-style.ts'
import { createEdges, createTrunks } from './layout/edges.ts'
import { layoutTopology } from './layout/layout.ts'
import type { Size, TopologyShape } from './layout/topology-types.ts'

/* Positions of the nodes and lines of the topology. They change with membership and window, not with states. */

interface TopologyLayoutInput {
  readonly shape: TopologyShape
  readonly links: readonly LinkView[]
  /** Null until it is known. */
  readonly size: Size | null
  readonly open: ReadonlySet<string>
  readonly hit: string | null
  readonly selected: string | null
}

export type TopologyLayout = ReturnType<typeof useTopologyLayout>

export function useTopologyLayout({ shape, links, size, open, hit, selected }: TopologyLayoutInput) {
  const topology = useStableJson(
    useMemo(() => {
      const pinned = new Set([hit, selected].filter((name) => name !== null))
      return layoutTopology(shape, { viewport: size ?? { width: 0, height: 0 }, open, pinned })
    }, [shape, size, open, hit, selected]),
  )
  const trunks = useStableJson(useMemo(() => createTrunks(topology, shape.links), [topology, shape.links]))
  const edges = useMemo(() => createEdges(topology, shape.links), [topology, shape.links])
  const linksById: LinksById = useMemo(() => new Map(links.map((link) => [link.id, link])), [links])
  return { topology, edges, trunks, linksById }
}

/** The layout follows the size of the window in steps of so many pixels. */
const STEP_PX = 8

const rounded = ({ clientWidth, clientHeight }: Element): Size => ({
  width: Math.floor(clientWidth / STEP_PX) * STEP_PX,
  height: Math.floor(clientHeight / STEP_PX) * STEP_PX,
})

/** Size of an element; null until it is known. */
export function useSize(element: RefObject<Element>): Size | null {
  const [size, setSize] = useState<Size | null>(null)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () => {
      const next = rounded(current)
      setSize((before) => (before?.width === next.width && before.height === next.height ? before : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return size
}
