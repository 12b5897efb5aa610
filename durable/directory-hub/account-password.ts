import type { DirectoryCandidate } from '../../worker/contract/directory-hub.ts'
import { ldapPasswordPlace } from '../../worker/security/ldap-password.ts'
import { openSealed } from '../../worker/security/sealed.ts'
import type { Owner } from './database.ts'

export const openPassword = (env: Env, accountId: number, sealed: string): Promise<string> =>
  openSealed(env.SEAL_KEYS, ldapPasswordPlace(accountId), sealed)

/** '' is the stored one: the use case has checked that it goes to the address it was typed for. */
export const passwordFor = async (env: Env, { password }: DirectoryCandidate, owner: Owner): Promise<string> =>
  password === '' && owner.passwordSealed !== null ? openPassword(env, owner.accountId, owner.passwordSealed) : password
