import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf, toMessage } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { NETWORK_TICKET_NAME, type networkTicketRow } from '#contract/network/pop.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { detectConflict, guardRevisions, retryOnConflict } from '#db/conflict.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { paged } from '#db/paged.ts'
import {
  CANCELLABLE,
  DELETABLE,
  type TicketAttributes,
  assignMembers,
  checkCancel,
  checkDelete,
  checkOrder,
} from '#domain/network/pop/tickets.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { randomText } from '#security/secrets.ts'
import { selectNetwork } from '../sql/networks.ts'
import {
  deleteTicketRow,
  insertTicket,
  selectAssignable,
  selectNamedMembers,
  selectOfferedPops,
  selectOpenTicket,
  selectRunningFr,
  selectTicket,
  selectTickets,
  updateTicketStatus,
} from '../sql/tickets.ts'
import type { networkApi } from '#contract/network/index.ts'
import { NETWORK_TICKET, NETWORK_TICKET_STATUS } from '#contract/network/limits.ts'

/* Endpoints of orders of POP resources (tickets): list, details, form, create, cancel, delete. */

type Api = typeof networkApi

const { completed, cancelled } = NETWORK_TICKET_STATUS
const OPEN = { 'network_tickets.account_id': violation('NETWORK_TICKET_OPEN') }

export async function listTickets(ctx: Ctx, { page, limit, ...filter }: Parsed<Api['ticketLists']>) {
  const rows = selectTickets(ctx.db, requireSession(ctx), filter).$dynamic()
  const { data, count } = await paged(ctx.db, rows, { page, limit })
  return { data: data.map(toTicketRow), count }
}

type TicketRow = Awaited<ReturnType<typeof selectTickets>>[number]

const toTicketRow = (row: TicketRow): typeof networkTicketRow._output => ({
  network_ticket_number: row.number,
  network_number: row.networkNumber,
  network_name: row.networkName ?? '',
  network_ticket_type: row.type,
  network_ticket_status: row.status,
  service_name: NETWORK_TICKET_NAME,
  create_time: row.createdAt,
  complete_time: row.status === completed ? row.completedAt : null,
})

export async function viewTicket(ctx: Ctx, { network_ticket_number: number }: Parsed<Api['ticketView']>) {
  const scope = requireSession(ctx)
  const { tickets, members } = await batch(ctx.db, {
    tickets: selectTicket(ctx.db, scope, number),
    members: selectNamedMembers(ctx.db, scope, number),
  })
  const ticket = tickets[0] ?? refuse('NETWORK_TICKET_NOT_FOUND')
  const { pop_conf, ...attributes } = JSON.parse(ticket.attributes) as TicketAttributes
  const now = new Map(members.map((member) => [member.id, member]))
  const named = Object.values(pop_conf).flat()
  return {
    ...toTicketRow(ticket),
    note: ticket.note,
    attributes: {
      ...attributes,
      pop: [...attributes.pop],
      pop_conf: Object.fromEntries(
        Object.entries(pop_conf).map(([area, ids]) => [area, ids.map(({ id, name }) => now.get(id)?.name ?? name)]),
      ),
    },
    member: named.map(({ id, name }) => ({ router_name: now.get(id)?.name ?? name, note: now.get(id)?.note ?? '' })),
  }
}

export async function readTicketConfig(ctx: Ctx, input: Parsed<Api['ticketConfig']>) {
  const { pops, members, open, refused } = await loadOrder(ctx, input.network_number)
  return {
    ticket: {
      bandwidth: NETWORK_TICKET.bandwidth,
      expired_time: NETWORK_TICKET.years.map((value) => ({ value })),
      pop: pops,
    },
    member: members.map(({ routerName, note }) => ({ router_name: routerName, note })),
    refused: refused && {
      reason: refused.key,
      msg: toMessage(refused),
      network_ticket_number: open?.number ?? '',
    },
  }
}

/** Loads the offer for an order of a network, and the reason that refuses one. */
async function loadOrder(ctx: Ctx, number: string) {
  const scope = requireSession(ctx)
  const found = await batch(ctx.db, {
    networks: selectNetwork(ctx.db, scope, number),
    pops: selectOfferedPops(ctx.db),
    members: selectAssignable(ctx.db, scope, number),
    running: selectRunningFr(ctx.db, scope, number, ctx.now),
    open: selectOpenTicket(ctx.db, scope, number),
  })
  const network = found.networks[0] ?? refuse('NETWORK_NOT_FOUND')
  const [open] = found.open
  const refused = checkOrder({ status: network.status, running: found.running[0], hasOpenTicket: open !== undefined })
  return { network, pops: found.pops, members: found.members, open, refused }
}

/**
 * A network has one open order: the index network_tickets_open refuses a repeated submit, even a concurrent one. The write
 * fails if the network changed since it was read.
 */
export const createTicket = (ctx: Ctx, input: Parsed<Api['ticket']>): Promise<Output<Api['ticket']>> =>
  retryOnConflict(async () => {
    const { db, now } = ctx
    const { accountId, username } = requireSession(ctx)
    const { ticket: form, pop_conf } = input
    const order = await loadOrder(ctx, input.network_number)
    throwIf(order.refused)
    const areas = order.pops.filter(({ value }) => form.pop.includes(value))
    if (areas.length < form.pop.length) refuse('POP_NOT_OFFERED')
    const { assigned, refused } = assignMembers(form.pop, pop_conf, order.members)
    throwIf(refused)
    const number = newTicketNumber()
    const attributes: TicketAttributes = { ...form, pop: areas, pop_conf: assigned }
    const write = batch(db, {
      revision: guardRevisions(db, accountId, [order.network]),
      ticket: insertTicket(db, {
        accountId,
        number,
        networkNumber: order.network.number,
        attributes: JSON.stringify(attributes),
        createdBy: username,
        createdAt: now,
      }),
      audit: auditRow(ctx, {
        module: 'network',
        action: 'ticket',
        target: number,
        message: `为组网“${order.network.name}”提交${NETWORK_TICKET_NAME}工单`,
        after: { ...form, pop: areas.map(({ name }) => name) },
      }),
    })
    await detectConflict(mapUniqueViolation(write, OPEN))
    return { network_ticket_number: number }
  })

/** Twelve random digits: a number reveals nothing about other accounts. */
const newTicketNumber = (): string => `${randomText('123456789', 1)}${randomText('0123456789', 11)}`

/** Cancels an order, even a completed one: its resources stay until the operator withdraws them. */
export async function cancelTicket(ctx: Ctx, { network_ticket_number: number }: Parsed<Api['ticketCancel']>) {
  const ticket = await requireTicket(ctx, number)
  throwIf(checkCancel(ticket.status))
  await batch(ctx.db, {
    ...updateTicketStatus(ctx.db, ticket, CANCELLABLE, cancelled),
    audit: auditRow(ctx, {
      module: 'network',
      action: 'ticket_cancel',
      target: number,
      message: `取消组网“${ticket.networkName ?? ticket.networkNumber}”的${NETWORK_TICKET_NAME}工单`,
      before: { network_ticket_status: ticket.status },
      after: { network_ticket_status: cancelled },
    }),
  })
}

export async function deleteTicket(ctx: Ctx, { network_ticket_number: number }: Parsed<Api['ticketDelete']>) {
  const ticket = await requireTicket(ctx, number)
  throwIf(checkDelete(ticket.status))
  await batch(ctx.db, {
    ...deleteTicketRow(ctx.db, ticket, DELETABLE),
    audit: auditRow(ctx, {
      module: 'network',
      action: 'ticket_delete',
      target: number,
      message: `删除组网“${ticket.networkName ?? ticket.networkNumber}”的${NETWORK_TICKET_NAME}工单`,
      before: { network_number: ticket.networkNumber, network_ticket_status: ticket.status },
    }),
  })
}

async function requireTicket(ctx: Ctx, number: string) {
  const [ticket] = await selectTicket(ctx.db, requireSession(ctx), number)
  return { ...(ticket ?? refuse('NETWORK_TICKET_NOT_FOUND')), accountId: requireAccountId(ctx) }
}
