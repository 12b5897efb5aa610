import { type Column, type SQL, and, lte, or, sql, desc, eq, getTableColumns, gte } from 'drizzle-orm'
import type { TimeRange } from '#contract/kernel/hubs.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { contains, as } from '#db/columns.ts'
import { routers, connectionLogs } from '#db/schema/routers.ts'
import { routerScope } from '#db/scope.ts'

/* SQL parts that match log records to members by name and id, and the lines of the connection log. */

/** Columns of a table of members' records, each with the member's name at that time. */
export interface RecordColumns {
  readonly accountId: Column
  readonly routerId: Column
  readonly routerName: Column
  readonly at: Column
}

/** Condition: `r` is the member of the record. Ids are used again, so the member must be older than the record. */
const isSameMember = ({ accountId, routerId, at }: RecordColumns): SQL =>
  sql`r.id = ${routerId} and r.account_id = ${accountId} and r.created_at <= ${at}`

/** Records of the member that has this name, also from before it was renamed, or of a deleted member that had it. */
export const isOfMember = (record: RecordColumns, name: string): SQL =>
  sql`(${record.routerName} = ${name} or (${record.routerId} = (select id from routers where name = ${name})
    and exists (select 1 from routers r where ${isSameMember(record)})))`

/** Joins `routers` to records: the present member, null if it is gone or outside the caller's role. */
export const joinsMember = (db: Db, scope: Scope, { routerId, routerName, at }: RecordColumns): SQL | undefined =>
  and(
    sql`${routers.id} = coalesce(${routerId}, (select own.id from routers own where own.name = ${routerName}))`,
    lte(routers.createdAt, at),
    routerScope(db, scope),
  )

/** Condition: the recorded or present name, the note, or one of the columns has the text. Needs the join above. */
export const isFoundBy = (record: RecordColumns, text: string, columns: readonly Column[]): SQL | undefined =>
  text === ''
    ? undefined
    : or(...[record.routerName, routers.name, routers.note, ...columns].map((column) => contains(column, text)))

/** Present name of the member, or the recorded one if it is gone. */
export const currentMemberName = (record: RecordColumns): SQL<string> =>
  sql<string>`coalesce((select r.name from routers r where ${isSameMember(record)}), ${record.routerName})`

type Lines = TimeRange & { readonly of: SQL | undefined }

/**
 * Lines of the connection log with the notes of their routers, newest first, at most `HEALTH.eventsShown`. `of` is the
 * condition on the routers, in the caller's scope.
 */
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
