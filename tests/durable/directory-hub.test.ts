import { and, asc, eq } from 'drizzle-orm'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { LDAP } from '#contract/ldap/limits.ts'
import { auditLogs } from '#db/schema/accounts.ts'
import { clientSessions } from '#db/schema/clients.ts'
import { ldapConfigs, ldapHubs, ldapMembers, ldapRuns } from '#db/schema/ldap.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers } from '#db/schema/networks.ts'
import { messages } from '#db/schema/notices.ts'
import { DirectoryError } from '#outside/tls/failure.ts'
import {
  CANDIDATE,
  type TestDirectory,
  createTestDirectory,
  entries,
  entry,
  membersOf,
  runNow,
  saveTestConfig,
  statusOf,
} from '#tests/support/directory.ts'
import { insertNetwork } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import { stopClock } from './clock.ts'

const actionsOf = async ({ accountId }: TestDirectory) =>
  (
    await db
      .select({ action: auditLogs.action })
      .from(auditLogs)
      .where(and(eq(auditLogs.accountId, accountId), eq(auditLogs.module, 'ldap')))
  ).map(({ action }) => action)

describe('directory 2 · check of a configuration', () => {
  it('answers what it found, and is good for exactly these values', async () => {
    const { stub, directory } = await createTestDirectory(entries(7), { isSaved: false })
    expect(await stub.check(CANDIDATE)).toMatchObject({
      refused: null,
      answer: { server: 'openldap', tls: '1.3', count: 7, sample: { length: 5 } },
    })
    expect(directory.opened).toEqual([{ host: CANDIDATE.host, password: CANDIDATE.password }])
    expect(await stub.isChecked(CANDIDATE)).toBe(true)
    for (const over of [{ host: 'x.acme.com' }, { password: 'Other2026' }, { userFilter: '(uid=a)' }, { caKey: 'k' }])
      expect(await stub.isChecked({ ...CANDIDATE, ...over })).toBe(false)
  })

  it('is good for ten minutes', async () => {
    const { stub } = await createTestDirectory([entry('a')])
    await stub.check(CANDIDATE)
    vi.setSystemTime(Date.now() + LDAP.checkedMs + 1)
    expect(await stub.isChecked(CANDIDATE)).toBe(false)
    vi.useRealTimers()
  })

  it.each([
    ['timeout', 'LDAP_UNREACHABLE'],
    ['name_unknown', 'LDAP_UNREACHABLE'],
    ['refused', 'LDAP_UNREACHABLE'],
    ['bind_refused', 'LDAP_BIND_REFUSED'],
    ['wrong_ca', 'LDAP_WRONG_CA'],
  ] as const)('%s in public mode: %s', async (reason, key) => {
    const { stub, directory } = await createTestDirectory([entry('a')])
    directory.failure = new DirectoryError(reason)
    expect(await stub.check(CANDIDATE)).toMatchObject({ refused: { key } })
    expect(await stub.isChecked(CANDIDATE)).toBe(false)
  })
})

describe('directory.md, Runs · a run', () => {
  it('imports, and a second one writes nothing', async () => {
    const test = await createTestDirectory([entry('li'), entry('wang', { isDisabled: true })])
    expect(await runNow(test)).toMatchObject({ count: 1, fault: '', run: { state: 'done', counts: { added: 1 } } })
    expect(await membersOf(test)).toEqual([
      { name: `li@${test.sign}`, note: '用户li', status: 1, password: '!', source: 'ldap' },
    ])
    expect(await actionsOf(test)).toEqual(['import'])
    const rows = await db.select().from(ldapRuns).where(eq(ldapRuns.accountId, test.accountId))
    expect(rows).toMatchObject([{ kind: 'sync', state: 'done', canUndo: 1 }])
    expect(await runNow(test)).toMatchObject({ run: { state: 'done', counts: { added: 0 } } })
    expect(await db.select().from(ldapRuns).where(eq(ldapRuns.accountId, test.accountId))).toHaveLength(1)
  })

  it('comes again after an hour, and D1 knows when', async () => {
    const now = stopClock()
    const test = await createTestDirectory([entry('li')])
    await runNow(test)
    const [row] = await db.select().from(ldapHubs).where(eq(ldapHubs.accountId, test.accountId))
    const inMinutes = ((row?.dueAt ?? 0) - now) / 60_000
    expect(inMinutes).toBeGreaterThanOrEqual(LDAP.cycleMinutes * (1 - LDAP.cycleSpread))
    expect(inMinutes).toBeLessThanOrEqual(LDAP.cycleMinutes * (1 + LDAP.cycleSpread))
    const alarm = await runInDurableObject(test.stub, (_, ctx) => ctx.storage.getAlarm())
    expect(alarm).toBe(row?.dueAt)
  })

  it('by hand lists only', async () => {
    const test = await createTestDirectory([entry('li')], { syncMode: 1 })
    expect(await runNow(test)).toMatchObject({ run: { state: 'done', counts: { added: 1 } } })
    expect(await membersOf(test)).toEqual([])
  })

  it('renames, swaps names, keeps the note of a person', async () => {
    const test = await createTestDirectory([entry('a'), entry('b'), entry('c')])
    await runNow(test)
    const before = await db.select().from(ldapMembers).where(eq(ldapMembers.accountId, test.accountId))
    test.directory.users = [
      entry('b', { id: 'id-a', displayName: '新备注' }),
      entry('a', { id: 'id-b' }),
      entry('c2', { id: 'id-c' }),
    ]
    expect(await runNow(test)).toMatchObject({ run: { state: 'done', counts: { changed: 3, added: 0 } } })
    const after = await db
      .select({ directoryId: ldapMembers.directoryId, name: routers.name, note: routers.note })
      .from(ldapMembers)
      .innerJoin(routers, eq(routers.id, ldapMembers.routerId))
      .where(eq(ldapMembers.accountId, test.accountId))
      .orderBy(asc(ldapMembers.directoryId))
    expect(after).toEqual([
      { directoryId: 'id-a', name: `b@${test.sign}`, note: '新备注' },
      { directoryId: 'id-b', name: `a@${test.sign}`, note: '用户a' },
      { directoryId: 'id-c', name: `c2@${test.sign}`, note: '用户c2' },
    ])
    expect(before).toHaveLength(3)
  })

  it('disables who is disabled or gone, with the sessions, and enables again whom it disabled', async () => {
    const test = await createTestDirectory(entries(12))
    await runNow(test)
    await runNow(test) // the first run after the configuration asks
    const [member] = await db
      .select({ id: routers.id })
      .from(routers)
      .where(eq(routers.name, `u0@${test.sign}`))
    await db.insert(clientSessions).values({
      id: `c-${test.accountId}`,
      accountId: test.accountId,
      routerId: member!.id,
      refreshHash: 'x',
      ip: '',
      createdAt: 0,
      rotatedAt: 0,
      expiresAt: Date.now() + 60_000,
    })
    test.directory.users = entries(12).slice(1)
    expect(await runNow(test)).toMatchObject({ run: { state: 'done', counts: { disabled: 1 } } })
    expect((await statusOf(test))['u0']).toBe(0)
    const [session] = await db
      .select()
      .from(clientSessions)
      .where(eq(clientSessions.id, `c-${test.accountId}`))
    expect(session?.endedAt).not.toBeNull()
    const [state] = await db.select().from(routerStates).where(eq(routerStates.routerId, member!.id))
    expect(state?.presence).toBe('disabled')
    test.directory.users = entries(12)
    expect(await runNow(test)).toMatchObject({ run: { counts: { enabled: 1 } } })
    expect((await statusOf(test))['u0']).toBe(1)
  })

  it('never enables whom a person disabled', async () => {
    const test = await createTestDirectory(entries(12))
    await runNow(test)
    await db
      .update(routers)
      .set({ status: 0 })
      .where(eq(routers.name, `u1@${test.sign}`))
    await runNow(test)
    expect((await statusOf(test))['u1']).toBe(0)
  })

  it('stops and asks, does nothing until it is confirmed, and then goes on', async () => {
    const test = await createTestDirectory(entries(20))
    await runNow(test)
    test.directory.users = entries(20).slice(5)
    expect(await runNow(test)).toMatchObject({ run: { state: 'asking', stop: 'share', counts: { disabled: 5 } } })
    expect(Object.values(await statusOf(test))).not.toContain(0)
    expect(await db.select().from(messages).where(eq(messages.accountId, test.accountId))).toMatchObject([
      { title: '目录同步已暂停，等待确认' },
    ])
    const { run } = await test.stub.state()
    expect(await test.stub.confirm('other', test.actor)).toMatchObject({ refused: { key: 'LDAP_NOTHING_TO_CONFIRM' } })
    expect(await test.stub.confirm(run!.hash, test.actor)).toMatchObject({ refused: null })
    await test.run()
    expect(await test.stub.state()).toMatchObject({ run: { state: 'done' } })
    expect(Object.values(await statusOf(test)).filter((status) => status === 0)).toHaveLength(5)
  })

  it('asks again where one more has gone meanwhile', async () => {
    const test = await createTestDirectory(entries(20))
    await runNow(test)
    test.directory.users = entries(20).slice(5)
    const { run } = await runNow(test)
    test.directory.users = entries(20).slice(6)
    await test.stub.confirm(run!.hash, test.actor)
    await test.run()
    expect(await test.stub.state()).toMatchObject({ run: { state: 'asking', counts: { disabled: 6 } } })
    expect(Object.values(await statusOf(test))).not.toContain(0)
  })

  it('an empty listing disables nobody', async () => {
    const test = await createTestDirectory(entries(3))
    await runNow(test)
    test.directory.users = []
    expect(await runNow(test)).toMatchObject({ run: { state: 'asking', stop: 'empty' } })
    expect(Object.values(await statusOf(test))).not.toContain(0)
  })

  it('the first one after the configuration changed asks for a single member', async () => {
    const test = await createTestDirectory(entries(40))
    await runNow(test)
    await saveTestConfig(test.accountId, { syncMode: 2, networkId: null, revision: 2 })
    test.directory.users = entries(40).slice(1)
    await test.stub.refresh()
    await test.run()
    expect(await test.stub.state()).toMatchObject({ run: { state: 'asking', stop: 'first' } })
  })

  it('that loses its second page writes nothing and says why', async () => {
    const test = await createTestDirectory(entries(3))
    await runNow(test)
    test.directory.users = [...entries(600)]
    test.directory.failure = new DirectoryError('incomplete')
    test.directory.failAfter = 500
    expect(await runNow(test)).toMatchObject({
      count: 3,
      fault: '目录没有返回完整的用户列表，请检查目录服务器后重试',
      run: { state: 'failed' },
    })
    expect(await test.stub.users({ search: '', exist: '', page: 1, limit: 10 })).toMatchObject({ count: 3 })
  })

  it('three failures in a row raise one alert', async () => {
    const test = await createTestDirectory([entry('a')])
    test.directory.failure = new DirectoryError('bind_refused')
    for (let i = 0; i < 4; i++) await runNow(test)
    const rows = await db.select().from(messages).where(eq(messages.accountId, test.accountId))
    expect(rows.map(({ title }) => title)).toEqual(['目录同步连续失败'])
  })

  it('that was cut off goes on, and ends after some tries', async () => {
    const test = await createTestDirectory([entry('li')])
    await test.stub.start()
    for (let i = 0; i < LDAP.resumes; i++) {
      await cutOff(test)
      await test.run()
      expect(await test.stub.state()).toMatchObject({ run: { state: 'done' } })
      await test.stub.start()
    }
    expect(Object.keys(await statusOf(test))).toEqual(['li'])
  })

  it('works alone', async () => {
    const test = await createTestDirectory([entry('li')])
    expect(await test.stub.start()).toBe(true)
    expect(await test.stub.start()).toBe(false)
    expect(await test.stub.apply({ kind: 'sync', hash: '' }, test.actor)).toMatchObject({
      refused: { key: 'LDAP_BUSY' },
    })
  })

  it('new members join the network while seats last', async () => {
    const test = await createTestDirectory([], { seats: 3 })
    const network = await insertNetwork({ accountId: test.accountId })
    await db.update(ldapConfigs).set({ networkId: network.id }).where(eq(ldapConfigs.accountId, test.accountId))
    test.directory.users = entries(5)
    await runNow(test)
    expect(Object.keys(await statusOf(test))).toHaveLength(5)
    const joined = await db.select().from(networkMembers).where(eq(networkMembers.networkId, network.id))
    expect(joined).toHaveLength(3)
    expect(joined.every(({ memberType }) => memberType === 'point')).toBe(true)
  })

  it('quota: the rest stand with the reason', async () => {
    const test = await createTestDirectory(entries(5), { quota: 2 })
    expect(await runNow(test)).toMatchObject({ count: 2, run: { counts: { added: 2, conflicts: 3 } } })
    const { rows } = await test.stub.users({ search: '', exist: '0', page: 1, limit: 10 })
    expect(rows.map(({ verify }) => verify)).toEqual(['配额不足', '配额不足', '配额不足'])
  })

  it('quota: whom a person chooses gets the seats first', async () => {
    const test = await createTestDirectory(entries(5), { quota: 2, syncMode: 1 })
    await runNow(test)
    const { rows, hash } = await test.stub.users({ search: '', exist: '', page: 1, limit: 10 })
    expect(rows.every(({ verify }) => verify === '可导入')).toBe(true)
    const uuids = ['id-u4', 'id-u3', 'id-u2']
    const applied = await test.stub.apply({ kind: 'import', hash, uuids }, test.actor)
    expect(applied).toMatchObject({ answer: { added: 2 } })
    expect((await membersOf(test)).map(({ name }) => name)).toEqual([`u2@${test.sign}`, `u3@${test.sign}`])
    expect(applied.refused === null && applied.answer.result.find(({ ok }) => ok === 0)).toEqual({
      uuid: 'id-u4',
      ok: 0,
      msg: '配额不足',
    })
  })
})

/** The state after an eviction: a stored run that no object works on. */
const cutOff = ({ stub }: TestDirectory) =>
  runInDurableObject(stub, (_, ctx) => {
    const state = ctx.storage.kv.get<{ run: object }>('state')!
    ctx.storage.kv.put('state', { ...state, run: { ...state.run, phase: 'listing' } })
  })
