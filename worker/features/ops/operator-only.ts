import type { MiddlewareHandler } from 'hono'
import { refuse } from '#contract/kernel/errors.ts'
import { OPERATOR_GUARD } from '#contract/ops/limits.ts'
import { type AddressGuard, countWrong, pauseStatements } from '#db/wrong-attempts.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { findOperator } from '#security/operator-tokens.ts'

/* Middleware of the operator's endpoints: finds the holder of the token, and pauses addresses after wrong ones. */

const GUARD: AddressGuard = { name: 'operator', ...OPERATOR_GUARD }

/** A pause refuses the right token too; the call's first round trip checks it. */
export const operatorOnly: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const ctx = c.get('ctx')
  const shown = c.req.header('authorization')
  const token = /^Bearer (.+)$/.exec(shown ?? '')?.[1]
  const operator = token === undefined ? null : await findOperator(c.env, token)
  if (operator === null) return refuseToken(ctx, shown !== undefined)
  c.set('entryChecks', pauseStatements(GUARD, ctx, ctx.now))
  c.set('ctx', { ...ctx, operator })
  return next()
}

async function refuseToken(ctx: Ctx, isShown: boolean): Promise<never> {
  if (!isShown) return refuse('TOKEN_BAD')
  const retry_after = await countWrong(ctx.db, GUARD, ctx, ctx.now)
  return retry_after > 0 ? refuse('TOO_OFTEN', { retry_after }) : refuse('TOKEN_BAD')
}
