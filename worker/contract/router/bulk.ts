import * as z from 'zod'
import { routerName, wireBoolean } from '#contract/kernel/fields.ts'
import { BATCH_MAX } from '#contract/kernel/limits.ts'

/** Members that one bulk call is about. */
export const bulkNames = z
  .array(routerName)
  .min(1, '请至少选择1个成员')
  .max(BATCH_MAX, `一次最多选择${BATCH_MAX}个成员`)

/** Result of each member, in the order of the call; `msg` says why it was not done. */
export const bulkResult = z.object({
  done: z.int(),
  result: z.array(z.object({ router_name: routerName, ok: wireBoolean, msg: z.string() })),
})
