import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { COUNT_MAX } from '#contract/kernel/list.ts'
import type { messageApi } from '#contract/message/index.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { selectPage, toCappedCount } from '#db/paged.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import {
  type MessageChoice,
  markDeleted,
  markRead,
  notifyIfUnread,
  selectChosen,
  selectMessage,
  selectMessages,
  selectSums,
  selectUnread,
} from './sql.ts'

/* Site messages (站内消息) of a person: listed, opened, marked as read, deleted. */

export async function listMessages(ctx: Ctx, input: Parsed<typeof messageApi.lists>) {
  const session = requireSession(ctx)
  const { data, total, sums, unreadCount } = await batch(ctx.db, {
    ...selectPage(ctx.db, selectMessages(ctx.db, session, input).$dynamic(), input, COUNT_MAX),
    sums: selectSums(ctx.db, session),
    unreadCount: selectUnread(ctx.db, session),
  })
  const [[all, newest] = [0, 0]] = sums
  const [[unread] = [0]] = unreadCount
  return { data, ...toCappedCount(total), total: all, unread, newest }
}

type MarkInput = Parsed<typeof messageApi.updateMessage>

/** Reads one message, which marks it as read (account 4). */
export async function openMessage(ctx: Ctx, { message_id: id }: Parsed<typeof messageApi.info>) {
  const session = requireSession(ctx)
  const { rows } = await batch(ctx.db, {
    hubs: notifyIfUnread(ctx, session, id),
    mark: markRead(ctx.db, session, { ids: [id] }, ctx.now),
    rows: selectMessage(ctx.db, session, id),
  })
  return rows[0] ?? refuse('MESSAGE_NOT_FOUND')
}

type Marked = Output<typeof messageApi.updateMessage>

export async function readMessages(ctx: Ctx, given: MarkInput): Promise<Marked> {
  const { db, now } = ctx
  const session = requireSession(ctx)
  const chosen = toChosen(given)
  const { unread, hub, left } = await requireChosen(ctx, chosen)
  if (unread === 0) return { done: 0, left }
  await batch(db, {
    marks: markRead(db, session, chosen, now),
    audit: auditRow(ctx, toEntry('update_message', `标记${unread}条消息为已读`, given)),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
  return { done: unread, left }
}

export async function deleteMessages(ctx: Ctx, given: MarkInput): Promise<Marked> {
  const { db, now } = ctx
  const session = requireSession(ctx)
  const chosen = toChosen(given)
  const { found, unread, hub, left } = await requireChosen(ctx, chosen)
  if (found === 0) return { done: 0, left }
  await batch(db, {
    marks: markDeleted(db, session, chosen, now),
    audit: auditRow(ctx, toEntry('delete_message', `删除${found}条消息`, given)),
    hubs: notifyHubs(ctx, unread > 0 ? refreshTasks('account', [hub]) : []),
  })
  return { done: found, left }
}

const toChosen = ({ type, newest, message_id: ids }: MarkInput): MessageChoice =>
  type === 'all' ? { newest: newest ?? null } : { ids }

/** Requires messages that the caller sees. Ids of others' and of deleted messages answer like unknown ones. */
async function requireChosen(ctx: Ctx, chosen: MessageChoice) {
  const [[found, unread, hub] = [0, 0, '']] = await selectChosen(ctx.db, requireSession(ctx), chosen)
  if (found === 0 && 'ids' in chosen) refuse('MESSAGE_NOT_FOUND')
  return { found, unread, hub, left: 'ids' in chosen ? new Set(chosen.ids).size - found : 0 }
}

const toEntry = (action: string, message: string, { type, message_id: ids }: MarkInput) => ({
  module: 'message',
  action,
  target: type ?? ids.join(','),
  message,
})
