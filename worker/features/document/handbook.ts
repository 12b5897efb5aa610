import { DOCUMENT_TYPE, type documentApi } from '#contract/document/index.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { HANDBOOK } from '#contract/document/limits.ts'
import { batch } from '#db/batch.ts'
import { guardRate } from '#db/rate-limit.ts'
import { toExtract, toWords } from '#domain/document/search.ts'
import { toBrand } from '#domain/site/brand.ts'
import type { Ctx } from '#http/context.ts'
import type { FileReply } from '#http/file-reply.ts'
import { readHandbookImage } from './service.ts'
import { selectArticle, selectFound, selectMenu, selectNeighbor } from './sql.ts'

/* Handbook as people read it: menu, articles, search and images. */

type Api = typeof documentApi

export async function readMenu(ctx: Ctx) {
  requireHandbook(ctx)
  const { rows } = await batch(ctx.db, { rate: guardReads(ctx), rows: selectMenu(ctx.db) })
  const articles = rows.filter(({ type }) => type === DOCUMENT_TYPE.article)
  return rows
    .filter(({ type }) => type === DOCUMENT_TYPE.chapter)
    .map((chapter) => ({
      ...chapter,
      type: DOCUMENT_TYPE.chapter,
      children: articles
        .filter(({ fid }) => fid === chapter.id)
        .map((article) => ({ ...article, type: DOCUMENT_TYPE.article, children: [] })),
    }))
}

export async function readArticle(ctx: Ctx, { id }: Parsed<Api['info']>): Promise<Output<Api['info']>> {
  requireHandbook(ctx)
  const { rows, before, after } = await batch(ctx.db, {
    rate: guardReads(ctx),
    rows: selectArticle(ctx.db, id),
    before: selectNeighbor(ctx.db, id, 'before'),
    after: selectNeighbor(ctx.db, id, 'after'),
  })
  const row = rows[0] ?? refuse('DOCUMENT_NOT_FOUND')
  const toc = JSON.parse(row.toc) as Output<Api['info']>['toc']
  return { ...row, toc, before_doc: before[0] ?? null, after_doc: after[0] ?? null }
}

export async function searchArticles(ctx: Ctx, { q }: Parsed<Api['search']>) {
  requireHandbook(ctx)
  const words = toWords(q)
  if (words.length === 0) return []
  const { rows } = await batch(ctx.db, { rate: guardReads(ctx), rows: selectFound(ctx.db, words) })
  return rows.map((row) => ({ ...row, extract: toExtract(row.text, words) }))
}

export function readImage(ctx: Ctx, { key }: Parsed<Api['image']>): Promise<FileReply> {
  requireHandbook(ctx)
  return readHandbookImage(ctx, key)
}

/** Hosts without a handbook have no such path (account 1). */
function requireHandbook({ hostname }: Ctx): void {
  if (!toBrand(hostname).handbook) refuse('PATH_UNKNOWN')
}

const guardReads = ({ db, ipBlock, now }: Ctx) => guardRate(db, `document:${ipBlock}`, HANDBOOK.rate, now)
