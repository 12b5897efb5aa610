import { and, eq, sql } from 'drizzle-orm'
import { ROUTER_RATE } from '../../contract/limits.ts'
import type { Scope } from '../../contract/session.ts'
import type { Db } from '../../db/client.ts'
import { guardRate, routerRateKey } from '../../db/rate-limit.ts'
import { selectMembersWith } from '../../db/network-members.ts'
import { routerStates, routers } from '../../db/schema/members.ts'
import { networkMembers } from '../../db/schema/networks.ts'
import { isRouterNamed } from './queries.ts'

/** The router of that name in the caller's scope, as writes need it. */
export const selectRouterRow = (db: Db, scope: Scope, name: string) =>
  db
    .select({
      id: routers.id,
      accountId: routers.accountId,
      name: routers.name,
      hub: routers.hub,
      routerType: routers.routerType,
      note: routers.note,
      status: routers.status,
    })
    .from(routers)
    .where(isRouterNamed(db, scope, name))

/** One push and one report of a router in five seconds. Names that the caller cannot see spend nothing. */
export const guardRouterRate = (db: Db, scope: Scope, call: 'resend' | 'status', name: string, now: number) =>
  guardRate(
    db,
    routerRateKey(call, scope.accountId, name),
    ROUTER_RATE,
    now,
    sql`exists (select 1 from routers where ${isRouterNamed(db, scope, name)})`,
  )

/** Members of all networks that the router is in, of the whole account. */
export const selectPeers = (db: Db, scope: Scope, name: string) =>
  selectMembersWith(db, scope.accountId, sql`r.name = ${name}`)

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

/** Members and state by hand, not by cascade: whether foreign keys act is a setting of the database. */
export const deleteMemberships = (db: Db, accountId: number, routerId: number) =>
  db.delete(networkMembers).where(and(eq(networkMembers.accountId, accountId), eq(networkMembers.routerId, routerId)))

export const deleteState = (db: Db, accountId: number, routerId: number) =>
  db
    .delete(routerStates)
    .where(
      sql`${routerStates.routerId} = (select id from routers where account_id = ${accountId} and id = ${routerId})`,
    )

export const deleteRouterRow = (db: Db, accountId: number, routerId: number) =>
  db.delete(routers).where(and(eq(routers.accountId, accountId), eq(routers.id, routerId)))
