import type { LinkView } from '../../../../worker/contract/protocol.ts'
import { SinceText } from '../../../ui/time-text.tsx'
import { LinkState, rttText } from './link-state.tsx'
import styles from './link-list.module.css'

interface LinkListProps {
  readonly links: readonly LinkView[]
  readonly isStale: boolean
  readonly titleOf: (link: LinkView) => string
}

/** Links, those in trouble first. */
export function LinkList({ links, isStale, titleOf }: LinkListProps) {
  const sorted = links.toSorted((a, b) => Number(a.state === 'up') - Number(b.state === 'up'))
  return (
    <ul className={styles.list}>
      {sorted.map((link) => (
        <li key={link.id}>
          <span>{titleOf(link)}</span>
          <span className="nl-muted">{rttText(link.rtt_ms)}</span>
          <LinkState link={link} isStale={isStale} />
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
