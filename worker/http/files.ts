import { Refusal } from '../contract/errors.ts'
import { fileApi, type FilePurpose, type FileType } from '../contract/file.ts'
import { FILE } from '../contract/limits.ts'
import { insertFile } from '../db/files.ts'
import { checkUpload } from '../domain/file/check-upload.ts'
import { toFileName } from '../domain/file/file-name.ts'
import { signFile } from '../security/file-address.ts'
import { randomHex } from '../security/secrets.ts'
import { type Ctx, requireSession } from './context.ts'

export interface StoredFile {
  /** Public id of the file. */
  readonly key: string
  readonly type: FileType
  readonly name: string
  /** The row, for the caller's own batch: a batch that fails leaves an object that the sweep deletes. */
  readonly insert: ReturnType<typeof insertFile>
}

/** Where the bytes are in R2. Keys are random, so their first two digits cut the bucket into 256 even parts. */
export const objectName = (key: string): string => `files/${key}`

/** Checks an upload and puts its bytes into R2. Throws Refusals (FILE_*); nothing is stored then. */
export async function storeFile(
  ctx: Ctx,
  upload: { readonly bytes: Uint8Array; readonly name: string; readonly purpose: FilePurpose },
): Promise<StoredFile> {
  const { accountId, username } = requireSession(ctx)
  const checked = checkUpload(upload)
  if ('params' in checked) throw new Refusal(checked)
  const { bytes, purpose } = upload
  const { type } = checked
  const [key, name, digest] = [randomHex(16), toFileName(upload.name), await crypto.subtle.digest('SHA-256', bytes)]
  const sha256 = Buffer.from(digest).toString('hex')
  await ctx.files.put(objectName(key), bytes, { sha256 })
  const row = { accountId, key, purpose, name, type, bytes: bytes.length, sha256 }
  return { key, type, name, insert: insertFile(ctx.db, { ...row, createdBy: username, createdAt: ctx.now }) }
}

/** Signed address of one of the account's files, valid for 10 minutes. */
export async function signedFileAddress(ctx: Ctx, key: string): Promise<string> {
  const expiresAt = ctx.now + FILE.addressMinutes * 60_000
  const sign = await signFile(ctx.env.HMAC_SECRET, { accountId: requireSession(ctx).accountId, key, expiresAt })
  return `/api/v1/${fileApi.content.path}?${new URLSearchParams({ key, expires: String(expiresAt), sign })}`
}
