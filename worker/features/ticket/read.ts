import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { ticketApi } from '#contract/ticket/index.ts'
import { batch } from '#db/batch.ts'
import { selectAttached } from '#features/file/sql.ts'
import { paged } from '#db/paged.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { toTicketView } from './service.ts'
import { selectTicket, selectTicketReplies, selectTickets, ticketHolder } from './sql/tickets.ts'

/* Support tickets (工单) of the caller: their list, and one with its conversation. */

type Api = typeof ticketApi

export const listTickets = (ctx: Ctx, input: Parsed<Api['lists']>) =>
  paged(ctx.db, selectTickets(ctx.db, requireSession(ctx), input).$dynamic(), input)

/** Ticket with its conversation. A ticket of somebody else answers like one that does not exist. */
export async function readTicket(ctx: Ctx, { ticket_number: number }: Parsed<Api['info']>) {
  const { db } = ctx
  const session = requireSession(ctx)
  const { found, replies, files } = await batch(db, {
    found: selectTicket(db, session, number),
    replies: selectTicketReplies(db, session, number),
    files: selectAttached(db, session.accountId, ticketHolder(number)),
  })
  const [ticket] = found
  return ticket ? toTicketView(ctx, ticket, replies, files) : refuse('TICKET_NOT_FOUND')
}
