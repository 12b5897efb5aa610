import { describe, expect, it } from 'vitest'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { type Form, MODES, createRealCompany } from './company.ts'
import type { CompanyServer, DirectoryDriver } from './driver.ts'
import { ldapApi } from '#contract/ldap/index.ts'

/** Wrong input of an administrator, and the expected refusal; `ca` replaces the uploaded certificate. */
type RefusedCheck = readonly [title: string, over: Partial<Form> & { readonly ca?: string }, key: ErrorKey]

interface Options {
  /** An authority that did not sign the server's certificate. */
  readonly otherCa: string
  /** People of the company. */
  readonly staff?: number
  /** Of this server alone. */
  readonly checks?: readonly RefusedCheck[]
}

const NO_TLS = { use_ssl: 0, use_tls: 0 } as const

/** @param server null: it cannot be had here */
export function describeRefusals(
  title: string,
  server: CompanyServer | null,
  driver: DirectoryDriver,
  { otherCa, staff = 2, checks = [] }: Options,
): void {
  const all: readonly RefusedCheck[] = [
    ['a wrong password', { password: 'wrong' }, 'LDAP_BIND_REFUSED'],
    ['an unknown account', { username: `cn=nobody,${driver.scope('none').base_dn}` }, 'LDAP_BIND_REFUSED'],
    ['a base that is missing', { base_dn: `ou=nobody,${driver.scope('none').base_dn}` }, 'LDAP_BASE_MISSING'],
    ['a base that is no name', { base_dn: 'acme' }, 'LDAP_BASE_INVALID'],
    ['a broken filter', { user_filter: '(&(objectClass=person)(' }, 'LDAP_FILTER_INVALID'],
    ['no encryption where it is needed', { ...NO_TLS, port: 389 }, 'LDAP_STARTTLS_NEEDED'],
    ['the CA of somebody else', { ca: otherCa }, 'LDAP_WRONG_CA'],
    ['public authorities', { ca_id: '', public_ca: 1 }, 'LDAP_WRONG_PUBLIC_CA'],
    ['a certificate of another name', { certificate_name: 'dc1.corp.local' }, 'LDAP_WRONG_NAME'],
    ...checks,
  ]
  describe.skipIf(server === null).each(MODES)(`${title}, %s mode`, (mode) => {
    it.each(all)('%s', async (_, { ca, ...over }, key) => {
      const { call, form, uploadCa } = await createRealCompany(server!, driver, mode, staff)
      expect(await call(ldapApi.check, form)).toMatchObject({ code: 200, data: { count: staff } })
      const refused = { ...form, ...(ca !== undefined && { ca_id: await uploadCa(ca) }), ...over }
      expect(await call(ldapApi.check, refused)).toMatchObject({ reason: key })
      expect(await call(ldapApi.save, refused)).toMatchObject({ reason: 'LDAP_CHECK_FIRST' })
    })
  })
}
