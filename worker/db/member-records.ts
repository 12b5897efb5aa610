import { type Column, type SQL, sql } from 'drizzle-orm'
import { contains } from './columns.ts'

/** Columns of a table whose rows are records of members, with the name of that time. */
interface RecordColumns {
  readonly accountId: Column
  readonly routerId: Column
  readonly routerName: Column
  readonly at: Column
}

/** The member `r` of a record; ids come again, and a record from before its creation is another member's. */
const isMember = ({ accountId, routerId, at }: RecordColumns): SQL =>
  sql`r.id = ${routerId} and r.account_id = ${accountId} and r.created_at <= ${at}`

/** Records of the member that has this name, also those from before it was renamed; or of one that had it and is gone. */
export const isOfMember = (record: RecordColumns, name: string): SQL =>
  sql`(${record.routerName} = ${name} or (${record.routerId} = (select id from routers where name = ${name})
    and exists (select 1 from routers r where ${isMember(record)})))`

/** The text is part of the name of that time or of the present one. */
export const isNamedLike = (record: RecordColumns, text: string): SQL =>
  sql`(${contains(record.routerName, text)}
    or exists (select 1 from routers r where ${isMember(record)} and ${contains(sql`r.name`, text)}))`

/** The present name; that of the record where the member is gone. */
export const presentName = (record: RecordColumns): SQL<string> =>
  sql<string>`coalesce((select r.name from routers r where ${isMember(record)}), ${record.routerName})`
