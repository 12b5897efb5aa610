import { TICKET_STATUS_WORD, type TicketStatus } from '#contract/ticket/index.ts'
import { type StatusStyle, StatusWord } from '#ui/state/icon.tsx'

const STYLE: Readonly<Record<TicketStatus, StatusStyle>> = {
  1: { shape: 'dots', tone: 'idle' },
  2: { shape: 'arrow', tone: 'busy' },
  3: { shape: 'tick', tone: 'ok' },
  4: { shape: 'dash', tone: 'idle' },
}

export function TicketBadge({ status }: { readonly status: TicketStatus }) {
  return <StatusWord {...STYLE[status]} word={TICKET_STATUS_WORD[status]} />
}
