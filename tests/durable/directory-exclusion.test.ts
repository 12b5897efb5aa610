import { and, eq } from 'drizzle-orm'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { ldapConfigs, ldapRuns } from '#db/schema/ldap.ts'
import type { DirectoryTask } from '#contract/ldap/hub.ts'
import { STATEMENT, attempt, breakDatabase } from '#tests/support/directory-database.ts'
import {
  type TestDirectory,
  createTestDirectory,
  entries,
  entry,
  runNow,
  saveTestConfig,
  statusOf,
} from '#tests/support/directory.ts'
import { db } from '#tests/support/test-worker.ts'

const BUSY = { refused: { key: 'LDAP_BUSY' } }
const DONE = { refused: null }

/** Listed, nobody imported. */
async function createListed(users = entries(4)) {
  const test = await createTestDirectory(users, { syncMode: 1 })
  await runNow(test)
  const { hash } = await test.stub.users({ search: '', exist: '', page: 1, limit: 10 })
  return { ...test, hash }
}
type Listed = Awaited<ReturnType<typeof createListed>>

const TASKS: Readonly<Record<string, (test: Listed) => Promise<unknown>>> = {
  import: (test) => apply(test, { kind: 'import', hash: test.hash, uuids: null }),
  remove: (test) => apply(test, { kind: 'remove', hash: test.hash, uuids: ['id-u0'] }),
  remove_all: (test) => apply(test, { kind: 'remove', hash: test.hash, uuids: null }),
  remove_disable: (test) => apply(test, { kind: 'remove_disable' }),
  sync: (test) => apply(test, { kind: 'sync', hash: test.hash }),
  undo: (test) => attempt(test, (hub) => hub.undo('0'.repeat(32), test.actor)),
  close: (test) => attempt(test, (hub) => hub.close(null, test.actor)),
}
const apply = (test: Listed, task: DirectoryTask) => attempt(test, (hub) => hub.apply(task, test.actor))
const importAll = TASKS['import']!
const LOST = { thrown: 'Network connection lost.' }

describe('directory.md, Runs · one run or task at a time', () => {
  it.each(Object.entries(TASKS))('%s waits for nobody: it is refused while an import works', async (_, second) => {
    const test = await createListed()
    const { hold } = await breakDatabase(test)
    const { reached, release } = hold(STATEMENT.importing)
    const first = importAll(test)
    await reached()
    expect(await second(test)).toMatchObject(BUSY)
    expect(await test.stub.start()).toBe(false)
    release()
    expect(await first).toMatchObject(DONE)
    expect(await statusOf(test)).toEqual({ u0: 1, u1: 1, u2: 1, u3: 1 })
  })

  it.each(Object.entries(TASKS))('%s is refused while a run works', async (_, second) => {
    const test = await createListed()
    const { hold } = await breakDatabase(test)
    const { reached, release } = hold(STATEMENT.members)
    await test.stub.start()
    const first = test.run()
    await reached()
    expect(await second(test)).toMatchObject(BUSY)
    release()
    await first
    expect(await test.stub.state()).toMatchObject({ run: { state: 'done' } })
  })

  it('of calls that come at once one works', async () => {
    const test = await createListed()
    const answers = await Promise.all(Array.from({ length: 6 }, () => importAll(test)))
    expect(answers.filter((answer) => (answer as { refused: unknown }).refused === null)).toHaveLength(1)
    expect(Object.keys(await statusOf(test))).toHaveLength(4)
    const rows = await db
      .select()
      .from(ldapRuns)
      .where(and(eq(ldapRuns.accountId, test.accountId), eq(ldapRuns.kind, 'import')))
    expect(rows).toMatchObject([{ state: 'done', canUndo: 1 }])
  })

  it('the next one works once the first has failed', async () => {
    const test = await createListed()
    const { lose } = await breakDatabase(test)
    lose(STATEMENT.importing, 'before')
    expect(await importAll(test)).toEqual(LOST)
    expect(await importAll(test)).toMatchObject(DONE)
  })

  it('an alarm that comes while a task works leaves the run for later', async () => {
    const test = await createListed()
    await db.update(ldapConfigs).set({ syncMode: 2 }).where(eq(ldapConfigs.accountId, test.accountId))
    await runInDurableObject(test.stub, (_, { storage }) => {
      storage.kv.put('state', { ...storage.kv.get<object>('state'), dueAt: Date.now() - 1 })
    })
    const { hold } = await breakDatabase(test)
    const { reached, release } = hold(STATEMENT.importing)
    const first = importAll(test)
    await reached()
    const before = test.directory.opened.length
    await attempt(test, (hub) => hub.alarm())
    expect(test.directory.opened).toHaveLength(before)
    release()
    expect(await first).toMatchObject(DONE)
    await test.run()
    expect(test.directory.opened).toHaveLength(before + 1)
  })
})

describe('directory.md, Runs · a configuration that is saved meanwhile', () => {
  it('ends a run of the one before without a change, and begins another', async () => {
    const test = await createTestDirectory(entries(3))
    const { hold } = await breakDatabase(test)
    const { reached, release } = hold(STATEMENT.members)
    await test.stub.start()
    const first = test.run()
    await reached()
    await saveTestConfig(test.accountId, { syncMode: 2, networkId: null, revision: 2, over: { host: 'b.acme.com' } })
    await test.stub.refresh()
    test.directory.users = [entry('of.b')]
    release()
    await first
    expect(await statusOf(test)).toEqual({})
    expect(await test.stub.state()).toMatchObject({ run: { state: 'running' } })
    await test.run()
    expect(test.directory.opened.at(-1)?.host).toBe('b.acme.com')
    expect(await statusOf(test)).toEqual({ 'of.b': 1 })
  })
})

/** Rows of an account's runs of one kind. */
const rowsOf = ({ accountId }: TestDirectory, kind: 'import' | 'remove' | 'sync' | 'close' | 'undo') =>
  db
    .select()
    .from(ldapRuns)
    .where(and(eq(ldapRuns.accountId, accountId), eq(ldapRuns.kind, kind)))

describe('directory.md, Runs · a database that is lost', () => {
  it('behind the commit of an import: its undo stands', async () => {
    const test = await createListed()
    const { lose } = await breakDatabase(test)
    lose(STATEMENT.importing, 'committed')
    expect(await importAll(test)).toEqual(LOST)
    expect(Object.keys(await statusOf(test))).toHaveLength(4)
    const [row] = await rowsOf(test, 'import')
    expect(row).toMatchObject({ state: 'done', canUndo: 1 })
    expect(JSON.parse(row!.counts)).toMatchObject({ added: 4 })
    expect(await test.stub.undo(row!.id, test.actor)).toMatchObject(DONE)
    expect(await statusOf(test)).toEqual({})
  })

  it('before the commit of an import: nothing stands, and no undo of it takes a later import back', async () => {
    const test = await createListed()
    const { lose } = await breakDatabase(test)
    lose(STATEMENT.importing, 'before')
    expect(await importAll(test)).toEqual(LOST)
    expect(await rowsOf(test, 'import')).toEqual([])
    expect(await importAll(test)).toMatchObject(DONE)
    expect(await rowsOf(test, 'import')).toHaveLength(1)
  })

  it('behind the commit of a removal: undo gives the members back', async () => {
    const test = await createListed([entry('a'), entry('b')])
    await importAll(test)
    test.directory.users = [entry('a')]
    await runNow(test)
    const { hash } = await test.stub.users({ search: '', exist: '', page: 1, limit: 10 })
    const { lose } = await breakDatabase(test)
    lose(STATEMENT.deleting, 'committed')
    expect(await TASKS['remove_all']!({ ...test, hash })).toEqual(LOST)
    expect(Object.keys(await statusOf(test))).toEqual(['a'])
    const [row] = await rowsOf(test, 'remove')
    expect(await test.stub.undo(row!.id, test.actor)).toMatchObject(DONE)
    expect(Object.keys(await statusOf(test))).toEqual(['a', 'b'])
  })

  it('behind the commit of a closing: undo gives members and configuration back', async () => {
    const test = await createTestDirectory(entries(3))
    await runNow(test)
    const { lose } = await breakDatabase(test)
    lose(STATEMENT.deleting, 'committed')
    expect(await attempt(test, (hub) => hub.close(3, test.actor))).toEqual(LOST)
    expect(await statusOf(test)).toEqual({})
    const [row] = await rowsOf(test, 'close')
    expect(await test.stub.undo(row!.id, test.actor)).toMatchObject(DONE)
    expect(Object.keys(await statusOf(test))).toHaveLength(3)
    expect(await test.stub.start()).toBe(true)
  })

  it.each(['before', 'committed'] as const)('%s the commit of an undo: it can be repeated', async (fate) => {
    const test = await createTestDirectory(entries(3))
    await runNow(test)
    await test.stub.close(3, test.actor)
    const [row] = await rowsOf(test, 'close')
    const { lose } = await breakDatabase(test)
    lose(STATEMENT.undoing, fate)
    expect(await attempt(test, (hub) => hub.undo(row!.id, test.actor))).toEqual(LOST)
    expect(Object.keys(await statusOf(test))).toHaveLength(fate === 'before' ? 0 : 3)
    const again = await test.stub.undo(row!.id, test.actor)
    expect(again).toMatchObject(fate === 'before' ? DONE : { refused: { key: 'LDAP_UNDO_GONE' } })
    expect(Object.keys(await statusOf(test))).toHaveLength(3)
  })
})
