import { type SQL, and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Session } from '#contract/kernel/session.ts'
import { TICKET_STATUS, type TicketStatus, type TicketType } from '#contract/ticket/index.ts'
import type { SnapshotTarget } from '#contract/ticket/snapshot.ts'
import type { Db } from '#db/client.ts'
import { as, contains } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { accounts } from '#db/schema/accounts.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { devices, routerStates, routers } from '#db/schema/routers.ts'
import { tickets, ticketReplies } from '#db/schema/tickets.ts'
import { networkScope } from '#db/scope.ts'
import { personKey } from '#domain/account/user.ts'
import { stateColumns } from '#features/router/sql/columns.ts'
import { isRouterNamed, selectNetworksByRouter } from '#features/router/sql/routers.ts'

/* Statements on support tickets of an account, their replies, and the objects in their snapshots. */

/**
 * Condition: the caller's own tickets; for the main account those of all its people. Ids of deleted sub-accounts are
 * reused, so tickets older than the sub-account are not its own.
 */
function ticketScope(session: Session): SQL | undefined {
  const { accountId, ramId } = session
  const kept = and(eq(tickets.accountId, accountId), isNull(tickets.deletedAt))
  if (ramId === null) return kept
  const since = sql`(select created_at from ram_accounts where id = ${ramId} and account_id = ${accountId})`
  return and(kept, eq(tickets.person, personKey(session)), sql`${tickets.createdAt} >= ${since}`)
}

const isNumbered = (session: Session, number: string) => and(ticketScope(session), eq(tickets.number, number))

interface TicketFilter {
  readonly search: string
  readonly status: TicketStatus | ''
}

export const selectTickets = (db: Db, session: Session, { search, status }: TicketFilter) =>
  db
    .select({
      ticket_number: tickets.number,
      ticket_title: as(tickets.title, 'ticket_title'),
      ticket_type: as(tickets.type, 'ticket_type'),
      ticket_status: as(tickets.status, 'ticket_status'),
      create_time: tickets.createdAt,
      update_time: tickets.updatedAt,
      author: tickets.author,
    })
    .from(tickets)
    .where(
      and(
        ticketScope(session),
        search === '' ? undefined : or(contains(tickets.number, search), contains(tickets.title, search)),
        status === '' ? undefined : eq(tickets.status, status),
      ),
    )
    .orderBy(desc(tickets.id))

/** Newest ticket of a type that is not closed, as a JSON subquery; null if there is none. */
export const openTicketSql = (session: Session, type: TicketType): SQL<string | null> =>
  sql<string | null>`(select json_object('ticket_number', number, 'ticket_status', status, 'create_time', created_at)
    from tickets where ${ticketScope(session)} and type = ${type} and status <> ${TICKET_STATUS.closed}
    order by id desc limit 1)`

/** Tickets that the caller sees and that wait for the customer's answer, the last answered first. */
export const selectAnsweredTickets = (db: Db, session: Session) =>
  db
    .select({
      number: as(tickets.number, 'ticket_number'),
      title: tickets.title,
      answeredAt: sql<number>`coalesce(${tickets.answeredAt}, ${tickets.updatedAt})`.as('answered_at'),
    })
    .from(tickets)
    .where(and(ticketScope(session), eq(tickets.status, TICKET_STATUS.replied)))
    .orderBy(desc(tickets.id))

type TicketKey = Pick<typeof tickets.$inferSelect, 'id' | 'accountId' | 'status' | 'grade'>

type TicketSet = Partial<Omit<typeof tickets.$inferInsert, 'id' | 'accountId' | 'number' | 'revision'>> &
  Pick<typeof tickets.$inferInsert, 'updatedAt' | 'dueAt'>

/** Changes a ticket. The batch aborts if its status or grade has changed meanwhile, or if it was deleted. */
export function updateTicket(db: Db, { id, accountId, status, grade }: TicketKey, set: TicketSet) {
  const isAsRead = and(
    eq(tickets.accountId, accountId),
    eq(tickets.id, id),
    eq(tickets.status, status),
    grade === null ? isNull(tickets.grade) : eq(tickets.grade, grade),
    isNull(tickets.deletedAt),
  )
  return {
    asRead: guard(db, sql`exists (select 1 from tickets where ${isAsRead})`, violation('TICKET_CHANGED')),
    ticket: db
      .update(tickets)
      .set({ ...set, revision: sql`${tickets.revision} + 1` })
      .where(isAsRead),
  }
}

export const insertReply = (db: Db, row: typeof ticketReplies.$inferInsert) =>
  db.insert(ticketReplies).values(row).returning({ id: ticketReplies.id })

/** Holder of a ticket's files and those of its replies (`files.attached_to`). */
export const ticketHolder = (number: string): string => `ticket:${number}`

export const selectTicketRow = (db: Db, condition: SQL | undefined) =>
  db
    .select({
      id: tickets.id,
      accountId: tickets.accountId,
      number: tickets.number,
      person: tickets.person,
      author: tickets.author,
      type: tickets.type,
      title: tickets.title,
      content: tickets.content,
      files: tickets.files,
      snapshot: tickets.snapshot,
      status: tickets.status,
      createdAt: tickets.createdAt,
      updatedAt: tickets.updatedAt,
      answeredAt: tickets.answeredAt,
      closedAt: tickets.closedAt,
      grade: tickets.grade,
      appraisal: tickets.appraisal,
      replies: sql<number>`(select count(*) from ticket_replies r where r.ticket_id = tickets.id)`.as('replies'),
      account: accounts.username,
      hub: accounts.hub,
      host: accounts.host,
      email: accounts.email,
    })
    .from(tickets)
    .innerJoin(accounts, eq(accounts.id, tickets.accountId))
    .where(condition)
export type StoredTicket = Awaited<ReturnType<typeof selectTicketRow>>[number]

export const selectReplies = (db: Db, condition: SQL | undefined) =>
  db
    .select({
      reply_id: ticketReplies.id,
      side: ticketReplies.side,
      reply_name: ticketReplies.name,
      reply_time: ticketReplies.createdAt,
      dialogue_content: ticketReplies.content,
      files: ticketReplies.files,
      snapshot: ticketReplies.snapshot,
    })
    .from(ticketReplies)
    .where(sql`${ticketReplies.ticketId} in (select id from tickets where ${condition})`)
    .orderBy(ticketReplies.id)
export type StoredReply = Awaited<ReturnType<typeof selectReplies>>[number]

export const selectTicket = (db: Db, session: Session, number: string) =>
  selectTicketRow(db, isNumbered(session, number))

export const selectTicketReplies = (db: Db, session: Session, number: string) =>
  selectReplies(db, isNumbered(session, number))

export const insertTicket = (db: Db, row: typeof tickets.$inferInsert) => db.insert(tickets).values(row)

/** Statements that read the object of a snapshot, in the caller's scope; none without a target. */
export function selectSnapshotRows(db: Db, session: Session, target: SnapshotTarget | null) {
  return {
    router: target?.kind === 'router' && selectRouter(db, session, target.router_name),
    routerNetworks: target?.kind === 'router' && selectNetworksByRouter(db, session, target.router_name),
    network: target?.kind === 'network' && selectNetwork(db, session, target.network_number),
    members: target?.kind === 'network' && selectMembers(db, session, target.network_number),
  }
}

const selectRouter = (db: Db, session: Session, name: string) =>
  db
    .select({
      name: routers.name,
      hub: as(routers.hub, 'router_hub'),
      note: routers.note,
      model: sql<string>`coalesce(${devices.model}, '')`.as('model'),
      version: sql<string>`coalesce(${routerStates.version}, '')`.as('version'),
      state: stateColumns,
    })
    .from(routers)
    .leftJoin(devices, eq(devices.id, routers.deviceId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(isRouterNamed(db, session, name))

const isNetwork = (session: Session, number: string) => and(networkScope(session), eq(networks.number, number))

const selectNetwork = (db: Db, session: Session, number: string) =>
  db
    .select({
      number: networks.number,
      name: networks.name,
      hub: networks.hub,
      revision: networks.revision,
      status: networks.status,
      suspendedAt: networks.suspendedAt,
      withdrawn: networks.withdrawn,
    })
    .from(networks)
    .where(isNetwork(session, number))

const selectMembers = (db: Db, session: Session, number: string) =>
  db
    .select({ name: as(routers.name, 'router_name'), note: routers.note, state: stateColumns })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(isNetwork(session, number))
    .orderBy(networkMembers.id)
