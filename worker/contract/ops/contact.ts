import { endpoint } from '#contract/kernel/endpoint.ts'
import { email, nothing, sentTime } from '#contract/kernel/fields.ts'
import { accountTarget } from './account.ts'

export const contactOps = {
  setContactExpiry: endpoint({
    method: 'POST',
    path: 'contact/expiry',
    access: 'operator',
    summary: 'Set when the authorization of a verified contact ends; in the past where its recipient complains',
    input: accountTarget.extend({ email, expired_time: sentTime }),
    output: nothing,
    done: 'set',
    example: { account: 'company01', email: 'zhang@b.cn', expired_time: 1_800_000_000_000 },
  }),
} as const
