import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { NETWORK_TICKET_NAME, type NetworkTicketStatus } from '#contract/network/pop.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { auditRow, createOperator } from '#db/audit.ts'
import { type Statements, batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import type { HubTask } from '#contract/kernel/hubs.ts'
import { checkStep, statusesBefore } from '#domain/network/pop/tickets.ts'
import type { Ctx } from '#http/context.ts'
import { moveTicket, selectOpenTickets, selectTicket } from './sql/network-tickets.ts'
import { NETWORK_TICKET_STATUS } from '#contract/network/limits.ts'
import { insertMessage } from '#features/message/sql.ts'

type OpsInput<K extends keyof typeof opsApi> = Parsed<(typeof opsApi)[K]>
export type Ticket = Awaited<ReturnType<typeof selectTicket>>[number]

const { processing, completed, cancelled } = NETWORK_TICKET_STATUS

export async function listNetworkTickets(ctx: Ctx): Promise<Output<typeof opsApi.listNetworkTickets>> {
  const rows = await selectOpenTickets(ctx.db)
  return rows.map((row) => ({ ...row, attributes: JSON.parse(row.attributes) as unknown }))
}

export async function startNetworkTicket(ctx: Ctx, { number, note }: OpsInput<'startNetworkTicket'>): Promise<void> {
  const ticket = await requireTicket(ctx, number)
  throwIf(checkStep(ticket.status, processing))
  await batch(ctx.db, stepStatements(ctx, ticket, { next: processing, note, ...STARTED }))
}

/** Cancels an order; the resource of a completed one stays until it is withdrawn. */
export async function cancelNetworkTicket(ctx: Ctx, { number, note }: OpsInput<'cancelNetworkTicket'>): Promise<void> {
  const ticket = await requireTicket(ctx, number)
  throwIf(checkStep(ticket.status, cancelled))
  await batch(ctx.db, stepStatements(ctx, ticket, { next: cancelled, note, ...CANCELLED }))
}

async function requireTicket(ctx: Ctx, number: string): Promise<Ticket> {
  const [ticket] = await selectTicket(ctx.db, number)
  return ticket ?? refuse('NETWORK_TICKET_NOT_FOUND')
}

const STARTED = { action: 'start', verb: '开始处理' } as const
const CANCELLED = { action: 'cancel', verb: '取消' } as const

interface Step {
  readonly next: NetworkTicketStatus
  readonly note: string
  readonly action: string
  readonly verb: string
}

/** A step of a ticket with its audit row, a site message to the account, and the hubs that it concerns. */
export function stepStatements(ctx: Ctx, ticket: Ticket, step: Step, hubs: readonly HubTask[] = []) {
  const { next, note } = step
  return {
    ...moveTicket(ctx.db, ticket, statusesBefore(next), {
      status: next,
      note,
      ...(next === completed && { completedAt: ctx.now }),
    }),
    ...noticeStatements(ctx, ticket, step, hubs),
  } satisfies Statements
}

/** Audit row, message and hubs of what the operator does with a ticket. */
export function noticeStatements(
  ctx: Ctx,
  ticket: Ticket,
  { action, verb, note }: Pick<Step, 'action' | 'verb' | 'note'>,
  hubs: readonly HubTask[],
) {
  const { db, now } = ctx
  const { accountId, number, networkName, networkNumber } = ticket
  const what = `组网“${networkName ?? networkNumber}”的${NETWORK_TICKET_NAME}工单`
  return {
    message: insertMessage(db, {
      accountId,
      eventId: `network_ticket:${ticket.id}:${action}:${now}`,
      type: '工单',
      title: `组网工单已${verb}`,
      content: `${what}（${number}）已${verb}。${note === '' ? '' : `说明：${note}`}`,
      networkNumber,
      createdAt: now,
    }),
    audit: auditRow(
      ctx,
      {
        module: 'ops',
        action: `network_ticket/${action}`,
        target: number,
        message: `运营${verb}${what}`,
        after: { note },
      },
      createOperator(accountId),
    ),
    hubs: notifyHubs(ctx, [...refreshTasks('account', [ticket.accountHub]), ...hubs]),
  }
}
