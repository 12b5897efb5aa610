import { throwIf } from '#contract/kernel/errors.ts'
import { SESSION } from '#contract/login/limits.ts'
import { OWN_PURPOSE } from '#contract/verify/index.ts'
import { batch } from '#db/batch.ts'
import { consumeOtpIfRight, isConsumed, isOtpRight, recordOtpAttempt } from './sql/codes.ts'
import { proveSession, selectProved } from './sql/session-proof.ts'
import { personKey } from '#domain/account/person.ts'
import { checkOtp } from '#domain/verify/otp.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { targetOf, requireOwnContact } from './service.ts'
import { otpHash } from '#security/one-time.ts'

/**
 * Identity step: the code that went to the account's own contact proves this session. It is used up by that; shown again by
 * the same session, whose answer was lost, it changes nothing.
 */
export async function proveIdentity(ctx: Ctx, sendType: 'phone' | 'email', code: string): Promise<void> {
  const { db, now, env } = ctx
  const session = requireSession(ctx)
  const purpose = OWN_PURPOSE[sendType]
  const target = targetOf(await requireOwnContact(ctx, sendType))
  const key = { purpose, target, owner: personKey(session) }
  const typed = await otpHash(env.HMAC_SECRET, purpose, code)
  const { attempts, proved } = await batch(db, {
    attempts: recordOtpAttempt(db, key, typed, now),
    proof: proveSession(db, session, now + SESSION.provedMinutes * 60_000, isOtpRight(key, typed, now)),
    consumed: consumeOtpIfRight(db, key, typed, now),
    proved: selectProved(db, session, now, isConsumed(key, typed, now)),
  })
  if (!proved[0]) throwIf(checkOtp(attempts[0]))
}
