import { and, asc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ERRORS, toMessage } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { ldapApi } from '#contract/ldap/index.ts'
import { auditLogs, services } from '#db/schema/accounts.ts'
import { ldapConfigs, ldapRuns } from '#db/schema/ldap.ts'
import { networks } from '#db/schema/networks.ts'
import { DirectoryError } from '#outside/tls/failure.ts'
import { STATEMENT, attempt, breakDatabase } from '#tests/support/directory-database.ts'
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
import { insertNetwork } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'

// The list of runs shows each state: asking, done, failed, and the rows written.

/** Rows of runs behind the import, oldest first. */
const rowsOf = async ({ accountId }: TestDirectory) => {
  const rows = await db
    .select()
    .from(ldapRuns)
    .where(eq(ldapRuns.accountId, accountId))
    .orderBy(asc(ldapRuns.startedAt))
  return rows.slice(1).map(({ state, failure, counts }) => {
    const { disabled } = JSON.parse(counts) as { disabled: number }
    return { state, failure, disabled }
  })
}

/** A run that asks for five of twenty. */
async function createAsking() {
  const test = await createImported(20)
  test.directory.users = entries(20).slice(5)
  const { run } = await runNow(test)
  return { ...test, hash: run!.hash }
}
const ASKING = { state: 'asking', failure: '', disabled: 5 }
const SUPERSEDED = { state: 'failed', failure: ERRORS.LDAP_SUPERSEDED.msg, disabled: 0 }

describe('directory.md, Runs · a run that asks', () => {
  it('is listed as asking, with how many it would disable, and as done once it has gone on', async () => {
    const test = await createAsking()
    expect(await rowsOf(test)).toEqual([ASKING])
    const { data } = await test.main.call(ldapApi.runs, {})
    expect(data[0]).toMatchObject({ state: 'asking', counts: { disabled: 5 }, can_undo: 0 })
    await test.stub.confirm(test.hash, test.actor)
    await test.run()
    expect(await rowsOf(test)).toEqual([{ state: 'done', failure: '', disabled: 5 }])
    const { data: runs } = await test.main.call(ldapApi.runs, {})
    expect(runs.map(({ actor }) => actor)).toEqual([`系统，${test.actor.name}确认`, '系统'])
  })

  it('is done where nobody is left to disable once it is confirmed', async () => {
    const test = await createAsking()
    await test.stub.confirm(test.hash, test.actor)
    test.directory.users = entries(20)
    await test.run()
    expect(await rowsOf(test)).toEqual([{ state: 'done', failure: '', disabled: 0 }])
  })

  it('ends as failed where a later run supersedes it', async () => {
    const test = await createAsking()
    test.directory.users = entries(20)
    await runNow(test)
    expect(await rowsOf(test)).toEqual([SUPERSEDED])
    expect(await statusOf(test)).toEqual(enabled(20))
  })

  it('ends as failed although the database was away when the later run began', async () => {
    const test = await createAsking()
    const { lose } = await breakDatabase(test)
    lose(STATEMENT.outcome, 'before')
    test.directory.users = entries(20).slice(6)
    await runNow(test)
    expect(await rowsOf(test)).toEqual([SUPERSEDED, { ...ASKING, disabled: 6 }])
  })

  it('ends as failed where the directory is closed', async () => {
    const test = await createAsking()
    expect(await test.stub.close(20, test.actor)).toMatchObject({ refused: null })
    await test.run()
    expect((await rowsOf(test))[0]).toEqual({ ...SUPERSEDED, failure: ERRORS.LDAP_RUN_CLOSED.msg })
  })
})

it('a run that changes nothing has a row only where it ends failures, so that the newest row says how it stands', async () => {
  const test = await createImported(3)
  await runNow(test)
  expect(await rowsOf(test)).toEqual([])
  test.directory.unreachable = new DirectoryError('timeout')
  await runNow(test)
  test.directory.unreachable = null
  await runNow(test)
  await runNow(test)
  expect((await rowsOf(test)).map(({ state }) => state)).toEqual(['failed', 'done'])
})

it('a run that fails behind its first portion says what that has written, and can be undone', async () => {
  const test = await createImported(12)
  await runNow(test)
  test.directory.users = [...entries(12).slice(1), entry('new')]
  const { hold } = await breakDatabase(test)
  const { reached, release } = hold(STATEMENT.importing) // behind the portion that disables
  await test.stub.start()
  const run = attempt(test, (hub) => hub.alarm())
  await reached()
  await db.update(services).set({ quantity: 1 }).where(eq(services.accountId, test.accountId))
  release()
  await run
  expect(await test.stub.state()).toMatchObject({
    run: { state: 'failed' },
    fault: expect.stringContaining('软件成员'),
    written: { disabled: 1, added: 0 },
  })
  expect(await statusOf(test)).toEqual({ ...enabled(12), u0: 0 })
  const { data } = await test.main.call(ldapApi.runs, {})
  expect(data[0]).toMatchObject({ state: 'failed', can_undo: 1, counts: { disabled: 1, added: 0 } })
  expect(await test.stub.undo(data[0]!.id, test.actor)).toMatchObject({ refused: null })
  expect(await statusOf(test)).toEqual(enabled(12))
})

describe('directory.md, Runs · an import into a network that cannot take everybody', () => {
  const createAssociated = async (options: Parameters<typeof createTestDirectory>[1]) => {
    const test = await createTestDirectory(entries(5), options)
    const network = await insertNetwork({ accountId: test.accountId })
    await db.update(ldapConfigs).set({ networkId: network.id }).where(eq(ldapConfigs.accountId, test.accountId))
    return { ...test, network }
  }
  const reason = toMessage(violation('MEMBER_LIMIT_REACHED', { limit: 3 }))

  it('names who has not joined and why, in the answer, the row and the audit', async () => {
    const test = await createAssociated({ seats: 3, syncMode: 1 })
    await runNow(test)
    const { hash } = await test.stub.users({ search: '', exist: '', page: 1, limit: 10 })
    const uuids = entries(5).map(({ id }) => id)
    expect(await test.stub.apply({ kind: 'import', hash, uuids }, test.actor)).toMatchObject({
      answer: {
        added: 5,
        outside: 2,
        reason,
        result: [
          {},
          {},
          { ok: 1, msg: '' },
          { uuid: 'id-u3', ok: 1, msg: reason },
          { uuid: 'id-u4', ok: 1, msg: reason },
        ],
      },
    })
    const { data } = await test.main.call(ldapApi.runs, {})
    expect(data[0]).toMatchObject({ kind: 'import', state: 'done', counts: { added: 5 }, outside: 2, reason })
    const [audit] = await db
      .select()
      .from(auditLogs)
      .where(and(eq(auditLogs.accountId, test.accountId), eq(auditLogs.action, 'import')))
    expect(audit).toMatchObject({ message: `从目录导入成员5个，2 个未加入组网：${reason}` })
    expect(JSON.parse(audit!.after!)).toMatchObject({ outside: [`u3@${test.sign}`, `u4@${test.sign}`], reason })
  })

  it('a run says it in its row', async () => {
    const test = await createAssociated({ seats: 3 })
    await runNow(test)
    const { data } = await test.main.call(ldapApi.runs, {})
    expect(data[0]).toMatchObject({ kind: 'sync', state: 'done', counts: { added: 5 }, outside: 2, reason })
  })

  it('a suspended network takes nobody, and the reason says so', async () => {
    const test = await createAssociated({ syncMode: 1 })
    await db.update(networks).set({ status: 0 }).where(eq(networks.id, test.network.id))
    await runNow(test)
    const { hash } = await test.stub.users({ search: '', exist: '', page: 1, limit: 10 })
    expect(await test.stub.apply({ kind: 'import', hash, uuids: null }, test.actor)).toMatchObject({
      answer: { added: 5, outside: 5, reason: ERRORS.NETWORK_SUSPENDED.msg, result: [] },
    })
  })
})
