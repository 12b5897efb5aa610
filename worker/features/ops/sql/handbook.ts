import { eq, sql } from 'drizzle-orm'
import { DOCUMENT_TYPE } from '#contract/document/index.ts'
import { HANDBOOK } from '#contract/document/limits.ts'
import type { Db } from '#db/client.ts'
import { documents, handbookImports } from '#db/schema/publications.ts'

export type DocumentRow = Omit<typeof documents.$inferSelect, 'position' | 'toc'> & { readonly toc: readonly unknown[] }

export const selectImport = (db: Db) => db.select().from(handbookImports).where(eq(handbookImports.id, 1))

export const selectArticleDigests = (db: Db) =>
  db
    .select({ id: documents.id, digest: documents.digest, updatedAt: documents.updatedAt })
    .from(documents)
    .where(eq(documents.type, DOCUMENT_TYPE.article))

export const deleteDocuments = (db: Db) => db.delete(documents)

/** Rows in reading order, as many to a statement as one bound value holds. */
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
