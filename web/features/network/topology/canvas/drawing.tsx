import { useRef, useState, type MutableRefObject, type RefObject, useEffect } from 'react'
import { toast } from '#lib/toast/toast.ts'
import { useLatest } from '#lib/use-latest.ts'
import { type Canvas, type CanvasEvents, openCanvas } from './canvas.ts'
import { isDrawn } from './edge-style.ts'
import { exportPng } from './export-png.ts'
import { type Hover, HoverCard } from './hover-card.tsx'
import { Legend } from '../legend.tsx'
import { legendItems } from '../legend-items.ts'
import { isCollapsible } from '../layout/model.ts'
import { nodeName } from '../node-text.ts'
import './drawing.css'
import { FindCounter, Toolbar } from '../toolbar.tsx'
import styles from '../topology.module.css'
import type { TopologyProps } from '../topology.tsx'
import { type TopologyLayout, useTopologyLayout } from '../use-topology-layout.ts'
import { useFolds } from '../use-folds.ts'
import { useFullScreen } from './use-full-screen.ts'
import { useKeyboard } from './use-keyboard.ts'
import { usePaint } from './use-paint.ts'
import { useSize } from '../use-size.ts'
import type { TopologyModel } from '../use-topology-model.ts'

/** Creates the canvas on mount and disposes it on unmount; its events reach the latest handlers. */
function useCanvas(events: CanvasEvents): {
  readonly paper: RefObject<HTMLDivElement>
  readonly canvas: { readonly current: Canvas | null }
} {
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
    put(canvas, opened)
    return () => {
      put(canvas, null)
      opened.dispose()
      sheet.remove()
    }
  }, [latest])
  return { paper, canvas }
}

function put(ref: MutableRefObject<Canvas | null>, canvas: Canvas | null): void {
  ref.current = canvas
}

interface DrawInput {
  readonly canvas: { readonly current: Canvas | null }
  /** The size of the window is known. */
  readonly isReady: boolean
  readonly layout: TopologyLayout
  /** The node that was opened or closed since the last layout. */
  readonly consumeToggled: () => string | null
}

/** Draws the layout, and keeps in sight what was opened. */
function useDraw({ canvas, isReady, layout: { topology, trunks }, consumeToggled }: DrawInput): void {
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
function useReveal(canvas: DrawInput['canvas'], id: string | null, topology?: TopologyLayout['topology']): void {
  useEffect(() => {
    if (id !== null) canvas.current?.reveal(id)
  }, [canvas, id, topology])
}

/** The drawing on X6. The layout follows membership and window; states restyle in place. */
export function Drawing({ model, ...props }: TopologyProps & { readonly model: TopologyModel }) {
  const { networkName, projection, isStale, search, selected, onSelect } = props
  const { shape, painted, find } = model
  const { hit } = find
  const surface = useRef<HTMLDivElement>(null)
  const size = useSize(surface)
  const isReady = size !== null
  const [hover, setHover] = useState<Hover | null>(null)
  const [scale, setScale] = useState(1)
  const full = useFullScreen()
  const { open, toggle, consumeToggled } = useFolds()
  const layout = useTopologyLayout({ shape, links: projection.links, size, open, hit, selected })

  const pick = (id: string | null) => {
    const node = layout.topology.nodes.find((one) => one.id === id)
    const line = [...layout.edges, ...layout.trunks].find((one) => one.id === id)
    if (node !== undefined && isCollapsible(node)) toggle(node.id)
    else if (line !== undefined) onSelect({ kind: 'links', ids: line.links })
    else if (node === undefined) onSelect(null)
    else if (node.kind !== 'pop') onSelect({ kind: 'member', name: node.id })
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
  usePaint({ canvas, isReady, layout, model, selected, current, hovered: hover?.id ?? null })
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
          {hover !== null && size !== null && <HoverCard {...{ hover, size, layout, painted }} />}
          <Legend items={legendItems(projection.links, painted.affected.singleCenter.size)} isStale={isStale} />
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

/** Focused by nobody. */
const NOTHING: ReadonlySet<string> = new Set()

function saveDrawing(
  canvas: Canvas | null,
  { topology, edges, linksById }: TopologyLayout,
  { painted }: TopologyModel,
  { networkName, projection: { links, members } }: TopologyProps,
): void {
  const lasting = new Set(edges.filter((edge) => isDrawn(edge, linksById, NOTHING)).map(({ id }) => id))
  canvas
    ?.withAllCells((cells) => exportPng(cells, { name: networkName, topology, painted, lasting, links, members }))
    .catch(() => toast.error('导出失败，请缩小拓扑图范围后重试'))
}
