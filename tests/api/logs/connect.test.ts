import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { logsApi } from '#contract/logs/index.ts'
import { routers as routerTable, connectionLogs } from '#db/schema/routers.ts'
import { createFleet, createMainAccount, createNetwork, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { db } from '#tests/support/test-worker.ts'

async function createLines(accountId: number, rows: readonly Partial<typeof connectionLogs.$inferInsert>[]) {
  const row = { accountId, epoch: 1, online: 1, remoteIp: '203.0.113.5', remotePort: 40_001, version: '2.1.0' }
  const at = Date.now()
  await db
    .insert(connectionLogs)
    .values(rows.map((over, n) => ({ ...row, routerName: unique('NL'), at: at + n, ...over })))
}
const LATER = { start_time: '2020-01-01', end_time: '2099-01-01' }

describe('directory 2 · logs/connect', () => {
  it('answers when devices came and went, newest first', async () => {
    const { main, routers } = await createFleet({ hardware: 1, software: 0 })
    const { id, name } = routers[0]!
    await createLines((await createMainAccount()).accountId, [{}])
    await createLines(main.accountId, [
      { routerId: id, routerName: name },
      { routerId: id, routerName: name, online: 0, reason: '心跳超时' },
    ])
    const answer = await main.call(logsApi.connect, LATER)
    expect(answer).toMatchObject({ code: 200, trips: 1, count: 2, capped: 0 })
    const line = { router_name: name, remote_ip: '203.0.113.5', remote_port: 40_001, version: '2.1.0' }
    expect(answer.data).toMatchObject([
      { ...line, online: 0, reason: '心跳超时' },
      { ...line, online: 1, reason: '' },
    ])
  })

  it('each line names its present member, says in words why, and when the next one came, in one round trip', async () => {
    const { main, routers } = await createFleet({ hardware: 2, software: 0 })
    const [a, b] = routers
    const at = Date.now() - 100_000
    await db
      .update(routerTable)
      .set({ createdAt: 1 })
      .where(sql`id in (${a!.id}, ${b!.id})`)
    const line = { routerId: a!.id, routerName: a!.name }
    await createLines(main.accountId, [
      { ...line, epoch: 1, online: 1, at },
      { ...line, epoch: 3, online: 0, at: at + 10_000, reason: '连接关闭（4005）' }, // reconnected once without a line
      { ...line, epoch: 4, online: 1, at: at + 12_500 },
      { routerId: b!.id, routerName: b!.name, epoch: 2, online: 1, at: at + 11_000 },
      // Lines of a deleted member that had the same name.
      { routerName: a!.name, routerUid: 'gone', epoch: 1, online: 0, at: at + 5_000 },
      { routerName: a!.name, routerUid: 'gone', epoch: 2, online: 1, at: at + 6_000 },
      { routerName: a!.name, routerUid: 'gone', epoch: 9, online: 0, at: at - 5_000 },
    ])
    const { data: all, trips } = await main.call(logsApi.connect, LATER)
    const data = all.filter((row) => row.present_name !== '')
    expect(trips).toBe(1)
    expect(all.filter((row) => row.present_name === '').map((row) => row.next_time)).toEqual([null, at + 6_000, null])
    expect(data.map((row) => [row.present_name, row.online, row.next_time, row.reason])).toEqual([
      [a!.name, 1, null, ''],
      [b!.name, 1, null, ''],
      [a!.name, 0, at + 12_500, '连接长时间没有数据'],
      [a!.name, 1, at + 10_000, ''],
    ])
    expect(data[0]?.router_type).toBe(1)
  })

  it('a port that nobody knows is null, never a number', async () => {
    const { main, routers } = await createFleet({ hardware: 1, software: 0 })
    const { id, name } = routers[0]!
    await createLines(main.accountId, [{ routerId: id, routerName: name, remotePort: 0 }])
    expect((await main.call(logsApi.connect, LATER)).data).toMatchObject([{ router_name: name, remote_port: null }])
  })

  it('rows know the member itself: another name loses none, another member with its id gets none', async () => {
    const { main, routers } = await createFleet({ hardware: 1, software: 0 })
    const { id, name } = routers[0]!
    await createLines(main.accountId, [{ routerId: id, routerName: name }])
    const renamed = unique('NL-NEW')
    await db
      .update(routerTable)
      .set({ name: renamed })
      .where(sql`id = ${id}`)
    const of = async (filter: object) => (await main.call(logsApi.connect, { ...LATER, ...filter })).count
    expect(await of({ router_name: renamed })).toBe(1)
    expect(await of({ search: renamed })).toBe(1)
    expect(await of({ search: name })).toBe(1)
    await db
      .update(routerTable)
      .set({ createdAt: Date.now() + 60_000 })
      .where(sql`id = ${id}`)
    expect(await of({ router_name: renamed })).toBe(0)
    expect(await of({ search: renamed })).toBe(0)
    expect(await of({ search: name })).toBe(1)
  })

  it('rows of an earlier release are found by the name that they have', async () => {
    const { main, routers } = await createFleet({ hardware: 1, software: 0 })
    const { id, name } = routers[0]!
    await db
      .update(routerTable)
      .set({ note: '上海总部' })
      .where(sql`id = ${id}`)
    await createLines(main.accountId, [{ routerName: name }])
    expect(await main.call(logsApi.connect, { ...LATER, search: '上海' })).toMatchObject({
      count: 1,
      data: [{ note: '上海总部' }],
    })
  })

  it('a limited role sees those of its members', async () => {
    const { main, routers } = await createFleet({ hardware: 3, software: 0 })
    const number = await createNetwork(main, [routers[0]!])
    await createNetwork(main, [routers[1]!])
    await createLines(
      main.accountId,
      routers.map(({ id, name }) => ({ routerId: id, routerName: name })),
    )
    const limited = await createSubAccount(main, { networks: [number] })
    const answer = await limited.call(logsApi.connect, LATER)
    expect(answer).toMatchObject({ trips: 1, count: 1 })
    expect(answer.data.map(({ router_name }) => router_name)).toEqual([routers[0]!.name])
    expect(await limited.call(logsApi.connect, { ...LATER, search: routers[1]!.name })).toMatchObject({ count: 0 })
    const nobody = await createSubAccount(main, { networks: [] })
    expect(await nobody.call(logsApi.connect, LATER)).toMatchObject({ count: 0, data: [] })
    expect(await main.call(logsApi.connect, LATER)).toMatchObject({ count: 3 })
  })
})
