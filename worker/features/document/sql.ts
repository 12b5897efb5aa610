import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { DOCUMENT_TYPE } from '#contract/document/index.ts'
import { HANDBOOK } from '#contract/document/limits.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { documents } from '#db/schema/publications.ts'

/* Statements that read the handbook: menu, one article, its neighbours, and search. */

const chapters = alias(documents, 'chapters')
const isArticle = eq(documents.type, DOCUMENT_TYPE.article)

export const selectMenu = (db: Db) =>
  db
    .select({ id: documents.id, fid: documents.fid, type: documents.type, title: documents.title })
    .from(documents)
    .orderBy(asc(documents.position))

export const selectArticle = (db: Db, id: string) =>
  db
    .select({
      id: documents.id,
      title: documents.title,
      chapter: as(chapters.title, 'chapter'),
      content: documents.html,
      toc: documents.toc,
      update_time: documents.updatedAt,
    })
    .from(documents)
    .innerJoin(chapters, eq(chapters.id, documents.fid))
    .where(and(isArticle, eq(documents.id, id)))

/** Article before or after another one, in reading order. */
export function selectNeighbor(db: Db, id: string, side: 'before' | 'after') {
  const position = sql`(select position from documents where id = ${id})`
  return db
    .select({ id: documents.id, title: documents.title })
    .from(documents)
    .where(and(isArticle, (side === 'before' ? lt : gt)(documents.position, position)))
    .orderBy((side === 'before' ? desc : asc)(documents.position))
    .limit(1)
}

/**
 * Articles that contain every word: those with more words in the title first, then those with the words nearest to the
 * beginning. A handbook has only a few hundred articles, so all texts are searched without an index. A trigram index would
 * not find a single Chinese character.
 */
export function selectFound(db: Db, words: readonly string[]) {
  const inTitle = words.map((word) => sql`(instr(lower(${documents.title}), ${word}) > 0)`)
  const at = words.map((word) => sql`instr(lower(${documents.text}), ${word})`)
  const isFound = words.map((_, i) => sql`(${inTitle[i]} or ${at[i]} > 0)`)
  return db
    .select({ id: documents.id, title: documents.title, chapter: as(chapters.title, 'chapter'), text: documents.text })
    .from(documents)
    .innerJoin(chapters, eq(chapters.id, documents.fid))
    .where(and(isArticle, ...isFound))
    .orderBy(desc(sql.join(inTitle, sql` + `)), asc(sql.join(at, sql` + `)), asc(documents.position))
    .limit(HANDBOOK.foundMax)
}
