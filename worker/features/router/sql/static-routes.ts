import { type SQL, eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import type { Revision } from '#db/conflict.ts'
import { guard } from '#db/guard.ts'
import { memberSettingSql } from '#features/network/sql/settings.ts'
import { segmentList } from './columns.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { type RouterKey, guardRouter, isRouterNamed } from './routers.ts'

/* Statements on static routes of a router, and on the networks whose segments they may overlap. */

export const selectRoutesRow = (db: Db, scope: Scope, name: string) =>
  db
    .select({
      id: routers.id,
      accountId: routers.accountId,
      name: routers.name,
      note: routers.note,
      hub: routers.hub,
      routerType: routers.routerType,
      staticRoutes: routers.staticRoutes,
      revision: routers.staticRoutesRevision,
      interfaces: routerStates.interfaces,
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(isRouterNamed(db, scope, name))

/** Networks of this router, and networks that share a router with one of them. */
const neighborhoodNetworks = (accountId: number, name: string): SQL => sql`
  select network_id from network_members where account_id = ${accountId} and router_id in (
    select router_id from network_members where account_id = ${accountId} and network_id in (
      select own.network_id from network_members own join routers self on self.id = own.router_id
      where self.account_id = ${accountId} and self.name = ${name}))`

/** Members of these networks with their segments, of all roles, because a routing table has no roles. */
export const selectNeighborhoodMembers = (db: Db, { accountId }: Scope, name: string) =>
  db.all<[number, number, string, string, string, string, string, string, number | null, string | null]>(sql`
    select n.id, n.revision, n.number, n.name as network_name, r.name as router_name, r.note, r.static_routes,
      ${segmentList} as segments, m.segment_index,
      ${memberSettingSql('gateway', sql`m.network_id`, sql`m.router_id`)} as gateway
    from networks n
    join network_members m on m.network_id = n.id
    join routers r on r.id = m.router_id
    left join router_states on router_states.router_id = m.router_id
    where n.account_id = ${accountId} and n.id in (${neighborhoodNetworks(accountId, name)})`)

/** Networks in which the router announces its segments by dynamic routing. */
export const selectDynamicIn = (db: Db, { accountId }: Scope, name: string) =>
  db.all<[number]>(sql`
    select s.network_id from member_settings s join routers r on r.id = s.router_id
    where s.account_id = ${accountId} and r.name = ${name} and s.setting = 'quagga' and s.value ->> 'enable' = 1`)

/** Guard: these networks are still those that were read, at the same revisions. */
export const guardNeighborhood = (db: Db, accountId: number, name: string, known: readonly Revision[]) => {
  const expected = JSON.stringify(known)
  return guard(
    db,
    sql`(select count(*) from networks n where n.account_id = ${accountId} and n.id in (${neighborhoodNetworks(accountId, name)}))
      = (select count(*) from networks n join json_each(${expected}) e
        on n.id = e.value ->> 'id' and n.revision = e.value ->> 'revision'
        where n.account_id = ${accountId} and n.id in (${neighborhoodNetworks(accountId, name)}))`,
    violation('NETWORK_CHANGED'),
  )
}

/** Guard: the routes are still those that were read. */
export const guardRoutesRevision = (db: Db, router: RouterKey & Pick<Revision, 'revision'>) =>
  guardRouter(db, router, sql`static_routes_revision = ${router.revision}`, violation('NETWORK_CHANGED'))
