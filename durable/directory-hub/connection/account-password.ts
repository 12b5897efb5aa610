import type { DirectoryCandidate } from '#contract/ldap/hub.ts'
import { ldapPasswordPlace } from '#security/ldap-password.ts'
import { openSealed } from '#security/sealed.ts'
import type { Owner } from '../database.ts'

/** Password of the directory's account, with which the hub binds; '' where none is stored. */
export const openPassword = async (env: Env, { accountId, passwordSealed }: Owner): Promise<string> =>
  passwordSealed === null ? '' : openSealed(env.SEAL_KEYS, ldapPasswordPlace(accountId), passwordSealed)

/** '' is the stored one: the use case has checked that it goes to the address it was typed for. */
export const passwordFor = async (env: Env, { password }: DirectoryCandidate, owner: Owner): Promise<string> =>
  password === '' ? openPassword(env, owner) : password
