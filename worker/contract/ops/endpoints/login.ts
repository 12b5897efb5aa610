import * as z from 'zod'
import { write } from '#contract/kernel/endpoint.ts'
import { time } from '#contract/kernel/fields.ts'
import { accountTarget } from './account.ts'

/** Operator's endpoint of single-use sign-in links. */
export const loginOps = {
  tokenLink: write('login/token_link', 'operator:admin', {
    summary: 'Single-use sign-in link, good for up to an hour',
    input: accountTarget.extend({
      minutes: z.int().min(1).max(60).default(60),
      /** Scheme and host of a console in infra/hosts.json; by default that of the account. */
      origin: z.url().optional(),
    }),
    output: z.object({ url: z.string(), expires_at: time }),
    example: { account: 'company01', minutes: 10 },
  }),
} as const
