import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { auditRow, createOperator } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { insertMessage } from '#features/message/sql.ts'
import type { Ctx } from '#http/context.ts'
import { randomToken } from '#security/secrets.ts'
import { requireAccount } from './accounts.ts'
import { insertMessageToAll, queueEveryAccount } from './sql/notices.ts'

type MessageInput = Parsed<typeof opsApi.sendMessage>
type Answer = Output<typeof opsApi.sendMessage>

/** Site message of the operator; the accounts' hubs update the unread counts of open consoles. */
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
  module: 'ops',
  action: 'message/send',
  target: title,
  message: `运营向${to}发送消息“${title}”`,
})

async function sendToOne(ctx: Ctx, input: MessageInput, account: string): Promise<Answer> {
  const { db, now } = ctx
  const { id: accountId, hub } = await requireAccount(ctx, account)
  const { messages } = await batch(db, {
    messages: insertMessage(db, { ...toRow(input, now), accountId, eventId: `ops:${randomToken(12)}` }),
    audit: auditRow(ctx, toEntry(input, `账号${account}`), createOperator(accountId)),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
  return { count: 1, message_id: messages[0]?.id ?? refuse('ACCOUNT_NOT_FOUND') }
}

/** The minute cron delivers to the hubs: there are as many of them as accounts. */
async function sendToAll(ctx: Ctx, input: MessageInput): Promise<Answer> {
  const { db, now } = ctx
  const { messages } = await batch(db, {
    messages: insertMessageToAll(db, { ...toRow(input, now), eventId: `ops:${randomToken(12)}` }),
    audit: auditRow(ctx, toEntry(input, '全部账号'), createOperator(0)),
    hubs: queueEveryAccount(db, now),
  })
  return { count: messages.length, message_id: null }
}
