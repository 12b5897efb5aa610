import { TICKET_STATUS_WORD, type TicketStatus } from '#contract/ticket/index.ts'
import { Icon, type Shape, type Tone } from '#ui/state/icon.tsx'

const STYLE: Readonly<Record<TicketStatus, { readonly shape: Shape; readonly tone: Tone }>> = {
  1: { shape: 'dots', tone: 'idle' },
  2: { shape: 'arrow', tone: 'busy' },
  3: { shape: 'tick', tone: 'ok' },
  4: { shape: 'dash', tone: 'idle' },
}

export function TicketBadge({ status }: { readonly status: TicketStatus }) {
  const { shape, tone } = STYLE[status]
  return (
    <span className={`nl-status nl-tone-${tone}`}>
      <Icon shape={shape} tone={tone} />
      <span className="nl-status-word">{TICKET_STATUS_WORD[status]}</span>
    </span>
  )
}
