import { and, desc, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { logsApi } from '#contract/logs/index.ts'
import { softwareLoginLogs } from '#db/schema/clients.ts'
import { ldapConfigs, ldapMembers, ldapRuns } from '#db/schema/ldap.ts'
import { routers } from '#db/schema/routers.ts'
import { insertLoginRecords, selectMemberByName } from '#features/client/sql/members.ts'
import { isOfMember } from '#features/logs/sql/member-records.ts'
import { repetitions } from '#tests/support/depth.ts'
import {
  type TestDirectory,
  createImported,
  createTestDirectory,
  entry,
  runNow,
  saveTestConfig,
  statusOf,
} from '#tests/support/directory.ts'
import { STATEMENT, attempt, breakDatabase } from '#tests/support/directory-database.ts'
import { insertRouter } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'

// Members keep their identity through removal, closing and undo: no record names another person.

const PEOPLE = 4
const DEVICE = { os: '', version: '', sys_brand: '', sys_model: '', sys_version: '', capabilities: null } as never
const userOf = (person: number, name = `u${person}`) =>
  entry(name, { id: `id-${person}`, displayName: `用户${person}` })

/** A company whose people come, go, are renamed and sign in; each sign-in is recorded with who it was (`os`). */
class Company {
  readonly test: TestDirectory
  private revision = 1
  private hands = 0

  constructor(test: TestDirectory) {
    this.test = test
  }

  private async read() {
    await runNow(this.test)
    return (await this.test.stub.users({ search: '', exist: '', page: 1, limit: 10 })).hash
  }
  async import() {
    await this.test.stub.apply({ kind: 'import', hash: await this.read(), uuids: null }, this.test.actor)
  }
  async sync() {
    await this.test.stub.apply({ kind: 'sync', hash: await this.read() }, this.test.actor)
  }
  async remove() {
    await this.test.stub.apply({ kind: 'remove', hash: await this.read(), uuids: null }, this.test.actor)
  }
  leave(person: number) {
    const { directory } = this.test
    directory.users = directory.users.filter(({ id }) => id !== `id-${person}`)
  }
  come(person: number) {
    this.leave(person)
    this.test.directory.users.push(userOf(person))
  }
  rename(person: number) {
    const { directory } = this.test
    directory.users = directory.users.map((user) =>
      user.id === `id-${person}`
        ? { ...user, username: user.username === `u${person}` ? `r${person}` : `u${person}` }
        : user,
    )
  }
  async close() {
    const { count } = await this.test.stub.state()
    await this.test.stub.close(count, this.test.actor)
  }
  async connect() {
    const stored = await db.select().from(ldapConfigs).where(eq(ldapConfigs.accountId, this.test.accountId))
    if (stored.length === 0)
      await saveTestConfig(this.test.accountId, { syncMode: 1, networkId: null, revision: 100 + this.revision++ })
  }
  /** Undoes one of the changes that still can be, the newest first. */
  async undo(nth: number) {
    const rows = await db
      .select({ id: ldapRuns.id })
      .from(ldapRuns)
      .where(and(eq(ldapRuns.accountId, this.test.accountId), eq(ldapRuns.canUndo, 1)))
      .orderBy(desc(ldapRuns.startedAt))
    const row = rows[nth % Math.max(rows.length, 1)]
    if (row) await this.test.stub.undo(row.id, this.test.actor)
  }
  /** A member by hand, who has no part in the directory, and whose id may be one of before. */
  async hand() {
    const { accountId, sign } = this.test
    const name = `hand${this.hands++}@${sign}`
    const { id } = await insertRouter({ accountId, name, routerType: 2, password: '!', note: '手工' })
    await this.record(name, '手工')
    if (this.hands % 2 === 0) await db.delete(routers).where(eq(routers.id, id))
  }
  async signIn() {
    for (const { name, directoryId } of await this.members())
      await this.record(name, directoryId === null ? '手工' : `用户${directoryId.slice(3)}`)
  }

  private async record(fullName: string, person: string) {
    const [name = '', domain = ''] = fullName.split('@')
    const [member] = await selectMemberByName(db, { name, domain }, Date.now())
    await insertLoginRecords(
      { db, ip: '203.0.113.7', now: Date.now() },
      [member!],
      { ...(DEVICE as object), os: person } as never,
      '',
    )
  }
  members() {
    return db
      .select({ name: routers.name, note: routers.note, directoryId: ldapMembers.directoryId })
      .from(routers)
      .leftJoin(ldapMembers, eq(ldapMembers.routerId, routers.id))
      .where(eq(routers.accountId, this.test.accountId))
  }

  /** Records that name another person than the one who signed in. */
  async mixedUp(): Promise<string[]> {
    const found: string[] = []
    for (let page = 1; ; page++) {
      const { data } = await this.test.main.call(logsApi.softwareLogin, { page })
      for (const { os, note, router_name } of data)
        if (note !== '' && note !== os) found.push(`${os} → ${note} ${router_name}`)
      if (data.length < 10) break
    }
    for (const { name, note } of await this.members()) {
      const own = await db
        .select({ os: softwareLoginLogs.os })
        .from(softwareLoginLogs)
        .where(isOfMember(softwareLoginLogs as never, name))
      found.push(...own.filter(({ os }) => os !== note).map(({ os }) => `${os} ∈ ${name}`))
    }
    return found
  }
}

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...(['import', 'sync', 'remove', 'close', 'connect', 'hand', 'signIn'] as const))
      .map((kind) => ({ kind })),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom(...(['leave', 'come', 'rename'] as const)), n: fc.nat(PEOPLE - 1) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), n: fc.nat(2) }) },
)

async function perform(company: Company, script: readonly { readonly kind: keyof Company; readonly n?: number }[]) {
  for (const { kind, n = 0 } of script) await (company[kind] as (n: number) => unknown).call(company, n)
}

const START = [{ kind: 'import' }, { kind: 'signIn' }] as const

it('no record names another person, whatever is imported, removed, closed and undone', async () => {
  const script = fc.array(step, { minLength: 6, maxLength: 14, size: 'max' })
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const users = Array.from({ length: PEOPLE }, (_, person) => userOf(person))
      const company = new Company(await createTestDirectory(users, { syncMode: 1, quota: 50 }))
      await perform(company, [...START, ...steps, { kind: 'signIn' }] as never)
      expect(await company.mixedUp()).toEqual([])
    }),
    { numRuns: repetitions(48), seed: inject('seed') },
  )
}, 120_000)

it('a member that undo brings back has its records, those of a member of the same name stay its own', async () => {
  const company = new Company(await createTestDirectory([userOf(0), userOf(1)], { syncMode: 1 }))
  await perform(company, [...START, { kind: 'close' }, { kind: 'hand' }, { kind: 'undo' }] as never)
  expect(await company.mixedUp()).toEqual([])
  const { name } = (await company.members()).find(({ note }) => note === '用户1')!
  const { data } = await company.test.main.call(logsApi.softwareLogin, { router_name: name })
  expect(data.map(({ os, note }) => [os, note])).toEqual([['用户1', '用户1']])
})

it('a chain of undos, newest first, restores every member that it says', async () => {
  const company = new Company(
    await createTestDirectory(
      Array.from({ length: 4 }, (_, n) => userOf(n)),
      { syncMode: 1 },
    ),
  )
  await perform(company, [{ kind: 'import' }] as never)
  const { directory } = company.test
  directory.users = [{ ...userOf(0), isDisabled: true }, userOf(2, 'new2'), userOf(3)] // 1 has left
  await perform(company, [{ kind: 'sync' }] as never)
  const { stub, actor } = company.test
  expect(await stub.apply({ kind: 'remove_disable' }, actor)).toMatchObject({ answer: { removable: 1 } })
  await perform(company, [{ kind: 'remove' }, { kind: 'undo' }, { kind: 'undo' }] as never)
  const [sync] = await db
    .select({ id: ldapRuns.id })
    .from(ldapRuns)
    .where(and(eq(ldapRuns.accountId, company.test.accountId), eq(ldapRuns.kind, 'sync')))
  expect(await stub.undo(sync!.id, actor)).toMatchObject({ refused: null, answer: { restored: 3, left: 0 } })
  const rows = await db
    .select({ name: routers.name, status: routers.status })
    .from(routers)
    .where(eq(routers.accountId, company.test.accountId))
  expect(rows.map(({ name, status }) => `${name.split('@')[0]} ${status}`).toSorted()).toEqual([
    'u0 1',
    'u1 1',
    'u2 1',
    'u3 1',
  ])
})

it('says how many it restored and how many not, and why', async () => {
  const company = new Company(await createTestDirectory([userOf(0), userOf(1), userOf(2)], { syncMode: 1 }))
  await perform(company, [{ kind: 'import' }] as never)
  company.test.directory.users = []
  await perform(company, [{ kind: 'remove' }] as never)
  const { accountId, sign, stub, actor } = company.test
  await insertRouter({ accountId, name: `U1@${sign}`, routerType: 2, password: '!' })
  const [row] = await db
    .select({ id: ldapRuns.id })
    .from(ldapRuns)
    .where(and(eq(ldapRuns.accountId, accountId), eq(ldapRuns.kind, 'remove')))
  expect(await stub.undo(row!.id, actor)).toMatchObject({
    refused: null,
    answer: { restored: 2, left: 1, reason: '名称已被占用' },
  })
})

it('an undo that would restore nobody is refused, and is still there once another undo has brought its members back', async () => {
  const company = new Company(await createTestDirectory([userOf(0)], { syncMode: 1 }))
  await perform(company, [{ kind: 'import' }] as never)
  company.test.directory.users = [{ ...userOf(0), isDisabled: true }]
  await perform(company, [{ kind: 'sync' }, { kind: 'remove' }] as never)
  const { accountId, stub, actor } = company.test
  const rows = await db.select().from(ldapRuns).where(eq(ldapRuns.accountId, accountId))
  const idOf = (kind: string) => rows.find((row) => row.kind === kind)!.id
  expect(await stub.undo(idOf('sync'), actor)).toMatchObject({
    refused: { key: 'LDAP_UNDO_NONE', params: { left: 1, reason: '成员已不存在' } },
  })
  expect(await stub.undo(idOf('remove'), actor)).toMatchObject({ answer: { restored: 1 } })
  expect(await stub.undo(idOf('sync'), actor)).toMatchObject({ answer: { restored: 1, left: 0 } })
})

it('a run does nothing to the member who got the id of one that it has read', async () => {
  const test = await createImported(3)
  test.directory.users = test.directory.users.slice(0, 2)
  const { hold } = await breakDatabase(test)
  const { reached, release } = hold(STATEMENT.disabling)
  await test.stub.start()
  const run = attempt(test, (hub) => hub.alarm())
  await reached()
  const { accountId, sign } = test
  const [leaver] = await db
    .select({ id: routers.id })
    .from(routers)
    .where(eq(routers.name, `u2@${sign}`))
  await db.delete(routers).where(eq(routers.id, leaver!.id))
  await insertRouter({ accountId, id: leaver!.id, name: `stranger@${sign}`, routerType: 2, password: '!' })
  release()
  await run
  expect(await statusOf(test)).toEqual({ u0: 1, u1: 1, stranger: 1 })
  expect(await test.stub.state()).toMatchObject({ run: { state: 'failed' }, fault: ERRORS.LDAP_LIST_CHANGED.msg })
})
