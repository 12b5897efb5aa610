import { type Violation, violation } from '../../contract/errors.ts'
import { CODE, CODE_DAILY } from '../../contract/limits.ts'

/** A try of a code, counted; undefined where there is no code to try. */
export type OtpAttempt = { readonly tries: number } | undefined

export function checkOtp(attempt: OtpAttempt, isRight: boolean): Violation | null {
  if (attempt && isRight) return null
  return violation(attempt && attempt.tries >= CODE.tries ? 'CODE_SPENT' : 'CODE_WRONG')
}

/** When the last code went to a target, and how many went within a day to it, from the account and from the address. */
export type SendCounts = readonly [lastAt: number | null, toTarget: number, fromAccount: number, fromAddress: number]

/** Why no further code may be sent; the insert (db/otp.ts) asks the same in SQL. */
export function checkSendCounts(
  [lastAt, toTarget, fromAccount, fromAddress]: SendCounts,
  now: number,
): Violation | null {
  const waitMs = (lastAt ?? 0) + CODE.resendSeconds * 1000 - now
  if (waitMs > 0) return violation('CODE_TOO_SOON', { retry_after: Math.ceil(waitMs / 1000) })
  const isFull = toTarget >= CODE_DAILY.target || fromAccount >= CODE_DAILY.account || fromAddress >= CODE_DAILY.address
  return isFull ? violation('CODE_DAILY') : null
}
