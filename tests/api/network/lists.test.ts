import { describe, expect, it } from 'vitest'
import { PAGE_SIZE } from '#contract/kernel/limits.ts'
import { networkApi } from '#contract/network/index.ts'
import { eq } from 'drizzle-orm'
import { networks } from '#db/schema/networks.ts'
import { NETWORK_SEVERITY } from '#domain/health/severity.ts'
import { db } from '#tests/support/test-worker.ts'
import { createRouter, createMainAccount, createService, createFleet, createNetwork } from '#tests/support/fixtures.ts'

const seenAt = Date.now() - 60_000
const online = { presence: 'online', presenceSince: seenAt, lastSeenAt: seenAt, version: '1.4.0' } as const

describe('network 7 · network/lists', () => {
  it('pages newest first, counts members and who is online, and finds by name and number', async () => {
    const { main } = await createFleet({ memberQuota: 50, hardware: 0 })
    const [up, down] = [await createRouter(main.accountId, { state: online }), await createRouter(main.accountId)]
    const flapping = await createRouter(main.accountId, { state: { presence: 'flapping', live: 1 } })
    const dropped = await createRouter(main.accountId, { state: { presence: 'flapping', live: 0 } })
    await createNetwork(main, [up, down, flapping, dropped], '上海_100%')
    for (let i = 1; i <= PAGE_SIZE; i++)
      await createNetwork(main, [await createRouter(main.accountId)], `网络${String(i).padStart(2, '0')}`)
    const first = await main.call(networkApi.lists, {})
    expect(first).toMatchObject({ code: 200, count: PAGE_SIZE + 1, trips: 1 })
    expect(first.data.map((n) => n.network_name)).toEqual(
      Array.from({ length: PAGE_SIZE }, (_, i) => `网络${String(PAGE_SIZE - i).padStart(2, '0')}`),
    )
    const second = await main.call(networkApi.lists, { page: 2 })
    expect(second.data).toMatchObject([
      { network_name: '上海_100%', member_count: 4, online_count: 2, network_status: 1, network_type: 1 },
    ])
    const [found] = second.data
    for (const search of ['上海', '100%', found!.network_number])
      expect(await main.call(networkApi.lists, { search })).toMatchObject({ count: 1, data: [found] })
    for (const search of ['上海%', '_', "' or 1=1 --"])
      expect((await main.call(networkApi.lists, { search })).data.map((n) => n.network_name)).toEqual(
        search === '_' ? ['上海_100%'] : [],
      )
    expect(await main.call(networkApi.lists, { page: 3 })).toMatchObject({ data: [], count: PAGE_SIZE + 1 })
    const byName = await main.call(networkApi.lists, { sort: 'name', order: 'asc' })
    expect(byName.trips).toBe(1)
    const names = byName.data.map((n) => n.network_name)
    expect(names).toEqual(names.toSorted(new Intl.Collator('zh-CN', { numeric: true }).compare))
  })
})

describe('design 10 · network/lists', () => {
  it('sorts by severity, then name, in one round trip', async () => {
    const { main } = await createFleet({ memberQuota: 50, hardware: 0 })
    const make = async (name: string, over: Partial<typeof networks.$inferInsert>) => {
      const number = await createNetwork(main, [await createRouter(main.accountId)], name)
      await db.update(networks).set(over).where(eq(networks.number, number))
    }
    await make('b 正常', { severity: NETWORK_SEVERITY.ok })
    await make('a 正常', { severity: NETWORK_SEVERITY.ok })
    await make('a 正常 10', { severity: NETWORK_SEVERITY.ok })
    await make('a 正常 9', { severity: NETWORK_SEVERITY.ok })
    await make('d 中断', { severity: NETWORK_SEVERITY.down })
    await make('e 异常', { severity: NETWORK_SEVERITY.partial })
    await make('g 未知', { severity: NETWORK_SEVERITY.unknown })
    await make('c 未上线', { severity: NETWORK_SEVERITY.never })
    await make('f 停用', { severity: NETWORK_SEVERITY.ok, status: 0 })
    const reply = await main.call(networkApi.lists, { sort: 'status', order: 'desc' })
    expect(reply.trips).toBe(1)
    const names = reply.data.map(({ network_name }) => network_name)
    const states = { suspended: 1, down: 1, partial: 1, unknown: 1, ok: 4, never: 1 }
    expect(reply).toMatchObject({ states, count: 9 })
    const found = await main.call(networkApi.lists, { state: 'suspended', search: '停' })
    expect(found).toMatchObject({
      trips: 1,
      count: 1,
      states: { ...states, down: 0, partial: 0, unknown: 0, ok: 0, never: 0 },
    })
    const healthy = await main.call(networkApi.lists, { state: 'ok', sort: 'name', order: 'asc', limit: 10 })
    expect(healthy).toMatchObject({ count: 4, states })
    expect(healthy.data.map(({ network_name }) => network_name)).toEqual(['a 正常', 'a 正常 9', 'a 正常 10', 'b 正常'])
    expect(await main.call(networkApi.lists, { state: 'down', page: 2 })).toMatchObject({ count: 1, data: [] })
    expect(await main.call(networkApi.lists, { state: 'green' as never })).toMatchObject({ code: 422 })
    expect(names).toEqual([
      'd 中断',
      'f 停用',
      'e 异常',
      'g 未知',
      'a 正常',
      'a 正常 9',
      'a 正常 10',
      'b 正常',
      'c 未上线',
    ])
  })
})

describe('network 7 · network/config and select', () => {
  it('quota is the free quota plus active services', async () => {
    const main = await createMainAccount()
    expect(await main.call(networkApi.config, {})).toMatchObject({
      trips: 1,
      data: {
        network_router_use: 0,
        network_router_count: 0,
        network_level: 1,
        network_center_count: 2,
        dns_quantity: 2,
      },
    })
    await createService(main.accountId, 'network_member', 8)
    await createService(main.accountId, 'network_member', 4)
    await createService(main.accountId, 'network_member', 100, { startAt: 1, expireAt: 2 })
    await createService(main.accountId, 'network_member', 100, {
      startAt: Date.now() + 9e6,
      expireAt: Date.now() + 9e7,
    })
    await createService(main.accountId, 'center', 3)
    await createNetwork(main, [await createRouter(main.accountId)])
    expect(await main.call(networkApi.config, {})).toMatchObject({
      data: { network_router_use: 1, network_router_count: 12, network_level: 2, network_center_count: 5 },
    })
  })

  it('select names every network', async () => {
    const { main, routers } = await createFleet()
    const [a, b] = [await createNetwork(main, [routers[0]!], '甲'), await createNetwork(main, [routers[1]!], '乙')]
    expect(await main.call(networkApi.select, {})).toMatchObject({
      trips: 1,
      data: [
        { network_number: b, network_name: '乙' },
        { network_number: a, network_name: '甲' },
      ],
    })
  })
})
