import { refuse } from '#contract/kernel/errors.ts'
import { FILE_TYPES, type FileType } from '#contract/file/index.ts'
import { FILE } from '#contract/file/limits.ts'
import { selectFile } from './sql.ts'
import type { Ctx } from '#http/context.ts'
import type { FileReply } from '#http/file-reply.ts'
import { isFileSignature } from '#security/signed-links.ts'
import { objectName } from '#domain/file/upload.ts'

/** Reads a customer's file for anybody with its signed address. Every bad or expired address gets the same answer. */
export async function readFile(
  ctx: Ctx,
  { key, expires, sign }: { readonly key: string; readonly expires: string; readonly sign: string },
): Promise<FileReply> {
  const expiresAt = /^\d{13}$/.test(expires) ? Number(expires) : 0
  const leftMs = expiresAt - ctx.now
  if (leftMs <= 0 || leftMs > FILE.addressMinutes * 60_000) return refuse('FILE_NOT_FOUND')
  const [row] = await selectFile(ctx.db, key)
  const grant = { accountId: row?.accountId ?? 0, key, expiresAt }
  const isSigned = await isFileSignature(ctx.env.HMAC_SECRET, grant, sign)
  const object = row && isSigned ? await ctx.files.get(objectName(key)) : null
  if (!row || !object) return refuse('FILE_NOT_FOUND')
  const { mediaType, isImage } = FILE_TYPES[row.type as FileType]
  return {
    body: object.body,
    type: mediaType,
    name: row.name,
    inline: isImage,
    maxAgeSeconds: Math.floor(leftMs / 1000),
  }
}
