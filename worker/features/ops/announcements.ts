import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { violation } from '#contract/kernel/result.ts'
import { auditRow, createOperator } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { listedHost } from '#domain/site/brand.ts'
import { storeAnnouncementImage } from '#features/announcements/service.ts'
import type { Ctx } from '#http/context.ts'
import {
  deleteAnnouncement,
  insertAnnouncement,
  selectAnnouncement,
  selectNewestAnnouncements,
  updateAnnouncement,
} from './sql/notices.ts'

type Api = typeof opsApi
type OpsInput<K extends keyof Api> = Parsed<Api[K]>

export async function publishAnnouncement(
  ctx: Ctx,
  { title, tag, content, hosts }: OpsInput<'publishAnnouncement'>,
): Promise<Output<Api['publishAnnouncement']>> {
  const row = { title, tag, content, hosts: toHosts(hosts) }
  const { rows } = await batch(ctx.db, {
    rows: insertAnnouncement(ctx.db, { ...row, releaseAt: ctx.now }),
    audit: audit(ctx, 'publish', title, `运营发布公告“${title}”`, { after: { hosts } }),
  })
  return rows[0] ?? refuse('ANNOUNCEMENT_NOT_FOUND')
}

export async function listAnnouncements(ctx: Ctx): Promise<Output<Api['listAnnouncements']>> {
  const rows = await selectNewestAnnouncements(ctx.db)
  return rows.map((row) => ({ ...row, hosts: JSON.parse(row.hosts) as string[] }))
}

export async function editAnnouncement(ctx: Ctx, { id, ...given }: OpsInput<'editAnnouncement'>): Promise<void> {
  const before = toText(await requireAnnouncement(ctx, id))
  const { title = before.title, tag = before.tag, content = before.content, hosts } = given
  const after = { title, tag, content, hosts: hosts ? toHosts(hosts) : before.hosts }
  await batch(ctx.db, {
    row: updateAnnouncement(ctx.db, id, after),
    audit: audit(ctx, 'edit', after.title, `运营修改公告“${before.title}”`, { before, after }),
  })
}

export async function withdrawAnnouncement(ctx: Ctx, { id }: OpsInput<'withdrawAnnouncement'>): Promise<void> {
  const before = toText(await requireAnnouncement(ctx, id))
  await batch(ctx.db, {
    row: deleteAnnouncement(ctx.db, id),
    audit: audit(ctx, 'withdraw', before.title, `运营撤回公告“${before.title}”`, { before }),
  })
}

export const uploadAnnouncementImage = async (ctx: Ctx, { file }: OpsInput<'uploadAnnouncementImage'>) => {
  const src = await storeAnnouncementImage(ctx, file)
  await batch(ctx.db, { audit: audit(ctx, 'upload_image', src, `运营上传公告图片“${file.name}”`) })
  return { src }
}

/** Hosts as they are compared when a page asks: by the name in infra/hosts.json. */
function toHosts(hosts: readonly string[]): string {
  const names = hosts.map((host) => listedHost(host))
  throwIf(names.includes(null) ? violation('HOST_UNKNOWN', {}, 'hosts') : null)
  return JSON.stringify([...new Set(names)])
}

const toText = ({ title, tag, content, hosts }: Awaited<ReturnType<typeof requireAnnouncement>>) => ({
  title,
  tag,
  content,
  hosts,
})

async function requireAnnouncement(ctx: Ctx, id: number) {
  const [row] = await selectAnnouncement(ctx.db, id)
  return row ?? refuse('ANNOUNCEMENT_NOT_FOUND')
}

const audit = (
  ctx: Ctx,
  action: string,
  target: string,
  message: string,
  difference: Pick<Parameters<typeof auditRow>[1], 'before' | 'after'> = {},
) =>
  auditRow(ctx, { module: 'ops', action: `announcement/${action}`, target, message, ...difference }, createOperator(0))
