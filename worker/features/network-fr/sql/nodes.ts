import { type SQL, asc, eq, and, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { type OutboxContext, refreshRouters } from '#db/hub-outbox.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networks } from '#db/schema/networks.ts'
import { networkFrAreas, networkFrs, popMembers, popNodes, pops } from '#db/schema/pop.ts'
import { networkScope } from '#db/scope.ts'
import { revokeLeft } from '#features/network/sql/revocations.ts'
import { POP } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Statements on POP nodes: those that carry networks, free ones of an area, and refreshes of their hubs. */

/** Condition: documents still contain the resource. It ends by withdrawal, or by the cron after its term. */
export const isActiveFr = sql`${networkFrs.status} = 1 and ${networkFrs.lapsed} = 0`

export const popNodeColumns = {
  routerId: popMembers.routerId,
  routerName: as(routers.name, 'router_name'),
  areaId: popMembers.areaId,
  segmentIndex: popMembers.segmentIndex,
  portIndex: popMembers.portIndex,
  bandwidth: networkFrAreas.bandwidth,
  remoteHost: routerStates.remoteHost,
  endpoints: routers.endpoints,
  deviceEndpoints: as(routerStates.endpoints, 'device_endpoints'),
  probePort: routerStates.probePort,
  vpn: routerStates.vpn,
}

/** Nodes that carry these networks; none of a resource that is over. */
const selectCarrying = (db: Db, condition: SQL | undefined) =>
  db
    .select({ ...popNodeColumns, networkId: popMembers.networkId, hub: routers.hub, area: pops.name })
    .from(popMembers)
    .innerJoin(networks, eq(networks.id, popMembers.networkId))
    .innerJoin(networkFrAreas, eq(networkFrAreas.id, popMembers.areaId))
    .innerJoin(networkFrs, eq(networkFrs.id, networkFrAreas.frId))
    .innerJoin(pops, eq(pops.id, networkFrAreas.popId))
    .innerJoin(routers, eq(routers.id, popMembers.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(and(condition, isActiveFr))
    .orderBy(asc(popMembers.segmentIndex))

export const selectNetworkNodes = (db: Db, scope: Scope, number: string) =>
  selectCarrying(db, and(networkScope(scope), eq(networks.number, number)))

/** Nodes of the networks of a router that are in the caller's scope. */
export const selectNodesOfRouter = (db: Db, scope: Scope, routerName: string) =>
  selectCarrying(
    db,
    and(
      networkScope(scope),
      sql`${networks.id} in (select m.network_id from network_members m join routers member on member.id = m.router_id
        where member.account_id = ${scope.accountId} and member.name = ${routerName})`,
    ),
  )

const carried = sql`(select count(*) from pop_members m where m.router_id = pop_nodes.router_id)`

/**
 * Nodes of areas that can take another network, the least loaded first; an area without any has one row without a node.
 * `areas` selects ids of pops.
 */
export const selectNodes = (db: Db, areas: SQL) =>
  db
    .select({
      popId: pops.id,
      pop: pops.name,
      routerId: popNodes.routerId,
      name: as(routers.name, 'router_name'),
      hub: routers.hub,
    })
    .from(pops)
    .leftJoin(
      popNodes,
      and(eq(popNodes.popId, pops.id), eq(popNodes.status, 1), sql`${carried} < ${POP.networksPerNode}`),
    )
    .leftJoin(routers, eq(routers.id, popNodes.routerId))
    .where(sql`${pops.id} in (${areas})`)
    .orderBy(asc(pops.id), sql`${carried}`, asc(popNodes.id))

export const selectCarriers = (db: Db, networkId: SQL) =>
  db
    .select({ hub: routers.hub })
    .from(popMembers)
    .innerJoin(routers, eq(routers.id, popMembers.routerId))
    .where(sql`${popMembers.networkId} = (${networkId})`)

/**
 * Replaces the nodes of a network by those of one resource, and revokes certificates of nodes that the account leaves. `nodes`
 * are router, area and subnet index of each.
 */
export const replaceCarriers = (
  { db, now }: Pick<OutboxContext, 'db' | 'now'>,
  { accountId, networkId }: { readonly accountId: number; readonly networkId: number },
  frId: number | SQL,
  nodes: readonly (readonly [routerId: number, popId: number, index: number])[],
) => ({
  ...revokeLeft(
    db,
    sql`select ${networkId}`,
    now,
    nodes.map(([routerId]) => routerId),
  ),
  earlier: db.delete(popMembers).where(and(eq(popMembers.accountId, accountId), eq(popMembers.networkId, networkId))),
  nodes: db.run(sql`
    insert into pop_members (account_id, network_id, area_id, router_id, segment_index, port_index)
    select ${accountId}, ${networkId}, a.id, e.value ->> 0, e.value ->> 2, ${freePortIndex(sql`(e.value ->> 0)`)}
    from json_each(${JSON.stringify(nodes)}) e
    join network_fr_areas a on a.fr_id = ${frId} and a.pop_id = e.value ->> 1`),
  load: guard(
    db,
    sql`not exists (select 1 from pop_members
      where router_id in (select value from json_each(${JSON.stringify(nodes.map(([routerId]) => routerId))}))
      group by router_id having count(*) > ${POP.networksPerNode})`,
    violation('NETWORK_CHANGED'), // another network took the last place: the caller chooses again
  ),
})

/** Lowest port index on the node that no network uses. */
const freePortIndex = (routerId: SQL): SQL => sql`coalesce((
  select min(m.port_index + 1) from pop_members m where m.router_id = ${routerId}
    and exists (select 1 from pop_members first where first.router_id = ${routerId} and first.port_index = 0)
    and not exists (select 1 from pop_members next where next.router_id = ${routerId} and next.port_index = m.port_index + 1)
), 0)`

export const refreshCarriers = (ctx: OutboxContext, networkIds: SQL) =>
  refreshRouters(ctx, sql`select router_id from pop_members where network_id in (${networkIds})`)

/** Refreshes the devices to which software members dial: centres and nodes of these members' networks. */
export const refreshSoftwareServers = (ctx: OutboxContext, routerIds: SQL) => {
  const networkIds = sql`select network_id from network_members where router_id in (${routerIds})`
  return refreshRouters(
    ctx,
    sql`select router_id from network_members where member_type = 'center' and network_id in (${networkIds})
      union select router_id from pop_members where network_id in (${networkIds})`,
  )
}

/**
 * Hubs whose documents contain a resource: networks, their nodes, members that dial one, and centres (they pass on the
 * nodes' segments). `frIds` selects ids.
 */
export const hubsOfFrs = (frIds: SQL): SQL => sql`
  select 'network' as kind, n.hub as hub from networks n where n.fr_id in (${frIds})
  union select 'router', r.hub from networks n join network_members m on m.network_id = n.id
    join routers r on r.id = m.router_id
    left join member_settings s on s.network_id = n.id and s.router_id = r.id and s.setting = 'ov'
    where n.fr_id in (${frIds}) and r.router_type = ${ROUTER_TYPE.hardware}
      and (m.member_type = 'center' or s.value ->> 'main' is not null or s.value ->> 'backup' is not null)
  union select 'router', r.hub from networks n join pop_members m on m.network_id = n.id
    join routers r on r.id = m.router_id where n.fr_id in (${frIds})`

/** Resets the area settings of members of these networks to the default. `networkIds` selects ids. */
export const clearAreas = (db: Db, accountId: number, networkIds: SQL | number, priority: number, now: number) =>
  db.run(sql`
    update member_settings set value = json_object('main', null, 'backup', null, 'priority', ${priority}),
      revision = revision + 1, updated_at = ${now}
    where account_id = ${accountId} and setting = 'ov' and network_id in (${networkIds})`)
