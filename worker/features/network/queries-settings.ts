import { and, eq } from 'drizzle-orm'
import type { Scope } from '../../contract/session.ts'
import type { Db } from '../../db/client.ts'
import { documentColumns } from '../../db/network-members.ts'
import { stateColumns } from '../../db/router-state.ts'
import { routerStates, routers } from '../../db/schema/members.ts'
import { networkMembers, networks } from '../../db/schema/networks.ts'
import { networkScope } from '../../db/scope.ts'

/** Members of a network in the caller's scope, as the compiler takes them. */
export const selectDocumentMembers = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      ...documentColumns,
      status: routers.status,
      hub: routers.hub,
      note: routers.note,
      createdAt: routers.createdAt,
      state: stateColumns,
    })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(and(networkScope(scope), eq(networks.number, number)))
