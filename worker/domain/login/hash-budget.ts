import { HASHING } from '../../contract/limits.ts'

/** How many more passwords may be hashed, as of a moment in epoch milliseconds. */
export interface HashBudget {
  readonly left: number
  readonly at: number
}

export const FULL_BUDGET: HashBudget = { left: HASHING.burst, at: 0 }

/** Takes one hash from the budget, which grows with time; `waitMs` above 0 where there is none to take. */
export function stepHashBudget(budget: HashBudget, now: number): { next: HashBudget; waitMs: number } {
  const grown = (Math.max(0, now - budget.at) / 1000) * HASHING.perSecond
  const left = Math.min(HASHING.burst, budget.left + grown)
  if (left >= 1) return { next: { left: left - 1, at: now }, waitMs: 0 }
  return { next: { left, at: now }, waitMs: ((1 - left) / HASHING.perSecond) * 1000 }
}
