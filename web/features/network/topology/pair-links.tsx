import { rttText } from '#lib/format/format-unit.ts'
import { LinkBadge } from '#ui/state/status-badge.tsx'
import { sortLinks } from '../network-order.ts'
import type { Link } from '../projection.ts'
import { PORT_KINDS } from './layout/ports.ts'
import styles from './port-grid.module.css'

/** Beyond it the list of links has them. */
const SHOWN = 60

interface PairLinksProps {
  readonly links: readonly Link[]
  readonly toLabel: (routerName: string) => string
  readonly isStale: boolean
  readonly onOpen: (link: Link) => void
}

/** Links for which no port stands: between two centres, or two others. */
export const isPair = ({ kind }: Pick<Link, 'kind'>): boolean => !PORT_KINDS.has(kind)

/** The same as rows, the worst first: a grid of a phone has no lines. */
export function PairLinks({ links, toLabel, isStale, onOpen }: PairLinksProps) {
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
