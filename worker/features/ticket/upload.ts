import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import type { ticketApi } from '#contract/ticket/index.ts'
import { TICKET } from '#contract/ticket/limits.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { guardRate } from '#db/rate-limit.ts'
import { personKey } from '#domain/account/user.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { checkFile, signedFileAddress, storeFile } from '#features/file/service.ts'

/* Upload of images for support tickets. */

type Api = typeof ticketApi

/** Purpose of files that customers and the operator upload for tickets. */
export const TICKET_IMAGE = 'ticket_image'

/** Stores an image. Each person has twenty uploads an hour (infra/docs/decisions.md), counted before anything is stored. */
export async function uploadImage(ctx: Ctx, { file }: Parsed<Api['uploadFile']>): Promise<Output<Api['uploadFile']>> {
  const { db, now } = ctx
  const session = requireSession(ctx)
  const upload = { bytes: new Uint8Array(await file.arrayBuffer()), name: file.name, purpose: TICKET_IMAGE } as const
  checkFile(upload) // a refused file costs no round trip and no upload of the hour
  await batch(db, { rate: guardRate(db, `ticket_upload:${personKey(session)}`, TICKET.uploadRate, now) })
  const stored = await storeFile(ctx, upload)
  await batch(db, {
    file: stored.insert,
    audit: auditRow(ctx, {
      module: 'ticket',
      action: 'upload_file',
      target: stored.key,
      message: `上传工单图片“${stored.name}”`,
    }),
  })
  return { file_id: stored.key, src: await signedFileAddress(ctx, stored.key) }
}
