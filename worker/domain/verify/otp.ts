import { type Violation, violation } from '../../contract/result.ts'
import { OTP, OTP_LIMITS } from '../../contract/limits.ts'
import type { Session } from '../../contract/session.ts'

/** A look at a code, counted where it was wrong; undefined if there is no valid code. */
export type OtpAttempt = { readonly tries: number; readonly isRight: boolean } | undefined

export function checkOtp(attempt: OtpAttempt): Violation | null {
  if (attempt?.isRight) return null
  return violation(attempt && attempt.tries >= OTP.tries ? 'CODE_SPENT' : 'CODE_WRONG')
}

/** Whose code it is, and by whom it is counted, where somebody is signed in. */
export const personKey = ({ accountId, ramId }: Pick<Session, 'accountId' | 'ramId'>): string =>
  ramId === null ? `main:${accountId}` : `ram:${ramId}`

/** Of each limit that applies, when the send was that fills its window; null while there is room. */
export type SendTimes = readonly (readonly [limit: keyof typeof OTP_LIMITS, filledBy: number | null])[]

/** Why no further code may be sent; the insert (db/otp.ts) asks the same in SQL. */
export function checkSendTimes(times: SendTimes, now: number): Violation | null {
  for (const [limit, filledBy] of times) {
    const waitMs = (filledBy ?? 0) + OTP_LIMITS[limit].windowMs - now
    if (waitMs <= 0) continue
    const retryAfter = Math.ceil(waitMs / 1000)
    if (limit === 'wait') return violation('CODE_TOO_SOON', { retry_after: retryAfter })
    if (limit !== 'address' && limit !== 'wideBlock') return violation('CODE_DAILY')
    return violation('CODE_ADDRESS', { minutes: Math.ceil(retryAfter / 60), retry_after: retryAfter })
  }
  return null
}

/** Text of the OTP mail and of the local outbox. SMS providers fill their own template. */
export function codeMail(code: string): { subject: string; text: string } {
  return {
    subject: '验证码',
    text: `您的验证码是 ${code}，${OTP.minutes} 分钟内有效。请勿告知他人；如非本人操作，请忽略本邮件。`,
  }
}
