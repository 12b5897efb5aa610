import { type Violation, violation } from '../../contract/errors.ts'
import { OTP, OTP_DAILY } from '../../contract/limits.ts'

/** A counted attempt at a code; undefined if there is no valid code. */
export type OtpAttempt = { readonly tries: number } | undefined

export function checkOtp(attempt: OtpAttempt, isRight: boolean): Violation | null {
  if (attempt && isRight) return null
  return violation(attempt && attempt.tries >= OTP.tries ? 'CODE_SPENT' : 'CODE_WRONG')
}

/** When the last code went to a target, and how many went within a day to it, from the account and from the address. */
export type SendCounts = readonly [lastAt: number | null, toTarget: number, fromAccount: number, fromAddress: number]

/** Why no further code may be sent; the insert (db/otp.ts) asks the same in SQL. */
export function checkSendCounts(
  [lastAt, toTarget, fromAccount, fromAddress]: SendCounts,
  now: number,
): Violation | null {
  const waitMs = (lastAt ?? 0) + OTP.resendSeconds * 1000 - now
  if (waitMs > 0) return violation('CODE_TOO_SOON', { retry_after: Math.ceil(waitMs / 1000) })
  const isFull = toTarget >= OTP_DAILY.target || fromAccount >= OTP_DAILY.account || fromAddress >= OTP_DAILY.address
  return isFull ? violation('CODE_DAILY') : null
}

/** Text of the OTP mail and of the local outbox. SMS providers fill their own template. */
export function codeMail(code: string): { subject: string; text: string } {
  return {
    subject: '验证码',
    text: `您的验证码是 ${code}，${OTP.minutes} 分钟内有效。请勿告知他人；如非本人操作，请忽略本邮件。`,
  }
}
