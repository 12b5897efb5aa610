import { DAY_MS } from '#contract/kernel/time.ts'

/** Limits of alert contacts. All are ours except `authorizationDays` and `resendSeconds`. */
export const CONTACT = {
  max: 50, // of one account
  nameMax: 24,
  authorizationDays: 180, // account 9
  warningDays: [30, 7, 1], // days before the end of an authorization
  linkHours: 48,
  resendSeconds: 60, // account 9
  mails: { limit: 5, windowMs: DAY_MS }, // verification mails of one contact, and to one address
  addressMails: { limit: 10, windowMs: DAY_MS }, // of all accounts to one address
  accountMails: { limit: 50, windowMs: DAY_MS },
  pendingMs: 60_000, // time after which a mail without a result counts as failed
} as const
