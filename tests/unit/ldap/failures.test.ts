import { describe, expect, it } from 'vitest'
import { toViolation } from '#durable/directory-hub/connection/failure-answer.ts'
import { ERRORS, fieldOf, toMessage } from '#contract/kernel/errors.ts'
import { LDAP_MODES } from '#contract/ldap/limits.ts'
import { type LdapForm, ldapForm } from '#contract/ldap/form.ts'
import { DIRECTORY_FAILURES, DirectoryError, type DirectoryFailure } from '#outside/tls/failure.ts'
import { findOffenders } from '#tests/support/offenders.ts'

/** Form field that shows each failure; null: above the form. */
const FIELDS: Readonly<Record<DirectoryFailure, keyof LdapForm | null>> = {
  unreachable: 'host',
  refused: 'host',
  name_unknown: 'host',
  timeout: 'host',
  private_address: 'host',
  port_not_allowed: 'port',
  address_nameless: 'certificate_name',
  router_offline: 'router_name',
  router_too_old: 'router_name',
  router_silent: 'router_name',
  router_refused: 'host',
  router_busy: 'router_name',
  closed: 'host',
  wrong_ca: 'ca_id',
  wrong_public_ca: 'public_ca',
  wrong_name: 'certificate_name',
  name_in_subject: 'certificate_name',
  certificate_expired: 'ca_id',
  certificate_not_yet_valid: 'ca_id',
  certificate_purpose: 'ca_id',
  certificate_invalid: 'ca_id',
  certificate_not_allowed: 'ca_id',
  certificate_weak: 'ca_id',
  ca_expired: 'ca_id',
  protocol_too_old: null,
  ciphers_too_old: null,
  client_certificate_needed: null,
  not_tls: 'port',
  tls_failed: null,
  not_ldap: 'port',
  tls_needed: 'use_ssl',
  starttls_needed: 'use_tls',
  starttls_unsupported: 'use_tls',
  paging_unsupported: null,
  bind_refused: 'username',
  bind_disabled: 'username',
  bind_expired_account: 'username',
  bind_expired_password: 'username',
  bind_locked: 'username',
  bind_restricted: 'username',
  bind_unsupported: 'username',
  base_missing: 'base_dn',
  base_invalid: 'base_dn',
  base_elsewhere: 'base_dn',
  access_denied: 'username',
  filter_invalid: 'user_filter',
  size_limit: null,
  time_limit: null,
  server_busy: null,
  server_error: null,
  no_id: null,
  duplicate_id: null,
  too_large: null,
  too_many: null,
  incomplete: null,
}

/** Parameters of each failure's sentence. */
const PARAMS: Partial<Record<DirectoryFailure, Record<string, string | number>>> = {
  wrong_ca: { issuer: 'CN=Other' },
  wrong_name: { names: 'dc1.other.com' },
  name_in_subject: { name: 'dc1.other.com' },
  certificate_expired: { until: Date.UTC(2026, 0, 1) },
  certificate_not_yet_valid: { from: Date.UTC(2027, 0, 1) },
  ca_expired: { until: Date.UTC(2026, 0, 1) },
  server_error: { code: 80 },
}

const ALIKE: readonly DirectoryFailure[] = ['unreachable', 'refused', 'name_unknown', 'timeout']

const fail = (reason: DirectoryFailure, mode: (typeof LDAP_MODES)[number]) =>
  toViolation(new DirectoryError(reason, PARAMS[reason]), mode)

describe.each(LDAP_MODES)('in %s mode', (mode) => {
  it('each failure has its refusal', async () => {
    const offenders = await findOffenders(DIRECTORY_FAILURES)((reason) => {
      const shown = mode === 'public' && ALIKE.includes(reason) ? 'unreachable' : reason
      const found = fail(reason, mode)
      expect(found.key).toBe(`LDAP_${shown.toUpperCase()}`)
      expect(fieldOf(found) ?? null).toBe(FIELDS[reason])
      const blanks = [...ERRORS[found.key].msg.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(found.params)).toEqual(blanks)
    })
    expect(offenders).toEqual([])
  })

  it('no two read alike but those of the way to it', () => {
    const sentences = DIRECTORY_FAILURES.map((reason) => toMessage(fail(reason, mode)))
    const alike = mode === 'public' ? ALIKE.length - 1 : 0
    expect(new Set(sentences).size).toBe(DIRECTORY_FAILURES.length - alike)
  })

  it('only in private mode it names which step of connecting failed', () => {
    const sentences = new Set(ALIKE.map((reason) => toMessage(fail(reason, mode))))
    expect(sentences.size).toBe(mode === 'public' ? 1 : ALIKE.length)
    expect([...sentences][0]).toMatch(/^无法连接到目录服务器/)
  })
})

it('a field that is named is one of the form', () => {
  const fields = Object.values(FIELDS).filter((field) => field !== null)
  expect(Object.keys(ldapForm.shape)).toEqual(expect.arrayContaining(fields))
})

it('times are shown to the minute', () => {
  expect(toMessage(fail('certificate_expired', 'public'))).toContain('2026-01-01 08:00')
})
