import type { DirectorySignIn } from '../../worker/contract/directory-hub.ts'
import { DirectoryError } from '../../worker/outside/directory/failure.ts'
import { type Connect, toQuery } from './connect.ts'
import type { Owner } from './database.ts'
import type { DirectoryStorage } from './storage.ts'

interface Attempt {
  readonly owner: Owner
  /** Of the account that reads the directory. */
  readonly accountPassword: string
  readonly directoryId: string
  readonly password: string
}

/**
 * Whether it is the password of that user. A try counts before the directory hears of it, so that tries at once cannot lock
 * the user's own account there; a right one, and one that reached no directory, count nothing.
 */
export async function signIn(
  connect: Connect,
  storage: DirectoryStorage,
  { owner, accountPassword, directoryId, password }: Attempt,
): Promise<DirectorySignIn> {
  const { values } = owner
  if (values === null || (values.mode === 'public' && values.security === 'none')) return 'away'
  if (password === '') return 'wrong'
  if (!storage.takeTry(directoryId, Date.now())) return 'paused'
  try {
    const connection = await connect(values, accountPassword)
    try {
      const dn = await connection.findDn(toQuery(values), directoryId)
      const isRight = dn !== null && (await isBound(() => connection.bindAs(dn, password)))
      if (isRight) storage.forgetTries(directoryId)
      return isRight ? 'right' : 'wrong'
    } finally {
      connection.close()
    }
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    storage.giveBackTry(directoryId)
    return 'away'
  }
}

/** A directory may say why it refuses: locked, disabled, expired. Whoever signs in reads one sentence. */
async function isBound(bind: () => Promise<boolean>): Promise<boolean> {
  try {
    return await bind()
  } catch (error) {
    if (error instanceof DirectoryError && error.reason.startsWith('bind_')) return false
    throw error
  }
}
