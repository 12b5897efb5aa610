import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { documentColumns } from './members.ts'
import { stateColumns } from '#features/router/sql/state.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { networkScope } from '#db/scope.ts'

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

/** Software members of a network whose application lacks one of these capabilities; one that does not say is not checked. */
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
