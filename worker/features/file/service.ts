import { Refusal } from '#contract/kernel/errors.ts'
import { IMAGE, fileApi, type FileType } from '#contract/file/index.ts'
import { insertFile } from './sql.ts'
import { violation } from '#contract/kernel/result.ts'
import { type Upload, checkUpload, objectName, toStoredName } from '#domain/file/upload.ts'
import { cleanImage } from '#domain/file/image/clean-image.ts'
import { randomHex } from '#security/secrets.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { FILE } from '#contract/file/limits.ts'
import { personKey } from '#domain/account/user.ts'
import { signFile } from '#security/signed-links.ts'

/* Customers' uploaded files: checked, stored in the bucket, and given a signed address. */

export interface StoredFile {
  /** Public id of the file. */
  readonly key: string
  readonly type: FileType
  readonly name: string
  /** Insert of the row, for the caller's own batch. If the batch fails, the sweep deletes the object. */
  readonly insert: ReturnType<typeof insertFile>
}

interface FileOwner {
  readonly accountId: number
  /** Login name of the uploader, for display. */
  readonly createdBy: string
  /** The only person who may attach it. */
  readonly person: string
  /** Record that the file is attached to from the start. */
  readonly attachedTo?: string
}

/** Returns the bytes to store: an image loses its metadata. Throws Refusals (FILE_*, IMAGE_*). */
export function checkFile(upload: Upload): { readonly type: FileType; readonly bytes: Uint8Array } {
  const checked = checkUpload(upload)
  if ('params' in checked) throw new Refusal(checked)
  const cleaned = cleanImage(checked.type, upload.bytes)
  if (typeof cleaned === 'string') throw new Refusal(violation(cleaned, { limit: IMAGE.sideMax }))
  return { type: checked.type, bytes: cleaned?.bytes ?? upload.bytes }
}

/** Checks an upload and puts its bytes into R2. A refused upload is not stored. */
export async function storeFile(ctx: Ctx, upload: Upload, owner: FileOwner = toOwner(ctx)): Promise<StoredFile> {
  const { type, bytes } = checkFile(upload)
  const [key, name, digest] = [
    randomHex(16),
    toStoredName(upload.name, type),
    await crypto.subtle.digest('SHA-256', bytes),
  ]
  const sha256 = Buffer.from(digest).toString('hex')
  await ctx.files.put(objectName(key), bytes, { sha256 })
  const row = { ...owner, key, purpose: upload.purpose, name, type, bytes: bytes.length, sha256, createdAt: ctx.now }
  return { key, type, name, insert: insertFile(ctx.db, row) }
}

function toOwner(ctx: Ctx): FileOwner {
  const session = requireSession(ctx)
  return { accountId: session.accountId, createdBy: session.username, person: personKey(session) }
}

/** Signed address of one of the account's files, valid for 10 minutes. */
export async function signedFileAddress(ctx: Ctx, key: string, accountId = requireAccountId(ctx)): Promise<string> {
  const expiresAt = ctx.now + FILE.addressMinutes * 60_000
  const sign = await signFile(ctx.env.HMAC_SECRET, { accountId, key, expiresAt })
  return `/api/v1/${fileApi.content.path}?${new URLSearchParams({ key, expires: String(expiresAt), sign })}`
}
