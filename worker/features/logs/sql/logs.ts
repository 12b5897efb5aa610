import { type Column, type SQL, and, desc, eq, getTableColumns, isNotNull, sql, between } from 'drizzle-orm'
import type { SQLiteSelect } from 'drizzle-orm/sqlite-core'
import type { logsApi } from '#contract/logs/index.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { TimeRange } from '#contract/kernel/hubs.ts'
import { COUNT_MAX } from '#contract/kernel/list.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { LOG_SEARCH } from '#contract/logs/limits.ts'
import { batch } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { as, contains } from '#db/columns.ts'
import { selectCountUpTo, toCappedCount } from '#db/paged.ts'
import { type RecordColumns, isFoundBy, isOfMember, joinsMember } from './member-records.ts'
import { auditLogs, attempts } from '#db/schema/accounts.ts'
import { softwareLoginLogs } from '#db/schema/clients.ts'
import { routers, connectionLogs } from '#db/schema/routers.ts'

/* Statements on logs: rows of sign-in, connection and audit log by filter, limits of a search, lease of an export. */

export interface LogFilter extends TimeRange {
  readonly search: string
  /** Name of a member; empty for all members. */
  readonly router_name: string
}

/** True if the filter has to scan rows; the scanned range is bounded then. */
export const isLogSearch = ({ grants }: Scope, { search }: Pick<LogFilter, 'search'>): boolean =>
  search !== '' || grants.networks !== null

type AuditInput = Parsed<typeof logsApi.audit>
export type AuditFilter = TimeRange & Pick<AuditInput, 'search' | 'actor_kind' | 'actor' | 'module'>

/** Last row of the previous portion of an export. */
export interface LogKey {
  readonly at: number
  readonly log_id: number
}

/** Condition of a page: rows after the last one, newest first. */
export const isBehind = (at: Column, id: Column, last: LogKey | null): SQL | undefined =>
  last === null ? undefined : sql`(${at}, ${id}) < (${last.at}, ${last.log_id})`

/** Columns of the present member behind a record, of the join `joinsMember`. */
export const presentMember = {
  note: sql<string>`coalesce(${routers.note}, '')`.as('note'),
  present_name: sql<string>`coalesce(${routers.name}, '')`.as('present_name'),
  router_type: sql<1 | 2 | null>`${routers.routerType}`.as('router_type'),
}

const login = getTableColumns(softwareLoginLogs)

export const loginLog = (db: Db, scope: Scope, filter: LogFilter) => {
  const records = recordsOf(db, scope, filter, login, [login.ip])
  return {
    selectRows: (last: LogKey | null = null) =>
      db
        .select({
          log_id: as(login.id, 'log_id'),
          at: login.at,
          router_name: as(login.routerName, 'router_name'),
          ...presentMember,
          ip: login.ip,
          os: login.os,
          version: login.version,
          sys_brand: as(login.sysBrand, 'sys_brand'),
          sys_model: as(login.sysModel, 'sys_model'),
          sys_version: as(login.sysVersion, 'sys_version'),
          success: as(login.ok, 'success'),
          reason: login.reason,
          create_time: as(login.at, 'create_time'),
        })
        .from(softwareLoginLogs)
        .leftJoin(routers, joinsMember(db, scope, login))
        .where(and(records.isFound(last), isBehind(login.at, login.id, last)))
        .orderBy(desc(login.at), desc(login.id)),
    bounds: records.bounds,
  }
}

const connection = getTableColumns(connectionLogs)

/** Lines of the same name by connection (`epoch`), each a step in the unique index. */
const named = sql`connection_logs line where line.account_id = connection_logs.account_id
  and line.router_name = connection_logs.router_name`
const isLater = (line: SQL) => sql`${line}.at > connection_logs.at and ${line}.router_uid is connection_logs.router_uid`

/**
 * Time of the next line of the same member: the end of its connection, else the first line of a later one. A device that
 * reconnects in time has a later epoch, and no line. Few are looked at: an earlier member of the name may have many.
 */
const nextLine = sql<number | null>`coalesce(
  (select min(line.at) from ${named} and line.epoch = connection_logs.epoch and line.online = 0 and ${isLater(sql`line`)}),
  (select first.at from (select line.at, line.epoch, line.online, line.router_uid from ${named}
    and line.epoch > connection_logs.epoch order by line.epoch, line.online, line.at limit 8) first
    where ${isLater(sql`first`)} order by first.at limit 1))`

/** Connections. A role limited to networks sees those of its present members. */
export const connectionLog = (db: Db, scope: Scope, filter: LogFilter) => {
  const isSeen = scope.grants.networks === null ? undefined : isNotNull(routers.id)
  const records = recordsOf(db, scope, filter, connection, [connection.remoteIp], isSeen)
  return {
    selectRows: (last: LogKey | null = null) =>
      db
        .select({
          log_id: as(connection.id, 'log_id'),
          at: connection.at,
          router_name: as(connection.routerName, 'router_name'),
          ...presentMember,
          remote_ip: as(connection.remoteIp, 'remote_ip'),
          remote_port: sql<number | null>`nullif(${connection.remotePort}, 0)`.as('remote_port'),
          version: connection.version,
          online: sql<0 | 1>`${connection.online}`.as('online'),
          reason: connection.reason,
          create_time: as(connection.at, 'create_time'),
          next_time: nextLine.as('next_time'),
        })
        .from(connectionLogs)
        .leftJoin(routers, joinsMember(db, scope, connection))
        .where(and(records.isFound(last), isBehind(connection.at, connection.id, last)))
        .orderBy(desc(connection.at), desc(connection.id)),
    bounds: records.bounds,
  }
}

/** Condition and bounds of a log of members' records. @param searched columns that a search also compares. */
function recordsOf(
  db: Db,
  scope: Scope,
  filter: LogFilter,
  record: RecordColumns,
  searched: readonly Column[],
  isSeen?: SQL,
) {
  const { search, router_name } = filter
  const log = { at: record.at, own: eq(record.accountId, scope.accountId) }
  const isSearch = isLogSearch(scope, filter)
  const isFound = (last: LogKey | null) =>
    and(
      log.own,
      isWithin(log, filter, last === null && isSearch),
      isSeen,
      router_name === '' ? undefined : isOfMember(record, router_name),
      isFoundBy(record, search, searched),
    )
  const rows = sql`from ${record.at.table} left join ${routers} on ${joinsMember(db, scope, record)}
    where ${isFound(null)}`
  const bounds = (max: number) => boundsOf(db, selectCountUpTo(db, rows, max), searchFloor(log, filter), isSearch)
  return { isFound, bounds }
}

const audit = getTableColumns(auditLogs)

/** IP address of the actor; empty for the service's own people. */
const shownIp = sql<string>`case when ${audit.actorKind} in ('main', 'ram') then ${audit.ip} else '' end`

export const auditLog = (db: Db, accountId: number, filter: AuditFilter) => {
  const { search, actor_kind, actor, module } = filter
  const log = { at: audit.at, own: eq(audit.accountId, accountId) }
  const isSearch = [search, actor_kind, actor, module].some((text) => text !== '')
  const found = [audit.actorName, audit.target, audit.message, audit.ip].map((column) => contains(column, search))
  const isFound = (last: LogKey | null) =>
    and(
      log.own,
      isWithin(log, filter, last === null && isSearch),
      actor_kind === '' ? undefined : eq(audit.actorKind, actor_kind),
      actor === '' ? undefined : eq(audit.actorName, actor),
      module === '' ? undefined : eq(audit.module, module),
      search === '' ? undefined : sql`(${sql.join(found, sql` or `)})`,
    )
  return {
    selectRows: (last: LogKey | null = null) =>
      db
        .select({
          log_id: as(audit.id, 'log_id'),
          at: audit.at,
          actor_kind: as(audit.actorKind, 'actor_kind'),
          actor_name: as(audit.actorName, 'actor_name'),
          module: audit.module,
          action: audit.action,
          target: audit.target,
          message: audit.message,
          before: audit.before,
          after: audit.after,
          ip: shownIp.as('shown_ip'),
          request_id: as(audit.requestId, 'request_id'),
          create_time: as(audit.at, 'create_time'),
        })
        .from(auditLogs)
        .where(and(isFound(last), isBehind(audit.at, audit.id, last)))
        .orderBy(desc(audit.at), desc(audit.id)),
    bounds: (max: number) => {
      const count = selectCountUpTo(db, sql`from ${auditLogs} where ${isFound(null)}`, max)
      return boundsOf(db, count, searchFloor(log, filter), isSearch)
    },
  }
}

/** Log that a search reads, with its rows by an index of `at`. */
interface Searched {
  readonly at: Column
  /** Condition on rows of the account. */
  readonly own: SQL | undefined
}

/** Time of the newest row in the range that a search no longer reads; null if it reads all. */
export const searchFloor = ({ at, own }: Searched, { from, to }: TimeRange): SQL =>
  sql`(select ${at} from ${at.table} where ${and(own, between(at, from, to))}
    order by ${at} desc limit 1 offset ${LOG_SEARCH.rowsMax})`

/** Condition: within the range; with `isSearch` only its newest rows, so that a search compares few texts. */
export const isWithin = (searched: Searched, range: TimeRange, isSearch: boolean): SQL => {
  const { from, to } = range
  if (!isSearch) return between(searched.at, from, to)
  return sql`${searched.at} between coalesce(${searchFloor(searched, range)} + 1, ${from}) and ${to}`
}

/** Number of the rows, counted up to one more than `max`, and the floor of their search, at which it stopped. */
export const boundsOf = (db: Db, count: ReturnType<typeof selectCountUpTo>, floor: SQL, isSearch: boolean) => ({
  count,
  floor: db.all<[number | null]>(isSearch ? sql`select ${floor}` : sql`select null`),
})

/** Time since which all rows were searched; null for the whole range. */
export function toSearchedFrom([row]: readonly (readonly [number | null])[]) {
  const [floor = null] = row ?? []
  return { searched_from: floor === null ? null : floor + 1 }
}

/** Page of a log with its count and the limit of its search, in one round trip. The query needs `$dynamic()`. */
export async function readLogPage<Q extends SQLiteSelect>(
  db: Db,
  query: Q,
  { bounds }: Pick<ReturnType<typeof recordsOf>, 'bounds'>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const { data, count, floor } = await batch(db, { data: query.limit(limit).offset(offset), ...bounds(COUNT_MAX) })
  return { data: data as Q['_']['result'], ...toCappedCount(count), ...toSearchedFrom(floor) }
}

/** Lease: a key has one holder at a time. A lease that is never released ends by itself. */
export interface Lease {
  readonly key: string
  readonly endsAt: number
}

/** Takes the lease. Answers a row to the new holder, and none while somebody else holds it. */
export const acquireLease = (db: Db, { key, endsAt }: Lease, now: number) =>
  db.all<[number]>(sql`
    insert into attempts (key, count, window_end) values (${key}, 1, ${endsAt})
    on conflict (key) do update set window_end = excluded.window_end where window_end <= ${now}
    returning window_end`)

/** End of the lease, for a caller that did not get it. */
export const selectLeaseEnd = (db: Db, { key }: Lease) =>
  db
    .select({ endsAt: as(attempts.windowEnd, 'ends_at') })
    .from(attempts)
    .where(eq(attempts.key, key))

/** Puts off the end of the caller's own lease. Answers no row once another holds it. */
export const renewLease = (db: Db, { key, endsAt }: Lease, until: number) =>
  db
    .update(attempts)
    .set({ windowEnd: until })
    .where(and(eq(attempts.key, key), eq(attempts.windowEnd, endsAt)))
    .returning({ endsAt: attempts.windowEnd })

/** Releases only the caller's own lease, because another may hold it by now. */
export const releaseLease = (db: Db, { key, endsAt }: Lease) =>
  db.delete(attempts).where(and(eq(attempts.key, key), eq(attempts.windowEnd, endsAt)))
