import type { Condition } from '#db/guard.ts'
import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { type Statements, batch } from '#db/batch.ts'
import { guardWork, selectFailures } from '#features/verify/sql/failures.ts'
import { guard, parseGuardFailure } from '#db/guard.ts'
import { isWithinLimit, recordAttempt } from '#db/rate-limit.ts'
import { provenBits } from '#domain/verify/proof-of-work.ts'
import { allowedFailures, requiredBits } from '#domain/verify/required-work.ts'
import { readChallenge } from '#security/challenge.ts'
import { workDigest } from '#security/one-time.ts'
import { sha256 } from '#security/secrets.ts'
import type { Ctx } from './context.ts'
import { CAPTCHA } from '#contract/verify/limits.ts'

interface Spent {
  readonly uniqid: string
  /** Of the work done for the captcha (contract/kernel/fields.ts). */
  readonly nonce?: string | undefined
}

/** Whose failures count besides those of the address, and where the refusal shows if not at `code`. */
interface Counted {
  readonly account: Condition | string
  readonly field?: string
}

/**
 * The batch of a call that spends a captcha. Where repeated failures ask for more work than was done, none of it happens:
 * the refusal says how much is asked, and the captcha stays good.
 */
export async function batchWithWork<const S extends Statements>(
  ctx: Ctx,
  { uniqid, nonce }: Spent,
  counted: Counted,
  statements: S,
) {
  const bits = nonce === undefined ? 0 : provenBits(await workDigest(uniqid, nonce))
  return batchWithBits(ctx, bits, counted, statements)
}

interface Solved {
  readonly challenge?: string | undefined
  readonly nonce?: string | undefined
}

/** The work that was done for a challenge of this purpose, and the statements by which it is good once. 0 bits: none. */
export async function consumeChallenge({ db, env, now }: Ctx, { challenge = '', nonce = '' }: Solved, purpose: string) {
  const found = challenge === '' ? null : await readChallenge(env.HMAC_SECRET, challenge, now)
  const bits = found?.purpose === purpose ? provenBits(await sha256(`${challenge}.${nonce}`)) : 0
  const used = `proof:${found?.id}`
  const isSpent = bits > 0
  return {
    bits,
    statements: {
      used: isSpent && recordAttempt(db, used, CAPTCHA.minutes * 60_000, now),
      once: isSpent && guard(db, isWithinLimit(used, 1), violation('CHALLENGE_WRONG')),
    },
  }
}

/** The batch of a sign-in without a captcha: work is done for a challenge. */
export async function batchWithChallenge<const S extends Statements>(
  ctx: Ctx,
  solved: Solved,
  { purpose, ...counted }: Counted & { readonly purpose: string },
  statements: S,
) {
  const { bits, statements: spent } = await consumeChallenge(ctx, solved, purpose)
  return batchWithBits(ctx, bits, counted, { ...spent, ...statements })
}

async function batchWithBits<const S extends Statements>(
  ctx: Ctx,
  bits: number,
  { account, field }: Counted,
  statements: S,
) {
  const work = guardWork(ctx.db, account, ctx, allowedFailures(bits), ctx.now)
  try {
    return await batch(ctx.db, { work, ...statements })
  } catch (error) {
    const found = parseGuardFailure(error)
    if (!(found instanceof Refusal) || found.violation.key !== 'WORK_REQUIRED') throw found
    const { failures } = await batch(ctx.db, { failures: selectFailures(ctx.db, ctx, ctx.now, account) })
    const [address, wideBlock, atAccount] = failures[0] ?? [0, 0, 0]
    return refuse('WORK_REQUIRED', { difficulty: requiredBits({ address, wideBlock, account: atAccount }) }, field)
  }
}
