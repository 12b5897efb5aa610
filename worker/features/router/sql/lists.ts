import { type SQL, and, desc, eq, or, sql, count } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { as, contains, isOneOf, lookUp, nameKey } from '#db/columns.ts'
import { memberColumns } from '#features/network/sql/members.ts'
import { chosenAddresses } from '#features/network/sql/settings.ts'
import { quotaSql } from '#db/quota.ts'
import { onlineSql, presenceSql, stateColumns } from './columns.ts'
import { accounts } from '#db/schema/accounts.ts'
import { devices, routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { isRouterNamed } from './routers.ts'
import { isShared, networkScope, routerScope } from '#db/scope.ts'
import { MEMBER_STATES, TROUBLE_CONFIGS, PRESENT_STATES } from '#domain/health/member.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import type { RouterSort, RouterState } from '#contract/router/routers.ts'
import { mayReadPhones } from '#domain/router/member-phone.ts'
import { MEMBER_SEVERITY } from '#domain/health/severity.ts'
import { CONFIG_WEIGHT } from '#domain/router/presence.ts'

/* Statements that read members for lists, counts, details and links. */

interface Filter {
  readonly type: RouterType
  readonly state: RouterState
  readonly search: string
}

const isHardware = sql`${routers.routerType} = ${ROUTER_TYPE.hardware}`
const hasConfigTrouble = sql`coalesce(${isOneOf(routerStates.configState, TROUBLE_CONFIGS)}, 0)`

/** `isTrouble` of domain/health/member.ts in SQL. */
const isTrouble = sql`(${presenceSql} in ('flapping', 'unreadable') or (${isHardware}
  and (${presenceSql} = 'offline' or ${hasConfigTrouble})))`

/** `isConfigFault` of domain/health/member.ts in SQL. */
const isConfigFault = sql`(${isHardware} and ${hasConfigTrouble} and ${presenceSql} not in ('flapping', 'unreadable', 'offline'))`

/** True for a member that is in 单中心 (single centre) in a network of the caller's scope. */
const isSingleCenter = (db: Db, scope: Scope): SQL =>
  sql`(${routers.id} in ${db
    .select({ id: networkMembers.routerId })
    .from(networks)
    .innerJoin(networkMembers, eq(networkMembers.networkId, networks.id))
    .where(and(networkScope(scope), sql`network_members.single_center = 1`))})`

function inState(db: Db, scope: Scope, state: RouterState): SQL | undefined {
  if (state === '') return undefined
  if (state === 'attention') return isTrouble
  if (state === 'config') return isConfigFault
  return state === 'single_center' ? isSingleCenter(db, scope) : sql`${presenceSql} = ${state}`
}

/** Severity by the worst that is known of a member (domain/health/severity.ts). */
function severitySql(db: Db, scope: Scope): SQL {
  const { offline, unreadable, flapping, config, single_center, reconnecting, online, resting, never, disabled } =
    MEMBER_SEVERITY
  return sql`case when ${presenceSql} = 'unreadable' then ${unreadable} when ${presenceSql} = 'flapping' then ${flapping}
    when ${presenceSql} = 'offline' then iif(${isHardware}, ${offline}, ${resting})
    when ${isConfigFault} then ${config} when ${isSingleCenter(db, scope)} then ${single_center}
    when ${presenceSql} = 'reconnecting' then ${reconnecting} when ${presenceSql} = 'online' then ${online}
    when ${presenceSql} = 'never' then ${never} else ${disabled} end`
}

/** Columns that a search compares: a search by a masked number would find out its digits. */
const searchedColumns = ({ grants }: Scope) => [
  routers.name,
  routers.note,
  ...(mayReadPhones(grants) ? [routers.phone] : []),
]

const matches = (db: Db, scope: Scope, { type, search }: Omit<Filter, 'state'>) =>
  and(
    routerScope(db, scope),
    eq(routers.routerType, type),
    search === '' ? undefined : or(...searchedColumns(scope).map((column) => contains(column, search))),
  )

/** Columns of list and detail, by their names in the answer. */
const factColumns = {
  router_name: as(routers.name, 'router_name'),
  router_type: as(routers.routerType, 'router_type'),
  note: routers.note,
  note_revision: as(routers.noteRevision, 'note_revision'),
  area_code: as(routers.areaCode, 'area_code'),
  phone: sql<string>`coalesce(${routers.phone}, '')`.as('phone'),
  router_model: sql<string>`coalesce(${devices.model}, '')`.as('router_model'),
  version: sql<string>`coalesce(${routerStates.version}, '')`.as('version'),
  os: sql<string>`coalesce(${routerStates.os}, '')`.as('os'),
  status: routers.status,
  create_time: as(routers.createdAt, 'create_time'),
}

const remoteIp = sql<string>`coalesce(${routerStates.remoteHost}, '')`.as('remote_ip')

/** Aggregate over the networks of `routers.id` in the caller's scope. */
export const overNetworks = (db: Db, scope: Scope, aggregate: SQL) =>
  sql<string>`${db
    .select({ aggregate })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .where(and(sql`network_members.router_id = routers.id`, networkScope(scope)))}`

const networkList = sql`json_group_array(json_object('id', networks.id, 'network_number', networks.number, 'network_name', networks.name))`

interface RouterOrder {
  readonly sort: RouterSort
  readonly order: 'asc' | 'desc'
}

/** Sort key of the name that rows show. */
export const shownNameKey = nameKey(sql`coalesce(nullif(${routers.note}, ''), ${routers.name})`)

/** Sort expressions. They need no index: an account has few rows, and most values are in other tables. */
const SORTED_BY: Readonly<Record<RouterSort, (db: Db, scope: Scope) => SQL>> = {
  created: () => sql`${routers.id}`,
  name: () => shownNameKey,
  state: severitySql,
  config: () => lookUp(CONFIG_WEIGHT, sql`coalesce(${routerStates.configState}, 'none')`),
  networks: (db, scope) => overNetworks(db, scope, count()),
  seen: () =>
    sql`case when ${isOneOf(presenceSql, PRESENT_STATES)} then ${Number.MAX_SAFE_INTEGER}
      else coalesce(${routerStates.unreadableSince}, ${routerStates.lastSeenAt}, 0) end`,
}

/** Order of the list; members of equal severity come by name, others with equal sort keys newest first. */
function orderRouters(db: Db, scope: Scope, { sort, order }: RouterOrder): readonly SQL[] {
  const by = SORTED_BY[sort](db, scope)
  const turned = order === 'asc' ? sql`${by} asc` : sql`${by} desc`
  return [turned, ...(sort === 'state' ? [shownNameKey] : []), desc(routers.id)]
}

export const selectRouters = (db: Db, scope: Scope, filter: Filter, order: RouterOrder) =>
  db
    .select({
      ...factColumns,
      source: routers.source,
      networks: overNetworks(db, scope, networkList).as('networks'),
      shared: isShared(scope).as('shared'),
      interfaces: routerStates.interfaces,
      remote_ip: remoteIp,
      single_center: sql<0 | 1>`${isSingleCenter(db, scope)}`.as('single_center'),
      state: stateColumns,
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .leftJoin(devices, eq(devices.id, routers.deviceId))
    .where(and(matches(db, scope, filter), inState(db, scope, filter.state)))
    .orderBy(...orderRouters(db, scope, order))

const countWhere = (condition: SQL, name: string) => sql<number>`coalesce(sum(${condition}), 0)`.as(name)

/** Number of members by state filter. */
const stateCounts = (db: Db, scope: Scope) => ({
  ...(Object.fromEntries(
    MEMBER_STATES.map((state) => [state, countWhere(sql`${presenceSql} = ${state}`, state)]),
  ) as Record<PresenceState, SQL.Aliased<number>>),
  attention: countWhere(isTrouble, 'attention'),
  config: countWhere(isConfigFault, 'config'),
  single_center: countWhere(isSingleCenter(db, scope), 'single_center'),
})

export const selectStateCounts = (db: Db, scope: Scope, filter: Omit<Filter, 'state'>) =>
  db
    .select(stateCounts(db, scope))
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(matches(db, scope, filter))

export const selectCountsByType = (db: Db, scope: Scope) =>
  db
    .select({
      routerType: routers.routerType,
      total: sql<number>`count(*)`.as('total'),
      isOnline: countWhere(onlineSql, 'is_online'),
      ...stateCounts(db, scope),
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(routerScope(db, scope))
    .groupBy(routers.routerType)

export const selectSoftwareQuota = (db: Db, accountId: number, now: number) =>
  db
    .select({
      sign: accounts.sign,
      hub: accounts.hub,
      used: sql<number>`(select count(*) from routers where account_id = ${accountId} and router_type = ${ROUTER_TYPE.software})`.as(
        'used',
      ),
      max: quotaSql(accountId, 'software_member', now).as('quota'),
    })
    .from(accounts)
    .where(eq(accounts.id, accountId))

export const selectRouter = (db: Db, scope: Scope, name: string) =>
  db
    .select({
      ...factColumns,
      remote_ip: remoteIp,
      router_mac: sql<string>`coalesce(${routerStates.mac}, '')`.as('router_mac'),
      interfaces: routerStates.interfaces,
      staticRoutes: routers.staticRoutes,
      static_routes_revision: as(routers.staticRoutesRevision, 'static_routes_revision'),
      chosenEndpoints: as(routers.endpoints, 'chosen_endpoints'),
      endpoints_revision: as(routers.endpointsRevision, 'endpoints_revision'),
      deviceEndpoints: as(routerStates.endpoints, 'device_endpoints'),
      state: stateColumns,
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .leftJoin(devices, eq(devices.id, routers.deviceId))
    .where(isRouterNamed(db, scope, name))

export const selectRouterHubs = (db: Db, scope: Scope, name: string) =>
  db
    .select({ hub: routers.hub, accountHub: as(accounts.hub, 'account_hub'), state: stateColumns })
    .from(routers)
    .innerJoin(accounts, eq(accounts.id, routers.accountId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(isRouterNamed(db, scope, name))

/** Routers of these names in the caller's scope, with the hubs of their networks in it; null for a router in none. */
export function selectRouterNetworks(db: Db, scope: Scope, names: readonly string[]) {
  const covered = db.select({ id: networks.id }).from(networks).where(networkScope(scope))
  return db
    .select({
      name: routers.name,
      accountHub: as(accounts.hub, 'account_hub'),
      networkHub: sql<string | null>`${networks.hub}`.as('network_hub'),
    })
    .from(routers)
    .innerJoin(accounts, eq(accounts.id, routers.accountId))
    .leftJoin(
      networkMembers,
      and(eq(networkMembers.routerId, routers.id), sql`${networkMembers.networkId} in ${covered}`),
    )
    .leftJoin(networks, eq(networks.id, networkMembers.networkId))
    .where(isRouterNamed(db, scope, ...names))
}

/** Other ends of a router's links in the caller's scope: hardware in the other role, other centres, point links. */
export function selectLinkPeers(db: Db, scope: Scope, name: string) {
  const [own, router] = [alias(networkMembers, 'own'), alias(routers, 'router')]
  return db
    .select({
      ...memberColumns,
      networkId: networkMembers.networkId,
      note: routers.note,
      gateway: chosenAddresses.gateway,
    })
    .from(router)
    .innerJoin(own, eq(own.routerId, router.id))
    .innerJoin(
      networkMembers,
      and(
        eq(networkMembers.networkId, own.networkId),
        sql`(${networkMembers.memberType} <> ${own.memberType}
          or (${own.memberType} = 'center' and ${networkMembers.routerId} <> ${own.routerId})
          or exists (select 1 from point_links p where p.network_id = ${own.networkId} and (
            (p.server_id = ${own.routerId} and p.client_id = ${networkMembers.routerId})
            or (p.client_id = ${own.routerId} and p.server_id = ${networkMembers.routerId}))))`,
      ),
    )
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .where(
      and(
        eq(router.accountId, scope.accountId),
        eq(router.name, name),
        eq(router.routerType, ROUTER_TYPE.hardware),
        eq(routers.routerType, ROUTER_TYPE.hardware),
        networkScope(scope),
      ),
    )
}
