import { NETWORK_TICKET_WORD, type NetworkTicketStatus } from '#contract/network/pop.ts'
import { Icon, type Shape, type Tone } from '#ui/state/icon.tsx'

const STYLE: Readonly<Record<NetworkTicketStatus, { readonly shape: Shape; readonly tone: Tone }>> = {
  1: { shape: 'dots', tone: 'idle' },
  2: { shape: 'arrow', tone: 'busy' },
  3: { shape: 'tick', tone: 'ok' },
  4: { shape: 'dash', tone: 'idle' },
}

/** Status of an order of POP access (network 4). */
export function TicketBadge({ status }: { readonly status: NetworkTicketStatus }) {
  const { shape, tone } = STYLE[status]
  return (
    <span className={`nl-status nl-tone-${tone}`}>
      <Icon shape={shape} tone={tone} />
      <span className="nl-status-word">{NETWORK_TICKET_WORD[status]}</span>
    </span>
  )
}
