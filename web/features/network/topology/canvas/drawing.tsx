import { useRef, useState } from 'react'
import { toast } from '#lib/toast/toast.ts'
import { memberCell } from '../layout/cells.ts'
import { isCollapsible, type Point, type Size, type TopologyShape } from '../layout/topology-types.ts'
import { Legend, legendFacts, legendItems } from '../legend.tsx'
import type { DrawingData } from '../drawing-data.ts'
import { nodeFacts, nodeName } from '../node-style.ts'
import { FindCounter, Toolbar, useFullScreen } from '../toolbar.tsx'
import styles from '../topology.module.css'
import type { TopologyProps } from '../topology.tsx'
import { type TopologyLayout, useDrawingSize, useTopologyLayout } from '../use-topology-layout.ts'
import { type TopologyModel, useFolds } from '../use-topology-model.ts'
import type { Canvas } from './canvas.ts'
import './cells.css'
import { edgeTooltip, isDrawn } from './edge-style.ts'
import { exportPng } from './export-png.ts'
import { useKeyboard } from './keyboard.ts'
import { useThroughput } from '#pages/network/link-rates.ts'
import { useCanvas, useDraw, usePaint, useReveal } from './use-canvas.ts'

/** Topology drawing on X6. Membership and window size change the layout; states only change styles. */
export function Drawing({ model, ...props }: TopologyProps & { readonly model: TopologyModel }) {
  const { networkName, projection, isStale, search, selected, onSelect, rates } = props
  const { shape, painted, find } = model
  const { hit } = find
  const surface = useRef<HTMLDivElement>(null)
  const [hover, setHover] = useState<Hover | null>(null)
  const [scale, setScale] = useState(1)
  const full = useFullScreen()
  const size = useDrawingSize(surface, full.isOn)
  const isReady = size !== null
  const { open, toggle, consumeToggled } = useFolds()
  const layout = useTopologyLayout({ shape, links: projection.links, size, open, hit, selected })

  const pick = (id: string | null) => {
    const node = layout.topology.nodes.find((one) => one.id === id)
    const line = [...layout.edges, ...layout.trunks].find((one) => one.id === id)
    if (node !== undefined && isCollapsible(node)) toggle(node.id)
    else if (line !== undefined) onSelect({ kind: 'links', ids: line.links })
    else if (id !== null && painted.membersByName.has(id)) onSelect({ kind: 'member', name: id })
    else if (node === undefined) onSelect(null)
  }
  const { paper, canvas } = useCanvas({
    onPick: pick,
    onHover: (id, at) => setHover(id === null ? null : { id, ...at }),
    onScale: setScale,
  })
  const { current, onKey } = useKeyboard({
    canvas,
    nodes: layout.topology.nodes,
    selected,
    onPick: pick,
    onClose: () => onSelect(null),
  })
  useDraw({ canvas, isReady, layout, consumeToggled })
  usePaint({
    canvas,
    isReady,
    layout,
    model,
    selected,
    current,
    hovered: hover?.id ?? null,
    throughputOf: useThroughput(rates),
  })
  useReveal(canvas, hit, layout.topology)
  useReveal(canvas, selected)

  const currentNode = layout.topology.nodes.find(({ id }) => id === current)
  return (
    <div className={`${styles.topology} ${full.isOn ? styles.full : ''}`}>
      <div
        className={styles.stage}
        role="application"
        aria-label={`${networkName} 拓扑图；方向键选择成员，回车打开，加减号缩放，0 适应窗口。同样的内容见成员列表`}
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.target === event.currentTarget && onKey(event.key)) event.preventDefault()
        }}
      >
        <div ref={surface} className={styles.surface}>
          <div ref={paper} className={styles.paper} />
          {hover !== null && size !== null && <HoverCard {...{ hover, layout, painted, shape }} size={size.visible} />}
          <Legend items={legendItems(projection.links, legendFacts(layout.topology, painted))} isStale={isStale} />
        </div>
        <div className={styles.bar}>
          {search.trim() !== '' && <FindCounter find={find} />}
          <Toolbar
            canvas={canvas}
            scale={scale}
            full={full}
            onExport={() => saveDrawing(canvas.current, layout, model, props)}
          />
        </div>
        <span role="status" className="nl-sr">
          {currentNode !== undefined && nodeName(currentNode, painted)}
        </span>
      </div>
    </div>
  )
}

/** Ids that are focused in an exported drawing: none. */
const NOTHING: ReadonlySet<string> = new Set()

function saveDrawing(
  canvas: Canvas | null,
  { topology, edges, linksById }: TopologyLayout,
  { painted }: TopologyModel,
  { networkName, projection: { links, members } }: TopologyProps,
): void {
  const lasting = new Set(
    edges
      .filter((edge) => isDrawn(edge, linksById, { painted, focused: NOTHING, isCrowd: topology.map !== null }))
      .map(({ id }) => id),
  )
  canvas
    ?.withAllCells((cells) => exportPng(cells, { name: networkName, topology, painted, lasting, links, members }))
    .catch(() => toast.error('导出失败，请缩小拓扑图范围后重试'))
}

interface Hover extends Point {
  readonly id: string
}

interface HoverCardProps {
  readonly hover: Hover
  readonly size: Size
  readonly layout: TopologyLayout
  readonly painted: DrawingData
  readonly shape: TopologyShape
}

const CARD_PX = { width: 300, height: 150, gap: 18 } as const

function HoverCard({ hover, size, layout, painted, shape }: HoverCardProps) {
  const { edges, trunks, linksById } = layout
  const { nodes } = layout.topology
  const inMap = shape.members.find(({ name }) => name === hover.id)
  const node = nodes.find(({ id }) => id === hover.id) ?? (inMap && memberCell(inMap, 'point'))
  const labelOf = (id: string) => nodes.find((one) => one.id === id)?.label ?? id
  const edge = edges.find(({ id }) => id === hover.id)
  const trunk = trunks.find(({ id }) => id === hover.id)
  const line = edge ?? trunk
  const title = node?.label ?? (edge ? `${labelOf(edge.center)} ↔ ${labelOf(edge.node)}` : labelOf(trunk?.center ?? ''))
  const facts = node ? nodeFacts(node, painted) : line ? [edgeTooltip(line, linksById)] : []
  const isRight = hover.x + CARD_PX.width > size.width
  const isLow = hover.y + CARD_PX.height > size.height
  return (
    <div
      className={styles.hint}
      style={{
        ...(isRight ? { right: size.width - hover.x + CARD_PX.gap } : { left: hover.x + CARD_PX.gap }),
        ...(isLow ? { bottom: size.height - hover.y + CARD_PX.gap } : { top: hover.y + CARD_PX.gap }),
      }}
      aria-hidden="true"
    >
      <strong>{title}</strong>
      {facts.map((fact) => (
        <div key={fact}>{fact}</div>
      ))}
    </div>
  )
}
