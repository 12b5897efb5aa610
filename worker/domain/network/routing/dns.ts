import { type Violation, violation } from '#contract/kernel/result.ts'

/** Entries fit what the account has bought; a list that is still too long after that dropped may only get shorter. */
export function checkDns(next: readonly string[], before: readonly string[], quantity: number): Violation | null {
  const isShorter = next.length < before.length
  return next.length <= quantity || isShorter ? null : violation('DNS_LIMIT_REACHED', { limit: quantity })
}
