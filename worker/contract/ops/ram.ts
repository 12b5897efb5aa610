import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { password } from '../fields.ts'
import { PERMISSIONS } from '../permissions.ts'
import { accountTarget } from './account-target.ts'

export const ramOps = {
  createRam: endpoint({
    method: 'POST',
    path: 'ram/create',
    access: 'operator',
    summary: 'Create a sub-account with a role of its own',
    input: accountTarget.extend({
      username: z
        .string()
        .trim()
        .min(1)
        .max(18)
        .regex(/^[a-zA-Z0-9_.]+$/),
      nickname: z.string().trim().min(1).max(24),
      password,
      role: z.string().trim().min(1).max(32),
      flags: z.array(z.enum(PERMISSIONS)),
      networks: z.array(z.string()).nullable().default(null),
    }),
    output: z.object({ ram_id: z.int(), login_name: z.string() }),
    example: {
      account: 'company01',
      username: 'ops',
      nickname: '运维',
      password: 'Weilai26',
      role: '运维',
      flags: ['router:edit'],
    },
  }),
} as const
