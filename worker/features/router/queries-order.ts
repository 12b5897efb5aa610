import { type SQL, and, count, desc, eq, sql } from 'drizzle-orm'
import type { RouterSort } from '#contract/router/routers.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { isOneOf, lookUp } from '#db/columns.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { networkScope } from '#db/scope.ts'
import { CONFIG_WEIGHT, PRESENCE_WEIGHT } from '#domain/router/order.ts'
import { PRESENT_STATES } from '#domain/health/member.ts'

export interface RouterOrder {
  readonly sort: RouterSort
  readonly order: 'asc' | 'desc'
}

/** Sort expressions, without an index: one account's rows are few, and most values are in other tables. */
const SORTED_BY: Readonly<Record<RouterSort, (db: Db, scope: Scope) => SQL>> = {
  created: () => sql`${routers.id}`,
  name: () => sql`coalesce(nullif(${routers.note}, ''), ${routers.name}) collate nocase`,
  state: () => lookUp(PRESENCE_WEIGHT, sql`coalesce(${routerStates.presence}, 'never')`),
  config: () => lookUp(CONFIG_WEIGHT, sql`coalesce(${routerStates.configState}, 'none')`),
  networks: (db, scope) =>
    sql`${db
      .select({ n: count() })
      .from(networkMembers)
      .innerJoin(networks, eq(networks.id, networkMembers.networkId))
      .where(and(sql`network_members.router_id = routers.id`, networkScope(scope)))}`,
  seen: () =>
    sql`case when ${isOneOf(routerStates.presence, PRESENT_STATES)} then ${Number.MAX_SAFE_INTEGER}
      else coalesce(${routerStates.lastSeenAt}, 0) end`,
}

/** Members that are equal in the sort key come newest first. */
export function orderRouters(db: Db, scope: Scope, { sort, order }: RouterOrder): readonly SQL[] {
  const by = SORTED_BY[sort](db, scope)
  return [order === 'asc' ? sql`${by} asc` : sql`${by} desc`, desc(routers.id)]
}
