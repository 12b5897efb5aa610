import { write } from '#contract/kernel/endpoint.ts'
import { email, sentTime } from '#contract/kernel/fields.ts'
import { accountTarget } from './account.ts'

/** Operator's endpoint of alert contacts. */
export const contactOps = {
  setContactExpiry: write('contact/expiry', 'operator:support', {
    summary: 'Set when the authorization of a verified contact ends; in the past where its recipient complains',
    input: accountTarget.extend({ email, expired_time: sentTime }),
    done: 'set',
    example: { account: 'company01', email: 'zhang@b.cn', expired_time: 1_800_000_000_000 },
  }),
} as const
