import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { requireRow } from '#db/require-row.ts'
import { listedHost } from '#domain/site/brand.ts'
import { storeAnnouncementImage } from '#features/announcements/service.ts'
import { insertMessage } from '#features/message/sql.ts'
import type { Ctx } from '#http/context.ts'
import { randomToken } from '#security/secrets.ts'
import { type Difference, operatorAudit } from './audit.ts'
import { requireAccount } from './accounts.ts'
import {
  insertMessageToAll,
  queueEveryAccount,
  deleteAnnouncement,
  insertAnnouncement,
  selectAnnouncement,
  selectNewestAnnouncements,
  updateAnnouncement,
} from './sql/publications.ts'

/* Operator's site messages to accounts, and announcements (公告). */

type Api = typeof opsApi
type OpsInput<K extends keyof Api> = Parsed<Api[K]>

type MessageInput = OpsInput<'sendMessage'>
type Answer = Output<Api['sendMessage']>

/** Sends a site message; the accounts' hubs update the unread counts of open consoles. */
export const sendMessage = (ctx: Ctx, input: MessageInput): Promise<Answer> =>
  input.account === undefined ? sendToAll(ctx, input) : sendToOne(ctx, input, input.account)

const toRow = ({ type, title, content, network_number, router_name }: MessageInput, createdAt: number) => ({
  type,
  title,
  content,
  networkNumber: network_number,
  routerName: router_name,
  createdAt,
})

const toEntry = ({ title }: MessageInput, to: string) => ({
  action: 'message/send',
  target: title,
  message: `运营向${to}发送消息“${title}”`,
})

async function sendToOne(ctx: Ctx, input: MessageInput, account: string): Promise<Answer> {
  const { db, now } = ctx
  const { id: accountId, hub } = await requireAccount(ctx, account)
  const { messages } = await batch(db, {
    messages: insertMessage(db, { ...toRow(input, now), accountId, eventId: `ops:${randomToken(12)}` }),
    audit: operatorAudit(ctx, accountId, toEntry(input, `账号${account}`)),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
  return { count: 1, message_id: messages[0]?.id ?? refuse('ACCOUNT_NOT_FOUND') }
}

/** Sends to all accounts. The minute cron notifies their hubs, because there are as many hubs as accounts. */
async function sendToAll(ctx: Ctx, input: MessageInput): Promise<Answer> {
  const { db, now } = ctx
  const { messages } = await batch(db, {
    messages: insertMessageToAll(db, { ...toRow(input, now), eventId: `ops:${randomToken(12)}` }),
    audit: operatorAudit(ctx, 0, toEntry(input, '全部账号')),
    hubs: queueEveryAccount(db, now),
  })
  return { count: messages.length, message_id: null }
}

export async function publishAnnouncement(ctx: Ctx, given: OpsInput<'publishAnnouncement'>) {
  const { title, tag, content, hosts } = given
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
  const before = await requireAnnouncement(ctx, id)
  const { title = before.title, tag = before.tag, content = before.content, hosts } = given
  const after = { title, tag, content, hosts: hosts ? toHosts(hosts) : before.hosts }
  await batch(ctx.db, {
    row: updateAnnouncement(ctx.db, id, after),
    audit: audit(ctx, 'edit', after.title, `运营修改公告“${before.title}”`, { before, after }),
  })
}

export async function withdrawAnnouncement(ctx: Ctx, { id }: OpsInput<'withdrawAnnouncement'>): Promise<void> {
  const before = await requireAnnouncement(ctx, id)
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

/** Hosts by their names in infra/hosts.json, as for comparison with the host of a request. */
function toHosts(hosts: readonly string[]): string {
  const names = hosts.map((host) => listedHost(host) ?? refuse('HOST_UNKNOWN', {}, 'hosts'))
  return JSON.stringify([...new Set(names)])
}

const requireAnnouncement = (ctx: Ctx, id: number) =>
  requireRow(selectAnnouncement(ctx.db, id), 'ANNOUNCEMENT_NOT_FOUND')

const audit = (ctx: Ctx, action: string, target: string, message: string, difference?: Difference) =>
  operatorAudit(ctx, 0, { action: `announcement/${action}`, target, message, ...difference })
