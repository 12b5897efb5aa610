import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { routerStates } from '#db/schema/routers.ts'
import { networks, portClaims } from '#db/schema/networks.ts'
import {
  createFleet,
  createNetwork,
  createSubAccount,
  networkRow,
  refreshed,
  selectAudits,
  toHubs,
} from '#tests/support/fixtures.ts'
import { createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const { fixedPort } = networkApi
const pair = (static_port: number, over = {}) => ({ public_ip: '', public_port: static_port, static_port, ...over })

async function createTwoNetworks() {
  const { main, routers } = await createFleet({ centers: 2, hardware: 4 })
  const [center, point, other] = routers
  const first = await createNetwork(main, [center!, point!], '一区')
  const second = await createNetwork(main, [center!, other!], '二区')
  return { main, center: center!, point: point!, other: other!, first, second }
}
const claimsOf = async (accountId: number) =>
  (await db.select().from(portClaims).where(eq(portClaims.accountId, accountId)))
    .map(({ service, staticPort }) => [service, staticPort])
    .toSorted()

describe('network 7 · network/fixed_port', () => {
  it('reaches the documents of the centre and of its points, and no other', async () => {
    const { main, center, point, first } = await createTwoNetworks()
    const since = hubCalls.length
    const input = {
      network_number: first,
      router_name: center.name,
      revision: 0,
      router_service: pair(31_194, { public_ip: '203.0.113.10' }),
      software_service: pair(31_195),
    }
    expect(await main.call(fixedPort, input)).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(center, point))
    const { data } = await main.call(networkApi.info, { network_number: first })
    expect(data.member.find((m) => m.router_name === center.name)).toMatchObject({
      fixed_port: {
        router_service: { public_ip: '203.0.113.10', public_port: 31_194, static_port: 31_194, port: 31_194 },
        software_service: { public_ip: '', static_port: 31_195, port: 31_195 },
      },
      revisions: { fixed_port: 1 },
    })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({ action: 'fixed_port', target: first })
    expect(await claimsOf(main.accountId)).toEqual([
      ['router', 31_194],
      ['software', 31_195],
    ])
    expect(await main.call(fixedPort, { ...input, revision: 1 })).toMatchObject({ code: 200, trips: 1 }) // unchanged
    expect(await main.call(fixedPort, input)).toMatchObject(refusal('SETTING_CHANGED'))
  })

  it('refuses a port that the centre has in another network, with its owner and the next free one', async () => {
    const { main, center, first, second } = await createTwoNetworks()
    const target = { router_name: center.name, software_service: {} }
    await main.call(fixedPort, { ...target, network_number: first, router_service: pair(4000) })
    const owner = `组网“一区”中${center.name}的硬件服务`
    expect(await main.call(fixedPort, { ...target, network_number: second, router_service: pair(4000) })).toMatchObject(
      {
        ...refusal('PORT_TAKEN', { port: 4000, owner, free: 4001 }),
        data: { field: 'router_service.static_port', free: 4001 },
      },
    )
    const limited = await createSubAccount(main, { flags: ['network:edit'], networks: [second] })
    const asked = await limited.call(fixedPort, { ...target, network_number: second, router_service: pair(4000) })
    expect(asked).toMatchObject({ reason: 'PORT_TAKEN_HIDDEN', data: { free: 4001 } })
    expect(
      await limited.call(fixedPort, { ...target, network_number: second, router_service: pair(4001) }),
    ).toMatchObject({ code: 200 })
    // Two defaults, 20000 + 4 · index, count as well.
    const taken = await main.call(fixedPort, { ...target, network_number: second, router_service: pair(20_000) })
    expect(taken.code).toBe(200) // the first network has chosen 4000 instead
    expect(await main.call(fixedPort, { ...target, network_number: first, router_service: {} })).toMatchObject({
      reason: 'PORT_TAKEN',
      data: { free: 20_002 },
    })
  })

  it('refuses the port of the device’s own link probes, and of its services, with the next free one', async () => {
    const { main, center, point, first } = await createTwoNetworks()
    const state = { presence: 'online' as const, probePort: 4000 }
    await db.insert(routerStates).values({ routerId: center.id, ...state })
    await db.insert(routerStates).values({ routerId: point.id, ...state, probePort: 4001 })
    const set = (port: number) =>
      main.call(fixedPort, { network_number: first, router_name: center.name, router_service: pair(port) })
    expect(await set(4000)).toMatchObject({
      ...refusal('PORT_TAKEN', { port: 4000, owner: '设备自身的链路探测', free: 4001 }),
      data: { field: 'router_service.static_port', free: 4001 },
    })
    expect(await set(3784)).toMatchObject({ reason: 'PORT_TAKEN', data: { free: 3785 } })
    expect(await set(1053)).toMatchObject({ reason: 'PORT_TAKEN', data: { free: 1054 } })
    expect(await set(4001)).toMatchObject({ code: 200 })
  })

  it('a service that is left out keeps its own', async () => {
    const { main, center, first } = await createTwoNetworks()
    const target = { network_number: first, router_name: center.name }
    await main.call(fixedPort, { ...target, router_service: pair(4000) })
    await main.call(fixedPort, { ...target, software_service: pair(4001) })
    expect(await claimsOf(main.accountId)).toEqual([
      ['router', 4000],
      ['software', 4001],
    ])
    const same = await main.call(fixedPort, { ...target, router_service: pair(4001) })
    expect(same).toMatchObject({ code: 422, data: { field: 'router_service.static_port' } })
    await main.call(fixedPort, { ...target, router_service: {} })
    expect(await claimsOf(main.accountId)).toEqual([['software', 4001]])
  })

  it('refuses a public address and port that another centre of the account has', async () => {
    const { main, center, other, first, second } = await createTwoNetworks()
    await main.call(networkApi.edit, {
      network_number: second,
      network_name: '二区',
      center: [other.name],
      point: [center.name],
    })
    const at = { public_ip: '203.0.113.10', public_port: 5000 }
    const of = (network_number: string, router_name: string, static_port: number) =>
      main.call(fixedPort, {
        network_number,
        router_name,
        router_service: pair(static_port, at),
        software_service: {},
      })
    expect(await of(first, center.name, 4000)).toMatchObject({ code: 200 })
    expect(await of(second, other.name, 4100)).toMatchObject({
      reason: 'PUBLIC_PORT_TAKEN',
      data: { field: 'router_service.public_port', free: 5001 },
    })
  })

  it('refuses a point, a half-filled service, ports outside the range and two equal ones', async () => {
    const { main, center, point, first } = await createTwoNetworks()
    const set = (router_service: object, software_service: object = {}, router_name = center.name) =>
      main.call(fixedPort, { network_number: first, router_name, router_service, software_service })
    expect(await set(pair(4000), {}, point.name)).toMatchObject(refusal('CENTER_ONLY'))
    expect(await set({ public_port: 4000 })).toMatchObject({
      code: 422,
      msg: '本地端口不能为空',
      data: { field: 'router_service.static_port' },
    })
    expect(await set(pair(1024))).toMatchObject({ code: 422, msg: '设置范围应在1025~65535之间！' })
    expect(await set(pair(4000), pair(4000))).toMatchObject({
      code: 422,
      data: { field: 'software_service.static_port' },
    })
  })

  it('a centre that another network gets meanwhile keeps its default port: the choice is decided again', async () => {
    const { main, routers } = await createFleet({ centers: 2, hardware: 3 })
    const [center, point, other] = routers
    const first = await createNetwork(main, [center!, point!], '一区')
    const second = await createNetwork(main, [other!, center!], '二区')
    const promote = { network_number: second, network_name: '二区', center: [other!.name, center!.name], point: [] }
    const { call } = createTestWorker({ afterFirstTrip: () => main.call(networkApi.edit, promote) })
    const port = 20_000 + 4 * 2 // of the next subnet index
    const input = { network_number: first, router_name: center!.name, router_service: pair(port) }
    const reply = await call(fixedPort, input, main.token)
    expect(reply).toMatchObject({ code: 422, reason: 'PORT_TAKEN' })
    expect(await claimsOf(main.accountId)).toEqual([])
  })

  it('two choices of one port at once: one is saved', async () => {
    const { main, center, first, second } = await createTwoNetworks()
    const set = (network_number: string) =>
      main.call(fixedPort, {
        network_number,
        router_name: center.name,
        router_service: pair(4000),
        software_service: {},
      })
    const replies = await Promise.all([set(first), set(second)])
    expect(replies.map(({ reason }) => reason ?? 'saved').toSorted()).toEqual(['PORT_TAKEN', 'saved'])
  })

  it('is free again for others when the centre leaves or is cleared; a suspended network may only clear it', async () => {
    const { main, center, other, first, second } = await createTwoNetworks()
    const target = { router_name: center.name, software_service: {} }
    await main.call(fixedPort, { ...target, network_number: first, router_service: pair(4000) })
    await db.update(networks).set({ status: 0 }).where(eq(networks.number, first))
    const change = { ...target, network_number: first, router_service: pair(4002) }
    expect(await main.call(fixedPort, change)).toMatchObject(refusal('NETWORK_SUSPENDED'))
    const cleared = { ...target, network_number: first, router_service: {} }
    expect(await main.call(fixedPort, cleared)).toMatchObject({ code: 200 })
    expect(await claimsOf(main.accountId)).toEqual([])
    await main.call(fixedPort, { ...target, network_number: second, router_service: pair(4000) })
    await main.call(networkApi.edit, {
      network_number: second,
      network_name: '二区',
      center: [other.name],
      point: [],
    })
    expect(await claimsOf(main.accountId)).toEqual([])
    expect((await networkRow(second)).revision).toBe(3)
  })
})
