import { rttText } from '#lib/format/format-unit.ts'
import { LinkCell } from '#ui/member/member-badges.tsx'
import type { Link } from '../projection.ts'
import { PanelList, PanelRow } from '../members/panel-list.tsx'

interface LinkListProps {
  readonly label: string
  /** Links in their order. */
  readonly links: readonly Link[]
  /** The live channel is down: the last known states are shown. */
  readonly isStale: boolean
  readonly toTitle: (link: Link) => string
  readonly onOpen: (link: Link) => void
}

/** Links in a panel: a press opens one. */
export function LinkList({ label, links, isStale, toTitle, onOpen }: LinkListProps) {
  return (
    <PanelList label={label}>
      {links.map((link) => (
        <PanelRow key={link.id} title={toTitle(link)} facts={linkFacts(link)} onOpen={() => onOpen(link)}>
          <LinkCell link={link} isStale={isStale} />
        </PanelRow>
      ))}
    </PanelList>
  )
}

const linkFacts = ({ state, reason, rtt_ms }: Link) => [state !== 'up' && reason, rtt_ms !== null && rttText(rtt_ms)]
