import { type SQL, and, desc, count, eq, sql } from 'drizzle-orm'
import { PRESENCE_STATES, CONFIG_STATES } from '../../contract/protocol.ts'
import { ROUTER_TYPE, type RouterType } from '../../contract/limits.ts'
import type { Db } from '../../db/client.ts'
import { as, contains, isOneOf } from '../../db/columns.ts'
import { accounts } from '../../db/schema/accounts.ts'
import { devices, routerStates, routers } from '../../db/schema/members.ts'
import { networkMembers, networks } from '../../db/schema/networks.ts'
import { needsAttention } from '../../domain/router/presence.ts'
import { isOnline, networkScope, quotaOf, routerScope, stateColumns } from '../network/queries.ts'
import type { Scope } from '../../contract/session.ts'

export type StateFilter = '' | 'online' | 'offline' | 'attention'

interface Filter {
  readonly type: RouterType
  readonly state: StateFilter
  readonly search: string
}

const attentionStates = {
  presence: PRESENCE_STATES.filter((state) => needsAttention(state, 'none')),
  config: CONFIG_STATES.filter((state) => needsAttention('never', state)),
}

const inState: Readonly<Record<StateFilter, SQL | undefined>> = {
  '': undefined,
  online: isOnline,
  offline: sql`coalesce(${isOnline}, 0) = 0`, // no state row yet: never seen
  attention: sql`(${isOneOf(routerStates.presence, attentionStates.presence)} or ${isOneOf(routerStates.configState, attentionStates.config)})`,
}

const matches = (db: Db, scope: Scope, { type, state, search }: Filter) =>
  and(
    routerScope(db, scope),
    eq(routers.routerType, type),
    inState[state],
    search === ''
      ? undefined
      : sql`(${contains(routers.name, search)} or ${contains(routers.note, search)} or ${contains(routers.phone, search)})`,
  )

/** Networks of `routers.id` that the caller may know of. */
const networkCount = (db: Db, scope: Scope) =>
  sql<number>`${db
    .select({ n: count() })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .where(and(sql`network_members.router_id = routers.id`, networkScope(scope)))}`

export function pageOfRouters(db: Db, scope: Scope, page: number, limit: number, filter: Filter) {
  return db
    .select({
      name: routers.name,
      routerType: routers.routerType,
      note: routers.note,
      status: routers.status,
      areaCode: routers.areaCode,
      phone: routers.phone,
      source: routers.source,
      createdAt: routers.createdAt,
      model: devices.model,
      version: routerStates.version,
      os: routerStates.os,
      networkCount: networkCount(db, scope).as('network_count'),
      state: stateColumns,
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .leftJoin(devices, eq(devices.id, routers.deviceId))
    .where(matches(db, scope, filter))
    .orderBy(desc(routers.id))
    .limit(limit)
    .offset((page - 1) * limit)
}

export const countRouters = (db: Db, scope: Scope, filter: Filter) =>
  db
    .select({ n: count() })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(matches(db, scope, filter))

export const countsByType = (db: Db, scope: Scope) =>
  db
    .select({
      routerType: routers.routerType,
      total: sql<number>`count(*)`.as('total'),
      online: sql<number>`coalesce(sum(${isOnline}), 0)`.as('online'),
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(routerScope(db, scope))
    .groupBy(routers.routerType)

/** The suffix of software members, how many there are, and how many may be. */
export const softwareRoom = (db: Db, accountId: number, now: number) =>
  db
    .select({
      sign: accounts.sign,
      used: sql<number>`(select count(*) from routers where account_id = ${accountId} and router_type = ${ROUTER_TYPE.software})`.as(
        'used',
      ),
      max: quotaOf(accountId, 'software_member', now).as('quota'),
    })
    .from(accounts)
    .where(eq(accounts.id, accountId))

/** The router of that name, if the caller may know of it. */
export const named = (db: Db, scope: Scope, name: string) => and(routerScope(db, scope), eq(routers.name, name))

export const routerByName = (db: Db, scope: Scope, name: string) =>
  db
    .select({
      id: routers.id,
      name: routers.name,
      routerType: routers.routerType,
      note: routers.note,
      areaCode: routers.areaCode,
      phone: routers.phone,
      createdAt: routers.createdAt,
      model: devices.model,
      mac: routerStates.mac,
      os: routerStates.os,
      version: routerStates.version,
      interfaces: routerStates.interfaces,
      state: stateColumns,
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .leftJoin(devices, eq(devices.id, routers.deviceId))
    .where(named(db, scope, name))

/** Networks of a router, of the whole account: what the caller may not know of is for the caller to leave out. */
export const networksOf = (db: Db, scope: Scope, name: string) =>
  db
    .select({
      id: networks.id,
      number: networks.number,
      name: as(networks.name, 'network_name'),
      memberType: networkMembers.memberType,
      memberCount: sql<number>`(select count(*) from network_members m where m.network_id = networks.id)`.as('members'),
      centerCount:
        sql<number>`(select count(*) from network_members m where m.network_id = networks.id and m.member_type = 'center')`.as(
          'centers',
        ),
    })
    .from(networkMembers)
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .where(named(db, scope, name))
    .orderBy(desc(networks.id))
