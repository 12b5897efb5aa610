import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkFrApi } from '#contract/network-fr/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { saveNetworkSetting } from '#features/network/sql/settings.ts'
import { networkFrs, popMembers } from '#db/schema/pop.ts'
import { createFleet, createNetwork, networkRow, refreshed, selectAudits, toHubs } from '#tests/support/fixtures.ts'
import { type TestPop, createPop, createTicket } from '#tests/support/pop.ts'
import { call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const POOL = {
  gateway: '',
  mask: 20,
  pop: { gateway: '10.200.0.0', mask: 24 },
  pop_software: { gateway: '10.201.0.0', mask: 24 },
}

async function createTwoNetworks() {
  const { main, routers } = await createFleet()
  const first = await createNetwork(main, routers.slice(0, 2))
  const second = await createNetwork(main, routers.slice(2, 4), '二网')
  const complete = async (network: string, pop: TestPop) => {
    const number = await createTicket(main, network, [pop], {})
    await call(opsApi.startNetworkTicket, { number })
    return (await call(opsApi.completeNetworkTicket, { number })).data.network_fr_id
  }
  const pops = [await createPop(), await createPop()] as const
  const frs = [await complete(first, pops[0]), await complete(second, pops[1])] as const
  const setPool = (value: typeof POOL | (Omit<typeof POOL, 'pop'> & { pop: null })) =>
    saveNetworkSetting(db, { accountId: main.accountId, number: first }, 'ip_pool', value, 1)
  const carriers = async () =>
    (
      await db
        .select()
        .from(popMembers)
        .where(eq(popMembers.networkId, (await networkRow(first)).id))
    ).map(({ routerId }) => routerId)
  return { main, routers, first, pops, frs, setPool, carriers }
}

describe('network 4 · fixed-route save', () => {
  it('answers 423 while the IP config lacks pop or pop_software', async () => {
    const { main, first, frs, setPool } = await createTwoNetworks()
    const input = { network_number: first, network_fr_id: frs[0], mode: 2 } as const
    expect(await main.call(networkApi.fr, input)).toMatchObject({ ...refusal('FR_POOL_MISSING'), code: 423, trips: 1 })
    await setPool({ ...POOL, pop: null })
    expect(await main.call(networkApi.fr, input)).toMatchObject(refusal('FR_POOL_MISSING'))
    await setPool(POOL)
    expect(await main.call(networkApi.fr, input)).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(await networkRow(first)).toMatchObject({ mode: 2, frId: frs[0] })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({ action: 'fr' })
    expect(await main.call(networkApi.fr, input)).toMatchObject({ code: 200, trips: 1 }) // nothing differs
  })

  it('another resource brings its nodes in place of the others', async () => {
    const { main, first, pops, frs, setPool, carriers } = await createTwoNetworks()
    await setPool(POOL)
    expect(await carriers()).toEqual([pops[0].node.id])
    const since = hubCalls.length
    await main.call(networkApi.fr, { network_number: first, network_fr_id: frs[1], mode: 1 })
    expect(await carriers()).toEqual([pops[1].node.id])
    expect(refreshed(since)).toEqual(toHubs(pops[0].node, pops[1].node))
    const { data } = await main.call(networkApi.info, { network_number: first })
    expect(data.network_fr?.network_fr_id).toBe(frs[1])
  })

  it('refuses an expired resource, another account’s and an older state of the network', async () => {
    const { main, first, frs, setPool } = await createTwoNetworks()
    const { frs: foreign } = await createTwoNetworks()
    await setPool(POOL)
    const choose = (network_fr_id: number, over: object = {}) =>
      main.call(networkApi.fr, { network_number: first, network_fr_id, mode: 1, ...over })
    expect(await choose(foreign[0])).toMatchObject(refusal('FR_NOT_USABLE'))
    expect(await choose(frs[1], { revision: 1 })).toMatchObject(refusal('NETWORK_CHANGED'))
    await db.update(networkFrs).set({ createdAt: 1, expireAt: 2 }).where(eq(networkFrs.id, frs[1]))
    expect(await choose(frs[1])).toMatchObject(refusal('FR_NOT_USABLE'))
  })

  it('once it is over it is shown as that, and areas are kept or turned off, not chosen', async () => {
    const { main, routers, first, frs } = await createTwoNetworks()
    const network_number = first
    const fr = async () => (await main.call(networkApi.info, { network_number })).data.network_fr
    expect((await fr())?.expire_day).toBeGreaterThanOrEqual(365)
    const [area] = (await main.call(networkFrApi.ov, { network_number })).data
    const choose = (router_name: string, ov_id_main: number, priority = 3) =>
      main.call(networkApi.memberOv, { network_number, router_name, ov_id_main, ov_id_backup: 0, priority })
    const [center, point] = routers.map(({ name }) => name)
    expect(await choose(point!, area!.id)).toMatchObject({ code: 200 })
    await db.update(networkFrs).set({ createdAt: 1, expireAt: 2 }).where(eq(networkFrs.id, frs[0]))
    expect(await fr()).toMatchObject({ network_fr_id: frs[0], expire_day: 0 })
    expect(await choose(center!, area!.id)).toMatchObject({ ...refusal('FR_EXPIRED'), trips: 1 })
    expect(await choose(point!, area!.id, 1)).toMatchObject({ code: 200 })
    expect(await choose(point!, 0)).toMatchObject({ code: 200 })
    expect(await choose(point!, area!.id)).toMatchObject(refusal('FR_EXPIRED'))
    const same = { network_number, network_fr_id: frs[0], mode: 2 } as const
    await saveNetworkSetting(db, { accountId: main.accountId, number: first }, 'ip_pool', POOL, 1)
    expect(await main.call(networkApi.fr, same)).toMatchObject(refusal('FR_NOT_USABLE'))
  })
})
