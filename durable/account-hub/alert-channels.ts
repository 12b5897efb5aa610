import { openPrimary } from '../../worker/db/client.ts'
import { insertMessage } from '../../worker/db/messages.ts'
import type { Delivery, SendResult } from '../../worker/domain/alert/delivery.ts'
import { createOutside } from '../../worker/outside/adapters.ts'

/** Where the deliveries of an account go. Each carries its event id, which is the same however often it is sent. */
export interface AlertChannels {
  /** Throws where none of them could be stored. */
  site(accountId: number, deliveries: readonly Delivery[]): Promise<void>
  mail(one: Delivery): Promise<SendResult>
  webhook(one: Delivery): Promise<SendResult>
}

export function createAlertChannels(env: Env): AlertChannels {
  return {
    async site(accountId, deliveries) {
      const db = openPrimary(env)
      const rows = deliveries.map((one) => insertMessage(db, toMessage(accountId, one)).onConflictDoNothing())
      const [first, ...rest] = rows
      if (first) await db.batch([first, ...rest])
    },
    async mail({ target, title, lines }) {
      try {
        await createOutside(env).mail.send(target, title, lines.join('\n'))
        return { kind: 'ok', code: '', words: '' }
      } catch (error) {
        return toFailure(error)
      }
    },
    webhook: async () => ({ kind: 'permanent', code: '', words: '未配置webhook' }),
  }
}

const toMessage = (accountId: number, { id, title, lines, networkNumber, routerName, createdAt }: Delivery) => ({
  accountId,
  eventId: id,
  type: '告警',
  title,
  content: lines.join('\n'),
  networkNumber,
  routerName,
  createdAt,
})

/** Only what the recipient's own server refuses for good is not tried again. */
function toFailure(error: unknown): SendResult {
  const { of, isRetryable, code, words } = error as {
    of?: string
    isRetryable?: boolean
    code?: string
    words?: string
  }
  const said = { code: code ?? '', words: words ?? '邮件发送失败' }
  return of === 'recipient' && isRetryable === false
    ? { kind: 'permanent', ...said }
    : { kind: 'retry', ...said, afterMs: 0 }
}
