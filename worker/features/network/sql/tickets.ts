import { type SQL, and, asc, desc, eq, gt, gte, lte, or, sql } from 'drizzle-orm'
import type { NetworkTicketStatus } from '#contract/network/pop.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { NETWORK_TICKET_STATUS, POP } from '#contract/network/limits.ts'
import { OPEN_STATUSES } from '#domain/network/pop/tickets.ts'
import type { Db } from '#db/client.ts'
import { as, contains, isOneOf } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { networkFrs, networkTickets, pops } from '#db/schema/pop.ts'
import { networkScope } from '#db/scope.ts'

/* SQL of orders of POP resources (tickets): list, one order, the offer, and changes of status. */

/** Tickets of the account, or of the networks that a limited role covers. */
function ticketScope({ accountId, grants }: Scope): SQL | undefined {
  const own = eq(networkTickets.accountId, accountId)
  return grants.networks === null ? own : and(own, isOneOf(networkTickets.networkNumber, grants.networks))
}

const TICKET_COLUMNS = {
  number: networkTickets.number,
  networkNumber: networkTickets.networkNumber,
  networkName: sql<string | null>`${networks.name}`.as('network_name'),
  type: networkTickets.type,
  status: networkTickets.status,
  createdAt: networkTickets.createdAt,
  completedAt: networkTickets.completedAt,
}
const ofNetwork = and(
  eq(networks.accountId, networkTickets.accountId),
  eq(networks.number, networkTickets.networkNumber),
)

interface TicketFilter {
  readonly search: string
  readonly status: NetworkTicketStatus | ''
  readonly start_time?: number | undefined
  readonly end_time?: number | undefined
}

export const selectTickets = (
  db: Db,
  scope: Scope,
  { search, status, start_time: start, end_time: end }: TicketFilter,
) =>
  db
    .select(TICKET_COLUMNS)
    .from(networkTickets)
    .leftJoin(networks, ofNetwork)
    .where(
      and(
        ticketScope(scope),
        search === ''
          ? undefined
          : or(contains(networkTickets.number, search), contains(networkTickets.networkNumber, search)),
        status === '' ? undefined : eq(networkTickets.status, status),
        start === undefined ? undefined : gte(networkTickets.createdAt, start),
        end === undefined ? undefined : lte(networkTickets.createdAt, end),
      ),
    )
    .orderBy(desc(networkTickets.id))

export const selectTicket = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      ...TICKET_COLUMNS,
      id: networkTickets.id,
      attributes: networkTickets.attributes,
      note: networkTickets.note,
    })
    .from(networkTickets)
    .leftJoin(networks, ofNetwork)
    .where(and(ticketScope(scope), eq(networkTickets.number, number)))

/** Members that a ticket names, with their present names. */
export const selectNamedMembers = (db: Db, scope: Scope, number: string) =>
  db
    .select({ id: routers.id, name: routers.name, note: routers.note })
    .from(routers)
    .where(
      and(
        eq(routers.accountId, scope.accountId),
        sql`${routers.id} in (
          select m.value ->> 'id' from network_tickets, json_each(attributes, '$.pop_conf') c, json_each(c.value) m
          where ${ticketScope(scope)} and ${eq(networkTickets.number, number)})`,
      ),
    )

/** Areas that may be ordered: those with a node that takes networks. */
export const selectOfferedPops = (db: Db) =>
  db
    .select({ value: pops.id, name: pops.name })
    .from(pops)
    .where(
      and(
        eq(pops.status, 1),
        sql`exists (select 1 from pop_nodes n where n.pop_id = ${pops.id} and n.status = 1
          and (select count(*) from pop_members m where m.router_id = n.router_id) < ${POP.networksPerNode})`,
      ),
    )
    .orderBy(asc(pops.id))

/** Members of a network that an order may assign. */
export const selectAssignable = (db: Db, scope: Scope, number: string) =>
  db
    .select({ routerId: routers.id, routerName: as(routers.name, 'router_name'), note: routers.note })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .where(and(networkScope(scope), eq(networks.number, number)))
    .orderBy(asc(networkMembers.id))

/** The resource that a network uses, unless it has expired. */
export const selectRunningFr = (db: Db, scope: Scope, number: string, now: number) =>
  db
    .select({ name: networkFrs.name })
    .from(networkFrs)
    .innerJoin(networks, eq(networks.frId, networkFrs.id))
    .where(and(networkScope(scope), eq(networks.number, number), gt(networkFrs.expireAt, now)))

/** The order of a network that is neither completed nor cancelled. */
export const selectOpenTicket = (db: Db, scope: Scope, number: string) =>
  db
    .select({ number: networkTickets.number })
    .from(networkTickets)
    .where(
      and(ticketScope(scope), eq(networkTickets.networkNumber, number), isOneOf(networkTickets.status, OPEN_STATUSES)),
    )

/** Cancels the open orders of a network that is deleted. */
export const cancelOpenTickets = (
  db: Db,
  { accountId, number }: { readonly accountId: number; readonly number: string },
) =>
  db
    .update(networkTickets)
    .set({ status: NETWORK_TICKET_STATUS.cancelled, note: '组网已删除' })
    .where(
      and(
        eq(networkTickets.accountId, accountId),
        eq(networkTickets.networkNumber, number),
        isOneOf(networkTickets.status, OPEN_STATUSES),
      ),
    )

export const insertTicket = (db: Db, row: typeof networkTickets.$inferInsert) => db.insert(networkTickets).values(row)

export interface TicketKey {
  readonly id: number
  readonly accountId: number
}

/** Aborts a batch unless the ticket still has one of these statuses. */
const guardStatus = (db: Db, where: SQL | undefined) =>
  guard(db, sql`exists (select 1 from network_tickets where ${where})`, violation('NETWORK_TICKET_CHANGED'))

const hasStatus = ({ id, accountId }: TicketKey, statuses: readonly NetworkTicketStatus[]) =>
  and(eq(networkTickets.accountId, accountId), eq(networkTickets.id, id), isOneOf(networkTickets.status, statuses))

export function updateTicketStatus(
  db: Db,
  key: TicketKey,
  from: readonly NetworkTicketStatus[],
  status: NetworkTicketStatus,
) {
  const where = hasStatus(key, from)
  return { status: guardStatus(db, where), ticket: db.update(networkTickets).set({ status }).where(where) }
}

export function deleteTicketRow(db: Db, key: TicketKey, from: readonly NetworkTicketStatus[]) {
  const where = hasStatus(key, from)
  return { status: guardStatus(db, where), ticket: db.delete(networkTickets).where(where) }
}
