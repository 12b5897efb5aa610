import { asc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../worker/contract/errors.ts'
import { ldapApi } from '../../worker/contract/ldap.ts'
import { services } from '../../worker/db/schema/accounts.ts'
import { ldapRuns } from '../../worker/db/schema/ldap.ts'
import { STATEMENT, attempt, breakDatabase } from '../support/directory-database.ts'
import { type TestDirectory, createImported, enabled, entries, entry, runNow, statusOf } from '../support/directory.ts'
import { db } from '../support/test-worker.ts'

// What the list of runs says of each: asking, done, failed, and what was written.

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

describe('a run that asks', () => {
  it('is listed as asking, with how many it would disable, and as done once it has gone on', async () => {
    const test = await createAsking()
    expect(await rowsOf(test)).toEqual([ASKING])
    const { data } = await test.main.call(ldapApi.runs, {})
    expect(data[0]).toMatchObject({ state: 'asking', counts: { disabled: 5 }, can_undo: 0 })
    await test.stub.confirm(test.hash, test.actor)
    await test.run()
    expect(await rowsOf(test)).toEqual([{ state: 'done', failure: '', disabled: 5 }])
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
