import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse } from '#contract/kernel/errors.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { renderHandbook } from '#domain/document/handbook.ts'
import type { Ctx } from '#http/context.ts'
import { deleteUnusedImages, listHandbookImages, storeHandbookImage } from '#features/document/service.ts'
import { type Difference, operatorAudit } from './audit.ts'
import {
  type DocumentRow,
  deleteDocuments,
  insertDocuments,
  saveImport,
  selectArticleDigests,
  selectImport,
} from './sql/publications.ts'

/* Operator's import of the handbook, with its images and status. */

type Api = typeof opsApi

export async function handbookStatus(ctx: Ctx): Promise<Output<Api['handbookStatus']>> {
  const { row, articles } = await batch(ctx.db, { row: selectImport(ctx.db), articles: selectArticleDigests(ctx.db) })
  return { digest: row[0]?.digest ?? '', articles: articles.length, import_time: row[0]?.importedAt ?? null }
}

export async function uploadHandbookImage(ctx: Ctx, { file }: Parsed<Api['uploadHandbookImage']>) {
  const key = await storeHandbookImage(ctx, file)
  await batch(ctx.db, { audit: audit(ctx, 'upload_image', key, `运营上传手册图片“${file.name}”`) })
  return { key }
}

/** Replaces all articles in one batch: a refused or failed import leaves the former handbook. */
export async function importHandbook(ctx: Ctx, given: Parsed<Api['importHandbook']>): Promise<void> {
  const rendered = renderHandbook(given)
  if ('params' in rendered) throw new Refusal(rendered)
  const stored = await listHandbookImages(ctx)
  const lost = given.images.find(({ key }) => !stored.has(key))
  if (lost) refuse('HANDBOOK_IMAGE_LOST', { path: lost.path })

  const { row, articles } = await batch(ctx.db, { row: selectImport(ctx.db), articles: selectArticleDigests(ctx.db) })
  const known = new Map(articles.map((article) => [article.id, article]))
  const rows: DocumentRow[] = []
  for (const { id, title, articles: inside } of given.chapters) {
    rows.push({ id, fid: '', type: 1, title, text: '', toc: [], digest: '', updatedAt: ctx.now, html: '' })
    for (const article of inside) {
      const { text = '', toc = [], html = '' } = rendered.get(article.id) ?? {}
      const digest = await digestOf(`${article.title}\n${article.markdown}`)
      const before = known.get(article.id)
      const updatedAt = before?.digest === digest ? before.updatedAt : ctx.now
      rows.push({ id: article.id, fid: id, type: 2, title: article.title, text, toc, digest, updatedAt, html })
    }
  }
  const images = [...new Set(given.images.map(({ key }) => key))]
  const count = rows.filter(({ type }) => type === 2).length
  await batch(ctx.db, {
    cleared: deleteDocuments(ctx.db),
    ...insertDocuments(ctx.db, rows),
    saved: saveImport(ctx.db, { digest: given.digest, images, importedAt: ctx.now }),
    audit: audit(ctx, 'import', given.digest.slice(0, 12), `运营导入帮助手册，共${count}篇文章`, {
      before: { digest: row[0]?.digest ?? '', articles: articles.length },
      after: { digest: given.digest, articles: count },
    }),
  })
  const before = new Set(JSON.parse(row[0]?.images ?? '[]') as string[])
  ctx.waitUntil(deleteUnusedImages(ctx, stored, { shown: new Set(images), before }))
}

const digestOf = async (text: string): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex')

const audit = (ctx: Ctx, action: string, target: string, message: string, difference?: Difference) =>
  operatorAudit(ctx, 0, { action: `handbook/${action}`, target, message, ...difference })
