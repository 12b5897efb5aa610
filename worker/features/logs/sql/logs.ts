import { type Column, type SQL, and, desc, eq, getTableColumns, isNotNull, sql, between } from 'drizzle-orm'
import type { AuditActorKind } from '#contract/logs/index.ts'
import type { TimeRange } from '#contract/kernel/hubs.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { LOG_SEARCH } from '#contract/logs/limits.ts'
import type { Db } from '#db/client.ts'
import { as, contains } from '#db/columns.ts'
import { selectCountUpTo } from '#db/paged.ts'
import { isFoundBy, isOfMember, joinsMember } from './member-records.ts'
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
const isAuditSearch = ({ search, actor_kind, actor, module }: AuditFilter): boolean =>
  [search, actor_kind, actor, module].some((text) => text !== '')

export interface AuditFilter extends TimeRange {
  readonly search: string
  readonly actor_kind: AuditActorKind | ''
  readonly actor: string
  readonly module: string
}

/** Last row of the previous portion of an export. */
export interface LogKey {
  readonly at: number
  readonly log_id: number
}

/** Condition of a page: rows after the last one, newest first. */
export const isBehind = (at: Column, id: Column, last: LogKey | null): SQL | undefined =>
  last === null ? undefined : sql`(${at}, ${id}) < (${last.at}, ${last.log_id})`

export const presentNote = sql<string>`coalesce(${routers.note}, '')`.as('note')

const login = getTableColumns(softwareLoginLogs)

const ownLogins = ({ accountId }: Pick<Scope, 'accountId'>) => ({ at: login.at, own: eq(login.accountId, accountId) })

const isLogin = (scope: Scope, filter: LogFilter, last: LogKey | null = null): SQL | undefined => {
  const { search, router_name } = filter
  return and(
    ownLogins(scope).own,
    isWithin(ownLogins(scope), filter, last === null && isLogSearch(scope, filter)),
    router_name === '' ? undefined : isOfMember(login, router_name),
    isFoundBy(login, search, [login.ip]),
  )
}

export const selectLogins = (db: Db, scope: Scope, filter: LogFilter, last: LogKey | null = null) =>
  db
    .select({
      log_id: as(login.id, 'log_id'),
      at: login.at,
      router_name: as(login.routerName, 'router_name'),
      note: presentNote,
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
    .where(and(isLogin(scope, filter, last), isBehind(login.at, login.id, last)))
    .orderBy(desc(login.at), desc(login.id))

export const loginBounds = (db: Db, scope: Scope, filter: LogFilter, max: number) => {
  const rows = sql`from ${softwareLoginLogs} left join ${routers} on ${joinsMember(db, scope, login)}
    where ${isLogin(scope, filter)}`
  return boundsOf(db, selectCountUpTo(db, rows, max), searchFloor(ownLogins(scope), filter), isLogSearch(scope, filter))
}

const connection = getTableColumns(connectionLogs)

const ownConnections = ({ accountId }: Scope) => ({ at: connection.at, own: eq(connection.accountId, accountId) })

/** Condition on connections. A role limited to networks sees those of its present members. */
const isConnection = (scope: Scope, filter: LogFilter, last: LogKey | null = null): SQL | undefined => {
  const { search, router_name } = filter
  return and(
    ownConnections(scope).own,
    isWithin(ownConnections(scope), filter, last === null && isLogSearch(scope, filter)),
    scope.grants.networks === null ? undefined : isNotNull(routers.id),
    router_name === '' ? undefined : isOfMember(connection, router_name),
    isFoundBy(connection, search, [connection.remoteIp]),
  )
}

export const selectConnectionLog = (db: Db, scope: Scope, filter: LogFilter, last: LogKey | null = null) =>
  db
    .select({
      log_id: as(connection.id, 'log_id'),
      at: connection.at,
      router_name: as(connection.routerName, 'router_name'),
      note: presentNote,
      remote_ip: as(connection.remoteIp, 'remote_ip'),
      remote_port: as(connection.remotePort, 'remote_port'),
      version: connection.version,
      online: sql<0 | 1>`${connection.online}`.as('online'),
      reason: connection.reason,
      create_time: as(connection.at, 'create_time'),
    })
    .from(connectionLogs)
    .leftJoin(routers, joinsMember(db, scope, connection))
    .where(and(isConnection(scope, filter, last), isBehind(connection.at, connection.id, last)))
    .orderBy(desc(connection.at), desc(connection.id))

export const connectionBounds = (db: Db, scope: Scope, filter: LogFilter, max: number) => {
  const rows = sql`from ${connectionLogs} left join ${routers} on ${joinsMember(db, scope, connection)}
    where ${isConnection(scope, filter)}`
  return boundsOf(
    db,
    selectCountUpTo(db, rows, max),
    searchFloor(ownConnections(scope), filter),
    isLogSearch(scope, filter),
  )
}

const audit = getTableColumns(auditLogs)

const ownAudits = (accountId: number) => ({ at: audit.at, own: eq(audit.accountId, accountId) })

const isAudit = (accountId: number, filter: AuditFilter, last: LogKey | null = null): SQL | undefined => {
  const { search, actor_kind, actor, module } = filter
  const found = [audit.actorName, audit.target, audit.message, audit.ip].map((column) => contains(column, search))
  return and(
    ownAudits(accountId).own,
    isWithin(ownAudits(accountId), filter, last === null && isAuditSearch(filter)),
    actor_kind === '' ? undefined : eq(audit.actorKind, actor_kind),
    actor === '' ? undefined : eq(audit.actorName, actor),
    module === '' ? undefined : eq(audit.module, module),
    search === '' ? undefined : sql`(${sql.join(found, sql` or `)})`,
  )
}

/** IP address of the actor; empty for the service's own people. */
const shownIp = sql<string>`case when ${audit.actorKind} in ('main', 'ram') then ${audit.ip} else '' end`

export const selectAudit = (db: Db, accountId: number, filter: AuditFilter, last: LogKey | null = null) =>
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
    .where(and(isAudit(accountId, filter, last), isBehind(audit.at, audit.id, last)))
    .orderBy(desc(audit.at), desc(audit.id))

export const auditBounds = (db: Db, accountId: number, filter: AuditFilter, max: number) => {
  const rows = sql`from ${auditLogs} where ${isAudit(accountId, filter)}`
  return boundsOf(db, selectCountUpTo(db, rows, max), searchFloor(ownAudits(accountId), filter), isAuditSearch(filter))
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

/** Floor of a search (the time at which it stopped), for `toSearchedFrom`. */
const selectFloor = (db: Db, floor: SQL, isSearch: boolean) =>
  db.all<[number | null]>(isSearch ? sql`select ${floor}` : sql`select null`)

/** Number of the rows, counted up to one more than `max`, and the floor of their search. */
export const boundsOf = (db: Db, count: ReturnType<typeof selectCountUpTo>, floor: SQL, isSearch: boolean) => ({
  count,
  floor: selectFloor(db, floor, isSearch),
})

/** Time since which all rows were searched; null for the whole range. */
export const toSearchedFrom = ([row]: readonly (readonly [number | null])[]): {
  readonly searched_from: number | null
} => {
  const [floor = null] = row ?? []
  return { searched_from: floor === null ? null : floor + 1 }
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

/** Releases only the caller's own lease, because another may hold it by now. */
export const releaseLease = (db: Db, { key, endsAt }: Lease) =>
  db.delete(attempts).where(and(eq(attempts.key, key), eq(attempts.windowEnd, endsAt)))
