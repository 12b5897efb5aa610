import { type Violation, violation } from '#contract/kernel/result.ts'

/** Attempts in a window: how many, this one counted, and when it ends. */
export type Attempts = readonly [count: number, windowEnd: number]

export interface Counter {
  readonly attempts: Attempts | undefined
  /** Attempts it allows in a window. */
  readonly limit: number
}

/** Refuses before any hashing, so that guessing costs us nothing. The longest window counts; each ends by itself. */
export function checkAttempts(
  counters: readonly Counter[],
  now: number,
  paused: 'LOGIN_PAUSED' | 'PASSWORD_PAUSED' | 'LOGIN_PASSWORD_PAUSED' | 'TOTP_PAUSED' = 'LOGIN_PAUSED',
): Violation | null {
  const ends = counters.flatMap(({ attempts, limit }) => (attempts && attempts[0] > limit ? [attempts[1]] : []))
  if (ends.length === 0) return null
  const seconds = Math.max(1, Math.ceil((Math.max(...ends) - now) / 1000))
  return violation(paused, { minutes: Math.ceil(seconds / 60), retry_after: seconds })
}
