import * as z from 'zod'
import { write } from '#contract/kernel/endpoint.ts'
import { codeString, displayText, password } from '#contract/kernel/fields.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { RAM_ROLE } from '#contract/ram-role/limits.ts'
import { ramUsername } from '#contract/ram/index.ts'
import { accountTarget } from './account.ts'

/* Operator's endpoints of sub-accounts and their roles. */

const role = displayText.min(1).max(RAM_ROLE.nameMax)
/** Network numbers of a limited role; null for all. */
const networks = z.array(codeString()).nullable()

export const ramOps = {
  createRam: write('ram/create', 'operator:admin', {
    summary: 'Create a sub-account with a role of its own',
    input: accountTarget.extend({
      username: ramUsername,
      nickname: displayText.min(1).max(24),
      password,
      role,
      flags: z.array(z.enum(PERMISSIONS)),
      networks: networks.default(null),
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
  editRole: write('ram/role', 'operator:admin', {
    summary: 'Change the rights of a role at once, open pages included; what is left out stays',
    input: accountTarget.extend({
      role,
      flags: z.array(z.enum(PERMISSIONS)).optional(),
      networks: networks.optional(),
    }),
    done: 'changed',
    example: { account: 'company01', role: '运维', flags: ['router:edit'], networks: ['N20260001'] },
  }),
} as const
