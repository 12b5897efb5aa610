import { Hono } from 'hono'
import { COUNT_MAX } from '#contract/kernel/list.ts'
import { messageApi } from '#contract/message/index.ts'
import { selectPage, toCappedCount } from '#db/paged.ts'
import { batch } from '#db/batch.ts'
import { type HonoEnv, requireSession } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { deleteMessages, openMessage, readMessages } from './mark.ts'
import { selectMessages, selectSums, selectUnread } from './sql.ts'

export const messageRoutes = new Hono<HonoEnv>()

mount(messageRoutes, messageApi, {
  lists: async (ctx, input) => {
    const session = requireSession(ctx)
    const { data, total, sums, unreadCount } = await batch(ctx.db, {
      ...selectPage(ctx.db, selectMessages(ctx.db, session, input).$dynamic(), input, COUNT_MAX),
      sums: selectSums(ctx.db, session),
      unreadCount: selectUnread(ctx.db, session),
    })
    const [[all, newest] = [0, 0]] = sums
    const [[unread] = [0]] = unreadCount
    return { data, ...toCappedCount(total), total: all, unread, newest }
  },
  info: (ctx, { message_id }) => openMessage(ctx, message_id),
  updateMessage: readMessages,
  deleteMessage: deleteMessages,
})
