import { and, eq } from 'drizzle-orm'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { ldapApi } from '#contract/ldap/index.ts'
import type { ServiceKind } from '#contract/account/services.ts'
import { auditLogs, services } from '#db/schema/accounts.ts'
import { ldapConfigs, ldapRuns } from '#db/schema/ldap.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { createSession } from '#tests/support/fixtures.ts'
import { STATEMENT, attempt, breakDatabase } from '#tests/support/directory-database.ts'
import { type TestDirectory, createTestDirectory, entries, entry, runNow, statusOf } from '#tests/support/directory.ts'
import { insertNetwork, insertRouter } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'

describe('directory 4 · import, removal, closing and undo by a person', () => {
  const listed = async (users = [entry('a'), entry('b'), entry('c', { username: '坏' })]) => {
    const test = await createTestDirectory(users, { syncMode: 1 })
    await runNow(test)
    const { hash } = await test.stub.users({ search: '', exist: '', page: 1, limit: 10 })
    return { ...test, hash }
  }

  it('imports those who are named, and says why the others stay out', async () => {
    const test = await listed()
    const answer = await test.stub.apply(
      { kind: 'import', hash: test.hash, uuids: ['id-a', 'id-c', 'nobody'] },
      test.actor,
    )
    expect(answer).toMatchObject({
      answer: {
        added: 1,
        result: [
          { uuid: 'id-a', ok: 1 },
          { uuid: 'id-c', ok: 0, msg: '名称不合规，不能包含“坏”' },
          { uuid: 'nobody', ok: 0, msg: '目录中已删除' },
        ],
      },
    })
    expect(await statusOf(test)).toEqual({ a: 1 })
  })

  it('a hash that is not the newest changes nothing', async () => {
    const test = await listed()
    test.directory.users = [entry('x')]
    await runNow(test)
    expect(await test.stub.apply({ kind: 'import', hash: test.hash, uuids: null }, test.actor)).toMatchObject({
      refused: { key: 'LDAP_LIST_CHANGED' },
    })
    expect(await statusOf(test)).toEqual({})
  })

  it('removes only who is disabled or gone in the directory, and undo gives it back with its network', async () => {
    const test = await listed([entry('a'), entry('b')])
    const network = await insertNetwork({ accountId: test.accountId })
    await db.update(ldapConfigs).set({ networkId: network.id }).where(eq(ldapConfigs.accountId, test.accountId))
    await test.stub.apply({ kind: 'import', hash: test.hash, uuids: null }, test.actor)
    const before = await db
      .select({ host: networkMembers.host })
      .from(networkMembers)
      .where(eq(networkMembers.networkId, network.id))
    expect(before).toHaveLength(2)
    test.directory.users = [entry('a')]
    await runNow(test)
    const { rows, hash } = await test.stub.users({ search: '', exist: '1', page: 1, limit: 10 })
    expect(rows.map(({ username, verify }) => [username, verify])).toEqual([
      ['a', '已导入'],
      ['b', '目录中已删除'],
    ])
    const answer = await test.stub.apply({ kind: 'remove', hash, uuids: ['id-a', 'id-b'] }, test.actor)
    expect(answer).toMatchObject({ answer: { result: [{ ok: 0 }, { ok: 1 }] } })
    expect(await statusOf(test)).toEqual({ a: 1 })
    const [run] = await db
      .select()
      .from(ldapRuns)
      .where(and(eq(ldapRuns.accountId, test.accountId), eq(ldapRuns.kind, 'remove')))
    expect(await test.stub.undo(run!.id, test.actor)).toMatchObject({ refused: null })
    expect(Object.keys(await statusOf(test))).toEqual(['a', 'b'])
    const after = await db
      .select({ host: networkMembers.host })
      .from(networkMembers)
      .where(eq(networkMembers.networkId, network.id))
    expect(after).toEqual(before)
    expect(await test.stub.undo(run!.id, test.actor)).toMatchObject({ refused: { key: 'LDAP_UNDO_GONE' } })
  })

  it('undo gives nobody a phone that another member has by now, and says so', async () => {
    const phones = { a: '13800000001', b: '13800000002', c: '13800000003' }
    const users = [entry('a', { phones: [phones.a] }), entry('b', { phones: [phones.b] }), entry('c')]
    const test = await listed(users)
    await test.stub.apply({ kind: 'import', hash: test.hash, uuids: null }, test.actor)
    test.directory.users = [entry('b', { phones: [phones.c] }), entry('c')]
    await runNow(test)
    const hash = async () => (await test.stub.users({ search: '', exist: '1', page: 1, limit: 10 })).hash
    await test.stub.apply({ kind: 'remove', hash: await hash(), uuids: ['id-a'] }, test.actor)
    await test.stub.apply({ kind: 'sync', hash: await hash() }, test.actor)
    for (const phone of [phones.a, phones.b])
      await insertRouter({
        accountId: test.accountId,
        name: `${phone}@${test.sign}`,
        routerType: 2,
        password: '!',
        areaCode: DIAL_CODE_DEFAULT,
        phone,
      })
    const runs = await db.select().from(ldapRuns).where(eq(ldapRuns.accountId, test.accountId))
    for (const kind of ['remove', 'sync'])
      expect(await test.stub.undo(runs.findLast((run) => run.kind === kind)!.id, test.actor)).toMatchObject({
        refused: null,
      })
    const left = await db
      .select({ name: routers.name, phone: routers.phone })
      .from(routers)
      .where(and(eq(routers.accountId, test.accountId), eq(routers.source, 'ldap')))
    expect(Object.fromEntries(left.map(({ name, phone }) => [name.split('@')[0], phone]))).toEqual({
      a: null,
      b: null,
      c: null,
    })
    const audits = await db.select().from(auditLogs).where(eq(auditLogs.accountId, test.accountId))
    expect(audits.filter(({ message }) => message.includes('手机号已被其他成员使用'))).toHaveLength(2)
  })

  it('undo takes an import back', async () => {
    const test = await listed([entry('a'), entry('b')])
    await test.stub.apply({ kind: 'import', hash: test.hash, uuids: null }, test.actor)
    const [run] = await db
      .select()
      .from(ldapRuns)
      .where(and(eq(ldapRuns.accountId, test.accountId), eq(ldapRuns.kind, 'import')))
    await test.stub.undo(run!.id, test.actor)
    expect(await statusOf(test)).toEqual({})
  })

  it('undo is offered and done for 24 hours, to the millisecond', async () => {
    const [day, at] = [24 * 3_600_000, Date.now()]
    for (const [passed, canUndo, refused, left] of [
      [day - 1, 1, null, {}],
      [day + 1, 0, { key: 'LDAP_UNDO_GONE' }, { a: 1 }],
    ] as const) {
      const test = await listed([entry('a')])
      vi.useFakeTimers({ toFake: ['Date'], now: at })
      await test.stub.apply({ kind: 'import', hash: test.hash, uuids: null }, test.actor)
      vi.setSystemTime(at + passed)
      const { call } = await createSession(test.main.session) // the first one has ended
      const [run] = (await call(ldapApi.runs, {})).data
      expect(run).toMatchObject({ kind: 'import', end_time: at, can_undo: canUndo })
      expect(await test.stub.undo(run!.id, test.actor)).toMatchObject({ refused })
      expect(await statusOf(test)).toEqual(left)
      vi.useRealTimers()
    }
  })

  it('the record of what was done is deleted by the first write behind its 24 hours', async () => {
    const test = await listed([entry('a'), entry('b')])
    const [day, at] = [24 * 3_600_000, Date.now()]
    vi.useFakeTimers({ toFake: ['Date'], now: at })
    await test.stub.apply({ kind: 'import', hash: test.hash, uuids: null }, test.actor)
    test.directory.users = []
    await runNow(test)
    const { hash } = await test.stub.users({ search: '', exist: '', page: 1, limit: 10 })
    const removeAfter = async (passed: number, uuid: string) => {
      vi.setSystemTime(at + passed)
      expect(await test.stub.apply({ kind: 'remove', hash, uuids: [uuid] }, test.actor)).toMatchObject({
        answer: { removable: 1 },
      })
      return runInDurableObject(test.stub, (_, ctx) =>
        ctx.storage.sql
          .exec<{ passed: number }>('SELECT at - ? AS passed FROM undo ORDER BY at', at)
          .toArray()
          .map((row) => row.passed),
      )
    }
    expect(await removeAfter(day, 'id-a')).toEqual([0, day])
    expect(await removeAfter(day + 1, 'id-b')).toEqual([day, day + 1])
  })

  it('closing is confirmed with the number of members, and can be undone', async () => {
    const test = await createTestDirectory(entries(3))
    await runNow(test)
    expect(await test.stub.close(2, test.actor)).toMatchObject({
      refused: { key: 'LDAP_CLOSE_UNCONFIRMED', params: { count: 3 } },
    })
    expect(await test.stub.close(3, test.actor)).toMatchObject({ refused: null })
    expect(await statusOf(test)).toEqual({})
    expect(await db.select().from(ldapConfigs).where(eq(ldapConfigs.accountId, test.accountId))).toEqual([])
    const [run] = await db
      .select()
      .from(ldapRuns)
      .where(and(eq(ldapRuns.accountId, test.accountId), eq(ldapRuns.kind, 'close')))
    expect(await test.stub.undo(run!.id, test.actor)).toMatchObject({ refused: null })
    expect(Object.keys(await statusOf(test))).toHaveLength(3)
    expect(await db.select().from(ldapConfigs).where(eq(ldapConfigs.accountId, test.accountId))).toMatchObject([
      { syncMode: 1 },
    ])
  })

  it('a closing is not undone where the associated network is gone: nobody comes back', async () => {
    const test = await createTestDirectory(entries(3))
    await runNow(test)
    const network = await insertNetwork({ accountId: test.accountId })
    await db.update(ldapConfigs).set({ networkId: network.id }).where(eq(ldapConfigs.accountId, test.accountId))
    expect(await test.stub.close(3, test.actor)).toMatchObject({ refused: null })
    await db.delete(networks).where(eq(networks.id, network.id))
    const [run] = await db
      .select()
      .from(ldapRuns)
      .where(and(eq(ldapRuns.accountId, test.accountId), eq(ldapRuns.kind, 'close')))
    expect(await test.stub.undo(run!.id, test.actor)).toMatchObject({ refused: { key: 'LDAP_UNDO_REFERRED' } })
    expect(await statusOf(test)).toEqual({})
  })

  const setQuota = ({ accountId }: TestDirectory, kind: ServiceKind, quantity: number) =>
    db
      .update(services)
      .set({ quantity })
      .where(and(eq(services.accountId, accountId), eq(services.kind, kind)))
  const keysOf = async ({ accountId }: TestDirectory) => {
    const rows = await db.select().from(routers).where(eq(routers.accountId, accountId))
    return rows
      .filter(({ source }) => source === 'ldap')
      .map(({ uid }) => uid)
      .toSorted()
  }
  const undoableRuns = async ({ main }: TestDirectory, kind: string) => {
    const { data } = await main.call(ldapApi.runs, {})
    return data.filter((run) => run.kind === kind && run.can_undo === 1)
  }

  it('the undo of a closing whose rest waits is refused where another configuration stands by then', async () => {
    const test = await createTestDirectory(entries(2))
    await runNow(test)
    await test.stub.close(2, test.actor)
    await setQuota(test, 'software_member', 1)
    const [closing] = await undoableRuns(test, 'close')
    expect(await test.stub.undo(closing!.id, test.actor)).toMatchObject({ answer: { restored: 1, left: 1 } })
    const [config] = await db.select().from(ldapConfigs).where(eq(ldapConfigs.accountId, test.accountId))
    await db
      .update(ldapConfigs)
      .set({ createdAt: config!.createdAt + 1 })
      .where(eq(ldapConfigs.accountId, test.accountId))
    await setQuota(test, 'software_member', 2)
    expect(await test.stub.undo(closing!.id, test.actor)).toMatchObject({ refused: { key: 'LDAP_UNDO_GONE' } })
  })

  it('an undo loses nobody where the quota shrinks under it, or where its answer is lost', async () => {
    const test = await createTestDirectory(entries(3))
    await runNow(test)
    await test.stub.close(3, test.actor)
    const [closing] = await undoableRuns(test, 'close')
    const undo = () => attempt(test, (hub) => hub.undo(closing!.id, test.actor))
    const { hold, lose } = await breakDatabase(test)
    const { reached, release } = hold(STATEMENT.importing)
    const first = undo()
    await reached()
    await setQuota(test, 'software_member', 2)
    release()
    expect(await first).toMatchObject({ refused: { key: 'SOFTWARE_LIMIT_REACHED' } })
    expect(await statusOf(test)).toEqual({})
    lose(STATEMENT.importing, 'committed')
    await undo()
    expect(Object.keys(await statusOf(test))).toHaveLength(2)
    await setQuota(test, 'software_member', 3)
    expect(await undo()).toMatchObject({ answer: { restored: 1, unchanged: 2, left: 0, reopened: 0 } })
    expect(await statusOf(test)).toEqual({ u0: 1, u1: 1, u2: 1 })
  })

  it('an undo takes no more seats in networks than the quota has, and suspends none', async () => {
    const test = await listed([entry('a'), entry('b'), entry('c')])
    const network = await insertNetwork({ accountId: test.accountId })
    await db.update(ldapConfigs).set({ networkId: network.id }).where(eq(ldapConfigs.accountId, test.accountId))
    await test.stub.apply({ kind: 'import', hash: test.hash, uuids: null }, test.actor)
    await test.stub.close(3, test.actor)
    await setQuota(test, 'network_member', 2)
    const [closing] = await undoableRuns(test, 'close')
    expect(await test.stub.undo(closing!.id, test.actor)).toMatchObject({ answer: { restored: 3, outside: 1 } })
    const inside = await db.select().from(networkMembers).where(eq(networkMembers.networkId, network.id))
    expect(inside).toHaveLength(2)
    expect(await db.select().from(networks).where(eq(networks.id, network.id))).toMatchObject([{ status: 1 }])
  })

  it('an undo gives back a phone of before without its trunk prefix', async () => {
    const test = await listed([entry('a'), entry('b')])
    await test.stub.apply({ kind: 'import', hash: test.hash, uuids: null }, test.actor)
    const old = { areaCode: '49', phone: '01511234567' }
    const [uid] = await keysOf(test)
    await db.update(routers).set(old).where(eq(routers.uid, uid!))
    await test.stub.close(2, test.actor)
    const [closing] = await undoableRuns(test, 'close')
    await test.stub.undo(closing!.id, test.actor)
    const [row] = await db.select().from(routers).where(eq(routers.uid, uid!))
    expect(row).toMatchObject({ areaCode: '49', phone: '1511234567' })
  })
})
