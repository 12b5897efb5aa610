import { and, eq } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Scope } from '../../contract/session.ts'
import type { Db } from '../../db/client.ts'
import { as } from '../../db/columns.ts'
import { isActiveFr } from '../../db/pop-nodes.ts'
import { routers } from '../../db/schema/members.ts'
import { networkMembers, networks } from '../../db/schema/networks.ts'
import { networkFrAreas, networkFrs, popMembers, pops } from '../../db/schema/pop.ts'
import { networkScope } from '../../db/scope.ts'

/** POP nodes that carry the networks of a router, of those in the caller's scope; which of them it dials is in its settings. */
export function selectNodesAround(db: Db, scope: Scope, name: string) {
  const router = alias(routers, 'router')
  return db
    .select({
      networkId: popMembers.networkId,
      routerId: popMembers.routerId,
      routerName: as(routers.name, 'router_name'),
      segmentIndex: popMembers.segmentIndex,
      area: as(pops.name, 'area'),
    })
    .from(router)
    .innerJoin(networkMembers, eq(networkMembers.routerId, router.id))
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(popMembers, eq(popMembers.networkId, networks.id))
    .innerJoin(networkFrAreas, eq(networkFrAreas.id, popMembers.areaId))
    .innerJoin(networkFrs, eq(networkFrs.id, networkFrAreas.frId))
    .innerJoin(pops, eq(pops.id, networkFrAreas.popId))
    .innerJoin(routers, eq(routers.id, popMembers.routerId))
    .where(and(eq(router.accountId, scope.accountId), eq(router.name, name), networkScope(scope), isActiveFr))
}
