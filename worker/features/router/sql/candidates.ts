import { type SQL, and, inArray, not, or, sql } from 'drizzle-orm'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { as, contains, isOneOf } from '#db/columns.ts'
import { networks } from '#db/schema/networks.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { isPopNode, networkScope, routerScope } from '#db/scope.ts'
import { segmentSearch } from '#domain/router/segment-search.ts'
import { memberSettingSql } from '#features/network/sql/settings.ts'
import { presenceSql, segmentList, stateColumns } from './columns.ts'
import { overNetworks, shownNameKey } from './lists.ts'

/* Statements of members that may be chosen for a network: a page of them, counts of a search, members by name. */

type Filter = Omit<Parsed<typeof routerApi.member>, 'page' | 'limit'>

const gateway = memberSettingSql('gateway', sql`network_members.network_id`, sql`network_members.router_id`)
const networkList = sql`json_group_array(json_object('id', networks.id, 'network_number', networks.number,
  'network_name', networks.name, 'segment_index', network_members.segment_index, 'gateway', json(${gateway})))`

const selectCandidates = (db: Db, scope: Scope) =>
  db
    .select({
      router_name: as(routers.name, 'router_name'),
      router_type: as(routers.routerType, 'router_type'),
      note: routers.note,
      state: stateColumns,
      segments: segmentList.as('segments'),
      staticRoutes: routers.staticRoutes,
      networks: overNetworks(db, scope, networkList).as('networks'),
    })
    .from(routers)
    .leftJoin(routerStates, sql`${routerStates.routerId} = ${routers.id}`)
    .$dynamic()

const isChoosable = (db: Db, scope: Scope) => and(routerScope(db, scope), not(isPopNode))

/** Role in the network that the filter names: `center`, `point`, or null outside of it. */
const roleIn = (scope: Scope, number: string): SQL =>
  number === ''
    ? sql`null`
    : sql`(select member_type from network_members where network_members.router_id = ${routers.id}
        and network_members.network_id = (select networks.id from networks where ${networkScope(scope)} and networks.number = ${number}))`

/** Text in name, note or a segment behind the device. */
const matches = (search: string): SQL | undefined =>
  search === '' ? undefined : or(contains(routers.name, search), contains(routers.note, search), hasSegment(search))

function hasSegment(search: string): SQL | undefined {
  const segment = segmentSearch(search)
  if (segment === null) return undefined
  const { text, isStart } = segment
  const isFound = (address: SQL) => sql`instr(${address}, ${text}) ${sql.raw(isStart ? '= 1' : '> 0')}`
  return sql`(exists (select 1 from json_each(${routerStates.interfaces}) port
      where port.value ->> 'role' = 'lan' and ${isFound(sql`port.value ->> 'ip'`)})
    or exists (select 1 from json_each(${routers.staticRoutes}) route where ${isFound(sql`route.value ->> 'prefix'`)}))`
}

const isSearched = (db: Db, scope: Scope, { search, network_number, outside, except }: Filter) =>
  and(
    isChoosable(db, scope),
    matches(search),
    except.length === 0 ? undefined : not(isOneOf(routers.name, except)),
    outside === 1 && network_number !== '' ? sql`${roleIn(scope, network_number)} is null` : undefined,
  )

const KINDS = { hardware: ROUTER_TYPE.hardware, software: ROUTER_TYPE.software } as const

/** One page. Only its rows are joined with their networks, because a search compares thousands. */
export function selectCandidatePage(
  db: Db,
  scope: Scope,
  filter: Filter,
  { page, limit }: { page: number; limit: number },
) {
  const { kind, state, network_number, outside } = filter
  const role = outside === 1 ? sql`null` : roleIn(scope, network_number)
  const order = sql`${role} is null, ${role}, ${routers.routerType}, ${shownNameKey}, ${routers.name}`
  const ids = db
    .select({ id: routers.id })
    .from(routers)
    .leftJoin(routerStates, sql`${routerStates.routerId} = ${routers.id}`)
    .where(
      and(
        isSearched(db, scope, filter),
        kind === '' ? undefined : sql`${routers.routerType} = ${KINDS[kind]}`,
        state === '' ? undefined : sql`${presenceSql} = ${state}`,
      ),
    )
    .orderBy(order)
    .limit(limit)
    .offset((page - 1) * limit)
  return selectCandidates(db, scope).where(inArray(routers.id, ids)).orderBy(order)
}

/** Number of members that a search finds, by kind and state. */
export const selectCandidateCounts = (db: Db, scope: Scope, filter: Filter) =>
  db
    .select({
      router_type: as(routers.routerType, 'router_type'),
      state: sql<PresenceState>`${presenceSql}`.as('state'),
      count: sql<number>`count(*)`.as('n'),
    })
    .from(routers)
    .leftJoin(routerStates, sql`${routerStates.routerId} = ${routers.id}`)
    .where(isSearched(db, scope, filter))
    .groupBy(sql`1, 2`)

/** Members of these names, accounts also without their suffix, and all members of these networks. */
export function selectChoices(db: Db, scope: Scope, names: readonly string[], numbers: readonly string[]) {
  const typed = JSON.stringify(names)
  const spelled = sql`select value from json_each(${typed}) union all
    select value || '@' || sign from json_each(${typed}), accounts where accounts.id = ${scope.accountId} and instr(value, '@') = 0`
  return selectCandidates(db, scope)
    .where(
      and(
        isChoosable(db, scope),
        sql`${routers.id} in (select id from routers where name in (${spelled}) union all
          select router_id from network_members where network_id in (
            select networks.id from networks where ${and(networkScope(scope), isOneOf(networks.number, numbers))}))`,
      ),
    )
    .orderBy(routers.routerType, routers.name)
}
