import { desc, eq, sql } from 'drizzle-orm'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import type { Db } from '#db/client.ts'
import { queueOutboxFrom } from '#db/hub-outbox.ts'
import { announcements, type messages } from '#db/schema/notices.ts'

type MessageToAll = Omit<typeof messages.$inferInsert, 'id' | 'accountId' | 'person'>

/** A message to every enabled account; answers one row each. */
export const insertMessageToAll = (db: Db, { eventId, type, title, content, createdAt }: MessageToAll) =>
  db.all<[1]>(sql`
    insert into messages (account_id, event_id, type, title, content, created_at)
    select id, ${eventId} || ':' || id, ${type}, ${title}, ${content}, ${createdAt} from accounts /* every account */ where status = 1
    returning 1 as sent`)

/** A refresh of every enabled account's hub. */
export const queueEveryAccount = (db: Db, now: number) =>
  queueOutboxFrom(db, sql`select 'account' as kind, hub from accounts /* every account */ where status = 1`, now)

export const insertAnnouncement = (db: Db, row: typeof announcements.$inferInsert) =>
  db.insert(announcements).values(row).returning({ id: announcements.id })

/** Newest announcements of all hosts; more are not looked for in a command line. */
export const selectNewestAnnouncements = (db: Db) =>
  db
    .select({
      id: announcements.id,
      title: announcements.title,
      tag: announcements.tag,
      hosts: announcements.hosts,
      release_time: announcements.releaseAt,
    })
    .from(announcements)
    .orderBy(desc(announcements.releaseAt), desc(announcements.id))
    .limit(ROWS_MAX)

export const selectAnnouncement = (db: Db, id: number) =>
  db.select().from(announcements).where(eq(announcements.id, id))

export const updateAnnouncement = (
  db: Db,
  id: number,
  set: Pick<typeof announcements.$inferInsert, 'title' | 'tag' | 'content' | 'hosts'>,
) => db.update(announcements).set(set).where(eq(announcements.id, id))

export const deleteAnnouncement = (db: Db, id: number) => db.delete(announcements).where(eq(announcements.id, id))
