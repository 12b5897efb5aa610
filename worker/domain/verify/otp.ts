import { type Violation, violation } from '#contract/kernel/result.ts'
import { OTP, OTP_LIMITS } from '#contract/verify/limits.ts'

/* Checks of verification codes: an entered code, and the limits of sending another one. */

/** Result of comparing a code; wrong ones are counted. Undefined if there is no valid code. */
export type OtpAttempt = { readonly tries: number; readonly isRight: boolean } | undefined

export function checkOtp(attempt: OtpAttempt): Violation | null {
  if (attempt?.isRight) return null
  return violation(attempt && attempt.tries >= OTP.tries ? 'CODE_SPENT' : 'CODE_WRONG')
}

/**
 * For each limit that applies, the time of the send that fills its window; null while it is not full. `provider` comes
 * first; its value is now if the provider is known to fail.
 */
export type SendTimes = readonly (readonly [limit: keyof typeof OTP_LIMITS | 'provider', filledBy: number | null])[]

/** Refusal of a further code. The insert (features/verify/sql/codes.ts) checks the same limits in SQL. */
export function checkSendTimes(times: SendTimes, now: number): Violation | null {
  for (const [limit, filledBy] of times) {
    if (limit === 'provider') {
      if (filledBy !== null) return violation('SEND_FAILED')
      continue
    }
    const waitMs = (filledBy ?? 0) + OTP_LIMITS[limit].windowMs - now
    if (waitMs <= 0) continue
    const retryAfter = Math.ceil(waitMs / 1000)
    if (limit === 'wait') return violation('CODE_TOO_SOON', { retry_after: retryAfter })
    if (limit !== 'address' && limit !== 'wideBlock') return violation('CODE_DAILY')
    return violation('CODE_ADDRESS', { minutes: Math.ceil(retryAfter / 60), retry_after: retryAfter })
  }
  return null
}
