import { and, desc, eq, sql } from 'drizzle-orm'
import { DOCUMENT_TYPE } from '#contract/document/index.ts'
import { HANDBOOK } from '#contract/document/limits.ts'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import type { Db } from '#db/client.ts'
import { queueOutboxFrom } from '#db/hub-outbox.ts'
import { announcements, type messages } from '#db/schema/notices.ts'
import { releases, documents, handbookImports } from '#db/schema/publications.ts'
import type { ReleaseTarget } from '#domain/download/releases.ts'

/* Operator's statements on publications: handbook, client builds, site messages and announcements. */

export type DocumentRow = Omit<typeof documents.$inferSelect, 'position' | 'toc'> & { readonly toc: readonly unknown[] }

export const selectImport = (db: Db) => db.select().from(handbookImports).where(eq(handbookImports.id, 1))

export const selectArticleDigests = (db: Db) =>
  db
    .select({ id: documents.id, digest: documents.digest, updatedAt: documents.updatedAt })
    .from(documents)
    .where(eq(documents.type, DOCUMENT_TYPE.article))

export const deleteDocuments = (db: Db) => db.delete(documents)

/** Inserts rows in reading order, in as many statements as the size limit of a bound value needs. */
export function insertDocuments(db: Db, rows: readonly DocumentRow[]) {
  const portions: (DocumentRow & { position: number })[][] = [[]]
  let length = 0
  for (const [position, row] of rows.entries()) {
    const size = row.html.length + row.text.length
    if (length + size > HANDBOOK.rowsMaxLength && portions.at(-1)?.length !== 0) {
      portions.push([])
      length = 0
    }
    length += size
    portions.at(-1)?.push({ ...row, position })
  }
  return Object.fromEntries(portions.map((portion, at) => [`rows${at}`, insertPortion(db, portion)]))
}

const insertPortion = (db: Db, rows: readonly object[]) =>
  db.run(sql`
    insert into documents (id, fid, type, title, position, text, toc, digest, updated_at, html)
    select value ->> 'id', value ->> 'fid', value ->> 'type', value ->> 'title', value ->> 'position', value ->> 'text',
      value -> 'toc', value ->> 'digest', value ->> 'updatedAt', value ->> 'html'
    from json_each(${JSON.stringify(rows)})`)

export const saveImport = (
  db: Db,
  { digest, images, importedAt }: { digest: string; images: readonly string[]; importedAt: number },
) => {
  const row = { digest, images: JSON.stringify(images), importedAt }
  return db
    .insert(handbookImports)
    .values({ id: 1, ...row })
    .onConflictDoUpdate({ target: handbookImports.id, set: row })
}

export const insertRelease = (db: Db, row: typeof releases.$inferInsert) =>
  db.insert(releases).values(row).returning({ id: releases.id })

export const selectVersion = (
  db: Db,
  { platform, panel, distribution, version }: ReleaseTarget & { readonly version: string },
) =>
  db
    .select({ id: releases.id })
    .from(releases)
    .where(
      and(
        eq(releases.platform, platform),
        eq(releases.panel, panel),
        eq(releases.distribution, distribution),
        eq(releases.version, version),
      ),
    )

export const selectNewestReleases = (db: Db) =>
  db
    .select({
      id: releases.id,
      platform: releases.platform,
      panel: releases.panel,
      distribution: releases.distribution,
      version: releases.version,
      name: releases.name,
      bytes: releases.bytes,
      sha256: releases.sha256,
      release_time: releases.releasedAt,
    })
    .from(releases)
    .orderBy(desc(releases.id))
    .limit(ROWS_MAX)

export const selectRelease = (db: Db, id: number) => db.select().from(releases).where(eq(releases.id, id))

export const deleteReleaseRow = (db: Db, id: number) => db.delete(releases).where(eq(releases.id, id))

type MessageToAll = Omit<typeof messages.$inferInsert, 'id' | 'accountId' | 'person'>

/** Inserts a message to every enabled account; answers one row for each. */
export const insertMessageToAll = (db: Db, { eventId, type, title, content, createdAt }: MessageToAll) =>
  db.all<[1]>(sql`
    insert into messages (account_id, event_id, type, title, content, created_at)
    select id, ${eventId} || ':' || id, ${type}, ${title}, ${content}, ${createdAt} from accounts /* every account */ where status = 1
    returning 1 as sent`)

export const queueEveryAccount = (db: Db, now: number) =>
  queueOutboxFrom(db, sql`select 'account' as kind, hub from accounts /* every account */ where status = 1`, now)

export const insertAnnouncement = (db: Db, row: typeof announcements.$inferInsert) =>
  db.insert(announcements).values(row).returning({ id: announcements.id })

/** Newest announcements of all hosts, as many as the command line shows. */
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

const textColumns = {
  title: announcements.title,
  tag: announcements.tag,
  content: announcements.content,
  hosts: announcements.hosts,
}

export const selectAnnouncement = (db: Db, id: number) =>
  db.select(textColumns).from(announcements).where(eq(announcements.id, id))

export const updateAnnouncement = (
  db: Db,
  id: number,
  set: Pick<typeof announcements.$inferInsert, keyof typeof textColumns>,
) => db.update(announcements).set(set).where(eq(announcements.id, id))

export const deleteAnnouncement = (db: Db, id: number) => db.delete(announcements).where(eq(announcements.id, id))
