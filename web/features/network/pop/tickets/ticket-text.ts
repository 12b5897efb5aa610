import { NETWORK_TICKET_NAME } from '#contract/network/pop.ts'
import { type DayRange, rangeMs } from '#lib/format/format-time.ts'
import { NETWORK_TICKET } from '#contract/network/limits.ts'

export const ticketTypeName = (type: number): string =>
  type === NETWORK_TICKET.type ? `${NETWORK_TICKET_NAME}工单` : '其他工单'

export const bandwidthText = (mbps: number): string => `${mbps} Mbps`
/** Text in place of the members of a POP area. */
export const UNASSIGNED_TEXT = '暂未分配成员'
export const yearsText = (years: number): string => `${years} 年`

/** A range of days as one filter of the address: 2026-11-01~2026-11-22. */
export const rangeText = (range: DayRange | null): string => (range === null ? '' : `${range.from}~${range.to}`)
export function parseRange(text: string): DayRange | null {
  const [, from, to] = /^(\d{4}-\d\d-\d\d)~(\d{4}-\d\d-\d\d)$/.exec(text) ?? []
  if (from === undefined || to === undefined) return null
  return Number.isNaN(rangeMs({ from, to }).startMs + rangeMs({ from, to }).endMs) ? null : { from, to }
}
