import { CONTACT } from '#contract/contacts/limits.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* A contact's authorization (授权), the right to send mail to it: its term, warnings, and the mail that verifies it. */

const AUTHORIZATION_MS = CONTACT.authorizationDays * DAY_MS

/** The right to write to an address: from its verification or renewal to its end. Both null while it is not verified. */
export interface Authorization {
  readonly verifiedAt: number | null
  readonly expiresAt: number | null
}

export const isVerified = ({ verifiedAt }: Authorization): boolean => verifiedAt !== null

export const isExpired = ({ expiresAt }: Authorization, now: number): boolean => expiresAt !== null && expiresAt <= now

/** Reason to send nothing, from the end of the contact's authorization (null: not verified); '' when sending is allowed. */
export function unsentWords(expiresAt: number | null | undefined, now: number): string {
  if (expiresAt === undefined || (expiresAt !== null && expiresAt > now)) return ''
  return expiresAt === null ? '联系人邮箱未验证' : '联系人授权已过期'
}

/** Columns of an authorization that begins at `verifiedAt`. */
export function authorizeAt(verifiedAt: number) {
  const expiresAt = verifiedAt + AUTHORIZATION_MS
  return { verifiedAt, expiresAt, warnAt: expiresAt - CONTACT.warningDays[0] * DAY_MS }
}

export const authorizeUntil = (expiresAt: number) => authorizeAt(expiresAt - AUTHORIZATION_MS)

export const UNVERIFIED = { verifiedAt: null, expiresAt: null, warnAt: null } as const

/** The due warning; after a late run, only the last missed one. */
export interface DueWarning {
  /** Announced number of days; at most so many are left. */
  readonly days: number
  readonly nextAt: number | null
}

export function dueWarning(expiresAt: number, now: number): DueWarning {
  const reached = CONTACT.warningDays.filter((days) => expiresAt - days * DAY_MS <= now)
  const next = CONTACT.warningDays.find((days) => expiresAt - days * DAY_MS > now)
  return {
    days: reached.at(-1) ?? CONTACT.warningDays[0],
    nextAt: next === undefined ? null : expiresAt - next * DAY_MS,
  }
}

interface VerificationMailState {
  readonly mailState: 'pending' | 'sent' | 'failed'
  readonly mailAt: number
}

/** Wire fields of the mail's state. A pending mail counts as failed after `pendingMs`: its Worker was cut off. */
export function verificationMailView({ mailState, mailAt }: VerificationMailState, now: number) {
  const isLate = now - mailAt >= CONTACT.pendingMs
  const isFailed = mailState === 'failed' || (mailState === 'pending' && isLate)
  const waitMs = isFailed ? 0 : mailAt + CONTACT.resendSeconds * 1000 - now
  return {
    mail_pending: mailState === 'pending' && !isLate ? 1 : 0,
    mail_error: isFailed ? 'SEND_FAILED' : '',
    resend_after: Math.max(0, Math.ceil(waitMs / 1000)),
  } as const
}
