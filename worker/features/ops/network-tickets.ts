import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { NETWORK_TICKET_NAME, type NetworkTicketStatus } from '#contract/network/pop.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import type { HubTask } from '#contract/kernel/hubs.ts'
import { checkStep, statusesBefore, type TicketAttributes } from '#domain/network/pop/tickets.ts'
import type { Ctx } from '#http/context.ts'
import { operatorAudit } from './audit.ts'
import {
  moveTicket,
  selectOpenTickets,
  selectTicket,
  NEW_FR,
  accountIdOf,
  areasOf,
  insertAreas,
  insertFr,
  linkFr,
  networkIdOf,
  saveMainAreas,
  selectTicketMembers,
  setNetworkFr,
} from './sql/network-tickets.ts'
import { NETWORK_TICKET_STATUS, OV_PRIORITY, POP } from '#contract/network/limits.ts'
import { detectConflict, guardRevisions, retryOnConflict } from '#db/conflict.ts'
import { requireRow } from '#db/require-row.ts'
import { pickNodes } from '#domain/network-fr/resource.ts'
import { addYears } from '#contract/kernel/time.ts'
import { freeSubnetIndexes } from '#domain/network/addresses/addresses.ts'
import { insertMessage } from '#features/message/sql.ts'
import { clearAreas, replaceCarriers, selectCarriers, selectNodes } from '#features/network-fr/sql/nodes.ts'
import { guardSubnetIndexes, selectPoolSegments, selectUsedIndexes } from '#features/network/sql/addresses.ts'

/* Orders of POP access (network tickets): the operator lists, starts, completes and cancels them. */

type OpsInput<K extends keyof typeof opsApi> = Parsed<(typeof opsApi)[K]>
type Ticket = Awaited<ReturnType<typeof selectTicket>>[number]

const { processing, completed, cancelled } = NETWORK_TICKET_STATUS

export async function listNetworkTickets(ctx: Ctx): Promise<Output<typeof opsApi.listNetworkTickets>> {
  const rows = await selectOpenTickets(ctx.db)
  return rows.map((row) => ({ ...row, attributes: JSON.parse(row.attributes) as unknown }))
}

export async function startNetworkTicket(ctx: Ctx, { number, note }: OpsInput<'startNetworkTicket'>): Promise<void> {
  const ticket = await requireTicket(ctx, number)
  throwIf(checkStep(ticket.status, processing))
  await batch(ctx.db, stepStatements(ctx, ticket, { next: processing, action: 'start', verb: '开始处理', note }))
}

/** Cancels an order; the resource of a completed one stays until it is withdrawn. */
export async function cancelNetworkTicket(ctx: Ctx, { number, note }: OpsInput<'cancelNetworkTicket'>): Promise<void> {
  const ticket = await requireTicket(ctx, number)
  throwIf(checkStep(ticket.status, cancelled))
  await batch(ctx.db, stepStatements(ctx, ticket, { next: cancelled, action: 'cancel', verb: '取消', note }))
}

const requireTicket = (ctx: Ctx, number: string): Promise<Ticket> =>
  requireRow(selectTicket(ctx.db, number), 'NETWORK_TICKET_NOT_FOUND')

interface Step {
  readonly next: NetworkTicketStatus
  readonly note: string
  readonly action: string
  readonly verb: string
}

function stepStatements(ctx: Ctx, ticket: Ticket, step: Step, hubs: readonly HubTask[] = []) {
  const { next, note } = step
  const set = { status: next, note, ...(next === completed && { completedAt: ctx.now }) }
  return {
    ...moveTicket(ctx.db, ticket, statusesBefore(next), set),
    ...noticeStatements(ctx, ticket, step, hubs),
  }
}

/** Audit row, message and hubs of an operator's action on an order. */
function noticeStatements(
  ctx: Ctx,
  ticket: Ticket,
  { action, verb, note }: Omit<Step, 'next'>,
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
    audit: operatorAudit(ctx, accountId, {
      action: `network_ticket/${action}`,
      target: number,
      message: `运营${verb}${what}`,
      after: { note },
    }),
    hubs: notifyHubs(ctx, [...refreshTasks('account', [ticket.accountHub]), ...hubs]),
  }
}

/** Makes the resource with its areas, and assigns their nodes to the network and the areas to its members, in one batch. */
export const completeNetworkTicket = (ctx: Ctx, input: OpsInput<'completeNetworkTicket'>) =>
  retryOnConflict(async () => {
    const { db, now } = ctx
    const { number, note, expired_time: end } = input
    if (end !== undefined && end <= now) refuse('INPUT_INVALID', { reason: '到期时间必须晚于当前时间' }, 'expired_time')
    const { tickets, candidates, ...found } = await batch(db, {
      tickets: selectTicket(db, number),
      candidates: selectNodes(db, areasOf(number)),
      members: selectTicketMembers(db, number),
      carriers: selectCarriers(db, networkIdOf(number)),
      indexes: selectUsedIndexes(db, accountIdOf(number)),
      reported: selectPoolSegments(db, accountIdOf(number)),
    })
    const ticket = tickets[0] ?? refuse('NETWORK_TICKET_NOT_FOUND')
    throwIf(checkStep(ticket.status, completed))
    const { accountId, networkId, revision, networkHub } = ticket
    if (networkId === null || revision === null || networkHub === null) return refuse('NETWORK_NOT_FOUND')
    const { nodes, unserved } = pickNodes(candidates)
    if (unserved) return refuse('POP_NODE_MISSING', { pop: unserved.pop })
    const indexes = freeSubnetIndexes(nodes.length, {
      usedIndexes: found.indexes.map(([index]) => index),
      reported: found.reported.map(([segment]) => segment),
    })
    if (indexes.length < nodes.length) return refuse('SEGMENTS_USED_UP')

    const order = JSON.parse(ticket.attributes) as TicketAttributes
    const areas = [...new Set(nodes.map(({ pop }) => pop))].join('、').slice(0, POP.nameMax)
    const key = { accountId, networkId }
    const mains = Object.entries(order.pop_conf).flatMap(([area, members]) =>
      members.map(({ id }) => [id, Number(area)] as const),
    )
    const popIds = order.pop.map(({ value }) => value)
    const carriers = nodes.map(({ routerId, popId }, i) => [routerId ?? 0, popId, indexes[i] ?? 0] as const)
    const hubs = new Set([...found.members, ...found.carriers, ...nodes].flatMap(({ hub }) => hub ?? []))
    const tasks = [...refreshTasks('network', [networkHub]), ...refreshTasks('router', [...hubs])]
    const write = batch(db, {
      revision: guardRevisions(db, accountId, [{ id: networkId, revision }]),
      frs: insertFr(db, {
        accountId,
        name: input.name ?? areas,
        shortname: input.shortname ?? input.name ?? areas,
        createdAt: now,
        expireAt: end ?? addYears(now, order.expired_time),
      }),
      areas: insertAreas(db, accountId, popIds, order.bandwidth),
      ...replaceCarriers(ctx, key, NEW_FR, carriers),
      indexes: guardSubnetIndexes(db, accountId),
      network: setNetworkFr(db, key),
      cleared: clearAreas(db, accountId, networkId, OV_PRIORITY.default, now), // areas of an earlier resource
      mains: saveMainAreas(db, key, mains, OV_PRIORITY.default, now),
      link: linkFr(db, ticket),
      ...stepStatements(ctx, ticket, { next: completed, action: 'complete', verb: '完成', note }, tasks),
    })
    const { frs } = await detectConflict(write)
    return { network_fr_id: frs[0]?.id ?? refuse('NETWORK_TICKET_CHANGED') }
  })
