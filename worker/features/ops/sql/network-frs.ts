import { and, eq, sql } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import { NETWORK_TICKET_STATUS } from '#contract/network/limits.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { accounts } from '#db/schema/accounts.ts'
import { networks } from '#db/schema/networks.ts'
import { networkFrAreas, networkFrs, networkTickets, pops } from '#db/schema/pop.ts'
import { revokeLeft } from '#features/network/sql/revocations.ts'
import { clearAreas, hubsOfFrs } from '#features/network-fr/sql/nodes.ts'

/* Operator's statements on POP resources: list, one of them, renewal and withdrawal. */

const { completed, cancelled } = NETWORK_TICKET_STATUS

type FrRow = [
  id: number,
  account: string,
  name: string,
  createdAt: number,
  expireAt: number,
  networks: string,
  ticket: string,
]

/** Resources that run, those without a completed order first. */
export const readRunningFrs = (db: Db) =>
  db.all<FrRow>(sql`
    select f.id, a.username, f.name, f.created_at, f.expire_at,
      (select json_group_array(n.number) from networks n where n.fr_id = f.id) as networks,
      coalesce((select t.number from network_tickets t
        where t.account_id = f.account_id and t.fr_id = f.id and t.status = ${completed} limit 1), '') as ticket
    from network_frs f join accounts a on a.id = f.account_id where f.status = 1 /* every account */
    order by ticket != '', f.id limit ${ROWS_MAX}`)

/** A resource that runs, with its account's hub and the numbers of its orders. */
export const selectRunningFr = (db: Db, id: number) =>
  db
    .select({
      id: networkFrs.id,
      accountId: networkFrs.accountId,
      name: networkFrs.name,
      expireAt: networkFrs.expireAt,
      accountHub: as(accounts.hub, 'account_hub'),
    })
    .from(networkFrs)
    .innerJoin(accounts, eq(accounts.id, networkFrs.accountId))
    .where(and(eq(networkFrs.id, id), eq(networkFrs.status, 1)))

export const selectFrHubs = (db: Db, id: number) =>
  db.all<['network' | 'router', HubName]>(hubsOfFrs(sql`select ${id}`))

/** An area of a resource by its name. */
export const selectFrArea = (db: Db, frId: number, name: string) =>
  db
    .select({ id: networkFrAreas.id, name: pops.name, bandwidth: networkFrAreas.bandwidth })
    .from(networkFrAreas)
    .innerJoin(pops, eq(pops.id, networkFrAreas.popId))
    .where(and(eq(networkFrAreas.frId, frId), eq(pops.name, name)))

export const updateAreaBandwidth = (
  db: Db,
  { accountId, areaId }: { readonly accountId: number; readonly areaId: number },
  bandwidth: number,
) =>
  db
    .update(networkFrAreas)
    .set({ bandwidth })
    .where(and(eq(networkFrAreas.accountId, accountId), eq(networkFrAreas.id, areaId)))

export interface FrKey {
  readonly accountId: number
  readonly frId: number
}

/** Raises the revision of a resource's networks, so that decisions on older revisions fail. */
export const bumpFrNetworks = (db: Db, { accountId, frId }: FrKey) =>
  db
    .update(networks)
    .set({ revision: sql`${networks.revision} + 1` })
    .where(and(eq(networks.accountId, accountId), eq(networks.frId, frId)))

/** Withdraws a resource from its networks and cancels its order; its row stays as a record of the sale. */
export const withdrawFr = (db: Db, { accountId, frId }: FrKey, note: string, priority: number, now: number) => ({
  areas: clearAreas(db, accountId, sql`select id from networks where fr_id = ${frId}`, priority, now),
  ...revokeLeft(db, sql`select id from networks where account_id = ${accountId} and fr_id = ${frId}`, now),
  nodes: db.run(sql`
    delete from pop_members where account_id = ${accountId} and area_id in (select id from network_fr_areas where fr_id = ${frId})`),
  networks: db
    .update(networks)
    .set({ frId: null, revision: sql`${networks.revision} + 1` })
    .where(and(eq(networks.accountId, accountId), eq(networks.frId, frId))),
  fr: db
    .update(networkFrs)
    .set({ status: 0 })
    .where(and(eq(networkFrs.accountId, accountId), eq(networkFrs.id, frId))),
  tickets: db
    .update(networkTickets)
    .set({ status: cancelled, note })
    .where(
      and(eq(networkTickets.accountId, accountId), eq(networkTickets.frId, frId), eq(networkTickets.status, completed)),
    ),
})
