import type { DirectoryCandidate } from '#contract/ldap/hub.ts'
import { DIRECTORY, type DirectoryLimits } from '#contract/ldap/limits.ts'
import type { UserQuery } from '#domain/ldap/directory-entry.ts'
import type { DirectoryValues } from '#domain/ldap/form.ts'
import { type DirectoryConnection, openDirectory } from '#outside/ldap/connection.ts'
import { failDirectory } from '#outside/tls/failure.ts'
import type { Dial } from '#outside/tls/pipe.ts'
import { createPublicDial } from '#outside/ldap/public-dial.ts'
import { openSealed, ldapPasswordPlace } from '#security/sealed.ts'
import type { Owner } from '../database.ts'

/** Opens the directory of these values; tests put their own in its place. */
export type Connect = (values: DirectoryValues, password: string) => Promise<DirectoryConnection>

/** R2 object name of an uploaded file (worker/features/file/service.ts). */
const objectName = (key: string): string => `files/${key}`

/** @param dialThrough of private mode: through the router of that row. */
export const createConnect =
  (env: Env, dialThrough: (routerId: number) => Dial, limits: DirectoryLimits = DIRECTORY): Connect =>
  async (values, password) => {
    const { host, port, security, certificateName, username: bindDn } = values
    const ca =
      values.caKey === null
        ? { kind: 'public' as const }
        : { kind: 'file' as const, pem: await readCa(env, values.caKey) }
    const dial = values.routerId === null ? createPublicDial(env, certificateName) : dialThrough(values.routerId)
    const target = { host, port, security, certificateName: certificateName || null, ca }
    return openDirectory(target, { bindDn, password }, dial, Date.now, limits)
  }

async function readCa(env: Env, key: string): Promise<string> {
  const object = await env.FILES.get(objectName(key))
  return object ? object.text() : failDirectory('certificate_invalid')
}

export const toQuery = ({ baseDn, userFilter, usernameAttribute, phoneAttribute }: DirectoryValues): UserQuery => ({
  baseDn,
  filter: userFilter || null,
  usernameAttribute: usernameAttribute || null,
  phoneAttribute: phoneAttribute || null,
})

/** Password of the directory's account, with which the hub binds; '' where none is stored. */
export const openPassword = async (env: Env, { accountId, passwordSealed }: Owner): Promise<string> =>
  passwordSealed === null ? '' : openSealed(env.SEAL_KEYS, ldapPasswordPlace(accountId), passwordSealed)

/** '' is the stored one: the use case has checked that it goes to the address it was typed for. */
export const passwordFor = async (env: Env, { password }: DirectoryCandidate, owner: Owner): Promise<string> =>
  password === '' ? openPassword(env, owner) : password
