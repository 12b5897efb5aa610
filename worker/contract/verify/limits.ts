import { DAY_MS, HOUR_MS } from '#contract/kernel/time.ts'

/* Limits of captchas, one-time codes and proofs of work. */

export const CAPTCHA = { length: 4, minutes: 5, perAddressPerMinute: 30, perWideBlockPerMinute: 120 } as const // account 5

/** Values of the variable CAPTCHA_MODE. */
export const CAPTCHA_MODES = ['picture', 'work'] as const

export const OTP = { length: 6, minutes: 10, tries: 5, resendSeconds: 59 } as const // account 4, 9

/** Limits of sent codes, for each purpose separately. They are stricter than those of any SMS vendor. */
export const OTP_LIMITS = {
  wait: { max: 1, windowMs: OTP.resendSeconds * 1000 }, // to one target; if signed in, from one person
  target: { max: 10, windowMs: DAY_MS }, // from all visitors, or from an account with its sub-accounts
  share: { max: 5, windowMs: DAY_MS }, // to one target from one sender, who cannot exhaust the target alone
  main: { max: 30, windowMs: DAY_MS }, // to all targets from one person
  ram: { max: 10, windowMs: DAY_MS },
  address: { max: 30, windowMs: HOUR_MS }, // anonymous: an IPv4 address, of IPv6 the /64
  wideBlock: { max: 60, windowMs: HOUR_MS }, // the same for the /48
} as const

/**
 * Failures after which each further call with a captcha requires proof of work: of an address and of a /48 at any form, and
 * at an account from any address.
 */
export const FAILURE_WORK = {
  perAddress: 50,
  perWideBlock: 200,
  addressMinutes: 15,
  perAccount: 20,
  accountHours: 24,
} as const

/** Leading zero bits of a proof of work: 18 take a browser less than a second, 22 a few seconds. */
export const PROOF = { bitsMin: 18, bitsMax: 22 } as const
