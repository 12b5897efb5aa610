import { Hono } from 'hono'
import { messageApi } from '#contract/message/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { deleteMessages, openMessage, readMessages, listMessages } from './messages.ts'

/* Endpoints of site messages. */

export const messageRoutes = new Hono<HonoEnv>()

mount(messageRoutes, messageApi, {
  lists: listMessages,
  info: openMessage,
  updateMessage: readMessages,
  deleteMessage: deleteMessages,
})
