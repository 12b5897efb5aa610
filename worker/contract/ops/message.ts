import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { accountTarget } from './account-target.ts'

export const messageOps = {
  sendMessage: endpoint({
    method: 'POST',
    path: 'message/send',
    access: 'operator',
    summary: 'Site message to one account',
    input: accountTarget.extend({
      title: z.string().trim().min(1).max(80),
      content: z.string().trim().min(1).max(10_000),
      type: z.string().max(16).default('系统'),
    }),
    output: z.object({ message_id: z.int() }),
    done: 'sent',
    example: { account: 'company01', title: '续费提醒', content: '服务即将到期。' },
  }),
} as const
