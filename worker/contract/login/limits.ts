/* Limits of sessions and sign-ins, of the second factor and its tickets. */

export const SESSION = {
  accessMinutes: 30,
  refreshDays: 7,
  lifeDays: 30, // ours: from sign-in, for any number of refreshes
  refreshGraceMs: 10_000, // validity of sibling tokens, which tabs that refresh at once hold, after the first use of one
  tokenLinkMinutes: 60, // account 4
  ticketSeconds: 30,
  provedMinutes: 10, // ours: from the identity step, for one change
} as const

/** Cookie beside the refresh token's, which only sign-in calls get: it says on every path that there is a session. */
export const SIGNED_IN_COOKIE = 'netloom_signed_in'

/** Life and number of the known devices and places of a person. */
export const SIGN_IN_ORIGINS = { days: 180, max: 50 } as const

/** Limits of failed sign-ins at one account before a pause: from one address, and from one /48 of IPv6. */
export const LOGIN_GUARD = { failures: 5, failuresPerWideBlock: 20, pauseMinutes: 15 } as const

/** Second factor (RFC 6238), all ours. A code is valid in its own half minute, the one before and the one after. */
export const TOTP = {
  digits: 6,
  periodSeconds: 30,
  window: 1,
  secretBytes: 20,
  setupMinutes: 15,
  recoveryCodes: 10,
  recoveryLength: 10,
} as const

/** Limit of wrong authenticator codes of one person before a pause: at most 240 of a million codes per day. */
export const TOTP_GUARD = { failures: 10, pauseMinutes: 60 } as const

/** Minutes and tries after the password. Enrolling has more time, for the installation of an authenticator. */
export const LOGIN_TICKET = { minutes: { verify: 5, enrol: 15 }, tries: 5 } as const
