import { opsApi } from '#contract/ops/index.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import type { Call } from '#infra/local/api.ts'
import type { DemoTicket } from './data.ts'

/** Tickets of one person, as far as each has come: replies of both sides, then a status or an appraisal. */
export async function loadTickets(api: Call, ops: Call, tickets: readonly DemoTicket[], image?: File): Promise<void> {
  for (const { type, title, content, router, dialogue = [], status, appraise, hasImage } of tickets) {
    const file_ids = hasImage && image ? [(await api(ticketApi.uploadFile, { file: image })).file_id] : []
    const snapshot = router === undefined ? null : { kind: 'router' as const, router_name: router }
    const { ticket_number } = await api(ticketApi.create, { type, title, content, file_ids, snapshot })
    if (status !== undefined) await ops(opsApi.ticketStatus, { number: ticket_number, status })
    for (const { side, text } of dialogue) {
      if (side === 'customer') await api(ticketApi.reply, { ticket_number, content: text })
      else await ops(opsApi.replyTicket, { number: ticket_number, content: text })
    }
    if (appraise) await api(ticketApi.appraise, { ticket_number, ...appraise })
  }
}
