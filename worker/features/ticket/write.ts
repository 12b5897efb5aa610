import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import type { Session } from '#contract/kernel/session.ts'
import { type ticketApi, TICKET_TYPES } from '#contract/ticket/index.ts'
import { TICKET } from '#contract/ticket/limits.ts'
import { auditRow } from '#db/audit.ts'
import { batch, type Results } from '#db/batch.ts'
import { useFiles } from '#features/file/sql.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { guardRate } from '#db/rate-limit.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Snapshot, SnapshotTarget } from '#contract/ticket/snapshot.ts'
import { personKey } from '#domain/account/user.ts'
import { toTicketNumber } from '#domain/ticket/number.ts'
import { toNetworkSnapshot, toRouterSnapshot } from '#domain/ticket/snapshot.ts'
import { checkReply, statusAfterReply } from '#domain/ticket/status.ts'
import { selectAccountHub } from '#features/account/sql/accounts.ts'
import { readTransitions, askNetworkHub } from '#features/network/service.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { randomText } from '#security/secrets.ts'
import {
  insertTicket,
  selectTicket,
  insertReply,
  ticketHolder,
  updateTicket,
  selectSnapshotRows,
} from './sql/tickets.ts'
import { TICKET_IMAGE } from './upload.ts'

/* New support tickets and customers' replies, with snapshots of a router or network. */

type Api = typeof ticketApi

const TAKEN = { 'tickets.number': violation('TICKET_CHANGED') }

/** Tries once more if a parallel write, or the same number of another ticket, came first. */
async function onceMore<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof Refusal && error.violation.key === 'TICKET_CHANGED') return attempt()
    throw error
  }
}

const uses = (session: Session, keys: readonly string[]) => ({
  accountId: session.accountId,
  person: personKey(session),
  purpose: TICKET_IMAGE,
  keys,
})

/** Creates a ticket. Every role may do so (account 6 names none); a snapshot stays within its networks. */
export async function createTicket(ctx: Ctx, input: Parsed<Api['create']>): Promise<Output<Api['create']>> {
  const { db, now } = ctx
  const session = requireSession(ctx)
  const { accountId, username } = session
  const person = personKey(session)
  const { owner, ...rows } = await batch(db, {
    owner: selectAccountHub(db, accountId),
    ...selectSnapshotRows(db, session, input.snapshot),
  })
  const hub = owner[0]?.hub ?? refuse('SESSION_REVOKED')
  const snapshot = await createSnapshot(ctx, hub, input.snapshot, rows)
  const { title, content, type, file_ids: keys } = input
  return onceMore(async () => {
    const number = toTicketNumber(now, randomText('0123456789', 6))
    const write = batch(db, {
      rate: guardRate(db, `ticket_create:${person}`, TICKET.createRate, now),
      ...useFiles(db, uses(session, keys), ticketHolder(number)),
      ticket: insertTicket(db, {
        accountId,
        number,
        person,
        author: username,
        type,
        title,
        content,
        files: JSON.stringify(keys),
        snapshot: snapshot && JSON.stringify(snapshot),
        createdAt: now,
        updatedAt: now,
      }),
      audit: auditRow(ctx, {
        module: 'ticket',
        action: 'create',
        target: number,
        message: `提交工单“${title}”`,
        after: { type: TICKET_TYPES[type], snapshot: snapshot?.name ?? null },
      }),
      hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
    })
    await mapUniqueViolation(write, TAKEN)
    return { ticket_number: number }
  })
}

/** Replies: an answered ticket (已回复) is in progress again (处理中), a closed one refuses (infra/docs/decisions.md). */
export const replyToTicket = (ctx: Ctx, input: Parsed<Api['reply']>): Promise<void> => onceMore(() => reply(ctx, input))

async function reply(ctx: Ctx, input: Parsed<Api['reply']>) {
  const { db, now } = ctx
  const { ticket_number: number, content, file_ids: keys, snapshot: target } = input
  const session = requireSession(ctx)
  const { found, ...rows } = await batch(db, {
    found: selectTicket(db, session, number),
    ...selectSnapshotRows(db, session, target),
  })
  const ticket = found[0] ?? refuse('TICKET_NOT_FOUND')
  throwIf(checkReply(ticket))
  const snapshot = await createSnapshot(ctx, ticket.hub, target, rows)
  await batch(db, {
    rate: guardRate(db, `ticket_reply:${personKey(session)}`, TICKET.replyRate, now),
    ...useFiles(db, uses(session, keys), ticketHolder(number)),
    ...updateTicket(db, ticket, {
      status: statusAfterReply('customer', ticket.status) ?? refuse('TICKET_CLOSED'),
      updatedAt: now,
      warnedAt: null,
      dueAt: null,
    }),
    reply: insertReply(db, {
      accountId: session.accountId,
      ticketId: ticket.id,
      side: 'customer',
      name: session.username,
      content,
      files: JSON.stringify(keys),
      snapshot: snapshot && JSON.stringify(snapshot),
      createdAt: now,
    }),
    audit: auditRow(ctx, {
      module: 'ticket',
      action: 'reply',
      target: number,
      message: `回复工单“${ticket.title}”`,
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [ticket.hub])),
  })
}

type SnapshotRows = Results<ReturnType<typeof selectSnapshotRows>>

/** Snapshot with live data from the hubs. A hub that does not answer leaves a gap; the ticket is still written. */
async function createSnapshot(
  ctx: Ctx,
  accountHub: HubName,
  target: SnapshotTarget | null,
  rows: SnapshotRows,
): Promise<Snapshot | null> {
  if (target === null) return null
  return target.kind === 'router' ? snapshotRouter(ctx, accountHub, rows) : snapshotNetwork(ctx, rows)
}

async function snapshotRouter(ctx: Ctx, accountHub: HubName, { router, routerNetworks = [] }: SnapshotRows) {
  const [row] = router ?? []
  if (!row) return refuse('ROUTER_NOT_FOUND')
  const { grants } = requireSession(ctx)
  const seen = routerNetworks.filter(({ number }) => coversNetwork(grants, number))
  const [transitions, ...answers] = await Promise.all([
    readTransitions(ctx, accountHub, row.hub),
    ...seen.map(({ hub, revision }) => askNetworkHub(hub, () => ctx.hubs.network(hub).routerLinks(revision, row.name))),
  ])
  const links = seen.map(({ number }, i) => ({ number, links: answers[i]?.links ?? null }))
  return toRouterSnapshot({ ...row, networks: seen, transitions, links }, ctx.now)
}

async function snapshotNetwork(ctx: Ctx, { network, members = [] }: SnapshotRows) {
  const [row] = network ?? []
  if (!row) return refuse('NETWORK_NOT_FOUND')
  const view = await askNetworkHub(row.hub, () => ctx.hubs.network(row.hub).status(row.revision))
  return toNetworkSnapshot({ ...row, members, view }, ctx.now)
}
