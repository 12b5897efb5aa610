import { toMessage } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { batch } from '#db/batch.ts'
import { openPrimary } from '#db/client.ts'
import { selectSender, selectWebhook } from '#features/webhook/sql.ts'
import type { Delivery } from '#domain/monitor/delivery.ts'
import type { SendResult } from '#domain/monitor/lane.ts'
import { unsubscribeUrl } from '#domain/contacts/messages.ts'
import { alertMail, renewalUrl } from '#domain/mail/alert.ts'
import { toSender } from '#domain/monitor/text.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import { selectMailTarget } from '#features/contacts/sql/contacts.ts'
import { insertMessage } from '#features/message/sql.ts'
import { isOfHub } from '#features/monitor/sql.ts'
import { createOutside } from '#outside/adapters.ts'
import { DeliveryError } from '#outside/delivery-error.ts'
import { webhookRefusal } from '#outside/webhook/webhooks.ts'
import { signUnsubscribe } from '#security/signed-links.ts'
import { openWebhook } from '#security/webhook-target.ts'

/** Channels of alert deliveries: site messages, mails and the webhook. A delivery keeps its event id in every try. */
export interface AlertChannels {
  /** Throws if none of them could be stored. */
  site(accountId: number, deliveries: readonly Delivery[]): Promise<void>
  /** `host`: the brand of the account. */
  mail(one: Delivery, host: string): Promise<SendResult>
  webhook(one: Delivery): Promise<SendResult>
}

export function createAlertChannels(env: Env, hub: HubName): AlertChannels {
  return {
    async site(accountId, deliveries) {
      const db = openPrimary(env)
      const messages = deliveries.map((one) => insertMessage(db, toSiteMessage(accountId, one)).onConflictDoNothing())
      await batch(db, Object.fromEntries(messages.map((message, i) => [`message ${i}`, message])))
    },
    async mail(one, host) {
      const { mail } = createOutside(env)
      try {
        const brand = hostOfAccount(host)
        const [target] = await selectMailTarget(openPrimary(env), isOfHub(hub), one.target, Date.now())
        if (!target) return { kind: 'unsent', words: '联系人已删除、未验证或授权已过期' }
        const origin = toConsoleOrigin(brand, env.LOCAL_ORIGIN)
        const content = toMail(one, { host: brand, origin, unsubscribe: await unsubscribeOf(env, target, one, origin) })
        await mail.send(one.target, { ...content, host: brand, eventId: one.id })
        return { kind: 'ok', code: '', words: '' }
      } catch (error) {
        if (error instanceof DeliveryError) return toFailure(error)
        throw error
      }
    },
    async webhook(one) {
      const db = openPrimary(env)
      const found = await batch(db, { rows: selectWebhook(db, isOfHub(hub)), senders: selectSender(db, isOfHub(hub)) })
      const [[row], [account]] = [found.rows, found.senders]
      if (!row || !account) return { kind: 'permanent', code: '', words: '未配置webhook' }
      const { id: eventId, event, at, title, lines } = one
      const target = await openWebhook(env.SEAL_KEYS, row)
      const message = { eventId, event, at, title, lines, data: toData(one), sender: toSender(account) }
      const result = await createOutside(env).webhook.send(target, message)
      if (result.kind !== 'permanent' || result.cause === undefined) return result
      return { ...result, words: toMessage(webhookRefusal(target.type, result)) }
    },
  }
}

/** Data for programs. A digest lists the events that it stands for, oldest first. */
const toData = ({ alertId, routerName, networkNumber, covers }: Delivery) => ({
  alert_id: alertId,
  router_name: routerName,
  network_number: networkNumber,
  ...(covers !== undefined && {
    events: covers.map(({ alertId: alert_id, event: type, at }) => ({
      type,
      timestamp: new Date(at).toISOString(),
      alert_id,
    })),
  }),
})

const toSiteMessage = (accountId: number, { id, title, lines, networkNumber, routerName, createdAt }: Delivery) => ({
  accountId,
  eventId: id,
  type: '告警' as const,
  title,
  content: lines.join('\n'),
  networkNumber,
  routerName,
  createdAt,
})

/** Unsubscribe link of a contact; the address of the account has none. */
async function unsubscribeOf(
  env: Env,
  { accountId, uuid }: { readonly accountId: number; readonly uuid: string | null },
  { target: email }: Delivery,
  origin: string,
): Promise<string | null> {
  if (uuid === null) return null
  return unsubscribeUrl(origin, await signUnsubscribe(env.HMAC_SECRET, { accountId, uuid, email }))
}

/** Lines of the form `name：value` are the rows of its table. */
function toMail(
  { kind, title, lines, service }: Delivery,
  {
    host,
    origin,
    unsubscribe,
  }: { readonly host: string; readonly origin: string; readonly unsubscribe: string | null },
) {
  const parts = lines.map((line) => /^([^：]{1,8})：(.+)$/su.exec(line) ?? line)
  return alertMail({
    host,
    title,
    lines: parts.filter((part) => typeof part === 'string'),
    facts: parts.flatMap((part) => (typeof part === 'string' ? [] : [[part[1] ?? '', part[2] ?? ''] as const])),
    isOver: kind === 'recovery',
    link:
      service === undefined
        ? { text: '查看详情', url: `${origin}/monitor/setting?tab=alerts` }
        : { text: '续费', url: renewalUrl(origin, service) },
    ...(unsubscribe !== null && { unsubscribe }),
  })
}

/** Maps a delivery error. Only a final refusal by the recipient's own server is not tried again. */
function toFailure({ of, isRetryable, code, words }: DeliveryError): SendResult {
  const details = { code, words }
  return of === 'recipient' && !isRetryable
    ? { kind: 'permanent', ...details }
    : { kind: 'retry', ...details, afterMs: 0 }
}
