import { type SQL, and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import type { NetworkTicketStatus } from '#contract/network/pop.ts'
import { violation } from '#contract/kernel/result.ts'
import { NETWORK_TICKET_STATUS } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { as, isOneOf } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import type { TicketKey } from '#features/network/sql/tickets.ts'
import { accounts } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { networkFrs, networkTickets } from '#db/schema/pop.ts'

/* Operator's statements on orders of POP access: the order, and the resource that its completion makes. */

const { unprocessed, processing } = NETWORK_TICKET_STATUS

export const selectOpenTickets = (db: Db) =>
  db
    .select({
      number: networkTickets.number,
      account: accounts.username,
      network_number: networkTickets.networkNumber,
      status: networkTickets.status,
      create_time: networkTickets.createdAt,
      attributes: networkTickets.attributes,
    })
    .from(networkTickets)
    .innerJoin(accounts, eq(accounts.id, networkTickets.accountId))
    .where(inArray(networkTickets.status, [unprocessed, processing]))
    .orderBy(asc(networkTickets.id))
    .limit(ROWS_MAX)

/** Order with its account's hub, and its network if that still exists. */
export const selectTicket = (db: Db, number: string) =>
  db
    .select({
      id: networkTickets.id,
      accountId: networkTickets.accountId,
      number: networkTickets.number,
      status: networkTickets.status,
      attributes: networkTickets.attributes,
      frId: networkTickets.frId,
      networkNumber: networkTickets.networkNumber,
      accountHub: as(accounts.hub, 'account_hub'),
      networkId: sql<number | null>`${networks.id}`.as('network_id'),
      networkName: sql<string | null>`${networks.name}`.as('network_name'),
      networkHub: sql<HubName | null>`${networks.hub}`.as('network_hub'),
      revision: sql<number | null>`${networks.revision}`.as('revision'),
    })
    .from(networkTickets)
    .innerJoin(accounts, eq(accounts.id, networkTickets.accountId))
    .leftJoin(
      networks,
      and(eq(networks.accountId, networkTickets.accountId), eq(networks.number, networkTickets.networkNumber)),
    )
    .where(eq(networkTickets.number, number))

export const networkIdOf = (number: string): SQL => sql`
  select n.id from network_tickets t join networks n on n.account_id = t.account_id and n.number = t.network_number
  where t.number = ${number}`

export const areasOf = (number: string): SQL => sql`
  select e.value ->> 'value' from network_tickets t, json_each(t.attributes, '$.pop') e where t.number = ${number}`

/** Hubs of the network's hardware that the completion concerns: centres, members with an area, members that get one. */
export const selectTicketMembers = (db: Db, number: string) =>
  db
    .select({ hub: routers.hub })
    .from(networkMembers)
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .where(
      and(
        eq(routers.routerType, ROUTER_TYPE.hardware),
        sql`${networkMembers.networkId} = (${networkIdOf(number)})`,
        sql`(${networkMembers.memberType} = 'center'
          or exists (select 1 from member_settings s where s.network_id = ${networkMembers.networkId}
            and s.router_id = ${networkMembers.routerId} and s.setting = 'ov'
            and (s.value ->> 'main' is not null or s.value ->> 'backup' is not null))
          or ${networkMembers.routerId} in (
            select e.value ->> 'id' from network_tickets t, json_each(t.attributes, '$.pop_conf') c, json_each(c.value) e
            where t.number = ${number}))`,
      ),
    )

/** Account of an order, for statements that do not know it yet. */
export const accountIdOf = (number: string): SQL =>
  sql`(select account_id from network_tickets where number = ${number})`

const isTicket = ({ id, accountId }: TicketKey) =>
  and(eq(networkTickets.id, id), eq(networkTickets.accountId, accountId))

/** Moves an order from one of these statuses. The batch aborts if another step came first. */
export const moveTicket = (
  db: Db,
  key: TicketKey,
  from: readonly NetworkTicketStatus[],
  set: Partial<Pick<typeof networkTickets.$inferInsert, 'status' | 'note' | 'completedAt'>>,
) => {
  const isThere = and(isTicket(key), isOneOf(networkTickets.status, from))
  return {
    isThere: guard(
      db,
      sql`exists (select 1 from network_tickets where ${isThere})`,
      violation('NETWORK_TICKET_CHANGED'),
    ),
    ticket: db.update(networkTickets).set(set).where(isThere),
  }
}

/** Resource that this batch has inserted. It has the largest id of the table. */
export const NEW_FR = sql`(select max(id) from network_frs)`

export const insertFr = (db: Db, row: typeof networkFrs.$inferInsert) =>
  db.insert(networkFrs).values(row).returning({ id: networkFrs.id })

export const linkFr = (db: Db, key: TicketKey) =>
  db
    .update(networkTickets)
    .set({ frId: NEW_FR as never })
    .where(isTicket(key))

export const insertAreas = (db: Db, accountId: number, popIds: readonly number[], bandwidth: number) =>
  db.run(sql`
    insert into network_fr_areas (account_id, fr_id, pop_id, bandwidth)
    select ${accountId}, ${NEW_FR}, value, ${bandwidth} from json_each(${JSON.stringify(popIds)})`)

export const setNetworkFr = (
  db: Db,
  { accountId, networkId }: { readonly accountId: number; readonly networkId: number },
) =>
  db
    .update(networks)
    .set({ frId: NEW_FR as never, revision: sql`${networks.revision} + 1` })
    .where(and(eq(networks.accountId, accountId), eq(networks.id, networkId)))

/** Saves main areas of members (pairs of router and area), except members that have left the network. */
export const saveMainAreas = (
  db: Db,
  { accountId, networkId }: { readonly accountId: number; readonly networkId: number },
  mains: readonly (readonly [routerId: number, popId: number])[],
  priority: number,
  now: number,
) =>
  mains.length > 0 &&
  db.run(sql`
    insert into member_settings (account_id, network_id, router_id, setting, value, revision, updated_at)
    select ${accountId}, ${networkId}, m.router_id, 'ov',
      json_object('main', a.id, 'backup', null, 'priority', ${priority}), 1, ${now}
    from json_each(${JSON.stringify(mains)}) e
    join network_fr_areas a on a.fr_id = ${NEW_FR} and a.pop_id = e.value ->> 1
    join network_members m on m.network_id = ${networkId} and m.router_id = e.value ->> 0
    where true
    on conflict (network_id, router_id, setting)
    do update set value = excluded.value, revision = revision + 1, updated_at = excluded.updated_at`)
