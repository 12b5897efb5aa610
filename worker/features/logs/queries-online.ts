import { type SQL, and, between, desc, eq, getTableColumns, gte, lt, sql } from 'drizzle-orm'
import type { Scope } from '../../contract/session.ts'
import type { Db } from '../../db/client.ts'
import { as, isOneOf } from '../../db/columns.ts'
import { isFoundBy, isOfMember, memberOfRecord } from '../../db/member-records.ts'
import { selectCountUpTo } from '../../db/paged.ts'
import { dialLogs } from '../../db/schema/clients.ts'
import { routers } from '../../db/schema/members.ts'
import { type LogFilter, type LogKey, isBehind, presentNote } from './queries.ts'

export interface OnlineFilter extends LogFilter {
  readonly mode: 'p2p' | 'pop'
  readonly now: number
}

const dial = { ...getTableColumns(dialLogs), at: dialLogs.startAt }
/** As the index dial_logs_until has it. */
const until = sql`coalesce(${dial.endAt}, 9007199254740991)`

/** Whatever the time. A role limited to networks sees dials into these. */
const isDial = ({ accountId, grants }: Scope, { search, router_name, mode }: OnlineFilter): SQL | undefined =>
  and(
    eq(dial.accountId, accountId),
    eq(dial.mode, mode),
    grants.networks === null ? undefined : isOneOf(dial.networkNumber, grants.networks),
    router_name === '' ? undefined : isOfMember(dial, router_name),
    isFoundBy(dial, search, [dial.networkNumber, dial.linkRouterName, dial.popName, dial.area, dial.orig, dial.vpnIp]),
  )

/** What overlaps a range began in it, or before it and was not over. The first are newer than all of the second. */
const beganWithin = ({ from, to }: OnlineFilter): SQL => between(dial.startAt, from, to)
/** By the time of the end, because all that ever began before would be read otherwise: the plus hides the other index. */
const lastedInto = ({ from }: OnlineFilter): SQL | undefined => and(lt(sql`+${dial.startAt}`, from), gte(until, from))

const rowsWhere = (db: Db, scope: Scope, filter: OnlineFilter, time: SQL | undefined): SQL =>
  sql`from ${dialLogs} left join ${routers} on ${memberOfRecord(db, scope, dial)} where ${and(isDial(scope, filter), time)}`

const selectDials = (db: Db, scope: Scope, filter: OnlineFilter, time: SQL | undefined, last: LogKey | null) =>
  db
    .select({
      log_id: as(dial.id, 'log_id'),
      at: as(dial.startAt, 'at'),
      router_name: as(dial.routerName, 'router_name'),
      note: presentNote,
      network_number: as(dial.networkNumber, 'network_number'),
      link_router_name: as(dial.linkRouterName, 'link_router_name'),
      pop_name: as(dial.popName, 'pop_name'),
      area: dial.area,
      orig: dial.orig,
      vpn_ip: as(dial.vpnIp, 'vpn_ip'),
      start_time: as(dial.startAt, 'start_time'),
      end_time: as(dial.endAt, 'end_time'),
      online_time:
        sql<number>`cast(max(0, coalesce(${dial.endAt}, ${filter.now}) - ${dial.startAt}) / 1000 as integer)`.as(
          'online_time',
        ),
    })
    .from(dialLogs)
    .leftJoin(routers, memberOfRecord(db, scope, dial))
    .where(and(isDial(scope, filter), time, isBehind(dial.startAt, dial.id, last)))
    .orderBy(desc(dial.startAt), desc(dial.id))

export const selectBegan = (db: Db, scope: Scope, filter: OnlineFilter, last: LogKey | null = null) =>
  selectDials(db, scope, filter, beganWithin(filter), last)

export const selectLasted = (db: Db, scope: Scope, filter: OnlineFilter, last: LogKey | null = null) =>
  selectDials(db, scope, filter, lastedInto(filter), last)

/** One page over both kinds: the second is read only where the first does not fill it. */
export function selectOnlinePage(
  db: Db,
  scope: Scope,
  filter: OnlineFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const newer = sql`(select count(*) from (select 1 ${rowsWhere(db, scope, filter, beganWithin(filter))} limit ${offset + limit}))`
  // drizzle takes SQL for both, but types numbers only
  const lastLimit = sql`min(${limit}, ${offset + limit} - ${newer})` as unknown as number
  const lastOffset = sql`max(0, ${offset} - ${newer})` as unknown as number
  return {
    began: selectBegan(db, scope, filter).limit(limit).offset(offset),
    lasted: selectLasted(db, scope, filter).limit(lastLimit).offset(lastOffset),
  }
}

/** Nothing begins after now: then the end alone decides. */
export function countOnline(db: Db, scope: Scope, filter: OnlineFilter, max: number) {
  if (filter.to >= filter.now) return selectCountUpTo(db, rowsWhere(db, scope, filter, gte(until, filter.from)), max)
  const [began, lasted] = [beganWithin(filter), lastedInto(filter)].map((time) => rowsWhere(db, scope, filter, time))
  return selectCountUpTo(db, sql`${began} union all select 1 ${lasted}`, max)
}
