import { BerError } from '#outside/tls/ber-reader.ts'
import { failDirectory } from '#outside/tls/failure.ts'

/** Runs `read`; what it finds malformed is no LDAP. */
export function orNotLdap<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof BerError) return failDirectory('not_ldap', {}, error.message)
    throw error
  }
}
