import * as z from 'zod'
import { write } from '#contract/kernel/endpoint.ts'
import { codeString, lengthText, displayText, sentTime } from '#contract/kernel/fields.ts'
import { SAAS } from '#contract/saas/limits.ts'

/* Operator's endpoints of SaaS devices. */

const serial = codeString().min(1).max(64)
/** Sold bandwidth in Mbit/s; 0 is off. */
const soldBandwidth = z.int().min(0).max(SAAS.bandwidthMax)

export const saasOps = {
  saasSet: write('saas/set', 'operator:admin', {
    summary: 'Sell a claimed device as a SaaS device, or change what was sold; without a pool it is in none',
    input: z.object({
      serial,
      group: displayText.max(SAAS.groupMax, lengthText('分组', SAAS.groupMax)).default(''),
      edition: z.enum(['shared', 'standard']),
      bandwidth: soldBandwidth,
      max_bandwidth: z.int().min(1).max(SAAS.bandwidthMax),
      expired_time: sentTime,
      pool: displayText.max(SAAS.poolNameMax).default(''),
      country: z
        .string()
        .regex(/^([A-Z]{2})?$/, '国家或地区为两位字母代码')
        .default(''),
    }),
    done: 'set',
    example: {
      serial: 'NL-R100-0001',
      group: '海外办公',
      edition: 'shared',
      bandwidth: 50,
      max_bandwidth: 100,
      expired_time: 1_800_000_000_000,
    },
  }),
  saasTemporary: write('saas/temporary', 'operator:admin', {
    summary: 'Another bandwidth of a SaaS device for a time; the end is exclusive',
    input: z
      .object({ serial, bandwidth: soldBandwidth, start_time: sentTime, end_time: sentTime })
      .refine(({ start_time, end_time }) => start_time < end_time, {
        path: ['end_time'],
        message: '结束时间必须晚于开始时间',
      }),
    done: 'set',
    example: {
      serial: 'NL-R100-0001',
      bandwidth: 100,
      start_time: 1_790_000_000_000,
      end_time: 1_790_086_400_000,
    },
  }),
} as const
