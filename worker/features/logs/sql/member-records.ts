import { type Column, type SQL, and, desc, eq, getTableColumns, gte, lte, or, sql } from 'drizzle-orm'
import type { TimeRange } from '#contract/kernel/hubs.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { contains, as } from '#db/columns.ts'
import { routers, connectionLogs } from '#db/schema/routers.ts'
import { routerScope } from '#db/scope.ts'

/* SQL parts that match log records to members by their key, and the lines of the connection log. */

/** Columns of a table of members' records, each with the member's key, and its id and name at that time. */
export interface RecordColumns {
  readonly accountId: Column
  readonly routerUid: Column
  readonly routerId: Column
  readonly routerName: Column
  readonly at: Column
}

/**
 * Key of the record's member. A record of earlier releases has an id or a name alone, which is that member's if it is older:
 * undo restores none but those of a directory, under the time of their creation.
 */
const memberUid = ({ accountId, routerUid, routerId, routerName, at }: RecordColumns): SQL =>
  sql`coalesce(${routerUid}, (select own.uid from routers own
    where own.id = coalesce(${routerId}, (select named.id from routers named where named.name = ${routerName}))
    and own.account_id = ${accountId} and own.created_at <= ${at} and own.source <> 'ldap'))`

/** Records of the member that has this name, also from before it was renamed; if nobody has it, of those who had it. */
export const isOfMember = (record: RecordColumns, name: string): SQL => {
  const uid = sql`(select uid from routers where name = ${name})`
  return sql`(${record.routerUid} = ${uid} or (${record.routerUid} is null and ${memberUid(record)} = ${uid})
    or (${record.routerName} = ${name} and ${uid} is null))`
}

/** Joins `routers` to records: the present member, null if it is gone or outside the caller's role. */
export const joinsMember = (db: Db, scope: Scope, record: RecordColumns): SQL | undefined =>
  and(sql`${routers.uid} = ${memberUid(record)}`, routerScope(db, scope))

/** Condition: the recorded or present name, the note, or one of the columns has the text. Needs the join above. */
export const isFoundBy = (record: RecordColumns, text: string, columns: readonly Column[]): SQL | undefined =>
  text === ''
    ? undefined
    : or(...[record.routerName, routers.name, routers.note, ...columns].map((column) => contains(column, text)))

/** Present name of the member, or the recorded one if it is gone. */
export const currentMemberName = (record: RecordColumns): SQL<string> =>
  sql<string>`coalesce((select r.name from routers r where r.uid = ${memberUid(record)}), ${record.routerName})`

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
