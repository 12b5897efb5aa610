import { type Violation, violation } from '#contract/kernel/result.ts'

interface Person {
  /** Null for the main account. */
  readonly ramId: number | null
  readonly hasTotp: number
  /** The account requires a second factor of its sub-accounts. */
  readonly ramTotpRequired: number
}

/** Step that remains after a correct password or link; null when the sign-in is complete. */
export function secondStep({ ramId, hasTotp, ramTotpRequired }: Person): 'verify' | 'enrol' | null {
  if (hasTotp === 1) return 'verify'
  return ramId !== null && ramTotpRequired === 1 ? 'enrol' : null
}

/** RFC 6238 5.2: a code is good once, and so is none of an earlier time step. `step` is null for a code of no step. */
export const checkTotpStep = (step: number | null, lastStep: number): Violation | null =>
  step === null || step <= lastStep ? violation('TOTP_CODE_WRONG') : null

/** A sub-account keeps the second factor that its account requires. */
export const checkTotpRemoval = ({ ramId, ramTotpRequired }: Omit<Person, 'hasTotp'>): Violation | null =>
  ramId !== null && ramTotpRequired === 1 ? violation('TOTP_MANDATORY') : null
