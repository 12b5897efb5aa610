import { type SQL, and, desc, eq, getTableColumns, gte, isNull, lt, sql } from 'drizzle-orm'
import { LOG_SEARCH } from '#contract/logs/limits.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { as, isOneOf } from '#db/columns.ts'
import { isFoundBy, isOfMember, joinsMember } from './member-records.ts'
import { selectCountUpTo } from '#db/paged.ts'
import { dialLogs } from '#db/schema/clients.ts'
import { routers } from '#db/schema/routers.ts'
import {
  type LogFilter,
  type LogKey,
  isBehind,
  isLogSearch,
  presentMember,
  searchFloor,
  isWithin,
  boundsOf,
} from './logs.ts'

/* Statements of the online log: dials that began in a range of time, or lasted into it. */

export interface OnlineFilter extends LogFilter {
  readonly mode: 'p2p' | 'pop'
  readonly now: number
}

const dial = { ...getTableColumns(dialLogs), at: dialLogs.startAt }

const modeCondition = ({ accountId }: Scope, { mode }: OnlineFilter): SQL | undefined =>
  and(eq(dial.accountId, accountId), eq(dial.mode, mode))

/** Condition on dials of any time. A role limited to networks sees dials into these. */
const isDial = (scope: Scope, filter: OnlineFilter): SQL | undefined => {
  const { search, router_name } = filter
  return and(
    modeCondition(scope, filter),
    scope.grants.networks === null ? undefined : isOneOf(dial.networkNumber, scope.grants.networks),
    router_name === '' ? undefined : isOfMember(dial, router_name),
    isFoundBy(dial, search, [dial.networkNumber, dial.linkRouterName, dial.popName, dial.area, dial.orig, dial.vpnIp]),
  )
}

/** Dials that began within the range. Those that began earlier and lasted into it (`beganBefore`) are all older. */
const beganWithin = (scope: Scope, filter: OnlineFilter, last: LogKey | null = null): SQL =>
  isWithin({ at: dial.startAt, own: modeCondition(scope, filter) }, filter, last === null && isLogSearch(scope, filter))
/** The plus hides the index of the start, with which all earlier dials would be read. */
const beganBefore = (at: number): SQL => lt(sql`+${dial.startAt}`, at)
/** Dials that ended after the beginning of the range. Ended and open dials each have a partial index. */
const endedLater = (scope: Scope, filter: OnlineFilter): SQL =>
  isLogSearch(scope, filter)
    ? sql`${dial.endAt} between ${filter.from} and coalesce(${latestEnd(scope, filter)}, ${Number.MAX_SAFE_INTEGER})`
    : gte(dial.endAt, filter.from)
/** Latest end of the older dials that a search reads; null if it reads all. */
const latestEnd = (scope: Scope, filter: OnlineFilter): SQL =>
  sql`(select ${dial.endAt} from ${dialLogs} where ${and(modeCondition(scope, filter), gte(dial.endAt, filter.from))}
    order by ${dial.endAt} limit 1 offset ${LOG_SEARCH.rowsMax})`

/** Floor of a search for dials: the time at which it stopped, or just before the range if it stopped among older dials. */
const onlineFloor = (scope: Scope, filter: OnlineFilter): SQL =>
  sql`coalesce(${searchFloor({ at: dial.startAt, own: modeCondition(scope, filter) }, filter)},
    iif(${latestEnd(scope, filter)} is null, null, ${filter.from} - 1))`
const isOpen: SQL = isNull(dial.endAt)
const openDials = sql`${dialLogs} indexed by dial_logs_account_open`
/** Dials looked up only by their ids: in the order of an index, all earlier dials would be read. */
const foundDials = sql`${dialLogs} not indexed`

const lastedInto = (scope: Scope, filter: OnlineFilter): SQL => {
  const before = and(modeCondition(scope, filter), beganBefore(filter.from))
  return sql`${dial.id} in (select id from ${dialLogs} where ${and(before, endedLater(scope, filter))}
    union all select id from ${openDials} where ${and(before, isOpen)})`
}

const rowsWhere = (
  db: Db,
  scope: Scope,
  filter: OnlineFilter,
  time: SQL | undefined,
  from: SQL = sql`${dialLogs}`,
): SQL =>
  sql`from ${from} left join ${routers} on ${joinsMember(db, scope, dial)} where ${and(isDial(scope, filter), time)}`

const selectDials = (
  db: Db,
  scope: Scope,
  filter: OnlineFilter,
  time: SQL | undefined,
  last: LogKey | null,
  from: SQL = sql`${dialLogs}`,
) =>
  db
    .select({
      log_id: as(dial.id, 'log_id'),
      at: as(dial.startAt, 'at'),
      router_name: as(dial.routerName, 'router_name'),
      ...presentMember,
      network_number: as(dial.networkNumber, 'network_number'),
      network_name: sql<string>`coalesce((select n.name from networks n
        where n.account_id = ${dial.accountId} and n.number = ${dial.networkNumber}), '')`.as('network_name'),
      link_router_name: as(dial.linkRouterName, 'link_router_name'),
      link_note: sql<string>`coalesce((select peer.note from routers peer
        where peer.account_id = ${dial.accountId} and peer.name = ${dial.linkRouterName}), '')`.as('link_note'),
      pop_name: as(dial.popName, 'pop_name'),
      area: as(dial.area, 'area'),
      orig: as(dial.orig, 'orig'),
      vpn_ip: as(dial.vpnIp, 'vpn_ip'),
      start_time: as(dial.startAt, 'start_time'),
      end_time: as(dial.endAt, 'end_time'),
      online_time:
        sql<number>`cast(max(0, coalesce(${dial.endAt}, ${filter.now}) - ${dial.startAt}) / 1000 as integer)`.as(
          'online_time',
        ),
    })
    .from(from)
    .leftJoin(routers, joinsMember(db, scope, dial))
    .where(and(isDial(scope, filter), time, isBehind(dial.startAt, dial.id, last)))
    .orderBy(desc(dial.startAt), desc(dial.id))

export const selectBegan = (db: Db, scope: Scope, filter: OnlineFilter, last: LogKey | null = null) =>
  selectDials(db, scope, filter, beganWithin(scope, filter, last), last)

export const selectLasted = (db: Db, scope: Scope, filter: OnlineFilter, last: LogKey | null = null) =>
  selectDials(db, scope, filter, lastedInto(scope, filter), last, foundDials)

/** One page of both kinds. The second kind is read only if the first does not fill the page. */
export function selectOnlinePage(
  db: Db,
  scope: Scope,
  filter: OnlineFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const newer = sql`(select count(*) from (select 1 ${rowsWhere(db, scope, filter, beganWithin(scope, filter))} limit ${offset + limit}))`
  // drizzle accepts SQL for both, but its types allow only numbers
  const lastLimit = sql`min(${limit}, ${offset + limit} - ${newer})` as unknown as number
  const lastOffset = sql`max(0, ${offset} - ${newer})` as unknown as number
  return {
    began: selectBegan(db, scope, filter).limit(limit).offset(offset),
    lasted: selectLasted(db, scope, filter).limit(lastLimit).offset(lastOffset),
  }
}

/** Count of dials. In a range up to now no dial begins later, so the end alone decides, except in a search. */
function countOnline(db: Db, scope: Scope, filter: OnlineFilter, max: number) {
  const isPresent = filter.to >= filter.now && !isLogSearch(scope, filter)
  const before = isPresent ? undefined : beganBefore(filter.from)
  const ended = rowsWhere(db, scope, filter, and(before, endedLater(scope, filter)))
  const open = rowsWhere(db, scope, filter, and(before, isOpen), openDials)
  const began = isPresent ? sql`` : sql`union all select 1 ${rowsWhere(db, scope, filter, beganWithin(scope, filter))}`
  return selectCountUpTo(db, sql`${ended} union all select 1 ${open} ${began}`, max)
}

export const onlineBounds = (db: Db, scope: Scope, filter: OnlineFilter, max: number) =>
  boundsOf(db, countOnline(db, scope, filter, max), onlineFloor(scope, filter), isLogSearch(scope, filter))
