import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { numeric, time, wireBoolean } from '#contract/kernel/fields.ts'
import { BATCH_MAX } from '#contract/kernel/limits.ts'
import { capped, list } from '#contract/kernel/list.ts'
import type { BatchCounts } from '#contract/kernel/result.ts'
import { MESSAGE } from './limits.ts'

/* Endpoints of site messages. */

export const MESSAGE_REQUIRED = '请选择消息标题'
const messageId = numeric(z.int().positive())

const row = z.object({
  message_id: z.int(),
  title: z.string(),
  create_time: time,
  type: z.enum(MESSAGE.types),
  status: wireBoolean, // 1: the caller has read it
  network_number: z.string(), // '' without a network, or for a deleted one
  network_name: z.string(),
  router_name: z.string(),
  router_note: z.string(),
  ticket_number: z.string(), // of a support ticket
})

/** Selected messages: by ids, or all up to the newest one that the caller saw. */
const chosen = z
  .object({
    message_id: z.array(messageId).max(BATCH_MAX).default([]),
    type: z.literal('all').optional(),
    newest: numeric(z.int().nonnegative()).optional(),
  })
  .refine(({ message_id, type }) => type === 'all' || message_id.length > 0, {
    path: ['message_id'],
    message: MESSAGE_REQUIRED,
  })

/** Messages that the call changed, and chosen ones that the caller does not see (any more). */
const marked = z.object({ done: z.int(), left: z.int() })
const messageCounts = (counts: z.output<typeof marked>): BatchCounts => ({ ...counts, noun: '消息' })

export const messageApi = {
  lists: read('message/lists', 'session', {
    reads: 'near',
    summary:
      'The caller’s messages, newest first; `total`, `unread` and `newest` are those of all types. `count` stops at 10,000, where `capped` is 1; `total` at 10,001',
    ...list({
      row,
      filters: {
        type: z.union([z.enum(MESSAGE.types), z.literal('')]).default(''),
        unread: numeric(wireBoolean).default(0), // 1: only those
      },
      counts: { capped, total: z.int(), unread: z.int(), newest: z.int() },
    }),
  }),
  info: read('message/info', 'session', {
    reads: 'near',
    summary: 'One message; the caller has read it then',
    input: z.object({ message_id: messageId }),
    output: row.extend({ content: z.string() }),
    example: { message_id: 1 },
  }),
  updateMessage: write('message/update_message', 'session', {
    summary: 'Mark messages as read, for the caller alone',
    input: chosen,
    output: marked,
    done: 'set',
    counts: messageCounts,
    refreshes: ['message/lists', 'message/info'],
    example: { message_id: [1] },
  }),
  deleteMessage: write('message/delete_message', 'session', {
    summary: 'Delete messages, for the caller alone',
    input: chosen,
    output: marked,
    done: 'deleted',
    counts: messageCounts,
    refreshes: ['message/lists'],
    example: { message_id: [1] },
  }),
} as const
