import { useEffect, useRef } from 'react'
import type { LinkView } from '#contract/kernel/protocol.ts'
import { rttText } from '#lib/format/format-unit.ts'
import { LinkBadge } from '#ui/state/status-badge.tsx'
import { groupLinks, sortLinks } from '../network-order.ts'
import type { Link } from '../live-network.ts'
import { memberCell, pointCells, popCell, softwareCells } from './layout/cells.ts'
import { crowdCells } from './layout/crowd.ts'
import { CROWD_ABOVE, NODE_HEIGHT_PX } from './layout/grid.ts'
import { toSections } from './layout/layout.ts'
import { isCollapsible, type TopologyCell, type TopologyMember } from './layout/topology-types.ts'
import { PORT_KINDS, PORT_MARKS } from './layout/ports.ts'
import { Legend, legendItems } from './legend.tsx'
import { nodeFacts, nodeStyle, openedText } from './node-style.ts'
import styles from './phone-topology.module.css'
import { FindCounter } from './toolbar.tsx'
import type { TopologyProps } from './topology.tsx'
import { type TopologyModel, useFolds } from './use-topology-model.ts'

/* Topology for phones: POP nodes and centres, a grid of members with their ports, then other links. */

/** Number of members above which members without a fault fold. */
const CAPACITY = 60
/** Width of the narrowest node, by which the words beside an address are chosen. */
const NODE_WIDTH_PX = 140

export function PortGrid({
  model,
  projection,
  isStale,
  search,
  selected,
  onSelect,
}: TopologyProps & { readonly model: TopologyModel }) {
  const { shape, painted, find } = model
  const { open, toggle } = useFolds()
  const list = useRef<HTMLDivElement>(null)
  const { hit } = find
  useEffect(() => {
    if (hit !== null) list.current?.querySelector('[data-hit]')?.scrollIntoView({ block: 'center' })
  }, [hit])

  const { centers, points, software } = toSections(shape)
  const pinned = new Set([hit, selected].filter((name) => name !== null))
  const cellsOf = (all: readonly TopologyMember[]) => {
    if (all.length <= CROWD_ABOVE) return pointCells(all, { capacity: CAPACITY, open, pinned })
    const { head, opened } = crowdCells(all, { capacity: CAPACITY, open, pinned })
    return [...head, ...opened]
  }
  const pickLinks = (links: readonly { readonly id: string }[]) => {
    if (links.length > 0) onSelect({ kind: 'links', ids: links.map(({ id }) => id) })
  }
  const pick = (cell: TopologyCell) => {
    if (isCollapsible(cell)) toggle(cell.id)
    else if (cell.kind === 'pop') pickLinks(painted.linksByCenter.get(cell.id) ?? [])
    else onSelect({ kind: 'member', name: cell.id })
  }
  // A link without a port joins two centres or two other members.
  const pairs = projection.links.filter(({ kind }) => !PORT_KINDS.has(kind))
  const pairsOf = groupLinks(pairs)
  const labels = new Map(shape.members.map(({ name, label }) => [name, label]))
  const section = (title: string, cells: readonly TopologyCell[]) =>
    cells.length > 0 && (
      <section aria-label={title}>
        <h3>{title}</h3>
        <ul>
          {cells.map((cell) => (
            <li key={cell.id}>
              <Node
                cell={cell}
                links={painted.linksByCenter.get(cell.id) ?? pairsOf.get(cell.id)}
                isSelected={cell.id === selected}
                model={model}
                onPick={() => pick(cell)}
              />
            </li>
          ))}
        </ul>
      </section>
    )
  const pops = shape.pops.filter(({ id }) => painted.linksByCenter.has(id))
  return (
    <div ref={list} className={styles.grid}>
      {search.trim() !== '' && <FindCounter find={find} />}
      {section('POP', pops.map(popCell))}
      {section(
        `中心点 ${centers.length}`,
        centers.map((center) => memberCell(center, 'center')),
      )}
      {section(`普通点 ${points.length}`, cellsOf(points))}
      {section(`软件成员 ${software.length}`, softwareCells(software, { open, pinned }))}
      <PairLinks
        links={pairs}
        toLabel={(name) => labels.get(name) ?? name}
        isStale={isStale}
        onOpen={(link) => pickLinks([link])}
      />
      <Legend items={legendItems(projection.links, { ringed: painted.ringed.size })} isStale={isStale} isInline />
    </div>
  )
}

interface NodeProps {
  readonly cell: TopologyCell
  /** Links that the node counts: those of a centre or POP node, or those between the node and another member. */
  readonly links: readonly LinkView[] | undefined
  readonly isSelected: boolean
  readonly model: TopologyModel
  readonly onPick: () => void
}

function Node({ cell, links, isSelected, model, onPick }: NodeProps) {
  const { painted, find, isDimmed, isFound } = model
  const { className, mark, sub, ports } = nodeStyle(cell, NODE_WIDTH_PX, painted)
  const flags = [
    styles.node,
    className.includes('nl-node-single') && styles.single,
    isDimmed(cell) && styles.dimmed,
    isFound(cell) && styles.found,
    cell.id === find.hit && styles.hit,
    isSelected && styles.selected,
  ].filter(Boolean)
  return (
    <button
      type="button"
      className={flags.join(' ')}
      data-hit={cell.id === find.hit || undefined}
      aria-expanded={isCollapsible(cell) ? cell.isOpen : undefined}
      onClick={onPick}
    >
      {ports.ground !== '' && (
        <svg
          className={styles.ports}
          viewBox={`-7 0 14 ${NODE_HEIGHT_PX}`}
          width="14"
          height={NODE_HEIGHT_PX}
          aria-hidden="true"
        >
          {PORT_MARKS.map((name) => (
            <path key={name} d={ports[name]} className={`nl-port nl-port-${name}`} />
          ))}
        </svg>
      )}
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path className={`nl-node ${className} ${styles.outline}`} />
        <path d={mark} className="nl-node-icon" />
      </svg>
      <span className={styles.texts}>
        <span className={styles.head}>
          <b>{cell.label}</b>
          {links !== undefined && cell.kind !== 'pop' && openedText(links)}
        </span>
        <span>{sub}</span>
        <span className="nl-sr">{nodeFacts(cell, painted).join('，')}</span>
      </span>
    </button>
  )
}

/** Number of links that the grid shows; the list of links has all of them. */
const SHOWN = 60

interface PairLinksProps {
  readonly links: readonly Link[]
  readonly toLabel: (routerName: string) => string
  readonly isStale: boolean
  readonly onOpen: (link: Link) => void
}

/** Links without a port as rows, the worst first, because the grid has no lines. */
function PairLinks({ links, toLabel, isStale, onOpen }: PairLinksProps) {
  if (links.length === 0) return null
  const title = `互联链路 ${links.length}`
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className={styles.pairs}>
        {sortLinks(links, toLabel)
          .slice(0, SHOWN)
          .map((link) => (
            <li key={link.id}>
              <button type="button" className={styles.pair} onClick={() => onOpen(link)}>
                <span className={styles.ends}>
                  <b>{toLabel(link.router_name)}</b> ↔ <b>{toLabel(link.center_router_name)}</b>
                </span>
                <LinkBadge state={link.state} reason={link.reason} since={link.since} stale={isStale} />
                {link.state === 'up' && link.rtt_ms !== null && <span>{rttText(link.rtt_ms)}</span>}
              </button>
            </li>
          ))}
      </ul>
      {links.length > SHOWN && <p className={styles.rest}>仅列出前 {SHOWN} 条，其余见链路列表</p>}
    </section>
  )
}
