import { useEffect, useMemo, useRef, useState } from 'react'
import type { LinkView } from '../../../../worker/contract/protocol.ts'
import { NothingFound, NothingYet } from '../../../ui/states.tsx'
import { isMatch } from '../picker.ts'
import type { Member, Projection } from '../projection.ts'
import type { Canvas } from './canvas.ts'
import {
  type TopologyNode,
  layoutTopology,
  SOFTWARE_GROUP,
  type Topology as LaidOut,
  type TopologyShape,
  type TopologyEdge,
} from './layout.ts'
import { Legend } from './legend.tsx'
import { nodeStyle, edgeClass, edgeTooltip } from './styles.ts'
import { onlyAbnormal, toTopologyShape, useStableShape } from './shape.ts'
import { Toolbar, type ToolbarFind } from './toolbar.tsx'
import './drawing.css'
import styles from './topology.module.css'
import { useCanvas } from './use-canvas.ts'
import { useFullScreen } from './use-full-screen.ts'

export type Picked =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'links'; readonly ids: readonly string[] }

interface TopologyProps {
  readonly networkName: string
  readonly popName: string
  readonly projection: Pick<Projection, 'members' | 'links'>
  /** The live channel is down: states are grey. */
  readonly isStale: boolean
  /** Text of the page's search box. */
  readonly search: string
  /** Members that the page's chip leaves out; null without a chip. */
  readonly dimmed: ((member: Member) => boolean) | null
  /** A router_name or the id of a link. */
  readonly selected: string | null
  readonly onSelect: (picked: Picked | null) => void
}

interface Hover {
  readonly id: string
  readonly x: number
  readonly y: number
}

const PAN_PX = 80
const ZOOM = 1.25

/** The drawing of one network. Layout follows membership; states restyle in place. */
export function Topology({ networkName, popName, projection, isStale, onSelect }: TopologyProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [isFiltered, setFiltered] = useState(false)
  const [hover, setHover] = useState<Hover | null>(null)
  const shown = useMemo(() => (isFiltered ? onlyAbnormal(projection) : projection), [isFiltered, projection])
  const shape = useStableShape(useMemo(() => toTopologyShape(shown.members, shown.links, popName), [shown, popName]))
  const topology = useMemo(() => layoutTopology(shape, { open }), [shape, open])
  const membersByName = useMemo(() => new Map(projection.members.map((m) => [m.router_name, m])), [projection.members])
  const linksById = useMemo(() => new Map(projection.links.map((link) => [link.id, link])), [projection.links])
  const full = useFullScreen()

  const toggle = (id: string) => {
    keepInPlace(id)
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const pick = (id: string) => {
    const node = topology.nodes.find((one) => one.id === id)
    if (node?.kind === 'group' || node?.kind === 'collapsedGroup') return toggle(id)
    if (node !== undefined) return node.kind === 'pop' ? undefined : onSelect({ kind: 'member', name: id })
    const edge = topology.edges.find((one) => one.id === id)
    if (edge !== undefined && edge.links.length > 0) onSelect({ kind: 'links', ids: edge.links })
  }
  const { paper, canvas } = useCanvas({
    onPick: pick,
    onHover: (id, at) => {
      canvas.current?.highlight(id)
      setHover(id === null ? null : { id, ...at })
    },
  })
  const keepInPlace = useDrawing({ canvas, topology, isFiltered, membersByName, linksById, isStale })

  const find = useFind({
    members: shown.members,
    topology,
    canvas,
    reveal: (name) => setOpen(opened(open, name, shape)),
  })
  const isEmpty = topology.nodes.length === 0
  return (
    <div className={`${styles.topology} ${full.isOn ? styles.full : ''}`}>
      <Toolbar
        canvas={canvas}
        topology={topology}
        networkName={networkName}
        isFiltered={isFiltered}
        onFilter={setFiltered}
        onFind={find}
        full={full}
      />
      <div
        className={styles.stage}
        role="application"
        aria-label={`${networkName} 拓扑图；方向键移动，加减号缩放。同样的内容见列表视图`}
        tabIndex={0}
        onKeyDown={(event) => {
          if (move(event.key, canvas.current)) event.preventDefault()
        }}
      >
        <div ref={paper} className={styles.paper} />
        {isEmpty &&
          (isFiltered ? <NothingFound onClear={() => setFiltered(false)} /> : <NothingYet title="暂无成员" />)}
        {hover !== null && (
          <HoverTooltip hover={hover} nodes={topology.nodes} edges={topology.edges} {...{ membersByName, linksById }} />
        )}
      </div>
      <Legend hasGroups={topology.nodes.some(({ kind }) => kind === 'group')} />
    </div>
  )
}

interface Drawing {
  readonly canvas: { readonly current: Canvas | null }
  readonly topology: LaidOut
  readonly isFiltered: boolean
  readonly membersByName: ReadonlyMap<string, Member>
  readonly linksById: ReadonlyMap<string, LinkView>
  readonly isStale: boolean
}

/** Draws and restyles. The returned function sets the anchor: the node that the next draw keeps in place. */
function useDrawing({
  canvas,
  topology,
  isFiltered,
  membersByName,
  linksById,
  isStale,
}: Drawing): (id: string) => void {
  const kept = useRef<string | null>(null)
  useEffect(() => {
    canvas.current?.draw(topology, kept.current)
    kept.current = null
  }, [canvas, topology])
  useEffect(() => canvas.current?.fit(), [canvas, isFiltered]) // the filter changes the layout
  useEffect(() => {
    canvas.current?.paint(
      (node) => nodeStyle(node, membersByName, isStale),
      (edge) => edgeClass(edge, linksById, isStale),
    )
  }, [canvas, topology, membersByName, linksById, isStale])
  return (id) => {
    kept.current = id
  }
}

function move(key: string, canvas: Canvas | null): boolean {
  const by: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [PAN_PX, 0],
    ArrowRight: [-PAN_PX, 0],
    ArrowUp: [0, PAN_PX],
    ArrowDown: [0, -PAN_PX],
  }
  const step = by[key]
  if (step !== undefined) canvas?.pan(...step)
  else if (key === '+' || key === '=') canvas?.zoom(ZOOM)
  else if (key === '-') canvas?.zoom(1 / ZOOM)
  else if (key === '0') canvas?.fit()
  else return false
  return true
}

/** Groups to expand so that a member is drawn by itself. */
function opened(open: ReadonlySet<string>, name: string, shape: TopologyShape): ReadonlySet<string> {
  const isSoftware = shape.members.some((member) => member.name === name && member.routerType === 2)
  const outer = isSoftware ? new Set([...open, SOFTWARE_GROUP]) : open
  const { nodes } = layoutTopology(shape, { open: outer })
  const group = nodes.find((node) => node.kind === 'group' && node.members.includes(name))
  return new Set(group === undefined ? outer : [...outer, group.id])
}

interface FindInput {
  readonly members: readonly Member[]
  readonly topology: LaidOut
  readonly canvas: { readonly current: Canvas | null }
  /** Expands the group that the member is collapsed into. */
  readonly reveal: (name: string) => void
}

/** Focuses the next member that matches; returns its index and the count. */
function useFind({ members, topology, canvas, reveal }: FindInput): ToolbarFind {
  const pending = useRef<string | null>(null)
  const show = (name: string) => {
    canvas.current?.focus(name)
    canvas.current?.highlight(name)
  }
  useEffect(() => {
    const name = pending.current
    pending.current = null
    if (name === null) return
    canvas.current?.focus(name)
    canvas.current?.highlight(name)
  }, [topology, canvas])
  return (search, turn) => {
    const found = search.trim() === '' ? [] : members.filter((member) => isMatch(member, search))
    const at = found.length === 0 ? 0 : turn % found.length
    const name = found[at]?.router_name
    if (name === undefined) return { at: 0, of: 0 }
    if (topology.nodes.some(({ id }) => id === name)) show(name)
    else {
      pending.current = name
      reveal(name)
    }
    return { at: at + 1, of: found.length }
  }
}

interface HoverTooltipProps {
  readonly hover: Hover
  readonly nodes: readonly TopologyNode[]
  readonly edges: readonly TopologyEdge[]
  readonly membersByName: ReadonlyMap<string, Member>
  readonly linksById: ReadonlyMap<string, LinkView>
}

function HoverTooltip({ hover, nodes, edges, membersByName, linksById }: HoverTooltipProps) {
  const node = nodes.find(({ id }) => id === hover.id)
  const edge = edges.find(({ id }) => id === hover.id)
  const reason = node === undefined ? '' : (membersByName.get(node.id)?.presence.reason ?? '')
  const names = edge?.ends.map((id) => nodes.find((one) => one.id === id)?.label ?? id)
  return (
    <div className={styles.hint} style={{ left: Math.max(8, hover.x - 40), top: hover.y + 16 }} aria-hidden="true">
      {node !== undefined && <strong>{node.label}</strong>}
      {node !== undefined && nodeStyle(node, membersByName, false).sub}
      {reason !== '' && ` · ${reason}`}
      {edge !== undefined && <strong>{names?.join(' ↔ ')}</strong>}
      {edge !== undefined && edgeTooltip(edge, linksById)}
    </div>
  )
}
