import { useEffect, useMemo, useRef, useState } from 'react'
import { toast } from '../../../lib/toast.ts'
import { isDrawn } from './edge-style.ts'
import { layoutTopology } from './layout.ts'
import { createEdges, createTrunks } from './edges.ts'
import { exportPng } from './export-png.ts'
import { type Hover, HoverCard } from './hover-card.tsx'
import { isArrow, nextNode } from './keyboard.ts'
import { Legend } from './legend.tsx'
import { legendItems } from './legend-items.ts'
import type { TopologyNode } from './model.ts'
import { nodeName } from './node-text.ts'
import { useStable } from './shape.ts'
import './drawing.css'
import { FindCounter, Toolbar, ZOOM_STEP } from './toolbar.tsx'
import styles from './topology.module.css'
import type { Picked, TopologyProps } from './topology.tsx'
import { useCanvas } from './use-canvas.ts'
import { useFullScreen } from './use-full-screen.ts'
import { usePaint } from './use-paint.ts'
import { useSize } from './use-size.ts'
import type { TopologyModel } from './use-topology-model.ts'

/** Focused by nobody. */
const NOTHING: ReadonlySet<string> = new Set()

const isFold = ({ kind }: TopologyNode): boolean => kind === 'group' || kind === 'fold' || kind === 'softwareFold'

/** The drawing on X6. The layout follows membership and window; states restyle in place. */
export function Drawing({ model, ...props }: TopologyProps & { readonly model: TopologyModel }) {
  const { networkName, projection, isStale, search, selected, onSelect } = props
  const { shape, painted, find } = model
  const stage = useRef<HTMLDivElement>(null)
  const size = useSize(stage)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [hover, setHover] = useState<Hover | null>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const [scale, setScale] = useState(1)
  const opened = useRef<string | null>(null)
  const full = useFullScreen()

  const { hit } = find
  const topology = useStable(
    useMemo(() => {
      const pinned = new Set([hit, selected].filter((name) => name !== null))
      return layoutTopology(shape, { viewport: size ?? { width: 0, height: 0 }, open, pinned })
    }, [shape, size, open, hit, selected]),
  )
  const trunks = useStable(useMemo(() => createTrunks(topology, shape.links), [topology, shape.links]))
  const edges = useMemo(() => createEdges(topology, shape.links), [topology, shape.links])
  const linksById = useMemo(() => new Map(projection.links.map((link) => [link.id, link])), [projection.links])

  const pick = (id: string | null) => {
    const node = topology.nodes.find((one) => one.id === id)
    if (node !== undefined && isFold(node)) {
      opened.current = node.id
      setOpen((before) => new Set(before.has(node.id) ? [...before].filter((one) => one !== id) : [...before, node.id]))
      return
    }
    const line = [...edges, ...trunks].find((one) => one.id === id)
    if (line !== undefined) return onSelect({ kind: 'links', ids: line.links })
    if (node?.kind !== 'pop') onSelect(node === undefined ? null : ({ kind: 'member', name: node.id } satisfies Picked))
  }
  const { paper, canvas } = useCanvas({
    onPick: pick,
    onHover: (id, at) => setHover(id === null ? null : { id, ...at }),
    onScale: setScale,
  })
  useEffect(() => {
    if (size === null) return
    canvas.current?.draw(topology, trunks)
    const toggled = topology.nodes.find(({ id }) => id === opened.current)
    opened.current = null
    // What folds for want of room stands all over the grid when it is opened; the rest follows its node.
    if (toggled?.kind === 'fold') canvas.current?.fit()
    else if (toggled !== undefined) canvas.current?.revealOpened(toggled.id)
  }, [canvas, topology, trunks, size])
  usePaint({
    canvas,
    isReady: size !== null,
    topology,
    edges,
    trunks,
    linksById,
    model,
    selected,
    current,
    hovered: hover?.id ?? null,
  })
  useEffect(() => {
    if (hit !== null) canvas.current?.reveal(hit)
  }, [canvas, hit, topology])
  useEffect(() => {
    if (selected !== null) canvas.current?.reveal(selected)
  }, [canvas, selected])

  const onKey = (key: string): boolean => {
    if (isArrow(key)) {
      const next = nextNode(topology.nodes, current ?? selected, key)
      if (next === undefined) return true
      setCurrent(next.id)
      canvas.current?.reveal(next.id)
    } else if ((key === 'Enter' || key === ' ') && current !== null) pick(current)
    else if (key === 'Escape' && selected !== null) onSelect(null)
    else if (key === '+' || key === '=') canvas.current?.zoom(ZOOM_STEP)
    else if (key === '-') canvas.current?.zoom(1 / ZOOM_STEP)
    else if (key === '0' || key === 'Home') canvas.current?.fit()
    else return false
    return true
  }
  const save = () => {
    const lasting = new Set(edges.filter((edge) => isDrawn(edge, linksById, NOTHING)).map(({ id }) => id))
    const input = {
      name: networkName,
      topology,
      painted,
      lasting,
      links: projection.links,
      members: projection.members,
    }
    canvas.current
      ?.withAllCells((cells) => exportPng(cells, input))
      .catch(() => toast.error('导出失败，请缩小拓扑图范围后重试'))
  }
  const currentNode = topology.nodes.find(({ id }) => id === current)
  return (
    <div className={`${styles.topology} ${full.isOn ? styles.full : ''}`}>
      <div
        ref={stage}
        className={styles.stage}
        role="application"
        aria-label={`${networkName} 拓扑图；方向键选择成员，回车打开，加减号缩放，0 适应窗口。同样的内容见成员列表`}
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.target === event.currentTarget && onKey(event.key)) event.preventDefault()
        }}
      >
        <div ref={paper} className={styles.paper} />
        <div className={styles.bar}>
          {search.trim() !== '' && <FindCounter find={find} />}
          <Toolbar canvas={canvas} scale={scale} full={full} onExport={save} />
        </div>
        <span role="status" className="nl-sr">
          {currentNode !== undefined && nodeName(currentNode, painted)}
        </span>
        {hover !== null && size !== null && (
          <HoverCard nodes={topology.nodes} {...{ hover, size, edges, trunks, linksById, painted }} />
        )}
        <Legend items={legendItems(projection.links, painted.verdicts.singles.size)} isStale={isStale} />
      </div>
    </div>
  )
}
