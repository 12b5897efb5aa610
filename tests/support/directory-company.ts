import { env } from 'cloudflare:test'
import { createHubs } from '#durable/hubs.ts'
import type { LdapForm } from '#contract/ldap/form.ts'
import { insertDomain } from '#features/ldap/sql/config.ts'
import { createTestDirectory, entries } from './directory.ts'
import { createTestWorker, db } from './test-worker.ts'
import { ldapApi } from '#contract/ldap/index.ts'

/** The Worker with the hubs that really run. */
export const worker = createTestWorker({ hubs: (requestId) => createHubs(env, requestId) })

export const FORM = {
  mode: 'public',
  domain: 'acme.com',
  host: 'ldap.acme.com',
  port: 636,
  base_dn: 'dc=acme,dc=com',
  use_ssl: 1,
  public_ca: 1,
  username: 'cn=reader',
  password: 'Reader2026',
  sync_mode: 1,
} as const satisfies Partial<LdapForm>

/** An account that has proved its domain; nothing is saved yet. */
export async function createCompany(users = entries(3)) {
  const test = await createTestDirectory(users, { isSaved: false })
  await insertDomain(db, test.accountId, 'acme.com', Date.now())
  const call: typeof worker.call = (spec, input, sent) =>
    worker.call(spec, input, { token: test.main.token, ...(sent as object) })
  const save = async (over: object = {}) => {
    await call(ldapApi.check, { ...FORM, ...over })
    return call(ldapApi.save, { ...FORM, ...over })
  }
  return { ...test, call, save }
}

/** The same with a configuration whose first listing is there. */
export async function createConnected(users = entries(3), over: object = {}) {
  const company = await createCompany(users)
  await company.save(over)
  await company.run()
  const { hash } = await company.call(ldapApi.user, {})
  return { ...company, hash }
}
