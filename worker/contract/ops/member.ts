import { endpoint } from '#contract/kernel/endpoint.ts'
import { confirmed, nothing, routerName } from '#contract/kernel/fields.ts'
import { accountTarget } from './account.ts'

const member = accountTarget.extend({ name: routerName })
const example = { account: 'company01', name: 'NL-R100-0001' }

export const memberOps = {
  disableMember: endpoint({
    method: 'POST',
    path: 'member/disable',
    access: 'operator',
    summary: 'Disable a member of an account; with confirm 1 settings that need it are turned off',
    input: member.extend({ confirm: confirmed }),
    output: nothing,
    done: 'set',
    example,
  }),
  enableMember: endpoint({
    method: 'POST',
    path: 'member/enable',
    access: 'operator',
    summary: 'Enable a member that was disabled',
    input: member,
    output: nothing,
    done: 'set',
    example,
  }),
} as const
