import { eq } from 'drizzle-orm'
import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import type { DirectoryHub } from '#durable/directory-hub/directory-hub.ts'
import { createHubs } from '#durable/hubs.ts'
import { accounts } from '#db/schema/accounts.ts'
import { monitorSettings } from '#db/schema/monitor.ts'
import { messages } from '#db/schema/notices.ts'
import { DirectoryError } from '#outside/tls/failure.ts'
import { type TestDirectory, createImported, entries, runNow } from '#tests/support/directory.ts'
import { db } from '#tests/support/test-worker.ts'
import { accountStub, later } from './support.ts'

const DAY_MS = 86_400_000
const PAGE = { networks: null, page: 1, limit: 100 } as const

/** A company that has imported its people, and whose monitoring is on and goes by mail. */
async function createWatched(over: Partial<typeof monitorSettings.$inferInsert> = {}) {
  const test = await createImported(20)
  const { accountId } = test
  const { hub: accountHub } = test.main
  await db
    .update(accounts)
    .set({ email: `${test.sign}@example.com` })
    .where(eq(accounts.id, accountId))
  await db.insert(monitorSettings).values({ accountId, enabled: 1, emailConfirm: 1, updatedAt: Date.now(), ...over })
  const hub = createHubs(env).account(accountHub)
  await hub.refresh()
  const alerts = async () => {
    later(10_000)
    await runDurableObjectAlarm(accountStub({ accountId, accountHub }))
    return hub.alerts({ ...PAGE, search: '', status: '', rule: '' })
  }
  const channels = async () => {
    const { rows } = await hub.alertDeliveries({ ...PAGE, channel: '', state: '', alertId: '' })
    return rows.map(({ channel, kind }) => `${kind} ${channel}`).toSorted()
  }
  return { ...test, alerts, channels }
}
const titlesOf = async ({ accountId }: TestDirectory) =>
  (await db.select().from(messages).where(eq(messages.accountId, accountId))).map(({ title }) => title)

/** The server's certificate ends in so many days. */
const endCertificateIn = ({ stub }: TestDirectory, days: number) =>
  runInDurableObject(stub, (hub: DirectoryHub) => {
    const { openDirectory } = hub
    const certificate = { subject: 'CN=ldap', issuer: 'CN=ca', notAfter: Date.now() + days * DAY_MS }
    hub.openDirectory = async (...target) => {
      const connection = await openDirectory(...target)
      return { ...connection, server: { ...connection.server, certificate } }
    }
  })

it('a run that asks is an alert by every channel, over once it goes on', async () => {
  const test = await createWatched()
  test.directory.users = entries(20).slice(5)
  await runNow(test)
  expect(await test.alerts()).toMatchObject({
    open: 1,
    rows: [
      {
        rule: 'directory_sync',
        title: '目录同步异常：等待确认',
        reason: '将停用的成员占比过高（5个），同步已暂停',
        router_name: '',
        network_number: '',
        end_time: null,
      },
    ],
  })
  expect(await test.channels()).toEqual(['open mail'])
  expect(await titlesOf(test)).toEqual(['目录同步已暂停，等待确认']) // once, by the directory's hub
  const { run } = await test.stub.state()
  await test.stub.confirm(run!.hash, test.actor)
  await test.run()
  const { open, rows } = await test.alerts()
  expect([open, rows[0]?.end_time]).toEqual([0, expect.any(Number)])
  expect(await test.channels()).toEqual(['open mail', 'recovery mail', 'recovery site'])
})

it('three failures in a row are one alert with the sentence, over with the first success', async () => {
  const test = await createWatched()
  test.directory.failure = new DirectoryError('bind_locked')
  for (let i = 0; i < 2; i++) await runNow(test)
  expect((await test.alerts()).count).toBe(0)
  for (let i = 0; i < 3; i++) await runNow(test)
  expect(await test.alerts()).toMatchObject({
    count: 1,
    rows: [{ title: '目录同步异常：连续失败', reason: '该目录账号已被锁定，请解锁后重试' }],
  })
  test.directory.failure = null
  await runNow(test)
  expect(await test.alerts()).toMatchObject({ count: 1, open: 0 })
})

it('a certificate within 30 days of its end is an alert, a failed run does not end it, a new certificate does', async () => {
  const test = await createWatched()
  await endCertificateIn(test, 29)
  await runNow(test)
  expect(await test.alerts()).toMatchObject({ open: 1, rows: [{ title: '目录同步异常：服务器证书即将过期' }] })
  test.directory.unreachable = new DirectoryError('timeout')
  await runNow(test)
  expect(await test.alerts()).toMatchObject({ open: 1, count: 1 })
  test.directory.unreachable = null
  await endCertificateIn(test, 90)
  await runNow(test)
  expect(await test.alerts()).toMatchObject({ open: 0, count: 1 })
})

it('closing the directory ends its alerts', async () => {
  const test = await createWatched()
  test.directory.users = []
  await runNow(test)
  expect((await test.alerts()).open).toBe(1)
  await test.stub.close(20, test.actor)
  await test.run()
  expect((await test.alerts()).open).toBe(0)
})

it('nothing where the rule is off, and a run without a change tells nobody', async () => {
  const off = { directory_sync: { on: false, delayMinutes: 0, severity: 'warning' } }
  const test = await createWatched({ rules: JSON.stringify(off) })
  test.directory.users = []
  await runNow(test)
  expect((await test.alerts()).count).toBe(0)
  expect(await titlesOf(test)).toEqual(['目录同步已暂停，等待确认'])
})
