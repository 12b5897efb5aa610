import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { routers as routerTable } from '#db/schema/routers.ts'
import {
  type Caller,
  createMainAccount,
  createNetwork,
  createRouter,
  createSoftwareRouter,
  createSubAccount,
  memberRows,
  refreshed,
  toHubs,
} from '#tests/support/fixtures.ts'
import { db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const { editCenterGateway } = networkApi
const segment = (gateway: string, mask = 24) => ({ gateway, mask })

async function createBranches() {
  const main = await createMainAccount({ services: { network_member: 50, center: 4 } })
  const of = (note: string, lan?: string) => createRouter(main.accountId, { note, lans: lan ? [lan] : [] })
  const [center, shop, outside] = [await of('总部'), await of('一店', '10.1.0.1/24'), await of('外', '10.9.0.1/24')]
  const software = await createSoftwareRouter(main.accountId)
  const number = await createNetwork(main, [center, shop, software], '一区')
  return { main, center, shop, software, outside, number }
}
const infoOf = async (main: Caller, network_number: string, name: string) => {
  const { data } = await main.call(networkApi.info, { network_number })
  return data.member.find((m) => m.router_name === name)!
}

describe('network 7 · network/edit_center_gateway', () => {
  it('moves the documents of the centre and its points; addresses, links and pages show the chosen segment', async () => {
    const { main, center, shop, software, number } = await createBranches()
    const since = hubCalls.length
    const input = {
      network_number: number,
      router_name: center.name,
      revision: 0,
      router_network: segment('10.200.0.0'),
      software_network: segment('10.201.0.0', 20),
    }
    expect(await main.call(editCenterGateway, input)).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(center, shop))
    expect(await infoOf(main, number, center.name)).toMatchObject({
      vpn_ip: ['10.200.0.1'],
      gateway: { router: segment('10.200.0.0'), software: segment('10.201.0.0', 20) },
      revisions: { gateway: 1 },
    })
    expect((await infoOf(main, number, shop.name)).vpn_ip).toEqual(['10.200.0.3'])
    const options = (await main.call(routerApi.member, {})).data.router
    expect(options.find((o) => o.router_name === center.name)?.networks[0]?.gateway).toEqual({
      router: segment('10.200.0.0'),
      software: segment('10.201.0.0', 20),
    })
    expect(await main.call(editCenterGateway, { ...input, router_network: segment('10.202.0.0') })).toMatchObject(
      refusal('SETTING_CHANGED'),
    )
    const back = { network_number: number, router_name: center.name, router_network: null }
    expect(await main.call(editCenterGateway, back)).toMatchObject({ code: 200 })
    expect((await infoOf(main, number, center.name)).gateway).toEqual({
      router: segment('100.64.0.0', 20),
      software: segment('10.201.0.0', 20),
    })
    expect((await memberRows(number)).find((m) => m.routerId === software.id)?.host).toBe(4094)
  })

  it('refuses an overlap with the owner and the next free segment', async () => {
    const { main, center, number } = await createBranches()
    const set = (router_network: object, over = {}) =>
      main.call(editCenterGateway, {
        network_number: number,
        router_name: center.name,
        router_network: router_network as ReturnType<typeof segment>,
        ...over,
      })
    expect(await set(segment('10.1.0.0'))).toMatchObject({
      ...refusal('SEGMENT_TAKEN', { segment: '10.1.0.0/24', owner: '一店', other: '10.1.0.0/24', free: '10.1.1.0/24' }),
      data: { field: 'router_network.gateway', free: '10.1.1.0/24' },
      trips: 1,
    })
    expect(await set(segment('10.5.0.0'), { software_network: segment('10.5.0.0', 20) })).toMatchObject({
      reason: 'SEGMENT_TAKEN',
    })
    expect(await set(segment('10.5.0.1'))).toMatchObject({ code: 422, msg: '网段格式设置错误' })
    expect(await set(segment('0.5.0.0'))).toMatchObject({ code: 422, msg: '请输入正确的网段' })
    expect(await set(segment('10.5.0.0', 25))).toMatchObject({ code: 422, msg: '掩码取值范围在16~24' })
  })

  it('refuses one that a router of the network learns in another, with no name where the role does not cover it', async () => {
    const { main, shop, outside, center, number } = await createBranches()
    await createNetwork(main, [outside, shop], '二区')
    const input = { network_number: number, router_name: center.name, router_network: segment('10.9.0.0') }
    expect(await main.call(editCenterGateway, input)).toMatchObject({
      reason: 'SEGMENT_TAKEN',
      msg: expect.stringContaining('组网“二区”的外'),
    })
    const limited = await createSubAccount(main, { flags: ['network:edit'], networks: [number] })
    const asked = await limited.call(editCenterGateway, input)
    expect(asked).toMatchObject({ reason: 'SEGMENT_TAKEN_HIDDEN', data: { free: '10.9.1.0/24' } })
    expect(JSON.stringify(asked)).not.toContain('二区')
  })

  it('is checked from then on: who brings an overlapping LAN or static route may not join', async () => {
    const { main, center, shop, outside, number } = await createBranches()
    const input = { network_number: number, router_name: center.name, router_network: segment('10.9.0.0') }
    expect(await main.call(editCenterGateway, input)).toMatchObject({ code: 200 })
    const add = (router_name: string) =>
      main.call(networkApi.addMember, { network_number: number, router_name, member_type: 'point' })
    expect(await add(outside.name)).toMatchObject({ reason: 'SEGMENT_CONFLICT' })
    const behind = await createRouter(main.accountId, { note: '分部' })
    const routes = JSON.stringify([{ prefix: '10.1.0.128/25', via: '172.16.0.1' }])
    await db.update(routerTable).set({ staticRoutes: routes }).where(eq(routerTable.id, behind.id))
    expect(await add(behind.name)).toMatchObject({
      ...refusal('SEGMENT_CONFLICT', { a: '一店', segment_a: '10.1.0.0/24', b: '分部', segment_b: '10.1.0.128/25' }),
    })
    const overlaps = async () => (await main.call(networkApi.info, { network_number: number })).data.overlaps
    expect(await overlaps()).toEqual([])
    await db
      .update(routerTable)
      .set({ staticRoutes: JSON.stringify([{ prefix: '10.9.0.0/25', via: '10.1.0.9' }]) })
      .where(eq(routerTable.id, shop.id))
    expect(await overlaps()).toMatchObject([{ segment_a: '10.9.0.0/24', segment_b: '10.9.0.0/25' }])
  })

  it('a new centre gets default segments that nobody has chosen', async () => {
    const { main, center, outside, number } = await createBranches()
    const input = { network_number: number, router_name: center.name, router_network: segment('100.64.32.0', 20) }
    expect(await main.call(editCenterGateway, input)).toMatchObject({ code: 200 })
    await createNetwork(main, [outside], '二区')
    const { data } = await main.call(routerApi.member, {})
    expect(data.router.find((o) => o.router_name === outside.name)?.networks[0]?.segment_index).toBe(2)
  })

  it('refuses a mask that cannot hold the members, and packs hosts anew only where the person says so', async () => {
    const { main, center, shop, software, number } = await createBranches()
    const input = { network_number: number, router_name: center.name, software_network: segment('10.201.0.0') }
    const asked = await main.call(editCenterGateway, input)
    expect(asked).toMatchObject({ ...refusal('HOSTS_OUTSIDE', { count: 1 }), code: 423, trips: 1 })
    const hostOf = async (id: number) => (await memberRows(number)).find((m) => m.routerId === id)?.host
    expect(await hostOf(software.id)).toBe(4094)
    const since = hubCalls.length
    expect(await main.call(editCenterGateway, { ...input, pack: 1 })).toMatchObject({ code: 200, trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(center, shop)) // points name the software segment, too
    expect([await hostOf(software.id), await hostOf(shop.id)]).toEqual([254, 3])
    const next = await createSoftwareRouter(main.accountId)
    const add = { network_number: number, router_name: next.name, member_type: 'point' } as const
    expect(await main.call(networkApi.addMember, add)).toMatchObject({ code: 200 })
    expect(await hostOf(next.id)).toBe(253)
  })

  it('is for centres, and for whoever may edit the network', async () => {
    const { main, shop, center, number } = await createBranches()
    const input = { network_number: number, router_name: shop.name, router_network: segment('10.200.0.0') }
    expect(await main.call(editCenterGateway, input)).toMatchObject(refusal('CENTER_ONLY'))
    const unknown = { ...input, router_name: 'nobody' }
    expect(await main.call(editCenterGateway, unknown)).toMatchObject(refusal('MEMBER_NOT_IN_NETWORK'))
    const other = await createSubAccount(main, { flags: ['network:edit'], networks: [] })
    expect(await other.call(editCenterGateway, { ...input, router_name: center.name })).toMatchObject(
      refusal('NETWORK_NOT_FOUND'),
    )
  })
})
