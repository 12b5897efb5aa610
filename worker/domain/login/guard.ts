import { type Violation, violation } from '../../contract/errors.ts'
import { LOGIN_GUARD } from '../../contract/limits.ts'

/** Attempts in a window: how many, this one counted, and when it ends. */
export type Attempts = readonly [count: number, windowEnd: number]

/** Rate limit before any hashing, so that guesses cost no CPU time. Both windows end by themselves. */
export function checkAttempts(byName: Attempts, byAddress: Attempts, now: number): Violation | null {
  const full = [byName[0] > LOGIN_GUARD.failures && byName[1], byAddress[0] > LOGIN_GUARD.perAddress && byAddress[1]]
  const until = Math.max(...full.map(Number))
  if (until === 0) return null
  const seconds = Math.max(1, Math.ceil((until - now) / 1000))
  return violation('LOGIN_PAUSED', { minutes: Math.ceil(seconds / 60), retry_after: seconds })
}
