import { FILE_TYPES } from '#contract/file/index.ts'
import { HANDBOOK } from '#contract/document/limits.ts'
import { Refusal, refuse } from '#contract/kernel/errors.ts'
import type { UploadedFile } from '#contract/kernel/uploads.ts'
import { checkUpload } from '#domain/file/upload.ts'
import type { Ctx } from '#http/context.ts'
import type { FileReply } from '#http/file-reply.ts'

/* Images of the handbook in the bucket: stored, read, listed and deleted. */

const DAY_SECONDS = 86_400
/** Folder of its own: the sweep of customers' files does not look here. */
const FOLDER = 'handbook/'

/** Stores an image under the hash of its bytes, so that an import never changes an image that is shown. */
export async function storeHandbookImage(ctx: Ctx, file: UploadedFile): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const checked = checkUpload({ bytes, name: file.name, purpose: 'handbook_image' })
  if ('params' in checked) throw new Refusal(checked)
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
  const key = `${sha256}.png`
  await ctx.files.put(FOLDER + key, bytes, { sha256 })
  return key
}

export async function readHandbookImage(ctx: Ctx, key: string): Promise<FileReply> {
  const object = /^[0-9a-f]{64}\.png$/.test(key) ? await ctx.files.get(FOLDER + key) : null
  if (!object) return refuse('FILE_NOT_FOUND')
  return { body: object.body, type: FILE_TYPES.png.mediaType, name: key, inline: true, maxAgeSeconds: DAY_SECONDS }
}

/** Keys of all images, with their times of upload. */
export async function listHandbookImages(ctx: Ctx): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (let cursor: string | undefined; ;) {
    const listed = await ctx.files.list({ prefix: FOLDER, ...(cursor !== undefined && { cursor }) })
    for (const { key, uploaded } of listed.objects) found.set(key.slice(FOLDER.length), uploaded.getTime())
    if (!listed.truncated) return found
    cursor = listed.cursor
  }
}

/** Deletes images that no article shows: those of the former handbook, and those of failed imports after a while. */
export async function deleteUnusedImages(
  ctx: Ctx,
  stored: ReadonlyMap<string, number>,
  { shown, before }: { readonly shown: ReadonlySet<string>; readonly before: ReadonlySet<string> },
): Promise<void> {
  const isOver = (key: string, uploadedAt: number) => before.has(key) || uploadedAt < ctx.now - HANDBOOK.orphanMs
  const unused = [...stored].filter(([key, at]) => !shown.has(key) && isOver(key, at)).map(([key]) => FOLDER + key)
  if (unused.length > 0) await ctx.files.delete(unused)
}
