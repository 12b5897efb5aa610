import { write } from '#contract/kernel/endpoint.ts'
import { confirmed, routerName } from '#contract/kernel/fields.ts'
import { accountTarget } from './account.ts'

/* Operator's endpoints of members. */

const member = accountTarget.extend({ name: routerName })
const example = { account: 'company01', name: 'NL-R100-0001' }

export const memberOps = {
  disableMember: write('member/disable', 'operator:support', {
    summary: 'Disable a member of an account; with confirm 1 settings that need it are turned off',
    input: member.extend({ confirm: confirmed }),
    done: 'set',
    example,
  }),
  enableMember: write('member/enable', 'operator:support', {
    summary: 'Enable a member that was disabled',
    input: member,
    done: 'set',
    example,
  }),
} as const
