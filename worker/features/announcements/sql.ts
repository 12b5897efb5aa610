import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { announcements } from '#db/schema/notices.ts'

/* Statements that read announcements and the images in their texts. */

export const selectNamedImages = (db: Db, keys: readonly string[]) =>
  db.all<[key: string]>(sql`
    select i.value from json_each(${JSON.stringify(keys)}) i
    where exists (select 1 from announcements where instr(content, i.value) > 0)`)

const rowColumns = {
  id: announcements.id,
  title: announcements.title,
  tag: announcements.tag,
  release_time: announcements.releaseAt,
}

const isShownAt = (host: string) =>
  sql`(${announcements.hosts} = '[]' or exists (select 1 from json_each(${announcements.hosts}) where value = ${host}))`

export const selectAnnouncements = (db: Db, host: string) =>
  db
    .select(rowColumns)
    .from(announcements)
    .where(isShownAt(host))
    .orderBy(desc(announcements.releaseAt), desc(announcements.id))

export const selectAnnouncement = (db: Db, id: number, host: string) =>
  db
    .select({ ...rowColumns, content: announcements.content })
    .from(announcements)
    .where(and(eq(announcements.id, id), isShownAt(host)))
