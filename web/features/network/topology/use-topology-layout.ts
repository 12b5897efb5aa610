import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import type { LinkView } from '#contract/kernel/protocol.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import { useStableJson } from '#lib/use-stable-json.ts'
import { widthWithoutPanel } from '#ui/dialog/side-panel.tsx'
import type { LinksById } from './canvas/edge-style.ts'
import { createEdges, createTrunks } from './layout/edges.ts'
import { layoutTopology } from './layout/layout.ts'
import type { Size, TopologyShape } from './layout/topology-types.ts'

/* Positions of the nodes and lines of the topology. They change with membership and window, not with states. */

interface TopologyLayoutInput {
  readonly shape: TopologyShape
  readonly links: readonly LinkView[]
  /** Null until it is known. */
  readonly size: DrawingSize | null
  readonly open: ReadonlySet<string>
  readonly hit: string | null
  readonly selected: string | null
}

export type TopologyLayout = ReturnType<typeof useTopologyLayout>

export function useTopologyLayout({ shape, links, size, open, hit, selected }: TopologyLayoutInput) {
  const topology = useStableJson(
    useMemo(() => {
      const pinned = new Set([hit, selected].filter((name) => name !== null))
      return layoutTopology(shape, { viewport: size?.whole ?? { width: 0, height: 0 }, open, pinned })
    }, [shape, size, open, hit, selected]),
  )
  const trunks = useStableJson(useMemo(() => createTrunks(topology, shape.links), [topology, shape.links]))
  const edges = useMemo(() => createEdges(topology, shape.links), [topology, shape.links])
  const linksById: LinksById = useMemo(() => new Map(links.map((link) => [link.id, link])), [links])
  return { topology, edges, trunks, linksById }
}

export interface DrawingSize {
  /** Size of the visible part. */
  readonly visible: Size
  /** Size without a panel beside it and without notices above it, for which columns and rows are chosen. */
  readonly whole: Size
}

/** The layout follows the size of the window in steps of so many pixels. */
const STEP_PX = 8
/** Height of the parts above and below the drawing on a page without notices. */
const AROUND_PX = 260
const HEIGHT_MIN_PX = 360

const toSteps = ({ width, height }: Size): Size => ({
  width: Math.floor(width / STEP_PX) * STEP_PX,
  height: Math.floor(height / STEP_PX) * STEP_PX,
})

function measureDrawing(element: Element, isFull: boolean): DrawingSize {
  const visible = toSteps({ width: element.clientWidth, height: element.clientHeight })
  if (isFull) return { visible, whole: visible }
  const height = Math.max(HEIGHT_MIN_PX, innerHeight - AROUND_PX)
  return { visible, whole: toSteps({ width: widthWithoutPanel(element), height }) }
}

/** Size of the drawing in an element; null until it is known. */
export function useDrawingSize(element: RefObject<Element>, isFull: boolean): DrawingSize | null {
  const [size, setSize] = useState<DrawingSize | null>(null)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () => {
      const next = measureDrawing(current, isFull)
      setSize((before) => (isSameJson(before, next) ? before : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element, isFull])
  return size
}
