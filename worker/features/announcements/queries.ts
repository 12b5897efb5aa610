import { count, desc, eq } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { announcements } from '../../db/schema/notices.ts'

/** Rows as the wire names them, without the text. */
const rowColumns = {
  id: announcements.id,
  title: announcements.title,
  tag: announcements.tag,
  release_time: announcements.releaseAt,
}

export const pageOfAnnouncements = (db: Db, page: number, limit: number) =>
  db
    .select(rowColumns)
    .from(announcements)
    .orderBy(desc(announcements.releaseAt), desc(announcements.id))
    .limit(limit)
    .offset((page - 1) * limit)

export const countAnnouncements = (db: Db) => db.select({ total: count() }).from(announcements)

export const announcementById = (db: Db, id: number) =>
  db
    .select({ ...rowColumns, content: announcements.content })
    .from(announcements)
    .where(eq(announcements.id, id))

export const insertAnnouncement = (db: Db, row: typeof announcements.$inferInsert) =>
  db.insert(announcements).values(row).returning({ id: announcements.id })
