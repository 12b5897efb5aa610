import { type Violation, violation } from '#contract/kernel/result.ts'
import { SESSION } from '#contract/login/limits.ts'
import type { User } from '#domain/account/user.ts'

/* Rules of a sign-in: limits of attempts, the second factor, and the rotation of refresh tokens. */

/** Attempts in a window, this one included, and the end of the window. */
export type Attempts = readonly [count: number, windowEnd: number]

export interface Counter {
  readonly attempts: Attempts | undefined
  /** Attempts it allows in a window. */
  readonly limit: number
}

/** Runs before any hashing, so that guessing costs us nothing. The window that ends last counts. */
export function checkAttempts(
  counters: readonly Counter[],
  now: number,
  paused: 'LOGIN_PAUSED' | 'PASSWORD_PAUSED' | 'LOGIN_PASSWORD_PAUSED' | 'TOTP_PAUSED' | 'DIAL_PAUSED' = 'LOGIN_PAUSED',
): Violation | null {
  const ends = counters.flatMap(({ attempts, limit }) => (attempts && attempts[0] > limit ? [attempts[1]] : []))
  if (ends.length === 0) return null
  const seconds = Math.max(1, Math.ceil((Math.max(...ends) - now) / 1000))
  return violation(paused, { minutes: Math.ceil(seconds / 60), retry_after: seconds })
}

type Person = Pick<User, 'ramId' | 'hasTotp' | 'ramTotpRequired'>

/** Step that remains after a correct password or link; null when the sign-in is complete. */
export function secondStep({ ramId, hasTotp, ramTotpRequired }: Person): 'verify' | 'enrol' | null {
  if (hasTotp === 1) return 'verify'
  return ramId !== null && ramTotpRequired === 1 ? 'enrol' : null
}

/** RFC 6238 5.2: a code is accepted once, and no code of an earlier time step after it. `step` is null for a wrong code. */
export const checkTotpStep = (step: number | null, lastStep: number): Violation | null =>
  step === null || step <= lastStep ? violation('TOTP_CODE_WRONG') : null

/** A sub-account keeps the second factor that its account requires. */
export const checkTotpRemoval = ({ ramId, ramTotpRequired }: Omit<Person, 'hasTotp'>): Violation | null =>
  ramId !== null && ramTotpRequired === 1 ? violation('TOTP_MANDATORY') : null

interface Rotation {
  /** Hash of the token shown last, and of the one that it succeeded. */
  readonly refreshHash: string
  readonly refreshParent: string
  readonly rotatedAt: number
}

/**
 * A token is current until one of its successors is used. It may be used twice, because an answer can be lost. A successor
 * in first use is the row's token by now. Its siblings, which other tabs may hold, stay valid for ten seconds. A token used
 * later is a copy.
 */
export function isCurrentToken(
  token: { readonly hash: string; readonly parent: string },
  { refreshHash, refreshParent, rotatedAt }: Rotation,
  now: number,
): boolean {
  if (token.hash === refreshHash) return true
  return token.parent !== '' && token.parent === refreshParent && now - rotatedAt <= SESSION.refreshGraceMs
}
