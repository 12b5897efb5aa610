import { and, eq } from 'drizzle-orm'
import { env, runInDurableObject } from 'cloudflare:test'
import { describe, expect, inject, it } from 'vitest'
import { createConnect, Tunnels } from '#durable/directory-hub/connection/connect.ts'
import type { DirectoryHub } from '#durable/directory-hub/directory-hub.ts'
import { createHubs } from '#durable/hubs.ts'
import type { DirectoryCandidate } from '#contract/ldap/hub.ts'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import { accounts } from '#db/schema/accounts.ts'
import { ldapMembers } from '#db/schema/ldap.ts'
import { routers } from '#db/schema/routers.ts'
import { connectOnlineDevice, createHubRouter } from '#tests/durable/support.ts'
import { CANDIDATE, createTestDirectory, membersOf, runNow, saveTestConfig } from '#tests/support/directory.ts'
import { READER, SUFFIX, toPerson } from '#tests/support/directory/people.ts'
import { SERVER_NAME } from '#tests/support/directory/pki.ts'
import { db } from '#tests/support/test-worker.ts'
import { carryTunnels } from '#tests/support/tunnel-device.ts'

const slapd = inject('slapd')
const CA_KEY = '1'.repeat(31)
const USERS = 1_714

/** An account whose hub reads the real server through the tunnel of its router. */
async function createCompany(over: Partial<DirectoryCandidate> = {}) {
  const test = await createTestDirectory([], { isSaved: false, quota: 5_000 })
  const { accountId } = test
  const [account] = await db.select({ hub: accounts.hub }).from(accounts).where(eq(accounts.id, accountId))
  const router = await createHubRouter({ accountId, accountHub: account?.hub ?? '' })
  await env.FILES.put(`files/${CA_KEY}`, slapd?.ca ?? '')
  await runInDurableObject(test.stub, (hub: DirectoryHub) => {
    const tunnels = new Tunnels(env, createHubs(env))
    Object.assign(hub, { tunnels, openDirectory: createConnect(env, tunnels.dialThrough) })
  })
  const candidate: DirectoryCandidate = {
    ...CANDIDATE,
    mode: 'private',
    routerId: router.routerId,
    host: '10.0.0.5',
    port: 636,
    baseDn: SUFFIX,
    username: READER.bindDn,
    password: READER.password,
    certificateName: SERVER_NAME,
    caKey: CA_KEY,
    ...over,
  }
  const device = await connectOnlineDevice(router, { capabilities: [TUNNEL.capability] })
  const port = candidate.security === 'ldaps' ? slapd!.ldapsPort : slapd!.port
  const carrier = carryTunnels(device, { hub: test.hub, deviceId: router.deviceId }, port)
  const save = () => saveTestConfig(accountId, { syncMode: 2, networkId: null, over: candidate })
  return { ...test, candidate, carrier, save }
}

// Without an installed slapd these are skipped: npm test says what to install.
describe.skipIf(slapd === null)('a company’s OpenLDAP behind its router', () => {
  it.each([
    [{ security: 'ldaps' }, '1.3'],
    [{ security: 'starttls' }, '1.3'],
    [{ security: 'none', caKey: null }, ''],
  ] as const)('check over %j: TLS ends in the hub', async (over, tls) => {
    const { stub, candidate, carrier } = await createCompany(over)
    expect(await stub.check(candidate)).toMatchObject({
      refused: null,
      answer: { server: 'openldap', tls, count: 2_000 },
    })
    carrier.stop()
  })

  it('imports, and a member signs in while a run reads', async () => {
    const test = await createCompany()
    await test.save()
    expect(await runNow(test)).toMatchObject({ count: USERS, fault: '', run: { state: 'done' } })
    const person = toPerson(1)
    const [row] = await db
      .select({ directoryId: ldapMembers.directoryId })
      .from(ldapMembers)
      .innerJoin(routers, eq(routers.id, ldapMembers.routerId))
      .where(and(eq(routers.accountId, test.accountId), eq(routers.name, `${person.uid}@${test.sign}`)))
    const subject = { key: row!.directoryId, directoryId: row!.directoryId }
    const [ran, right, wrong] = await Promise.all([
      runNow(test),
      test.stub.signIn(subject, person.password),
      test.stub.signIn(subject, 'wrong'),
    ])
    expect([ran.fault, right, wrong]).toEqual(['', 'right', 'wrong'])
    test.carrier.stop()
  })

  it('a line that breaks in mid-listing ends the run with its sentence, and nobody is lost or disabled', async () => {
    const test = await createCompany()
    await test.save()
    await runNow(test)
    const before = await membersOf(test)
    test.carrier.cutAfter(200_000)
    const state = await runNow(test)
    expect(state).toMatchObject({ count: USERS, run: { state: 'failed' } })
    expect(state.fault).toContain('目录服务器中断了连接')
    expect(await membersOf(test)).toEqual(before)
    test.carrier.stop()
  })
})
