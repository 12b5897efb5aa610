import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkFrApi } from '#contract/network-fr/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { networkFrs } from '#db/schema/pop.ts'
import { createFleet, createNetwork, createSubAccount } from '#tests/support/fixtures.ts'
import { createPop, createTicket } from '#tests/support/pop.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'

const DAY = 86_400_000

async function createResource() {
  const { main, routers } = await createFleet()
  const network = await createNetwork(main, routers.slice(0, 2))
  const pop = await createPop()
  const number = await createTicket(main, network, [pop])
  await call(opsApi.startNetworkTicket, { number })
  const { data } = await call(opsApi.completeNetworkTicket, { number, name: '骨干接入', shortname: '骨干' })
  return { main, routers, network, pop, id: data.network_fr_id }
}
const setExpiry = (id: number, expireAt: number) =>
  db.update(networkFrs).set({ createdAt: 1, expireAt }).where(eq(networkFrs.id, id))

describe('network 2 · POP resource list', () => {
  it('has name, term, status, networks and areas', async () => {
    const { main, network, pop, id } = await createResource()
    const { data, count, trips } = await main.call(networkFrApi.lists, {})
    expect([count, trips]).toEqual([1, 1])
    expect(data[0]).toMatchObject({
      network_fr_id: id,
      name: '骨干接入',
      expire_day: 365,
      status: 1,
      networks: [{ network_name: '测试网', network_number: network }],
      areas: [{ name: pop.name, bandwidth: 50 }],
    })
    expect((await main.call(networkFrApi.lists, { search: '别的' })).count).toBe(0)
  })

  it('an expired one has 0 days left and can be chosen no more', async () => {
    const { main, network, id } = await createResource()
    const usable = async () => (await main.call(networkFrApi.config, { network_number: network })).data
    expect(await usable()).toEqual({ mode: 1, data: [{ network_fr_id: id, shortname: '骨干' }] })
    await setExpiry(id, Date.now() + DAY / 2)
    const [row] = (await main.call(networkFrApi.lists, {})).data
    expect(row?.expire_day).toBe(1)
    expect([row?.create_time, (row?.expire_time ?? 0) > Date.now()]).toEqual([1, true]) // both dates (directory 2)
    await setExpiry(id, Date.now() - 1)
    expect((await main.call(networkFrApi.lists, {})).data[0]?.expire_day).toBe(0)
    expect((await usable()).data).toEqual([])
  })

  it('a limited role sees those of its networks, and no other network of theirs', async () => {
    const { main, routers, network } = await createResource()
    const second = await createNetwork(main, routers.slice(2, 3), '二网')
    const seenBy = async (networks: readonly string[]) =>
      (await (await createSubAccount(main, { networks })).call(networkFrApi.lists, {})).count
    expect(await seenBy([network])).toBe(1)
    expect(await seenBy([second])).toBe(0)
  })
})

describe('network 7 · areas of a network', () => {
  it('are those of its resource; another account’s network is not found', async () => {
    const { main, network, pop } = await createResource()
    const { data } = await main.call(networkFrApi.ov, { network_number: network })
    expect(data).toMatchObject([{ name: pop.name }])
    const { main: stranger } = await createFleet()
    const foreign = { network_number: network }
    expect(await stranger.call(networkFrApi.ov, foreign)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(await stranger.call(networkFrApi.config, foreign)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
  })
})
