import { rttText } from '../../../lib/format-unit.ts'
import { LinkCell } from '../../../ui/member-badges.tsx'
import type { Link } from '../projection.ts'
import styles from './link-list.module.css'

interface LinkListProps {
  readonly label: string
  /** In their order. */
  readonly links: readonly Link[]
  /** The live channel is down: the last known states are shown. */
  readonly isStale: boolean
  readonly toTitle: (link: Link) => string
  readonly onOpen: (link: Link) => void
}

/** Links in a panel: a press opens one. */
export function LinkList({ label, links, isStale, toTitle, onOpen }: LinkListProps) {
  return (
    <ul className={styles.list} aria-label={label}>
      {links.map((link) => (
        <li key={link.id}>
          <button type="button" className="nl-link" onClick={() => onOpen(link)}>
            {toTitle(link)}
          </button>
          <LinkCell link={link} isStale={isStale} />
          <small>{facts(link)}</small>
        </li>
      ))}
    </ul>
  )
}

const facts = ({ state, reason, rtt_ms }: Link): string =>
  [state !== 'up' && reason, rtt_ms !== null && rttText(rtt_ms)].filter(Boolean).join(' · ')
