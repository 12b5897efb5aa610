import * as z from 'zod'
import { write } from '#contract/kernel/endpoint.ts'
import { lengthText, displayText } from '#contract/kernel/fields.ts'
import { SAAS } from '#contract/saas/limits.ts'
import { accountTarget } from './account.ts'

/* Operator's endpoint of bandwidth pools. */

const poolName = displayText.min(1, '请输入带宽池名称').max(SAAS.poolNameMax, lengthText('名称', SAAS.poolNameMax))

export const poolOps = {
  poolSet: write('pool/set', 'operator:admin', {
    summary: 'Create a bandwidth pool of an account, or change its maximum in Mbit/s',
    input: accountTarget.extend({ name: poolName, max: z.int().min(1).max(SAAS.bandwidthMax) }),
    output: z.object({ pool_id: z.int() }),
    done: 'set',
    example: { account: 'demo01', name: '海外加速池', max: 500 },
  }),
} as const
