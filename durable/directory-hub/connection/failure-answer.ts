import type { Answer } from '#contract/ldap/hub.ts'
import { type ErrorKey, Refusal } from '#contract/kernel/errors.ts'
import type { LdapMode } from '#contract/ldap/limits.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { minuteText } from '#contract/kernel/time.ts'
import { DirectoryError, type DirectoryFailure } from '#outside/tls/failure.ts'

/* Answers of the directory hub to the Worker: failures of a directory and refusals of a rule become violations. */

export const refused = (key: ErrorKey, params: Violation['params'] = {}): { readonly refused: Violation } => ({
  refused: violation(key, params),
})

/** Errors of a directory and of a rule become values: an error loses its fields on its way to the Worker. */
export async function toAnswer<T>(mode: LdapMode, work: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { refused: null, answer: await work() }
  } catch (error) {
    return { refused: findViolation(error, mode) }
  }
}

/** Violation of a directory's failure or of a refusal; throws any other error. */
export function findViolation(error: unknown, mode: LdapMode): Violation {
  if (error instanceof DirectoryError) return toViolation(error, mode)
  if (error instanceof Refusal) return error.violation
  throw error
}

/** Failures with the same text in public mode, so that the check is no port scanner. */
const ALIKE: readonly DirectoryFailure[] = ['refused', 'name_unknown', 'timeout']

export function toViolation({ reason, params }: DirectoryError, mode: LdapMode): Violation {
  const shown = mode === 'public' && ALIKE.includes(reason) ? 'unreachable' : reason
  const times = Object.entries(params).map(([name, value]) => [
    name,
    (name === 'until' || name === 'from') && typeof value === 'number' ? minuteText(value) : value,
  ])
  return violation(
    `LDAP_${shown.toUpperCase() as Uppercase<typeof shown>}`,
    Object.fromEntries(times) as Violation['params'],
  )
}
