import { randomUUID } from 'node:crypto'
import type { DirectoryRefusal, DirectorySignIn, DirectorySubject } from '#contract/ldap/hub.ts'
import { LDAP_SIGN_IN } from '#contract/ldap/limits.ts'
import type { DirectoryConnection } from '#outside/ldap/directory-connection.ts'
import { withDeadline } from '#outside/ldap/deadline.ts'
import { DirectoryError, type DirectoryFailure } from '#outside/tls/failure.ts'
import { randomHex } from '#security/secrets.ts'
import type { Slots } from '#durable/async.ts'
import { type Connect, toQuery } from './connect.ts'
import type { Owner } from '../database.ts'
import type { DirectoryStorage } from '../storage.ts'

/* Sign-in of a directory user: checks the password with the directory, and limits the tries. */

interface Attempt {
  readonly slots: Slots
  readonly owner: Owner
  /** Password of the account that reads the directory. */
  readonly accountPassword: string
  readonly subject: DirectorySubject
  readonly password: string
}

/**
 * A try counts before the directory is asked, so that tries at once cannot lock the user's own account there. A right
 * password counts nothing, nor does a try that reaches no directory. An unknown name is searched for and bound like the
 * others, so that neither answer nor time tells who was imported. A state of the user is for the log alone.
 */
export async function signIn(
  connect: Connect,
  storage: DirectoryStorage,
  { slots, owner: { values }, accountPassword, subject, password }: Attempt,
): Promise<DirectorySignIn> {
  if (values === null || (values.mode === 'public' && values.security === 'none')) return 'away'
  if (password === '') return 'wrong'
  if (!storage.recordAttempt(subject.key, Date.now())) return 'paused'
  let connection: DirectoryConnection | null = null
  let isLate = false
  const work = async (): Promise<Bound> => {
    if (isLate) return 'wrong'
    try {
      connection = await connect(values, accountPassword)
      if (isLate) return 'wrong'
      const entry = await connection.findEntry(toQuery(values), subject.directoryId ?? randomUUID())
      const isKnown = entry !== null && !entry.isDisabled
      const [dn, secret] = isKnown ? [entry.dn, password] : [`cn=${randomHex(16)},${values.baseDn}`, randomHex(16)]
      const bound = await bind(connection, dn, secret)
      if (isKnown) return bound
      return subject.directoryId === null ? 'wrong' : entry === null ? 'gone' : 'disabled'
    } finally {
      connection?.close()
    }
  }
  const giveUp = () => {
    isLate = true
    connection?.close()
  }
  try {
    const bound = await withDeadline(LDAP_SIGN_IN.answerMs, slots.run(work), giveUp)
    if (bound === 'right') storage.forgetTries(subject.key)
    return bound
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    storage.giveBackTry(subject.key)
    return 'away'
  }
}

type Bound = 'right' | 'wrong' | DirectoryRefusal

const REFUSALS: Readonly<Partial<Record<DirectoryFailure, DirectoryRefusal>>> = {
  bind_disabled: 'disabled',
  bind_locked: 'locked',
  bind_expired_account: 'expired',
  bind_expired_password: 'password_expired',
  bind_restricted: 'restricted',
}

async function bind(connection: DirectoryConnection, dn: string, password: string): Promise<Bound> {
  try {
    return (await connection.bindAs(dn, password)) ? 'right' : 'wrong'
  } catch (error) {
    if (error instanceof DirectoryError && error.reason.startsWith('bind_')) return REFUSALS[error.reason] ?? 'wrong'
    throw error
  }
}
