import {
  ADVISER_HOURS,
  TICKET_STATUS_WORD,
  TICKET_TYPES,
  type TicketStatus,
  ticketStatus,
  type TicketType,
} from '#contract/ticket/index.ts'
import { TICKET } from '#contract/ticket/limits.ts'
import type { ServiceRequest } from '#lib/paths.ts'
import { type StatusStyle, StatusWord } from '#ui/state/state-icon.tsx'

/* Words and options of tickets: types, states, grades, and the badge of a state. */

export const HOURS_HINT = `顾问将在${ADVISER_HOURS} 于工单内回复`

export const typeName = (type: TicketType): string => TICKET_TYPES[type]
export const TYPE_OPTIONS = Object.entries(TICKET_TYPES).map(([value, label]) => ({ value: Number(value), label }))

const KNOWN = [...ticketStatus.values]
export const STATUS_OPTIONS = [
  { value: '', label: '全部' },
  ...KNOWN.map((status) => ({ value: String(status), label: TICKET_STATUS_WORD[status] })),
]
export const toStatus = (text: string) => KNOWN.find((known) => String(known) === text) ?? ''

const GRADE_WORDS = ['', '很不满意', '不满意', '一般', '满意', '很满意']
export const gradeText = (grade: number): string =>
  grade === 0 ? '未评分' : `${grade} 星，${GRADE_WORDS[grade] ?? ''}`

export function renewalTexts(service: string): { readonly title: string; readonly content: string } {
  const title = [...`续费：${service}`].slice(0, TICKET.titleMax).join('')
  return { title, content: `希望为服务“${service}”续费，请联系我们。` }
}

const REQUESTS: Readonly<Record<ServiceRequest, { readonly title: string; readonly purpose: string }>> = {
  service: { title: '开通服务：组网席位', purpose: '开通组网服务。\n需要的席位数量：\n希望的开始时间：' },
  seats: { title: '扩容：组网席位', purpose: '增加组网席位。\n需要增加的数量：' },
  software: { title: '扩容：软件成员', purpose: '开通或增加软件成员。\n需要的数量：' },
  ram: { title: '扩容：子账号', purpose: '开通或增加子账号。\n需要的数量：' },
}

/** Texts of a request to the provider; null for an unknown kind in the address. */
export function requestTexts(kind: string | null, username: string) {
  const request = Object.entries(REQUESTS).find(([known]) => known === kind)?.[1]
  return request === undefined ? null : { title: request.title, content: `账号 ${username} 希望${request.purpose}` }
}

const STYLE: Readonly<Record<TicketStatus, StatusStyle>> = {
  1: { shape: 'dots', tone: 'idle' },
  2: { shape: 'arrow', tone: 'busy' },
  3: { shape: 'tick', tone: 'ok' },
  4: { shape: 'dash', tone: 'idle' },
}

export function TicketBadge({ status }: { readonly status: TicketStatus }) {
  return <StatusWord {...STYLE[status]} word={TICKET_STATUS_WORD[status]} />
}
