import { type SQL, asc, eq, and, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { routers } from './schema/members.ts'
import { popMembers, popNodes, pops } from './schema/pop.ts'

/** Nodes of areas that take networks; an area without any has one row without a node. `areas` selects ids of pops. */
export const selectNodes = (db: Db, areas: SQL) =>
  db
    .select({ popId: pops.id, pop: pops.name, routerId: popNodes.routerId, hub: routers.hub })
    .from(pops)
    .leftJoin(popNodes, and(eq(popNodes.popId, pops.id), eq(popNodes.status, 1)))
    .leftJoin(routers, eq(routers.id, popNodes.routerId))
    .where(sql`${pops.id} in (${areas})`)
    .orderBy(asc(pops.id), asc(popNodes.id))

/** Nodes that carry a network now. */
export const selectCarriers = (db: Db, networkId: SQL) =>
  db
    .select({ hub: routers.hub })
    .from(popMembers)
    .innerJoin(routers, eq(routers.id, popMembers.routerId))
    .where(sql`${popMembers.networkId} = (${networkId})`)

interface NetworkIds {
  readonly accountId: number
  readonly networkId: number
}

/** A network is carried by the nodes of one resource: `nodes` are router, area and subnet index of each. */
export const replaceCarriers = (
  db: Db,
  { accountId, networkId }: NetworkIds,
  frId: number | SQL,
  nodes: readonly (readonly [routerId: number, popId: number, index: number])[],
) => ({
  earlier: db.delete(popMembers).where(and(eq(popMembers.accountId, accountId), eq(popMembers.networkId, networkId))),
  nodes: db.run(sql`
    insert into pop_members (account_id, network_id, area_id, router_id, segment_index)
    select ${accountId}, ${networkId}, a.id, e.value ->> 0, e.value ->> 2
    from json_each(${JSON.stringify(nodes)}) e
    join network_fr_areas a on a.fr_id = ${frId} and a.pop_id = e.value ->> 1`),
})

/** Members of these networks name no area any more: the setting's own default. `networkIds` selects ids. */
export const clearAreas = (db: Db, accountId: number, networkIds: SQL, priority: number, now: number) =>
  db.run(sql`
    update member_settings set value = json_object('main', null, 'backup', null, 'priority', ${priority}),
      revision = revision + 1, updated_at = ${now}
    where account_id = ${accountId} and setting = 'ov' and network_id in (${networkIds})`)
