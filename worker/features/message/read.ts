import type { Parsed } from '#contract/kernel/endpoint.ts'
import { COUNT_MAX } from '#contract/kernel/list.ts'
import type { messageApi } from '#contract/message/index.ts'
import { batch } from '#db/batch.ts'
import { selectPage, toCappedCount } from '#db/paged.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectMessages, selectSums, selectUnread } from './sql.ts'

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
