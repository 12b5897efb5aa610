import type { Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { WebhookTarget } from '#contract/kernel/outside.ts'
import type { WebhookConfig, webhookApi } from '#contract/webhook/index.ts'
import { selectAccountHub } from '#features/account/sql/accounts.ts'
import { toSender } from '#domain/monitor/text.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { guardRate } from '#db/rate-limit.ts'
import { deleteWebhook, saveWebhook, selectSender, selectWebhook, isAccount, switchOff } from './sql.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { WEBHOOKS, checkWebhookUrl, cleanWebhookUrl, webhookRefusal } from '#outside/webhook/webhooks.ts'
import { randomHex } from '#security/secrets.ts'
import { WEBHOOK } from '#contract/webhook/limits.ts'
import { openWebhook, sealWebhook } from '#security/webhook-target.ts'

/* Alert webhook of an account (DingTalk, WeCom, …): read, set, tested, deleted. */

type SubmittedWebhook = Parsed<(typeof webhookApi)['setting']>

/** Refuses a role limited to networks: the webhook concerns the whole account. */
function requireWhole(ctx: Ctx): number {
  const { accountId, grants } = requireSession(ctx)
  return grants.networks === null ? accountId : refuse('MONITOR_LIMITED')
}

export async function readWebhook(ctx: Ctx): Promise<WebhookConfig> {
  const [row] = await selectWebhook(ctx.db, isAccount(requireSession(ctx).accountId))
  if (!row) return { type: 'dingtalk', url: '', secret: '', has_secret: 0 }
  return { type: row.type, url: row.urlMasked, secret: '', has_secret: toWireBoolean(row.secretSealed !== '') }
}

/** Submitted webhook. The masked URL and an empty secret keep the stored values, if the type is the same. */
async function readTarget(
  ctx: Ctx,
  { type, url: sent, secret }: SubmittedWebhook,
  [row]: Awaited<ReturnType<typeof selectWebhook>>,
): Promise<WebhookTarget> {
  const stored = row && (await openWebhook(ctx.env.SEAL_KEYS, row))
  const kept = stored?.type === type ? stored : undefined
  const url = cleanWebhookUrl(type, sent)
  const target = {
    type,
    url: kept !== undefined && url === row?.urlMasked ? kept.url : url,
    secret: type === 'wechat' || secret === null ? '' : secret || (kept?.secret ?? ''),
  }
  throwIf(checkWebhookUrl(type, target.url))
  return target
}

/** Stored webhook and the hub of the account. */
async function readStored({ db }: Ctx, accountId: number) {
  const { webhook, accounts } = await batch(db, {
    webhook: selectWebhook(db, isAccount(accountId)),
    accounts: selectAccountHub(db, accountId),
  })
  const [{ hub } = refuse('SESSION_REVOKED')] = accounts
  return { webhook, hub }
}

export async function setWebhook(ctx: Ctx, sent: SubmittedWebhook): Promise<void> {
  const { db, env, now } = ctx
  const accountId = requireWhole(ctx)
  const { webhook, hub } = await readStored(ctx, accountId)
  const target = await readTarget(ctx, sent, webhook)
  const [before] = webhook
  const masked = WEBHOOKS[target.type].maskUrl(target.url)
  const row = await sealWebhook(env.SEAL_KEYS, target, { accountId, masked, now })
  await batch(db, {
    webhook: saveWebhook(db, row),
    audit: auditRow(ctx, {
      module: 'webhook',
      action: 'setting',
      target: target.type,
      message: '设置告警Webhook',
      ...(before && { before: toAudited(before) }),
      after: toAudited(row),
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
}

/** Webhook for the audit row, with a masked address and without its secret. */
const toAudited = ({ type, urlMasked, secretSealed }: { type: string; urlMasked: string; secretSealed: string }) => ({
  type,
  url: urlMasked,
  has_secret: secretSealed !== '',
})

export async function testWebhook(ctx: Ctx, sent: SubmittedWebhook): Promise<void> {
  const { db, now, outside } = ctx
  const accountId = requireWhole(ctx)
  const { webhook, senders } = await batch(db, {
    rate: guardRate(db, `webhook_test:${accountId}`, WEBHOOK.testRate, now),
    webhook: selectWebhook(db, isAccount(accountId)),
    senders: selectSender(db, isAccount(accountId)),
  })
  const [sender = refuse('SESSION_REVOKED')] = senders
  const target = await readTarget(ctx, sent, webhook)
  const result = await outside.webhook.send(target, {
    eventId: `test.${randomHex(8)}`,
    event: 'webhook.test',
    at: now,
    title: '测试消息',
    lines: ['收到这条消息即表示配置正确。'],
    data: {},
    sender: toSender(sender),
  })
  if (result.kind !== 'ok') throw new Refusal(webhookRefusal(target.type, result))
  const entry = { module: 'webhook', action: 'test', target: target.type, message: '测试告警Webhook' }
  await batch(db, { audit: auditRow(ctx, entry) })
}

export async function removeWebhook(ctx: Ctx): Promise<void> {
  const { db, now } = ctx
  const accountId = requireWhole(ctx)
  const { webhook, hub } = await readStored(ctx, accountId)
  const [row] = webhook
  if (!row) return
  await batch(db, {
    webhook: deleteWebhook(db, accountId),
    channel: switchOff(db, accountId, now),
    audit: auditRow(ctx, {
      module: 'webhook',
      action: 'delete',
      target: row.type,
      message: '删除告警Webhook',
      before: toAudited(row),
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
}
