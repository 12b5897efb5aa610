import type { MiddlewareHandler } from 'hono'
import { refuse } from '#contract/kernel/errors.ts'
import { OPERATOR_GUARD } from '#contract/ops/limits.ts'
import { batch } from '#db/batch.ts'
import { isBelow, pauseStatement, recordAttempt, selectAttempts } from '#db/rate-limit.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { timingSafeEqual } from '#security/secrets.ts'

/* Middleware of the operator's endpoints: checks the operator token, and pauses addresses after wrong ones. */

const PAUSE_MS = OPERATOR_GUARD.pauseMinutes * 60_000
const keyOf = ({ ipBlock }: Ctx): string => `operator:${ipBlock}`

/**
 * Compares the token in constant time. Without a configured token every call is refused. A pause refuses the right token
 * too; the call's first round trip checks it.
 */
export const operatorOnly: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const ctx = c.get('ctx')
  const token = c.env.OPERATOR_TOKEN ?? ''
  const shown = c.req.header('authorization')
  if (token.length < 16 || shown === undefined || !timingSafeEqual(shown, `Bearer ${token}`)) {
    return refuseToken(ctx, shown !== undefined)
  }
  c.set('entryCheck', pauseStatement(keyOf(ctx), OPERATOR_GUARD.failures, PAUSE_MS, ctx.now))
  return next()
}

async function refuseToken(ctx: Ctx, isShown: boolean): Promise<never> {
  if (!isShown) return refuse('TOKEN_BAD')
  const { db, now } = ctx
  const key = keyOf(ctx)
  const { failures } = await batch(db, {
    failures: selectAttempts(db, key, now),
    recorded: recordAttempt(db, key, PAUSE_MS, now, isBelow(key, OPERATOR_GUARD.failures, now)),
  })
  const [found] = failures
  if (!found || found.count < OPERATOR_GUARD.failures) return refuse('TOKEN_BAD')
  return refuse('TOO_OFTEN', { retry_after: Math.ceil((found.windowEnd - now) / 1000) })
}
