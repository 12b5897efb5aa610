import { and, eq, sql } from 'drizzle-orm'
import { env, runInDurableObject } from 'cloudflare:test'
import { describe, expect, inject, it } from 'vitest'
import { createConnect } from '#durable/directory-hub/connection/connect.ts'
import type { DirectoryHub } from '#durable/directory-hub/directory-hub.ts'
import type { DirectoryCandidate } from '#contract/ldap/hub.ts'
import { failDirectory } from '#outside/tls/failure.ts'
import { routers } from '#db/schema/routers.ts'
import { CANDIDATE, createTestDirectory, runNow, saveTestConfig } from '#tests/support/directory.ts'
import { READER, SUFFIX, toPerson } from '#tests/support/directory/people.ts'
import { SERVER_NAME } from '#tests/support/directory/pki.ts'
import { db } from '#tests/support/test-worker.ts'

const slapd = inject('slapd')
const HOST = 'ldap.qiming.com'
const CA_KEY = '0'.repeat(31)

const noTunnel = () => async () => failDirectory('router_refused')

/** An account whose hub reads the real server, through the dial of public mode and our TLS. */
async function createCompany(over: Partial<DirectoryCandidate> = {}) {
  const test = await createTestDirectory([], { isSaved: false, quota: 5_000 })
  const candidate: DirectoryCandidate = {
    ...CANDIDATE,
    host: HOST,
    baseDn: SUFFIX,
    username: READER.bindDn,
    password: READER.password,
    certificateName: SERVER_NAME,
    caKey: CA_KEY,
    ...over,
  }
  await env.FILES.put(`files/${CA_KEY}`, slapd?.ca ?? '')
  const LOCAL_DIRECTORIES = `${HOST}:636=127.0.0.1:${slapd?.ldapsPort},${HOST}:389=127.0.0.1:${slapd?.port}`
  await runInDurableObject(test.stub, (hub: DirectoryHub) => {
    hub.openDirectory = createConnect({ ...env, ENVIRONMENT: 'local', LOCAL_DIRECTORIES }, noTunnel)
  })
  const save = () => saveTestConfig(test.accountId, { syncMode: 2, networkId: null, over: candidate })
  return { ...test, candidate, save }
}

// Without an installed slapd these are skipped: npm test says what to install.
describe.skipIf(slapd === null)('a company and its OpenLDAP', () => {
  it.each([
    [{ security: 'ldaps', port: 636 }, '1.3'],
    [{ security: 'starttls', port: 389 }, '1.3'],
    [{ security: 'none', port: 389, caKey: null }, ''],
  ] as const)('check over %j', async (over, tls) => {
    const { stub, candidate } = await createCompany(over)
    expect(await stub.check(candidate)).toMatchObject({
      refused: null,
      answer: { server: 'openldap', tls, count: 2_000, sample: { length: 5 } },
    })
  })

  it.each([
    [{ password: 'wrong' }, 'LDAP_BIND_REFUSED'],
    [{ baseDn: 'dc=none,dc=test' }, 'LDAP_BASE_MISSING'],
    [{ certificateName: 'other.qiming.com' }, 'LDAP_WRONG_NAME'],
    [{ security: 'none', caKey: null }, 'LDAP_TLS_NEEDED'],
  ] as const)('%j: %s', async (over, key) => {
    const { stub, candidate } = await createCompany(over)
    expect(await stub.check(candidate)).toMatchObject({ refused: { key } })
  })

  it('imports all who are enabled, once, and one signs in', async () => {
    const test = await createCompany()
    await test.save()
    const first = await runNow(test)
    expect(first).toMatchObject({ count: 1_714, fault: '', run: { state: 'done', counts: { added: 1_714 } } })
    expect(await runNow(test)).toMatchObject({ run: { state: 'done', counts: { added: 0, changed: 0, disabled: 0 } } })
    const person = toPerson(1)
    const [row] = await db
      .select({ directoryId: sql<string>`(select directory_id from ldap_members where router_id = routers.id)` })
      .from(routers)
      .where(and(eq(routers.accountId, test.accountId), eq(routers.name, `${person.uid}@${test.sign}`)))
    const subject = { key: row!.directoryId, directoryId: row!.directoryId }
    expect(await test.stub.signIn(subject, person.password)).toBe('right')
    expect(await test.stub.signIn(subject, 'wrong')).toBe('wrong')
  })
})
