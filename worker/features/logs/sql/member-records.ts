import { type Column, type SQL, and, lte, or, sql, desc, eq, getTableColumns, gte } from 'drizzle-orm'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { contains, as } from '#db/columns.ts'
import { routers, connectionLogs } from '#db/schema/routers.ts'
import { routerScope } from '#db/scope.ts'

/** Columns of a table whose rows are records of members, with the name of that time. */
interface RecordColumns {
  readonly accountId: Column
  readonly routerId: Column
  readonly routerName: Column
  readonly at: Column
}

/** The member `r` of a record; ids come again, and a record from before its creation is another member's. */
const isSameMember = ({ accountId, routerId, at }: RecordColumns): SQL =>
  sql`r.id = ${routerId} and r.account_id = ${accountId} and r.created_at <= ${at}`

/** Records of the member that has this name, also those from before it was renamed; or of one that had it and is gone. */
export const isOfMember = (record: RecordColumns, name: string): SQL =>
  sql`(${record.routerName} = ${name} or (${record.routerId} = (select id from routers where name = ${name})
    and exists (select 1 from routers r where ${isSameMember(record)})))`

/** Joins `routers` to records: the member as it is now, null where it is gone or beyond the caller's role. */
export const joinsMember = (db: Db, scope: Scope, { routerId, routerName, at }: RecordColumns): SQL | undefined =>
  and(
    sql`${routers.id} = coalesce(${routerId}, (select own.id from routers own where own.name = ${routerName}))`,
    lte(routers.createdAt, at),
    routerScope(db, scope),
  )

/** The text is part of the name of that time, of the present name or note, or of one of the columns. Needs the join above. */
export const isFoundBy = (record: RecordColumns, text: string, columns: readonly Column[]): SQL | undefined =>
  text === ''
    ? undefined
    : or(...[record.routerName, routers.name, routers.note, ...columns].map((column) => contains(column, text)))

/** The present name; that of the record where the member is gone. */
export const currentMemberName = (record: RecordColumns): SQL<string> =>
  sql<string>`coalesce((select r.name from routers r where ${isSameMember(record)}), ${record.routerName})`

interface Lines {
  /** Of which routers, in the caller's scope. */
  readonly of: SQL | undefined
  readonly from: number
  readonly to: number
}

/** Lines of the connection log with the notes of their routers, newest first, at most `HEALTH.eventsShown`. */
export const selectConnections = (db: Db, scope: Scope, { of, from, to }: Lines) =>
  db
    .select({
      router_name: as(connectionLogs.routerName, 'router_name'),
      note: routers.note,
      online: connectionLogs.online,
      epoch: connectionLogs.epoch,
      at: connectionLogs.at,
      reason: connectionLogs.reason,
    })
    .from(connectionLogs)
    .innerJoin(routers, joinsMember(db, scope, getTableColumns(connectionLogs)))
    .where(
      and(eq(connectionLogs.accountId, scope.accountId), gte(connectionLogs.at, from), lte(connectionLogs.at, to), of),
    )
    .orderBy(desc(connectionLogs.at), desc(connectionLogs.id))
    .limit(HEALTH.eventsShown)
