import type { LinkView } from '../../../../worker/contract/protocol.ts'
import { LinkBadge } from '../../../ui/status-badge.tsx'
import { SinceText } from '../../../ui/time-text.tsx'
import styles from './link-list.module.css'

interface LinkListProps {
  readonly links: readonly LinkView[]
  /** The live channel is down: the last known states are shown. */
  readonly isStale: boolean
  readonly toTitle: (link: LinkView) => string
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
          {link.state !== 'up' && (
            <small>
              {link.reason !== '' && `${link.reason} · `}
              已持续 {link.since === null ? '—' : <SinceText at={link.since} />}
            </small>
          )}
        </li>
      ))}
    </ul>
  )
}

function rttText(rttMs: number | null): string {
  return rttMs === null ? '—' : `${rttMs < 10 ? rttMs.toFixed(1) : Math.round(rttMs)} ms`
}
