import type { HubName } from '../../worker/contract/hubs.ts'
import { openPrimary } from '../../worker/db/client.ts'
import { insertMessage } from '../../worker/db/messages.ts'
import { isOfHub } from '../../worker/db/monitor.ts'
import { openWebhook, selectWebhook } from '../../worker/db/webhooks.ts'
import type { Delivery, SendResult } from '../../worker/domain/alert/delivery.ts'
import { alertMail } from '../../worker/domain/mail/notice.ts'
import { consoleOf, hostOfAccount } from '../../worker/domain/site/brand.ts'
import { createOutside } from '../../worker/outside/adapters.ts'
import { DeliveryError } from '../../worker/outside/delivery-error.ts'

/** Where the deliveries of an account go. Each carries its event id, which is the same however often it is sent. */
export interface AlertChannels {
  /** Throws where none of them could be stored. */
  site(accountId: number, deliveries: readonly Delivery[]): Promise<void>
  /** `host`: the brand of the account. */
  mail(one: Delivery, host: string): Promise<SendResult>
  webhook(one: Delivery): Promise<SendResult>
}

export function createAlertChannels(env: Env, hub: HubName): AlertChannels {
  return {
    async site(accountId, deliveries) {
      const db = openPrimary(env)
      const rows = deliveries.map((one) => insertMessage(db, toMessage(accountId, one)).onConflictDoNothing())
      const [first, ...rest] = rows
      if (first) await db.batch([first, ...rest])
    },
    async mail(one, host) {
      const { mail } = createOutside(env)
      try {
        await mail.send(one.target, { ...toMail(one, hostOfAccount(host)), host: hostOfAccount(host), eventId: one.id })
        return { kind: 'ok', code: '', words: '' }
      } catch (error) {
        if (error instanceof DeliveryError) return toFailure(error)
        throw error
      }
    },
    async webhook(one) {
      const [row] = await selectWebhook(openPrimary(env), isOfHub(hub))
      if (!row) return { kind: 'permanent', code: '', words: '未配置webhook' }
      const { id: eventId, event, at, title, lines, networkNumber, routerName, alertId } = one
      const data = { alert_id: alertId, router_name: routerName, network_number: networkNumber }
      const target = await openWebhook(env.SEAL_KEYS, row)
      return createOutside(env).webhook.send(target, { eventId, event, at, title, lines, data })
    },
  }
}

const toMessage = (accountId: number, { id, title, lines, networkNumber, routerName, createdAt }: Delivery) => ({
  accountId,
  eventId: id,
  type: '告警' as const,
  title,
  content: lines.join('\n'),
  networkNumber,
  routerName,
  createdAt,
})

/** Lines of the form `name：value` are the rows of its table. */
function toMail({ title, lines }: Delivery, host: string) {
  const parts = lines.map((line) => /^([^：]{1,8})：(.+)$/su.exec(line) ?? line)
  return alertMail({
    host,
    title,
    lines: parts.filter((part) => typeof part === 'string'),
    facts: parts.flatMap((part) => (typeof part === 'string' ? [] : [[part[1] ?? '', part[2] ?? ''] as const])),
    url: `${consoleOf(host)}/monitor/setting?tab=alerts`,
  })
}

/** Only what the recipient's own server refuses for good is not tried again. */
function toFailure({ of, isRetryable, code, words }: DeliveryError): SendResult {
  const said = { code, words }
  return of === 'recipient' && !isRetryable ? { kind: 'permanent', ...said } : { kind: 'retry', ...said, afterMs: 0 }
}
