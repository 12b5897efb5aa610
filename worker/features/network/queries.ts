import { type SQL, and, asc, count, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { NetworkSort } from '../../contract/network.ts'
import type { Scope } from '../../contract/session.ts'
import type { Db } from '../../db/client.ts'
import { as, contains, isOneOf } from '../../db/columns.ts'
import type { Page } from '../../db/paged.ts'
import { quotaSql } from '../../db/quota.ts'
import { onlineSql, stateColumns } from '../../db/router-state.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { routerStates, routers } from '../../db/schema/members.ts'
import { networkMembers, networks } from '../../db/schema/networks.ts'
import { networkScope, routerScope } from '../../db/scope.ts'
import { MEMBER_STATES, type StateCount } from '../../domain/health/member.ts'

// Reads are statements too: awaited alone they are one round trip, in a batch with others they share it.

const memberCount = sql<number>`(select count(*) from network_members m where m.network_id = networks.id)`

const SORTED_BY: Readonly<Record<NetworkSort, SQL>> = {
  created: sql`${networks.id}`,
  name: sql`${networks.name} collate nocase`,
  members: memberCount,
  status: sql`1 - ${networks.status}`,
}

interface NetworkFilter {
  readonly search: string
  readonly sort: NetworkSort
  readonly order: 'asc' | 'desc'
}

const filtered = (scope: Scope, { search }: NetworkFilter) => and(networkScope(scope), searched(search))

/** Networks that are equal in `sort` stand newest first. */
const ordered = ({ sort, order }: NetworkFilter) => {
  const by = SORTED_BY[sort]
  return [order === 'asc' ? asc(by) : desc(by), desc(networks.id)]
}

/** Members of a group of joined rows in each state; one without a state row was never seen. */
const stateCounts = Object.fromEntries(
  MEMBER_STATES.map((state) => [
    state,
    sql<number>`count(${networkMembers.id}) filter (where coalesce(${routerStates.presence}, 'never') = ${sql.raw(`'${state}'`)})`.as(
      `members_${state}`,
    ),
  ]),
) as Record<keyof StateCount, SQL.Aliased<number>>

/** One page of networks with their members by state, and what all pages have in common. A page of none is one row without a network. */
export function selectNetworkPage(db: Db, scope: Scope, filter: NetworkFilter, { page, limit }: Page, now: number) {
  const condition = filtered(scope, filter)
  const total = db.select({ n: count() }).from(networks).where(condition)
  const listed = db
    .select({ id: networks.id })
    .from(networks)
    .where(condition)
    .orderBy(...ordered(filter))
    .limit(limit)
    .offset((page - 1) * limit)
  return db
    .select({
      total: sql<number>`${total}`.as('total'),
      memberQuota: quotaSql(scope.accountId, 'network_member', now).as('member_quota'),
      accountHub: as(accounts.hub, 'account_hub'),
      network: {
        number: networks.number,
        name: networks.name,
        status: networks.status,
        networkType: networks.networkType,
        frId: networks.frId,
        frName: sql<string | null>`(select fr.name from network_frs fr where fr.id = ${networks.frId})`.as('fr_name'),
        createdAt: networks.createdAt,
        suspendedAt: networks.suspendedAt,
        hub: networks.hub,
        revision: networks.revision,
      },
      memberCount: count(networkMembers.id).as('member_count'),
      onlineCount: sql<number>`count(${networkMembers.id}) filter (where ${onlineSql})`.as('online_count'),
      states: stateCounts,
    })
    .from(accounts)
    .leftJoin(networks, inArray(networks.id, listed))
    .leftJoin(networkMembers, eq(networkMembers.networkId, networks.id))
    .leftJoin(routerStates, eq(routerStates.routerId, networkMembers.routerId))
    .where(eq(accounts.id, scope.accountId))
    .groupBy(networks.id)
    .orderBy(...ordered(filter))
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

export const selectCreated = (db: Db, accountId: number, createKey: string) =>
  db
    .select({ number: networks.number })
    .from(networks)
    .where(and(eq(networks.accountId, accountId), eq(networks.createKey, createKey)))

/** Members of a network, centres first; empty for a network outside the caller's scope. */
export const selectMembers = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      routerId: networkMembers.routerId,
      routerName: as(routers.name, 'router_name'),
      routerType: routers.routerType,
      hub: routers.hub,
      note: routers.note,
      memberType: networkMembers.memberType,
      segmentIndex: networkMembers.segmentIndex,
      host: networkMembers.host,
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

/** Of the same members what links show: network/status is polled. */
export const selectLinkEnds = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      routerName: as(routers.name, 'router_name'),
      routerType: routers.routerType,
      note: routers.note,
      memberType: networkMembers.memberType,
      segmentIndex: networkMembers.segmentIndex,
      host: networkMembers.host,
    })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .where(byNumber(scope, number))

/** Routers by name that the caller may choose. */
export const selectChoosable = (db: Db, scope: Scope, names: readonly string[]) =>
  db
    .select({
      routerId: routers.id,
      routerName: routers.name,
      routerType: routers.routerType,
      hub: routers.hub,
      note: routers.note,
      interfaces: routerStates.interfaces,
      networkCount: sql<number>`(select count(*) from network_members m where m.router_id = routers.id)`.as('networks'),
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(and(routerScope(db, scope), isOneOf(routers.name, names)))

/** Subnet indexes in use in the account. */
export const selectUsedIndexes = (db: Db, accountId: number) =>
  db
    .select({ index: networkMembers.segmentIndex })
    .from(networkMembers)
    .where(and(eq(networkMembers.accountId, accountId), isNotNull(networkMembers.segmentIndex)))
