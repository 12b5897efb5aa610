import { type SQL, and, asc, desc, eq, inArray, not, sql, gt } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import { NETWORK_STATES, type NetworkSort, type NetworkState } from '#contract/network/networks.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { contains, isOneOf, nameKey } from '#db/columns.ts'
import { memberColumns } from './members.ts'
import { chosenAddresses } from './settings.ts'
import type { Page } from '#db/paged.ts'
import { quotaSql } from '#db/quota.ts'
import { stateColumns } from '#features/router/sql/columns.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { networkFrAreas, networkFrs } from '#db/schema/pop.ts'
import { isPopNode, isShared, networkScope, routerScope, frScope } from '#db/scope.ts'
import { NETWORK_STATUS } from '#contract/network/limits.ts'
import { type MemberGroup, sumGroups } from '#domain/health/member.ts'
import { NETWORK_SEVERITY } from '#domain/health/severity.ts'

/* SQL reads of networks: list page, one network and its members, its POP resource, routers that may join. */

// Reads are statements, too. Awaited alone, each is one round trip; in a batch they share one.

/** The POP resource of a network, also after its end. */
export const selectFr = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      id: networkFrs.id,
      name: networkFrs.name,
      shortname: networkFrs.shortname,
      expireAt: networkFrs.expireAt,
      lapsed: networkFrs.lapsed,
    })
    .from(networkFrs)
    .innerJoin(networks, eq(networks.frId, networkFrs.id))
    .where(and(networkScope(scope), eq(networks.number, number)))

/** A resource by its id, unless it has expired or was withdrawn. */
export const selectUsableFr = (db: Db, scope: Scope, id: number, now: number) =>
  db
    .select({ id: networkFrs.id, name: networkFrs.name })
    .from(networkFrs)
    .where(and(frScope(scope), eq(networkFrs.id, id), eq(networkFrs.status, 1), gt(networkFrs.expireAt, now)))

export const selectFrAreas = (db: Db, scope: Scope, id: number) =>
  db
    .select({ id: networkFrAreas.id, popId: networkFrAreas.popId, bandwidth: networkFrAreas.bandwidth })
    .from(networkFrAreas)
    .where(and(eq(networkFrAreas.accountId, scope.accountId), eq(networkFrAreas.frId, id)))

/** Subquery for the ids of a resource's areas. */
export const areasOfFr = (id: number) => sql`select pop_id from network_fr_areas where fr_id = ${id}`

const memberCount = sql<number>`(select count(*) from network_members m where m.network_id = networks.id)`

const severity = sql`iif(${networks.status} = ${NETWORK_STATUS.normal}, ${networks.severity}, ${NETWORK_SEVERITY.suspended})`
const byName = nameKey(sql`${networks.name}`)

const SORTED_BY: Readonly<Record<NetworkSort, SQL>> = {
  created: sql`${networks.id}`,
  name: byName,
  members: memberCount,
  status: severity,
}

interface NetworkFilter {
  readonly search: string
  readonly state: NetworkState | ''
  readonly sort: NetworkSort
  readonly order: 'asc' | 'desc'
}

/** Order of the list. Networks of equal severity stand by name, others that are equal in `sort` newest first. */
const ordered = ({ sort, order }: NetworkFilter): SQL => {
  const by = SORTED_BY[sort]
  const then = sort === 'status' ? sql`${byName}, ` : sql``
  return sql`${order === 'asc' ? asc(by) : desc(by)}, ${then}${networks.id} desc`
}

type PageRow = [
  total: number,
  states: string, // numbers by severity
  memberQuota: number,
  accountHub: HubName,
  number: string | null, // null in the only row of an empty page
  name: string,
  status: number,
  networkType: number,
  frId: number | null,
  frName: string | null,
  frExpireAt: number | null,
  frLapsed: 0 | 1 | null,
  createdAt: number,
  suspendedAt: number | null,
  withdrawn: 0 | 1,
  hub: HubName,
  revision: number,
  members: string,
]

/**
 * One page of networks with their members by state, and the totals of all pages. It is raw SQL, because the query builder
 * takes longer for it than the database.
 */
export async function readNetworkPage(db: Db, scope: Scope, filter: NetworkFilter, { page, limit }: Page, now: number) {
  const found = and(networkScope(scope), searched(filter.search))
  const condition = filter.state === '' ? found : and(found, sql`${severity} = ${NETWORK_SEVERITY[filter.state]}`)
  const order = ordered(filter)
  const rows = await db.all<PageRow>(sql`select (select count(*) from networks where ${condition}) as total,
      (select json_group_object(state, n) from (
        select cast(${severity} as integer) as state, count(*) as n from networks where ${found} group by 1)) as states,
      ${quotaSql(scope.accountId, 'network_member', now)} as member_quota, accounts.hub as account_hub,
      networks.number, networks.name, networks.status, networks.network_type, networks.fr_id,
      fr.name as fr_name, fr.expire_at, fr.lapsed, networks.created_at, networks.suspended_at, networks.withdrawn,
      networks.hub, networks.revision,
      (select json_group_array(json_object('state', state, 'live', json(live), 'count', n)) from (
        select iif(s.unreadable_since is null, coalesce(s.presence, 'never'), 'unreadable') as state, iif(s.live, 'true', 'false') as live, count(*) as n
        from network_members m left join router_states s on s.router_id = m.router_id
        where m.network_id = networks.id group by 1, 2)) as members
    from accounts left join networks on networks.id in (
      select id from networks where ${condition} order by ${order} limit ${limit} offset ${(page - 1) * limit})
      left join network_frs fr on fr.id = networks.fr_id and fr.account_id = accounts.id
    where accounts.id = ${scope.accountId} order by ${order}`)
  const [first] = rows
  if (!first) return null
  const [total, states, memberQuota, accountHub] = first
  return { total, states: toStateCounts(states), memberQuota, accountHub, networks: rows.flatMap(toListedNetwork) }
}

function toStateCounts(json: string): Readonly<Record<NetworkState, number>> {
  const bySeverity = JSON.parse(json) as Readonly<Record<string, number>>
  const entries = NETWORK_STATES.map((state) => [state, bySeverity[NETWORK_SEVERITY[state]] ?? 0])
  return Object.fromEntries(entries) as Record<NetworkState, number>
}

function toListedNetwork(row: PageRow) {
  const [, , , , number, name, status, networkType, frId, frName, ...rest] = row
  const [frExpireAt, frLapsed, createdAt, suspendedAt, withdrawn, hub, revision, members] = rest
  if (number === null) return []
  const counts = sumGroups(JSON.parse(members) as MemberGroup[])
  const fr = frName === null ? null : { name: frName, expireAt: frExpireAt ?? 0, lapsed: frLapsed ?? 0 }
  return [{ number, name, status, networkType, frId, fr, createdAt, suspendedAt, withdrawn, hub, revision, ...counts }]
}

const searched = (text: string) =>
  text === '' ? undefined : sql`(${contains(networks.name, text)} or ${contains(networks.number, text)})`

export const selectNetworkOptions = (db: Db, scope: Scope) =>
  db
    .select({ network_number: networks.number, network_name: networks.name })
    .from(networks)
    .where(networkScope(scope))
    .orderBy(desc(networks.id))

const byNumber = (scope: Scope, number: string) => and(networkScope(scope), eq(networks.number, number))

export const selectNetwork = (db: Db, scope: Scope, number: string) =>
  db.select().from(networks).where(byNumber(scope, number))

/** Routers that are members of that network. */
export const memberCondition = (db: Db, scope: Scope, number: string) =>
  inArray(
    routers.id,
    db
      .select({ id: networkMembers.routerId })
      .from(networkMembers)
      .innerJoin(networks, eq(networks.id, networkMembers.networkId))
      .where(byNumber(scope, number)),
  )

export const selectCreated = (db: Db, accountId: number, createKey: string) =>
  db
    .select({ number: networks.number })
    .from(networks)
    .where(and(eq(networks.accountId, accountId), eq(networks.createKey, createKey)))

/** Members of a network, centres first; empty for a network outside the caller's scope. */
export const selectMembers = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      ...memberColumns,
      hub: routers.hub,
      note: routers.note,
      ...chosenAddresses,
      staticRoutes: routers.staticRoutes,
      shared: isShared(scope).as('shared'),
      version: routerStates.version,
      interfaces: routerStates.interfaces,
      remoteHost: routerStates.remoteHost,
      state: stateColumns,
    })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(byNumber(scope, number))
    .orderBy(asc(networkMembers.memberType), asc(networkMembers.id))

/** Columns of the same members that links show. They are few, because network/status is polled. */
export const selectLinkEnds = (db: Db, scope: Scope, number: string) =>
  db
    .select({ ...memberColumns, hub: routers.hub, note: routers.note, gateway: chosenAddresses.gateway })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .where(byNumber(scope, number))

/** Routers by name that the caller may choose, without members of the network (`selectMembers`). */
export const selectChoosable = (db: Db, scope: Scope, names: readonly string[], number: string) =>
  db
    .select({
      routerId: routers.id,
      routerName: routers.name,
      routerType: routers.routerType,
      hub: routers.hub,
      note: routers.note,
      interfaces: routerStates.interfaces,
      staticRoutes: routers.staticRoutes,
      networkCount: sql<number>`(select count(*) from network_members m where m.router_id = routers.id)`.as('networks'),
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(
      and(
        routerScope(db, scope),
        not(isPopNode),
        isOneOf(routers.name, names),
        sql`${routers.id} not in (
          select m.router_id from networks n join network_members m on m.network_id = n.id
          where n.account_id = ${scope.accountId} and n.number = ${number})`,
      ),
    )
