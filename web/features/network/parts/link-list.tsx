import { rttText } from '../../../lib/format-unit.ts'
import { LinkBadge } from '../../../ui/status-badge.tsx'
import { SinceText } from '../../../ui/time-text.tsx'
import type { Link } from '../projection.ts'
import styles from './link-list.module.css'

interface LinkListProps {
  readonly links: readonly Link[]
  /** The live channel is down: the last known states are shown. */
  readonly isStale: boolean
  readonly toTitle: (link: Link) => string
}

/** Links, those that are not up first. */
export function LinkList({ links, isStale, toTitle }: LinkListProps) {
  const sorted = links.toSorted((a, b) => Number(a.state === 'up') - Number(b.state === 'up'))
  return (
    <ul className={styles.list}>
      {sorted.map((link) => (
        <li key={link.id}>
          <span>{toTitle(link)}</span>
          <span className="nl-muted">{rttText(link.rtt_ms)}</span>
          <LinkBadge state={link.state} reason={link.reason} since={link.since} stale={isStale} />
          <small>
            {link.vpn_ip !== '' && `VPN IP ${link.vpn_ip} · `}
            {link.state !== 'up' && link.reason !== '' && `${link.reason} · `}
            已持续 {link.since === null ? '—' : <SinceText at={link.since} />}
          </small>
        </li>
      ))}
    </ul>
  )
}
