import { type SQL, and, eq, sql, asc, isNotNull } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Statements } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { type Revision, bumpRevisions, guardRevisions } from '#db/conflict.ts'
import { guardMemberQuota } from '#db/quota.ts'
import { downLanList, lanList, onlineSql, stateColumns } from '#features/router/sql/columns.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { networkScope } from '#db/scope.ts'
import { chosenAddresses } from './settings.ts'
import { updateNetworkStatus } from './status.ts'

/* SQL of network members: reads for documents, fellow members of a router, and the insert of new routers as points. */

export const memberColumns = {
  routerId: networkMembers.routerId,
  routerName: as(routers.name, 'router_name'),
  routerType: routers.routerType,
  memberType: networkMembers.memberType,
  segmentIndex: networkMembers.segmentIndex,
  host: networkMembers.host,
}

/** Columns of a member that its network's documents are compiled from (domain/network/compile/rows.ts). */
export const documentColumns = {
  ...memberColumns,
  staticRoutes: routers.staticRoutes,
  credentialVersion: routers.credentialVersion,
  remoteHost: routerStates.remoteHost,
  endpoints: routers.endpoints,
  deviceEndpoints: as(routerStates.endpoints, 'device_endpoints'),
  probePort: routerStates.probePort,
  vpn: routerStates.vpn,
  status: routers.status,
  lans: lanList.as('lans'),
}

/** Members of all networks of the account that contain a router `r` with this condition. */
export const selectMembersWith = (db: Db, accountId: number, condition: SQL) =>
  db
    .select({
      networkId: networkMembers.networkId,
      routerId: networkMembers.routerId,
      routerName: as(routers.name, 'router_name'),
      note: routers.note,
      memberType: networkMembers.memberType,
      routerType: routers.routerType,
      hub: routers.hub,
    })
    .from(networkMembers)
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .where(
      and(
        eq(networkMembers.accountId, accountId),
        sql`${networkMembers.networkId} in (
          select m.network_id from network_members m join routers r on r.id = m.router_id
          where m.account_id = ${accountId} and ${condition})`,
      ),
    )

/** Members of a network in the caller's scope, with the columns that the compiler needs. */
export const selectDocumentMembers = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      ...documentColumns,
      hub: routers.hub,
      note: routers.note,
      uid: sql<string>`coalesce(${routers.uid}, ${routers.hub})`.as('uid'),
      createdAt: routers.createdAt,
      state: stateColumns,
    })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(and(networkScope(scope), eq(networks.number, number)))

/** LAN ports that are down at members that are online, as JSON lists of `ip/mask`. */
export const selectDownLans = (db: Db, scope: Scope, number: string) =>
  db
    .select({ routerId: networkMembers.routerId, lans: downLanList.as('down_lans') })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routerStates, eq(routerStates.routerId, networkMembers.routerId))
    .where(and(networkScope(scope), eq(networks.number, number), onlineSql, sql`${downLanList} <> '[]'`))

/** Software members of a network whose application reports its capabilities, but lacks one of these. */
export const selectClientsLacking = (db: Db, scope: Scope, number: string, needs: readonly string[]) =>
  db
    .select({ routerName: as(routers.name, 'router_name'), note: routers.note })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .innerJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(
      and(
        networkScope(scope),
        eq(networks.number, number),
        eq(routers.routerType, ROUTER_TYPE.software),
        isNotNull(routerStates.clientCapabilities),
        sql`exists (select 1 from json_each(${JSON.stringify(needs)}) need
          where need.value not in (select value from json_each(${routerStates.clientCapabilities})))`,
      ),
    )
    .orderBy(asc(networkMembers.id))

/** The network that a new router joins: hosts of its members as JSON, number of POP nodes, and IP pool. */
export const selectJoinedNetwork = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      id: networks.id,
      accountId: networks.accountId,
      number: networks.number,
      name: as(networks.name, 'network_name'),
      hub: as(networks.hub, 'network_hub'),
      status: networks.status,
      revision: networks.revision,
      hosts: sql<string>`(select json_group_array(host) from network_members m where m.network_id = networks.id)`.as(
        'hosts',
      ),
      nodes: sql<number>`(select count(*) from pop_members p where p.network_id = networks.id)`.as('nodes'),
      ipPool: sql<string | null>`(select s.value from network_settings s
        where s.network_id = networks.id and s.setting = 'ip_pool')`.as('ip_pool'),
    })
    .from(networks)
    .where(and(networkScope(scope), eq(networks.number, number)))

/** Centres of the network with their chosen addresses. Their documents name the new member. */
export const selectCenters = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      hub: routers.hub,
      segmentIndex: networkMembers.segmentIndex,
      ...chosenAddresses,
    })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .where(and(networkScope(scope), eq(networks.number, number), eq(networkMembers.memberType, 'center')))

/** Statements after the insert of routers. They join if the network is unchanged and the quota of `limit` members holds. */
export const joinNetwork = (
  db: Db,
  network: Parameters<typeof insertPoints>[1] & Revision,
  points: Parameters<typeof insertPoints>[2],
  limit: number,
  now: number,
): Statements => ({
  revision: guardRevisions(db, network.accountId, [network]),
  bumped: bumpRevisions(db, network.accountId, [network.id]),
  points: insertPoints(db, network, points, now),
  memberQuota: guardMemberQuota(db, network.accountId, limit, now),
  networkStatus: updateNetworkStatus(db, network.accountId, now),
})

/** The routers are found by their names. */
const insertPoints = (
  db: Db,
  network: { readonly id: number; readonly accountId: number },
  points: readonly { readonly name: string; readonly host: number }[],
  now: number,
) =>
  db.run(sql`
    insert into network_members (account_id, network_id, router_id, member_type, segment_index, host, joined_at)
    select r.account_id, ${network.id}, r.id, 'point', null, p.value ->> 'host', ${now}
    from json_each(${JSON.stringify(points)}) p cross join routers r on r.name = p.value ->> 'name'
    where r.account_id = ${network.accountId}`)
