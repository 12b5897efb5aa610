import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { addressApi } from '#contract/address/index.ts'
import { bandwidthPoolApi } from '#contract/bandwidth-pool/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { bandwidthPools, saasDevices } from '#db/schema/saas.ts'
import {
  createMainAccount,
  createNetwork,
  createFleet,
  createRouter,
  createSubAccount,
  refreshed,
  selectAudits,
  unique,
} from '#tests/support/fixtures.ts'
import { sellSaas } from '#tests/support/saas.ts'
import { call, createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

async function createPool(max = 80) {
  const main = await createMainAccount({ username: unique('pool') })
  const name = unique('池')
  const made = await call(opsApi.poolSet, { account: main.username, name, max })
  const [a, b] = [await createRouter(main.accountId, { note: '洛杉矶' }), await createRouter(main.accountId)]
  await sellSaas(a, { pool: name, country: 'US', edition: 'standard' })
  await sellSaas(b, { pool: name, country: 'SG' })
  return { main, name, id: made.data.pool_id, a, b }
}

describe('directory 2 · bandwidth pools', () => {
  it('are listed with the number of their devices, and read one by one', async () => {
    const { main, name, id } = await createPool()
    await call(opsApi.poolSet, { account: main.username, name: unique('空'), max: 10 })
    const { data, count, trips } = await main.call(bandwidthPoolApi.lists, { search: name })
    expect([data, count, trips]).toEqual([[{ id, name, max: 80, total: 2 }], 1, 1])
    expect((await main.call(bandwidthPoolApi.lists, {})).count).toBe(2)
    expect((await main.call(bandwidthPoolApi.info, { id })).data).toEqual({ id, name, max: 80, total: 2 })
  })

  it('have devices with export, term and the largest bandwidth, by country and search', async () => {
    const { main, id, a, b } = await createPool()
    const list = (over: object = {}) => main.call(bandwidthPoolApi.router, { pool_id: id, ...over })
    const { data, count, trips } = await list()
    expect([count, trips]).toEqual([2, 1])
    expect(data.find(({ router_name }) => router_name === a.name)).toMatchObject({
      export: '美国',
      bandwidth: 50,
      max_bandwidth: 80,
    })
    expect((await list({ country: 'SG' })).data.map(({ router_name }) => router_name)).toEqual([b.name])
    expect((await list({ search: '洛杉矶' })).data.map(({ router_name }) => router_name)).toEqual([a.name])
    const { data: countries } = await main.call(addressApi.country, { pool_id: id })
    expect(countries.map(({ code }) => code).toSorted()).toEqual(['SG', 'US'])
  })

  it('list ten devices a page', async () => {
    const { main, name, id } = await createPool()
    for (let n = 0; n < 9; n++) await sellSaas(await createRouter(main.accountId), { pool: name })
    const page = (number: number) => main.call(bandwidthPoolApi.router, { pool_id: id, page: number })
    expect(await page(1)).toMatchObject({ count: 11 })
    expect([(await page(1)).data.length, (await page(2)).data.length]).toEqual([10, 1])
  })

  it('of another account are unknown, and not for roles that are limited to networks', async () => {
    const { id, a } = await createPool()
    const { main, routers } = await createFleet()
    expect(await main.call(bandwidthPoolApi.info, { id })).toMatchObject({ ...refusal('POOL_NOT_FOUND'), code: 204 })
    expect(await main.call(bandwidthPoolApi.router, { pool_id: id })).toMatchObject(refusal('POOL_NOT_FOUND'))
    expect((await main.call(addressApi.country, { pool_id: id })).data).toEqual([])
    const foreign = await main.call(bandwidthPoolApi.bandwidth, { router_name: a.name, bandwidth: 10 })
    expect(foreign).toMatchObject(refusal('SAAS_NOT_FOUND'))
    const network = await createNetwork(main, routers.slice(0, 2))
    const limited = await createSubAccount(main, { flags: ['router:edit'], networks: [network] })
    for (const answer of [
      await limited.call(bandwidthPoolApi.lists, {}),
      await limited.call(addressApi.country, { pool_id: id }),
      await limited.call(bandwidthPoolApi.bandwidth, { router_name: routers[0]!.name, bandwidth: 10 }),
    ])
      expect(answer).toMatchObject(refusal('PERMISSION_DENIED'))
    const viewer = await createSubAccount(main)
    expect(await viewer.call(bandwidthPoolApi.lists, {})).toMatchObject({ code: 200 })
    const edit = await viewer.call(bandwidthPoolApi.bandwidth, { router_name: a.name, bandwidth: 10 })
    expect(edit).toMatchObject(refusal('PERMISSION_DENIED'))
  })

  it('a device gets at most the pool’s maximum; the sum of all may be more', async () => {
    const { main, a, b } = await createPool()
    const since = hubCalls.length
    const set = (router_name: string, bandwidth: number) =>
      main.call(bandwidthPoolApi.bandwidth, { router_name, bandwidth })
    expect(await set(a.name, 80)).toMatchObject({ code: 200, trips: 2 })
    expect(await set(b.name, 80)).toMatchObject({ code: 200 })
    expect(refreshed(since)).toEqual([a.hub, b.hub].toSorted())
    for (const bandwidth of [0, 81])
      expect(await set(a.name, bandwidth)).toMatchObject({
        code: 422,
        msg: '带宽数据不能小于等于 0 Mbs，且不能大于最大值 80 Mbs',
        data: { field: 'bandwidth' },
      })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({ module: 'bandwidth_pool', action: 'bandwidth' })
    const alone = await createRouter(main.accountId)
    await sellSaas(alone)
    expect(await set(alone.name, 10)).toMatchObject(refusal('SAAS_NOT_FOUND'))
  })

  it('a pool whose maximum drops in between refuses in the write', async () => {
    const { main, id, b } = await createPool()
    const drop = () => db.update(bandwidthPools).set({ max: 55 }).where(eq(bandwidthPools.id, id))
    const worker = createTestWorker({ afterFirstTrip: async () => void (await drop()) })
    const answer = await worker.call(bandwidthPoolApi.bandwidth, { router_name: b.name, bandwidth: 60 }, main.token)
    expect(answer).toMatchObject(refusal('BANDWIDTH_CHANGED'))
    const [row] = await db.select().from(saasDevices).where(eq(saasDevices.routerId, b.id))
    expect(row?.bandwidth).toBe(50)
  })

  it('cannot shrink below what a device of it has', async () => {
    const { main, name } = await createPool()
    const small = await call(opsApi.poolSet, { account: main.username, name, max: 49 })
    expect(small).toMatchObject(refusal('BANDWIDTH_POOL_TOO_SMALL', { bandwidth: 50 }))
    expect(await call(opsApi.poolSet, { account: main.username, name, max: 50 })).toMatchObject({ code: 200 })
  })
})
