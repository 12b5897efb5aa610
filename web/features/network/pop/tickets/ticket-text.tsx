import { NETWORK_TICKET_NAME, NETWORK_TICKET_WORD, type NetworkTicketStatus } from '#contract/network/pop.ts'
import { type DayRange, rangeMs } from '#lib/format/format-time.ts'
import { NETWORK_TICKET } from '#contract/network/limits.ts'
import { type StatusStyle, StatusWord } from '#ui/state/state-icon.tsx'

/* Texts and status badge of orders of POP access; the URL form of the range of days that filters their list. */

export const ticketTypeName = (type: number): string =>
  type === NETWORK_TICKET.type ? `${NETWORK_TICKET_NAME}工单` : '其他工单'

export const bandwidthText = (mbps: number): string => `${mbps} Mbps`
export const UNASSIGNED_TEXT = '暂未分配成员'
export const NOT_CHOSEN = '未选择'
export const yearsText = (years: number): string => `${years} 年`

/** Range of days as one filter in the address: 2026-11-01~2026-11-22. */
export const rangeText = (range: DayRange | null): string => (range === null ? '' : `${range.from}~${range.to}`)
export function parseRange(text: string): DayRange | null {
  const [, from, to] = /^(\d{4}-\d\d-\d\d)~(\d{4}-\d\d-\d\d)$/.exec(text) ?? []
  if (from === undefined || to === undefined) return null
  return Number.isNaN(rangeMs({ from, to }).startMs + rangeMs({ from, to }).endMs) ? null : { from, to }
}

const STYLE: Readonly<Record<NetworkTicketStatus, StatusStyle>> = {
  1: { shape: 'dots', tone: 'idle' },
  2: { shape: 'arrow', tone: 'busy' },
  3: { shape: 'tick', tone: 'ok' },
  4: { shape: 'dash', tone: 'idle' },
}

/** Status of an order of POP access (network 4). */
export function TicketBadge({ status }: { readonly status: NetworkTicketStatus }) {
  return <StatusWord {...STYLE[status]} word={NETWORK_TICKET_WORD[status]} />
}
