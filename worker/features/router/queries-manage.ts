import { and, eq, sql } from 'drizzle-orm'
import { ROUTER_RATE } from '../../contract/limits.ts'
import { violation } from '../../contract/result.ts'
import type { Scope } from '../../contract/session.ts'
import type { Db } from '../../db/client.ts'
import { idList, isOneOf } from '../../db/columns.ts'
import { guard } from '../../db/guard.ts'
import { guardRate, routerRateKey } from '../../db/rate-limit.ts'
import { selectMembersWith } from '../../db/network-members.ts'
import { routerStates, routers } from '../../db/schema/members.ts'
import { networkMembers } from '../../db/schema/networks.ts'
import type { stateOfStatus } from '../../domain/router/presence.ts'
import { type RouterNames, namedBy } from '../../db/router-names.ts'
import { isNoNode } from '../../db/scope.ts'
import { isRouterNamed } from './queries.ts'

/** The routers of these names in the caller's scope, as writes need them. */
export const selectRouterRow = (db: Db, scope: Scope, ...names: RouterNames) =>
  db
    .select({
      id: routers.id,
      accountId: routers.accountId,
      name: routers.name,
      hub: routers.hub,
      routerType: routers.routerType,
      note: routers.note,
      status: routers.status,
      lastSeenAt: routerStates.lastSeenAt,
      isNode: sql<0 | 1>`not ${isNoNode}`.as('is_node'),
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(isRouterNamed(db, scope, ...names))

/** One push and one report of a router in five seconds. Names that the caller cannot see spend nothing. */
export const guardRouterRate = (db: Db, scope: Scope, call: 'resend' | 'status', name: string, now: number) =>
  guardRate(
    db,
    routerRateKey(call, scope.accountId, name),
    ROUTER_RATE,
    now,
    sql`exists (select 1 from routers where ${isRouterNamed(db, scope, name)})`,
  )

/** Members of all networks that the routers are in, of the whole account. */
export const selectPeers = (db: Db, scope: Scope, ...names: RouterNames) =>
  selectMembersWith(db, scope.accountId, namedBy(sql`r.name`, names))

export const updateNote = (db: Db, accountId: number, routerId: number, note: string) =>
  db
    .update(routers)
    .set({ note })
    .where(and(eq(routers.accountId, accountId), eq(routers.id, routerId)))

export const updateRouterStatus = (db: Db, accountId: number, routerId: number, status: 0 | 1) =>
  db
    .update(routers)
    .set({ status })
    .where(and(eq(routers.accountId, accountId), eq(routers.id, routerId)))

/** No hub watches a software member, so its state is written with its status. */
export const updateSoftwarePresence = (
  db: Db,
  accountId: number,
  routerId: number,
  { presence, since }: ReturnType<typeof stateOfStatus>,
) =>
  db.run(sql`
    insert into router_states (router_id, presence, presence_since)
    select id, ${presence}, ${since} from routers where account_id = ${accountId} and id = ${routerId}
    on conflict (router_id) do update set presence = excluded.presence, presence_since = excluded.presence_since`)

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

export const deleteRouterRows = (db: Db, accountId: number, routerIds: readonly number[]) =>
  db.delete(routers).where(and(eq(routers.accountId, accountId), isOneOf(routers.id, routerIds)))
