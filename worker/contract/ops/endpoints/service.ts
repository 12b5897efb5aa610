import * as z from 'zod'
import { write } from '#contract/kernel/endpoint.ts'
import { displayText, sentTime } from '#contract/kernel/fields.ts'
import { SERVICE_KINDS, SERVICE_QUANTITY_MAX } from '#contract/account/services.ts'
import { accountTarget } from './account.ts'

/** Operator's endpoint of services that accounts buy. */
export const serviceOps = {
  setService: write('service/set', 'operator:admin', {
    summary: 'Give an account a service with quantity and term',
    input: accountTarget.extend({
      kind: z.enum(SERVICE_KINDS),
      name: displayText.min(1).max(64),
      quantity: z.int().nonnegative().max(SERVICE_QUANTITY_MAX),
      start_time: sentTime,
      expired_time: sentTime,
    }),
    output: z.object({ service_id: z.int() }),
    done: 'set',
    example: {
      account: 'company01',
      kind: 'network_member',
      name: '标准服务',
      quantity: 10,
      start_time: 1_767_225_600_000,
      expired_time: 1_798_761_600_000,
    },
  }),
} as const
