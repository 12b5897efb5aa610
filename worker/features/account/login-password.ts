import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import type { Violation } from '#contract/kernel/result.ts'
import type { Session } from '#contract/kernel/session.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { undoAttempt } from '#db/rate-limit.ts'
import { personKey } from '#domain/account/person.ts'
import { type Attempts, checkAttempts } from '#domain/login/guard.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { signedInClient } from '#http/hash-client.ts'

export const PASSWORD_PAUSE_MS = LOGIN_GUARD.pauseMinutes * 60_000
/** Key of the guesses at the caller's own password. */
export const passwordKey = (session: Pick<Session, 'accountId' | 'ramId'>): string => `password:${personKey(session)}`

/** The caller's own password, in the field `password`. A guess is counted before the password is looked at. */
export async function checkLoginPassword(
  ctx: Ctx,
  stored: string,
  password: string,
  attempts: Attempts | undefined,
): Promise<void> {
  throwIf(checkAttempts([{ attempts, limit: LOGIN_GUARD.failures }], ctx.now, 'LOGIN_PASSWORD_PAUSED'))
  const check = { password, stored }
  const { isRight } = await ctx.passwords.run(signedInClient(ctx), { check }).catch(async (error: unknown) => {
    await undoAttempt(ctx.db, passwordKey(requireSession(ctx))) // nothing was looked at
    throw error
  })
  if (!isRight) refuse('LOGIN_PASSWORD_WRONG')
}

/** A refusal before the password is looked at: the try that was recorded does not count. */
export async function refuseUncounted(ctx: Ctx, refused: Violation, recorded: Attempts | undefined): Promise<never> {
  if (recorded) await undoAttempt(ctx.db, passwordKey(requireSession(ctx)))
  throw new Refusal(refused)
}
