import { type Column, type SQL, and, lte, or, sql } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from './client.ts'
import { contains } from './columns.ts'
import { routers } from './schema/routers.ts'
import { routerScope } from './scope.ts'

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
