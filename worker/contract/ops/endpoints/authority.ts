import * as z from 'zod'
import { write } from '#contract/kernel/endpoint.ts'
import { accountTarget } from './account.ts'

/** Operator's endpoint of certificate authorities. */
export const authorityOps = {
  reissueAuthority: write('authority/reissue', 'operator:admin', {
    summary:
      'Give an account a new certificate authority, after its database was restored: certificates that it does not know end',
    input: accountTarget,
    output: z.object({ certificates: z.int(), queued: z.int() }), // ended ones, and routers that read their rows again
    done: 'submitted',
    example: { account: 'company01' },
  }),
} as const
