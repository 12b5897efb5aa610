import * as z from 'zod'
import { read } from '#contract/kernel/endpoint.ts'
import { time, wireBoolean } from '#contract/kernel/fields.ts'
import { CHANNELS } from '#contract/kernel/outside.ts'

/** Operator's endpoint of the mail and SMS providers. */
export const providerOps = {
  providerStatus: read('provider/status', 'operator:read', {
    summary: 'Providers of mail and SMS: last success, last failure in the vendor’s words, whether sending is refused',
    output: z.array(
      z.object({
        channel: z.enum(CHANNELS),
        /** 1: codes are refused with SEND_FAILED until a check or a delivery succeeds. */
        down: wireBoolean,
        last_success: time.nullable(),
        last_failure: time.nullable(),
        failure: z.string(),
        failures: z.int(),
        last_check: time.nullable(),
        /** Gaps in MAIL_SENDERS or SMS_SENDERS: hosts without a sender, and missing optional templates of notices. */
        unset: z.array(z.string()),
      }),
    ),
  }),
} as const
