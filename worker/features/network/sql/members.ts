import { type SQL, and, eq, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { lanList } from '#features/router/sql/state.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers } from '#db/schema/networks.ts'

/** Columns of a member that its network's documents are compiled from (domain/network/compile/rows.ts). */
export const documentColumns = {
  routerId: networkMembers.routerId,
  routerName: as(routers.name, 'router_name'),
  routerType: routers.routerType,
  memberType: networkMembers.memberType,
  segmentIndex: networkMembers.segmentIndex,
  host: networkMembers.host,
  staticRoutes: routers.staticRoutes,
  credentialVersion: routers.credentialVersion,
  remoteHost: routerStates.remoteHost,
  probePort: routerStates.probePort,
  lans: lanList.as('lans'),
}

/** Members of all networks of the account that have a router `r` for which the condition holds. */
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
