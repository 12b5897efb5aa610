import { DAY_MS } from '#contract/kernel/time.ts'

/** People whom alerts are mailed to; all ours but `authorizationDays` and `resendSeconds`. */
export const CONTACT = {
  max: 50, // of one account
  nameMax: 24,
  authorizationDays: 180, // account 9
  warningDays: [30, 7, 1], // before its end
  linkHours: 48,
  resendSeconds: 60, // account 9
  mails: { limit: 5, windowMs: DAY_MS }, // verification mails of one contact, and to one address
  accountMails: { limit: 50, windowMs: DAY_MS },
  pendingMs: 60_000, // a mail that is neither sent nor refused by then counts as failed
} as const
