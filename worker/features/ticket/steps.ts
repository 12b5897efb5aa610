import type { Parsed } from '#contract/kernel/endpoint.ts'
import { throwIf } from '#contract/kernel/errors.ts'
import { TICKET_STATUS, TICKET_STATUS_WORD, type ticketApi } from '#contract/ticket/index.ts'
import { type AuditEntry, auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { requireRow } from '#db/require-row.ts'
import { checkAppraise, checkDelete, checkReopen, dueTime } from '#domain/ticket/status.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectTicket, type StoredTicket, updateTicket } from './sql/tickets.ts'

/* Steps of a support ticket by its customer: appraisal, reopening, deletion. */

type TicketInput<K extends keyof typeof ticketApi> = Parsed<(typeof ticketApi)[K]>

const { processing, closed } = TICKET_STATUS

/** Closes and appraises a ticket (关闭问题并评价, account 2). A closed ticket stays closed. */
export async function appraiseTicket(ctx: Ctx, { ticket_number, grade, content }: TicketInput<'appraise'>) {
  const ticket = await requireTicket(ctx, ticket_number)
  throwIf(checkAppraise(ticket))
  await step(ctx, ticket, {
    set: { status: closed, closedAt: ticket.closedAt ?? ctx.now, grade, appraisal: content, dueAt: null },
    action: 'appraise',
    verb: '评价并关闭',
    after: { grade, content },
  })
}

export async function reopenTicket(ctx: Ctx, { ticket_number }: TicketInput<'reopen'>): Promise<void> {
  const ticket = await requireTicket(ctx, ticket_number)
  throwIf(checkReopen(ticket, ctx.now))
  await step(ctx, ticket, {
    set: { status: processing, closedAt: null, dueAt: null },
    action: 'reopen',
    verb: '重新打开',
    after: { ticket_status: TICKET_STATUS_WORD[processing] },
  })
}

/** Deletes a ticket: it is hidden from everybody of the account, and purged 180 days later. */
export async function deleteTicket(ctx: Ctx, { ticket_number }: TicketInput<'delete'>): Promise<void> {
  const ticket = await requireTicket(ctx, ticket_number)
  throwIf(checkDelete(ticket))
  const deletedAt = ctx.now
  await step(ctx, ticket, {
    set: { deletedAt, dueAt: dueTime({ ...ticket, warnedAt: null, deletedAt }) },
    action: 'delete',
    verb: '删除',
  })
}

interface Step {
  readonly set: Omit<Parameters<typeof updateTicket>[2], 'updatedAt'>
  readonly action: string
  readonly verb: string
  readonly after?: AuditEntry['after']
}

async function step(ctx: Ctx, ticket: StoredTicket, { set, action, verb, after }: Step): Promise<void> {
  const { db, now } = ctx
  await batch(db, {
    ...updateTicket(db, ticket, { ...set, updatedAt: now }),
    audit: auditRow(ctx, {
      module: 'ticket',
      action,
      target: ticket.number,
      message: `${verb}工单“${ticket.title}”`,
      before: { ticket_status: TICKET_STATUS_WORD[ticket.status] },
      ...(after && { after }),
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [ticket.hub])),
  })
}

const requireTicket = (ctx: Ctx, number: string): Promise<StoredTicket> =>
  requireRow(selectTicket(ctx.db, requireSession(ctx), number), 'TICKET_NOT_FOUND')
