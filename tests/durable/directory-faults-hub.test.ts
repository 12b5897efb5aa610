import { eq } from 'drizzle-orm'
import { env, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { createHubs } from '#durable/hubs.ts'
import { ERRORS } from '#contract/kernel/errors.ts'
import { LDAP, LDAP_SIGN_IN } from '#contract/ldap/limits.ts'
import { ldapHubs, ldapRuns } from '#db/schema/ldap.ts'
import { messages } from '#db/schema/notices.ts'
import type { Run } from '#domain/ldap/run.ts'
import { wakeDirectories } from '#jobs/hubs.ts'
import { STATEMENT, attempt, breakDatabase } from '#tests/support/directory-database.ts'
import {
  CANDIDATE,
  type TestDirectory,
  createImported,
  createTestDirectory,
  enabled,
  entries,
  entry,
  runNow,
  statusOf,
  useDirectory,
} from '#tests/support/directory.ts'
import { createServed, serve } from '#tests/support/directory-server.ts'
import { db } from '#tests/support/test-worker.ts'
import { until } from './support.ts'
import { holdTimers } from './clock.ts'

// Faults of the hub and of what it stands on: no member is lost or disabled, and the page says why.

/** Stores a run that the object of before was working on, and lets that go. */
async function evictIn(test: TestDirectory, phase: Run['phase'], over: Partial<Run> = {}): Promise<void> {
  await test.stub.start()
  await runInDurableObject(test.stub, (_, { storage }) => {
    const state = storage.kv.get<{ run: Run }>('state')!
    storage.kv.put('state', { ...state, run: { ...state.run, phase, ...over } })
  })
  await evictDurableObject(test.stub)
  await useDirectory(test.hub, test.directory)
}

/** Runs the alarm until nothing waits any more. */
async function drain(test: TestDirectory): Promise<void> {
  for (let i = 0; i <= LDAP.resumes + 1; i++) {
    await test.run()
    const { run } = await test.stub.state()
    if (run?.state !== 'running') return
  }
}

const rowsOf = ({ accountId }: TestDirectory) => db.select().from(ldapRuns).where(eq(ldapRuns.accountId, accountId))

describe('directory.md, Runs · an eviction', () => {
  it.each(['waiting', 'listing', 'comparing', 'writing'] as const)('while a run is %s: it goes on', async (phase) => {
    const test = await createImported(5)
    test.directory.users = entries(7)
    await evictIn(test, phase)
    await drain(test)
    expect(await test.stub.state()).toMatchObject({ fault: '', run: { state: 'done' } })
    expect(await statusOf(test)).toEqual(enabled(7))
  })

  it('again and again: the run is over, says so, and the next one works', async () => {
    const test = await createImported(5)
    await evictIn(test, 'writing', { resumes: LDAP.resumes })
    await test.run()
    expect(await test.stub.state()).toMatchObject({
      fault: ERRORS.LDAP_INTERRUPTED.msg,
      run: { state: 'failed' },
    })
    expect(await statusOf(test)).toEqual(enabled(5))
    expect(await runNow(test)).toMatchObject({ fault: '', run: { state: 'done' } })
  })

  it('while a run asks: it still asks', async () => {
    const test = await createImported(5)
    test.directory.users = []
    await runNow(test)
    await evictDurableObject(test.stub)
    await useDirectory(test.hub, test.directory)
    await test.run()
    expect(await test.stub.state()).toMatchObject({ run: { state: 'asking', stop: 'empty' } })
    expect(await statusOf(test)).toEqual(enabled(5))
  })

  it('between two portions: the run goes on, its row counts both, undo takes back both', async () => {
    const test = await createImported(12)
    await runNow(test)
    test.directory.users = [...entries(12).slice(1), entry('new')]
    const { lose } = await breakDatabase(test)
    lose(STATEMENT.importing, 'before') // behind the portion that disables
    await test.stub.start()
    await drain(test)
    expect(await statusOf(test)).toEqual({ ...enabled(12), u0: 0, new: 1 })
    const row = (await rowsOf(test)).find(({ counts }) => counts.includes('"disabled":1'))
    expect(row).toMatchObject({ state: 'done', canUndo: 1, failure: '' })
    expect(JSON.parse(row!.counts)).toMatchObject({ disabled: 1, added: 1 })
    expect(await test.stub.undo(row!.id, test.actor)).toMatchObject({ refused: null })
    expect(await statusOf(test)).toEqual(enabled(12))
  })
})

describe('directory.md, Runs · a database that is lost', () => {
  it.each([
    ['before the members are read', STATEMENT.members, 'before', 3], // a read is tried three times
    ['before the commit of an import', STATEMENT.importing, 'before', 2],
    ['behind the commit of an import', STATEMENT.importing, 'committed', 1],
    ['before the outcome is written', STATEMENT.outcome, 'before', 2],
    ['behind the outcome', STATEMENT.outcome, 'committed', 2],
  ] as const)('%s: the run goes on and everybody is imported once', async (_, statement, fate, times) => {
    const test = await createTestDirectory(entries(6))
    const { lose } = await breakDatabase(test)
    lose(statement, fate, times)
    await test.stub.start()
    await drain(test)
    await drain(test)
    expect(await test.stub.state()).toMatchObject({ fault: '', count: 6, run: { state: 'done' } })
    expect(await statusOf(test)).toEqual(enabled(6))
    const rows = await rowsOf(test)
    expect(rows).toMatchObject([{ kind: 'sync', state: 'done', canUndo: 1 }])
    expect(JSON.parse(rows[0]!.counts)).toMatchObject({ added: 6 })
    await test.stub.undo(rows[0]!.id, test.actor)
    expect(await statusOf(test)).toEqual({})
  })

  it('for long: the run is over and says so', async () => {
    const test = await createImported(5)
    test.directory.users = entries(6)
    const { lose } = await breakDatabase(test)
    lose(STATEMENT.importing, 'before', 99)
    await test.stub.start()
    await drain(test)
    expect(await test.stub.state()).toMatchObject({ fault: ERRORS.LDAP_INTERRUPTED.msg, run: { state: 'failed' } })
    expect(await statusOf(test)).toEqual(enabled(5))
  })

  it('while a run that asks writes its message: the next alarm writes it, once', async () => {
    const test = await createImported(5)
    test.directory.users = []
    const { lose } = await breakDatabase(test)
    lose(STATEMENT.outcome, 'before')
    await test.stub.start()
    await test.run()
    const titles = async () =>
      (await db.select().from(messages).where(eq(messages.accountId, test.accountId))).map(({ title }) => title)
    expect(await titles()).toEqual([])
    await test.run()
    await test.run()
    expect(await titles()).toEqual(['目录同步已暂停，等待确认'])
    expect(await test.stub.state()).toMatchObject({ run: { state: 'asking' } })
  })
})

describe('directory.md, Runs · time', () => {
  it('a run without progress for 120 s is over, and another may begin', async () => {
    const test = await createImported(5)
    await evictIn(test, 'listing')
    vi.setSystemTime(Date.now() + LDAP.stalledMs + 1)
    expect(await test.stub.start()).toBe(true)
    await test.run()
    expect(await test.stub.state()).toMatchObject({ run: { state: 'done' } })
  })

  it('a run whose database never answers is over after 120 s, and writes nothing later', async () => {
    expect(LDAP.stalledMs).toBe(120_000)
    const timers = holdTimers(LDAP.stalledMs)
    const test = await createImported(5)
    test.directory.users = entries(6)
    const { hold } = await breakDatabase(test)
    const { reached, release } = hold(STATEMENT.members)
    const run = runNow(test)
    await reached()
    timers.release()
    await run
    expect(await test.stub.state()).toMatchObject({ fault: ERRORS.LDAP_STALLED.msg, run: { state: 'failed' } })
    release()
    expect(await statusOf(test)).toEqual(enabled(5))
    expect(await runNow(test)).toMatchObject({ run: { state: 'done' } })
    expect(await statusOf(test)).toEqual(enabled(6))
  })

  it('a check answers within 60 s, whatever the directory does', async () => {
    expect(LDAP.checkMs).toBeLessThan(LDAP.callMs)
    const timers = holdTimers(LDAP.checkMs, LDAP.checkMs)
    const test = await createTestDirectory([])
    let isAsked = false
    const answer = attempt(test, (hub) => {
      hub.openDirectory = () => {
        isAsked = true
        return new Promise(() => {})
      }
      return hub.check(CANDIDATE)
    })
    await until(() => isAsked || undefined)
    timers.release()
    expect(await answer).toMatchObject({ refused: { key: 'LDAP_UNREACHABLE' } })
  })

  it('a check of a directory that lists too slowly says so within 60 s', async () => {
    const timers = holdTimers(LDAP.checkMs, LDAP.checkMs)
    const test = await createServed()
    let isListing = false
    const list = () => {
      isListing = true
      return []
    }
    await serve(test, { list })
    const answer = test.stub.check(CANDIDATE)
    await until(() => isListing || undefined)
    timers.release()
    expect(await answer).toMatchObject({ refused: { key: 'LDAP_TIME_LIMIT' } })
  })

  it('a sign-in answers within 20 s, and counts nothing', async () => {
    expect(LDAP_SIGN_IN.answerMs).toBe(20_000)
    const timers = holdTimers(LDAP_SIGN_IN.answerMs, LDAP_SIGN_IN.answerMs)
    const test = await createTestDirectory([])
    const tries = attempt(test, async (hub) => {
      hub.openDirectory = () => new Promise(() => {})
      const answers: string[] = []
      for (let i = 0; i < 5; i++) answers.push(await hub.signIn({ key: 'a', directoryId: null }, 'x'))
      return answers
    })
    let answers: unknown
    void tries.then((all) => (answers = all))
    await until(() => {
      timers.release()
      return answers
    })
    expect(answers).toEqual(Array.from({ length: 5 }, () => 'away'))
  })

  it('names of strangers without end: so many connections at once, and the others wait for theirs', async () => {
    const test = await createTestDirectory([])
    const strangers = Array.from({ length: LDAP_SIGN_IN.atOnce * 3 }, (_, i) => `stranger ${i}`)
    let [open, most, opened] = [0, 0, 0]
    const answers = await attempt(test, (hub) => {
      const openDirectory = hub.openDirectory
      hub.openDirectory = async (...values) => {
        opened++
        most = Math.max(most, ++open)
        // No connection is answered before everybody else has one, too, or waits for a slot.
        await until(() => opened + hub['signIns']['waiting'].length === strangers.length || undefined)
        const connection = await openDirectory(...values)
        return { ...connection, close: () => void open-- }
      }
      return Promise.all(strangers.map((key) => hub.signIn({ key, directoryId: null }, 'x')))
    })
    expect(new Set(answers as string[])).toEqual(new Set(['wrong']))
    expect([most, open]).toEqual([LDAP_SIGN_IN.atOnce, 0])
    expect(test.directory.opened).toHaveLength(strangers.length)
  })

  it('an alarm that was lost: the cron wakes the hub that is overdue', async () => {
    const test = await createImported(5)
    test.directory.users = entries(6)
    await runInDurableObject(test.stub, (_, { storage }) => storage.deleteAlarm())
    vi.setSystemTime(Date.now() + 2 * LDAP.cycleMinutes * 60_000)
    await wakeDirectories(db, createHubs(env), Date.now())
    await test.run()
    expect(await statusOf(test)).toEqual(enabled(6))
    const [row] = await db.select().from(ldapHubs).where(eq(ldapHubs.accountId, test.accountId))
    expect(row!.dueAt).toBeGreaterThan(Date.now())
  })

  it('an alarm of a run that works was lost: looking at the page brings it back', async () => {
    const test = await createImported(5)
    await evictIn(test, 'listing')
    await runInDurableObject(test.stub, (_, { storage }) => storage.deleteAlarm())
    vi.setSystemTime(Date.now() + LDAP.stalledMs + 1)
    await test.stub.state()
    await test.run()
    expect(await test.stub.state()).toMatchObject({ run: { state: 'done' } })
  })
})
