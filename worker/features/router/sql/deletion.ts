import { and, eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { idList, isOneOf } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers } from '#db/schema/networks.ts'

/** Members and states by hand, not by cascade: whether foreign keys act is a setting of the database. */
export const deleteMemberships = (db: Db, accountId: number, routerIds: readonly number[]) =>
  db
    .delete(networkMembers)
    .where(and(eq(networkMembers.accountId, accountId), isOneOf(networkMembers.routerId, routerIds)))

export const deleteStates = (db: Db, accountId: number, routerIds: readonly number[]) =>
  db
    .delete(routerStates)
    .where(
      sql`${routerStates.routerId} in (select id from routers where account_id = ${accountId} and ${isOneOf(routers.id, routerIds)})`,
    )

/** None of them has become a node meanwhile. */
export const guardNoNodes = (db: Db, routerIds: readonly number[]) =>
  guard(
    db,
    sql`not exists (select 1 from pop_nodes where router_id in (${idList(routerIds)}))`,
    violation('NETWORK_CHANGED'),
  )

/** None of them carries the tunnel of a directory since. */
export const guardNoTunnels = (db: Db, routerIds: readonly number[]) =>
  guard(
    db,
    sql`not exists (select 1 from ldap_configs where router_id in (${idList(routerIds)}))`,
    violation('NETWORK_CHANGED'),
  )

export const deleteRouterRows = (db: Db, accountId: number, routerIds: readonly number[]) =>
  db.delete(routers).where(and(eq(routers.accountId, accountId), isOneOf(routers.id, routerIds)))
