import { type SQL, and, asc, count, desc, eq, sql } from 'drizzle-orm'
import { BASE_QUOTA, NETWORK, NETWORK_STATUS, type ServiceKind } from '../../contract/limits.ts'
import { PRESENCE_STATES } from '../../contract/protocol.ts'
import type { Db } from '../../db/client.ts'
import { as, contains, isOneOf } from '../../db/columns.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { routerStates, routers } from '../../db/schema/members.ts'
import { networkMembers, networks } from '../../db/schema/networks.ts'
import { isPresent } from '../../domain/router/presence.ts'
import type { Scope } from '../../contract/session.ts'

// Reads are statements too: awaited alone they are one round trip, in a batch with others they share it.

/** The networks a caller may know of; part of every query that names one. */
export function networkScope({ accountId, grants }: Scope): SQL | undefined {
  const own = eq(networks.accountId, accountId)
  return grants.networks === null ? own : and(own, isOneOf(networks.number, grants.networks))
}

/** The members a caller may know of: a limited role knows those of its networks. */
export function routerScope(db: Db, scope: Scope): SQL | undefined {
  const own = eq(routers.accountId, scope.accountId)
  if (scope.grants.networks === null) return own
  const covered = db
    .select({ id: networkMembers.routerId })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .where(networkScope(scope))
  return and(own, sql`${routers.id} in ${covered}`)
}

export const isOnline = isOneOf(routerStates.presence, PRESENCE_STATES.filter(isPresent))

/** Columns of domain/router/presence.ts StateRow; null as a whole for a router that was never seen. */
export const stateColumns = {
  presence: routerStates.presence,
  presenceSince: routerStates.presenceSince,
  presenceReason: routerStates.presenceReason,
  lastSeenAt: routerStates.lastSeenAt,
  configState: routerStates.configState,
  configVersion: routerStates.configVersion,
  configAppliedVersion: routerStates.configAppliedVersion,
  configReason: routerStates.configReason,
  configAt: routerStates.configAt,
}

/** How much of a kind an account may use now: what is free for all, and its active services. */
export function quotaOf(accountId: SQL | number, kind: ServiceKind, now: number): SQL<number> {
  return sql<number>`(${BASE_QUOTA[kind]} + coalesce((select sum(s.quantity) from services s where
    s.account_id = ${accountId} and s.kind = ${kind} and s.start_at <= ${now} and s.expire_at > ${now}), 0))`
}

/** domain/network/membership.ts Room. */
export function roomOf(db: Db, accountId: number, now: number) {
  return db
    .select({
      seats: quotaOf(accountId, 'network_member', now).as('seats'),
      seatsUsed: sql<number>`(select count(*) from network_members where account_id = ${accountId})`.as('seats_used'),
      centers: quotaOf(accountId, 'center', now).as('centers'),
    })
    .from(accounts)
    .where(eq(accounts.id, accountId))
}

export function pageOfNetworks(db: Db, scope: Scope, page: number, limit: number, search: string) {
  const memberCount = sql<number>`(select count(*) from network_members m where m.network_id = networks.id)`
  const onlineCount = db
    .select({ n: count() })
    .from(networkMembers)
    .innerJoin(routerStates, eq(routerStates.routerId, networkMembers.routerId))
    .where(and(sql`network_members.network_id = networks.id`, isOnline))
  return db
    .select({
      number: networks.number,
      name: networks.name,
      status: networks.status,
      networkType: networks.networkType,
      createdAt: networks.createdAt,
      memberCount: memberCount.as('member_count'),
      onlineCount: sql<number>`${onlineCount}`.as('online_count'),
    })
    .from(networks)
    .where(and(networkScope(scope), searched(search)))
    .orderBy(desc(networks.id))
    .limit(limit)
    .offset((page - 1) * limit)
}

export const countNetworks = (db: Db, scope: Scope, search: string) =>
  db
    .select({ n: count() })
    .from(networks)
    .where(and(networkScope(scope), searched(search)))

const searched = (text: string) =>
  text === '' ? undefined : sql`(${contains(networks.name, text)} or ${contains(networks.number, text)})`

export const networkOptions = (db: Db, scope: Scope) =>
  db
    .select({ network_number: networks.number, network_name: networks.name })
    .from(networks)
    .where(networkScope(scope))
    .orderBy(desc(networks.id))

const byNumber = (scope: Scope, number: string) => and(networkScope(scope), eq(networks.number, number))

export const networkByNumber = (db: Db, scope: Scope, number: string) =>
  db.select().from(networks).where(byNumber(scope, number))

/** Members of a network, centres first; empty for a network the caller may not know of. */
export function membersOf(db: Db, scope: Scope, number: string) {
  return db
    .select({
      routerId: networkMembers.routerId,
      routerName: as(routers.name, 'router_name'),
      routerType: routers.routerType,
      note: routers.note,
      memberType: networkMembers.memberType,
      segmentIndex: networkMembers.segmentIndex,
      host: networkMembers.host,
      version: routerStates.version,
      interfaces: routerStates.interfaces,
      state: stateColumns,
    })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(byNumber(scope, number))
    .orderBy(asc(networkMembers.memberType), asc(networkMembers.id))
}

/** Routers by name that the caller may choose. */
export function choosable(db: Db, scope: Scope, names: readonly string[]) {
  return db
    .select({
      routerId: routers.id,
      routerName: routers.name,
      routerType: routers.routerType,
      note: routers.note,
      interfaces: routerStates.interfaces,
      networkCount: sql<number>`(select count(*) from network_members m where m.router_id = routers.id)`.as('networks'),
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(and(routerScope(db, scope), isOneOf(routers.name, names)))
}

/** Members that are offered for a network, newest first, with the numbers of the networks they are in. */
export function candidates(db: Db, scope: Scope, routerType: number, search: string) {
  const inNetworks = db
    .select({ list: sql`json_group_array(networks.number)` })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .where(and(sql`network_members.router_id = routers.id`, networkScope(scope)))
  return db
    .select({
      routerName: routers.name,
      note: routers.note,
      presence: routerStates.presence,
      networks: sql<string>`${inNetworks}`.as('networks'),
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(
      and(
        routerScope(db, scope),
        eq(routers.routerType, routerType),
        search === '' ? undefined : sql`(${contains(routers.name, search)} or ${contains(routers.note, search)})`,
      ),
    )
    .orderBy(desc(routers.id))
    .limit(NETWORK.membersMax)
}

/** Settles network_status of one account: part of every batch that moves its members or services. */
export const recomputeNetworkStatus = (db: Db, accountId: number, now: number) =>
  recompute(db, now, sql`where n.account_id = ${accountId}`)

/** The same for all accounts, for the times at which services end. */
export const recomputeAllNetworkStatus = (db: Db, now: number) => recompute(db, now, sql``)

/**
 * In the order of creation, an account's networks are available while their members together fit into its seats
 * (network 2). Devices keep what they have: a suspended network takes no new configuration, and cuts nobody off.
 */
function recompute(db: Db, now: number, which: SQL) {
  const fits = sql`sum(count(m.id)) over (partition by n.account_id order by n.id) <= ${quotaOf(sql`n.account_id`, 'network_member', now)}`
  return db.run(sql`
    update networks set status = settled.status
    from (
      select n.id, case when ${fits} then ${NETWORK_STATUS.normal} else ${NETWORK_STATUS.overQuota} end as status
      from networks n left join network_members m on m.network_id = n.id ${which} group by n.id
    ) settled
    where settled.id = networks.id and settled.status <> networks.status`)
}
