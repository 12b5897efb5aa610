import { type Violation, violation } from '#contract/kernel/result.ts'
import { RAM_ROLE } from '#contract/ram-role/limits.ts'

/** A role that sub-accounts have stays; the refusal names them. */
export function checkUnused(users: readonly string[]): Violation | null {
  if (users.length === 0) return null
  const shown = users.slice(0, RAM_ROLE.namesShown).map((name) => `“${name}”`)
  const rest = users.length - shown.length
  return violation('RAM_ROLE_IN_USE', { names: shown.join('、') + (rest > 0 ? `等${users.length}个` : '') })
}
