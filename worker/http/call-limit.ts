import { refuse } from '#contract/kernel/errors.ts'
import { CALL_LIMIT, type LimitedCall } from '#contract/kernel/limits.ts'
import type { Ctx } from './context.ts'
import { faultText, log } from './log.ts'

/* Limits of the platform (rate-limit bindings), which refuse calls before the database is asked. */

const toBinding = (call: LimitedCall) => `LIMIT_${call.toUpperCase() as Uppercase<LimitedCall>}` as const

/** Counts a call under its key. Null where no limit is bound, or the platform fails: a limit that is away shuts nobody out. */
export async function countCall(env: Env, call: LimitedCall, key: string): Promise<boolean | null> {
  try {
    return (await env[toBinding(call)]?.limit({ key: `${call}:${key}` }))?.success ?? null
  } catch (error) {
    log('error', 'call_limit', { call, error: faultText(error) })
    return null
  }
}

/**
 * Refuses a call beyond the limit of its key, by default the address block.
 *
 * @returns true if the platform has counted the call; false where it has no limits.
 */
export async function requireWithinLimit(ctx: Ctx, call: LimitedCall, key?: string): Promise<boolean> {
  const isWithin = await ctx.countCall(call, key)
  return isWithin === false ? refuse('ADDRESS_BUSY', { retry_after: CALL_LIMIT.retryAfterS }) : isWithin !== null
}
