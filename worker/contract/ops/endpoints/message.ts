import * as z from 'zod'
import { write } from '#contract/kernel/endpoint.ts'
import { codeString, displayText, prose, username, wireBoolean } from '#contract/kernel/fields.ts'
import { MESSAGE } from '#contract/message/limits.ts'

/** Operator's endpoint of site messages. */
export const messageOps = {
  sendMessage: write('message/send', 'operator:support', {
    summary: 'Site message to one account, or with all 1 to every enabled one (scope admin)',
    accessOf: ({ all }) => (all === 1 ? ['operator:admin'] : ['operator:support']),
    input: z
      .object({
        account: username.optional(),
        all: wireBoolean.default(0),
        title: displayText.min(1).max(MESSAGE.titleMax),
        content: prose.min(1).max(10_000),
        type: z.enum(MESSAGE.types).default('系统'),
        /** Network of the message, if it goes to one account. */
        network_number: codeString().max(32).default(''),
        router_name: codeString().max(64).default(''),
      })
      .refine(({ account, all }) => (account === undefined) === (all === 1), {
        path: ['account'],
        message: '请选择一个账号，或选择发送给全部账号',
      })
      .refine(({ all, network_number, router_name }) => all === 0 || network_number + router_name === '', {
        path: ['all'],
        message: '发送给全部账号的消息不能关联组网或成员',
      }),
    output: z.object({ count: z.int(), message_id: z.int().nullable() }), // null: to more than one account
    done: 'sent',
    example: { account: 'company01', title: '续费提醒', content: '服务即将到期。' },
  }),
} as const
