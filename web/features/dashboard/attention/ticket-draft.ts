import type { AttentionRow } from '#contract/kernel/health.ts'
import { TICKET } from '#contract/ticket/limits.ts'
import { timeText } from '#lib/format/format-time.ts'
import type { TicketDraft } from '#lib/ticket-draft.ts'

/** Title and first lines of a ticket about a row that needs attention: name, cause, since. */
export function toTicketDraft({ name, cause, since }: Pick<AttentionRow, 'name' | 'cause' | 'since'>): TicketDraft {
  const [short = ''] = cause.split(/[：，；（]| → /u)
  return {
    title: [...`${name}：${short}`].slice(0, TICKET.titleMax).join(''),
    content: [
      `对象：${name}`,
      `现象：${cause}`,
      ...(since === null ? [] : [`发生时间：${timeText(since)}`]),
      '已尝试的操作：',
    ].join('\n'),
  }
}
