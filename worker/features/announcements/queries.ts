import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { announcements } from '../../db/schema/notices.ts'

/** Rows as the wire names them, without the text. */
const rowColumns = {
  id: announcements.id,
  title: announcements.title,
  tag: announcements.tag,
  release_time: announcements.releaseAt,
}

export const selectAnnouncements = (db: Db) =>
  db.select(rowColumns).from(announcements).orderBy(desc(announcements.releaseAt), desc(announcements.id))

export const selectAnnouncement = (db: Db, id: number) =>
  db
    .select({ ...rowColumns, content: announcements.content })
    .from(announcements)
    .where(eq(announcements.id, id))
