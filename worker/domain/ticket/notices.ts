import { TICKET } from '#contract/ticket/limits.ts'
import type { Mail } from '#contract/kernel/outside.ts'
import { ADVISER_HOURS, TICKET_STATUS_WORD, type TicketStatus } from '#contract/ticket/index.ts'
import { composeMail } from '#domain/mail/compose.ts'

/* Site messages and mails about support tickets. Titles and replies are typed by people and stay plain text. */

interface TitledTicket {
  readonly number: string
  readonly title: string
}

const nameOf = ({ number, title }: TitledTicket): string => `工单“${title}”（${number}）`

export const replyMessage = (ticket: TitledTicket, reply: string) => ({
  title: `工单“${ticket.title}”有新的回复`,
  content: `${nameOf(ticket)}有新的回复：\n${reply}`,
})

export const stepMessage = (ticket: TitledTicket, status: TicketStatus) => ({
  title: `工单“${ticket.title}”${TICKET_STATUS_WORD[status]}`,
  content: `${nameOf(ticket)}的状态已变更为“${TICKET_STATUS_WORD[status]}”。`,
})

export const warningMessage = (ticket: TitledTicket) => ({
  title: `工单“${ticket.title}”即将自动关闭`,
  content: `${nameOf(ticket)}已回复，如${TICKET.warningDays}天内没有新的回复将自动关闭。问题尚未解决时，请在工单中回复。`,
})

export const closedMessage = (ticket: TitledTicket) => ({
  title: `工单“${ticket.title}”已自动关闭`,
  content: `${nameOf(ticket)}在回复后${TICKET.silentDays}天内没有新的消息，已自动关闭。问题尚未解决时，可在${TICKET.reopenDays}天内重新打开。`,
})

export const ticketUrl = (origin: string, number: string): string => `${origin}/ticket/detail?ticket_number=${number}`

interface Reply extends TitledTicket {
  readonly host: string
  readonly reply: string
  readonly images: number
  readonly url: string
}

export const replyMail = ({ host, reply, images, url, ...ticket }: Reply): Mail =>
  composeMail({
    host,
    subject: `工单“${ticket.title}”有新的回复`,
    paragraphs: [
      `您的${nameOf(ticket)}有新的回复：`,
      ...reply.split('\n').filter((line) => line.trim() !== ''),
      ...(images > 0 ? [`回复附有 ${images} 张图片，请在工单中查看。`] : []),
    ],
    link: { text: '查看工单', url },
    footer: `请在工单中继续沟通，顾问在${ADVISER_HOURS}回复。`,
  })
