import { edgeTooltip } from './edge-style.ts'
import { nodeFacts } from '../node-text.ts'
import type { Painted } from '../node-style.ts'
import styles from '../topology.module.css'
import type { TopologyLayout } from '../use-topology-layout.ts'
import type { Size } from '../use-size.ts'

export interface Hover {
  readonly id: string
  readonly x: number
  readonly y: number
}

interface HoverCardProps {
  readonly hover: Hover
  readonly size: Size
  readonly layout: TopologyLayout
  readonly painted: Painted
}

const CARD_PX = { width: 300, height: 150, gap: 18 } as const

/** Facts of what is under the pointer, on the side that has room. */
export function HoverCard({ hover, size, layout, painted }: HoverCardProps) {
  const { edges, trunks, linksById } = layout
  const { nodes } = layout.topology
  const node = nodes.find(({ id }) => id === hover.id)
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
