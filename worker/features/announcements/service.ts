import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { announcementsApi } from '#contract/announcements/index.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { FILE_TYPES, type FileType } from '#contract/file/index.ts'
import type { UploadedFile } from '#contract/kernel/uploads.ts'
import { checkUpload } from '#domain/file/upload.ts'
import { randomHex } from '#security/secrets.ts'
import type { Ctx } from '#http/context.ts'

/* Images of announcements: stored in the bucket, and read from it. */

const DAY_SECONDS = 86_400

/** Name in the bucket. The sweep of orphans deletes an image that no announcement contains. */
export const announcementImageName = (key: string): string => `announcements/${key}`

/** Stores an image under a random name with the extension of its type; answers its address. */
export async function storeAnnouncementImage(ctx: Ctx, file: UploadedFile): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const checked = checkUpload({ bytes, name: file.name, purpose: 'announcement_image' })
  if ('params' in checked) throw new Refusal(checked)
  const key = `${randomHex(16)}.${checked.type}`
  await ctx.files.put(announcementImageName(key), bytes)
  return `/api/v1/${announcementsApi.image.path}?${new URLSearchParams({ key })}`
}

export async function readAnnouncementImage(ctx: Ctx, { key }: Parsed<typeof announcementsApi.image>) {
  const [, type] = /^[0-9a-f]{32}\.(png|jpg|gif)$/.exec(key) ?? []
  const object = type === undefined ? null : await ctx.files.get(announcementImageName(key))
  if (!object) return refuse('FILE_NOT_FOUND')
  const { mediaType } = FILE_TYPES[type as FileType]
  return { body: object.body, type: mediaType, name: key, inline: true, maxAgeSeconds: DAY_SECONDS }
}
