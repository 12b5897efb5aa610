import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { services } from '#db/schema/accounts.ts'
import { ldapConfigs } from '#db/schema/ldap.ts'
import { routers } from '#db/schema/routers.ts'
import { DirectoryError } from '#outside/tls/failure.ts'
import { attempt, breakDatabase } from '#tests/support/directory-database.ts'
import {
  type TestDirectory,
  createImported,
  createTestDirectory,
  enabled,
  entries,
  entry,
  runNow,
  statusOf,
} from '#tests/support/directory.ts'
import { db } from '#tests/support/test-worker.ts'

// Listings that would take people away, and writes of others in between: no member is lost, and the page says why.

describe('directory.md, Runs · people who look as if they had left', () => {
  it('more than 20: the run stops and asks', async () => {
    const test = await createImported(100)
    test.directory.users = entries(100).slice(21)
    expect(await runNow(test)).toMatchObject({ run: { state: 'asking', stop: 'many', counts: { disabled: 21 } } })
    expect(await statusOf(test)).toEqual(enabled(100))
  })

  it('3 of 20: the run stops and asks; 2 of 20 are disabled', async () => {
    const test = await createImported(20)
    test.directory.users = entries(20).slice(3)
    expect(await runNow(test)).toMatchObject({ run: { state: 'asking', stop: 'share' } })
    expect(await statusOf(test)).toEqual(enabled(20))
    test.directory.users = entries(20).slice(2)
    expect(await runNow(test)).toMatchObject({ run: { state: 'done', counts: { disabled: 2 } } })
  })

  it('a filter that hides those whom the directory disabled: they look deleted, and none is', async () => {
    const test = await createImported(12)
    test.directory.users = entries(12).slice(1) // u0 is disabled, and the filter leaves it out
    expect(await runNow(test)).toMatchObject({ run: { counts: { disabled: 1 } } })
    expect(await statusOf(test)).toEqual({ ...enabled(12), u0: 0 })
    const { rows } = await test.stub.users({ search: 'u0', exist: '', page: 1, limit: 10 })
    expect(rows).toMatchObject([{ username: 'u0', verify: '目录中已删除' }])
  })
})

describe('directory.md, Runs · names of members', () => {
  it('the same name with another id: the member that left keeps it, the newcomer waits', async () => {
    const test = await createImported(12)
    test.directory.users = [...entries(12).slice(1), entry('u0', { id: 'id-other' })]
    expect(await runNow(test)).toMatchObject({ run: { counts: { disabled: 1, added: 0, conflicts: 1 } } })
    const { rows } = await test.stub.users({ search: 'u0', exist: '', page: 1, limit: 10 })
    expect(Object.fromEntries(rows.map(({ uuid, verify }) => [uuid, verify]))).toEqual({
      'id-u0': '目录中已删除',
      'id-other': '名称已被占用',
    })
  })

  it('other letters only: the member is renamed, and stays the same', async () => {
    const test = await createImported(5)
    const ids = () => db.select({ id: routers.id }).from(routers).where(eq(routers.accountId, test.accountId))
    const before = await ids()
    test.directory.users = [entry('U0', { id: 'id-u0' }), ...entries(5).slice(1)]
    expect(await runNow(test)).toMatchObject({ run: { counts: { changed: 1, added: 0, disabled: 0 } } })
    expect(Object.keys(await statusOf(test)).toSorted()).toEqual(['U0', 'u1', 'u2', 'u3', 'u4'])
    expect(await ids()).toEqual(before)
  })
})

describe('directory.md, Runs · changes between the read and the write', () => {
  const meanwhile = async (test: TestDirectory, change: () => Promise<unknown>) => {
    const { hold } = await breakDatabase(test)
    const { reached, release } = hold(/insert into ldap_members|update routers set status = 0/i)
    await test.stub.start()
    const run = attempt(test, (hub) => hub.alarm())
    await reached()
    await change()
    release()
    await run
    return test.stub.state()
  }

  it('the quota is lowered while users are imported: none beyond it, and the page says so', async () => {
    const test = await createTestDirectory(entries(10), { quota: 10 })
    const lower = () => db.update(services).set({ quantity: 4 }).where(eq(services.accountId, test.accountId))
    await meanwhile(test, lower)
    expect(await statusOf(test)).toEqual({})
    expect(await test.stub.state()).toMatchObject({
      run: { state: 'failed' },
      fault: expect.stringContaining('软件成员'),
    })
    expect(await runNow(test)).toMatchObject({ count: 4, fault: '', run: { counts: { added: 4, conflicts: 6 } } })
  })

  it('a person disables the member whom the run disables: the decision stays that person’s', async () => {
    const test = await createImported(12)
    test.directory.users = entries(12).slice(1)
    const disable = () =>
      db
        .update(routers)
        .set({ status: 0 })
        .where(eq(routers.name, `u0@${test.sign}`))
    await meanwhile(test, disable)
    test.directory.users = entries(12)
    await runNow(test)
    expect(await statusOf(test)).toEqual({ ...enabled(12), u0: 0 })
  })

  it('the directory is closed by another connection: the run of it changes nobody', async () => {
    const test = await createImported(5)
    test.directory.users = entries(8)
    await meanwhile(test, () => db.delete(ldapConfigs).where(eq(ldapConfigs.accountId, test.accountId)))
    expect(await statusOf(test)).toEqual(enabled(5))
  })
})

it.each([
  ['router_offline', ERRORS.LDAP_ROUTER_OFFLINE.msg],
  ['router_silent', ERRORS.LDAP_ROUTER_SILENT.msg],
  ['router_busy', ERRORS.LDAP_ROUTER_BUSY.msg],
  ['closed', ERRORS.LDAP_CLOSED.msg],
] as const)('a device whose agent was killed (%s): the run fails and says so', async (reason, sentence) => {
  const test = await createImported(5)
  test.directory.users = entries(600)
  test.directory.failure = new DirectoryError(reason)
  test.directory.failAfter = 500
  expect(await runNow(test)).toMatchObject({ count: 5, fault: sentence, run: { state: 'failed' } })
  expect(await statusOf(test)).toEqual(enabled(5))
})
