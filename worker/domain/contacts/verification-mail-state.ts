import { CONTACT } from '#contract/contacts/limits.ts'

/** The last verification mail of a contact. */
export interface VerificationMailState {
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
