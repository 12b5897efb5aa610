export const SESSION = {
  accessMinutes: 30,
  refreshDays: 7,
  lifeDays: 30, // ours: from sign-in, however often it is refreshed
  refreshGraceMs: 10_000, // tabs that refreshed at once hold sibling tokens: so long after the first use of one the others stay good
  tokenLinkMinutes: 60, // account 4
  ticketSeconds: 30,
  provedMinutes: 10, // ours: from the identity step, for one change
} as const

/** Devices and places of sign-ins are known for so long, and so many of a person. */
export const SIGN_IN_ORIGINS = { days: 180, max: 50 } as const

/** Failed sign-ins at one account before a pause: from one address, from one /48 of IPv6. */
export const LOGIN_GUARD = { failures: 5, failuresPerWideBlock: 20, pauseMinutes: 15 } as const

/** Second factor (RFC 6238), all ours: a code is good in its own half minute, the one before and the one after. */
export const TOTP = {
  digits: 6,
  periodSeconds: 30,
  window: 1,
  secretBytes: 20,
  setupMinutes: 15,
  recoveryCodes: 10,
  recoveryLength: 10,
} as const

/** Wrong codes of an authenticator at one person before a pause: at most 240 of a million codes are tried in a day. */
export const TOTP_GUARD = { failures: 10, pauseMinutes: 60 } as const

/** Minutes and tries left after the password; enrolling takes longer: an authenticator may have to be installed. */
export const LOGIN_TICKET = { minutes: { verify: 5, enrol: 15 }, tries: 5 } as const
