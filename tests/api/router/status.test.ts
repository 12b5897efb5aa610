import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { selectRouter } from '#features/router/sql/document-rows.ts'
import { ROUTER_RATE, SWITCH_RATE } from '#contract/router/limits.ts'
import { accounts } from '#db/schema/accounts.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import {
  createFleet,
  createNetwork,
  createService,
  createSubAccount,
  networkRow,
  selectAudits,
  toHubs,
  unique,
} from '#tests/support/fixtures.ts'
import { compileDocument } from '#tests/support/documents.ts'
import { createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const afterRate = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ROUTER_RATE.windowMs })

describe('network 7 · router/update_status with status', () => {
  it('disables and enables a device; its hub and its networks read their rows again', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const { main, routers: fleet } = await createFleet()
    const [a, b] = fleet
    const number = await createNetwork(main, [a!, b!])
    const since = hubCalls.length
    const set = (status: 0 | 1) => main.call(routerApi.updateStatus, { router_name: b!.name, status })
    expect(await set(0)).toMatchObject({ code: 200, msg: '已停用', trips: 2 })
    const { hub } = await networkRow(number)
    expect(hubCalls.slice(since).map(({ kind, method, hub: name }) => [kind, method, name])).toEqual([
      ['router', 'refresh', b!.hub],
      ['network', 'refresh', hub],
    ])
    expect((await main.call(routerApi.info, { router_name: b!.name })).data.status).toBe(0)
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      action: 'update_status',
      message: `停用成员“${b!.name}”`,
      before: '{"status":1}',
      after: '{"status":0}',
    })
    expect(await set(0)).toMatchObject({ code: 200, trips: 1 })
    expect(await set(1)).toMatchObject({ code: 200, msg: '已启用' }) // at once: a switch waits for no report
    for (let i = 2; i < SWITCH_RATE.limit; i++) expect(await set((i % 2) as 0 | 1)).toMatchObject({ code: 200 })
    expect(await set(0)).toMatchObject(refusal('TOO_OFTEN', { retry_after: 60 }))
    expect((await main.call(routerApi.lists, {})).data.map(({ status }) => status)).toEqual([1, 1, 1, 1])
  })

  it('a disabled software member leaves the documents of its centres, and comes back', async () => {
    const { main, routers: fleet, apps } = await createFleet()
    await createNetwork(main, [fleet[0]!, fleet[1]!, apps[0]!])
    const inDocument = async () =>
      (await selectRouter(db, fleet[0]!.hub)).members.some(({ routerName }) => routerName === apps[0]!.name)
    const since = hubCalls.length
    const set = (status: 0 | 1) => main.call(routerApi.updateStatus, { router_name: apps[0]!.name, status })
    expect(await inDocument()).toBe(true)
    expect(await set(0)).toMatchObject({ code: 200 })
    expect(await inDocument()).toBe(false)
    const routerCalls = hubCalls.slice(since).filter(({ kind }) => kind === 'router')
    expect(routerCalls.map(({ hub }) => hub)).toEqual([fleet[0]!.hub])
    afterRate()
    expect(await set(1)).toMatchObject({ code: 200 })
    expect(await inDocument()).toBe(true)
  })

  it('a disabled router that runs tunnels leaves the documents of its peers, without any change of other routers', async () => {
    const { main, routers: fleet } = await createFleet()
    const [a, , c, d] = fleet
    await createNetwork(main, [a!, c!, d!])
    await db.insert(routerStates).values({ routerId: c!.id, presence: 'online', vpn: 1 })
    await db.insert(routerStates).values({ routerId: d!.id, presence: 'online', vpn: 0 })
    const set = (router: typeof c, status: 0 | 1) =>
      main.call(routerApi.updateStatus, { router_name: router!.name, status })
    const namesAt = async (router: typeof c) => {
      const { networks } = await compileDocument(router!.hub)
      return networks.flatMap(({ links }) => links.map(({ peer }) => peer)).toSorted()
    }
    const refreshed = (since: number) =>
      hubCalls
        .slice(since)
        .filter(({ kind }) => kind === 'router')
        .map(({ hub }) => hub)
        .toSorted()
    let since = hubCalls.length
    expect(await set(c, 0)).toMatchObject({ code: 200, trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(a, c))
    expect(await namesAt(a)).toEqual([d!.name])
    expect(await namesAt(c)).toEqual([a!.name])
    since = hubCalls.length
    expect(await set(d, 0)).toMatchObject({ code: 200 })
    expect(refreshed(since)).toEqual(toHubs(d))
    expect(await namesAt(a)).toEqual([d!.name])
    afterRate()
    since = hubCalls.length
    expect(await set(c, 1)).toMatchObject({ code: 200 })
    expect(refreshed(since)).toEqual(toHubs(a, c))
    expect(await namesAt(a)).toEqual([c!.name, d!.name].toSorted())
  })

  it('a router that becomes a centre between reading and writing leaves it out as well', async () => {
    const { main, routers: fleet, apps } = await createFleet()
    const [a, b] = fleet
    const members = { point: [apps[0]!.name], network_name: '测试网' }
    const network_number = await createNetwork(main, [a!, b!, apps[0]!])
    const edit = { network_number, ...members, center: [a!.name, b!.name] }
    const { call, hubCalls: calls } = createTestWorker({ afterFirstTrip: () => main.call(networkApi.edit, edit) })
    const reply = await call(routerApi.updateStatus, { router_name: apps[0]!.name, status: 0 }, main.token)
    expect(reply).toMatchObject({ code: 200, trips: 4 })
    const refreshedHubs = calls.filter(({ kind, method }) => kind === 'router' && method === 'refresh')
    expect(refreshedHubs.map(({ hub }) => hub).toSorted()).toEqual(toHubs(a, b))
    expect(await networkRow(network_number)).toMatchObject({ revision: 3 })
    expect((await selectAudits(main.accountId)).map(({ action }) => action)).toEqual([
      'create',
      'edit',
      'update_status',
    ])
  })

  it('a disabled software member is 已停用 in its state, too, and 从未上线 again once enabled', async () => {
    const { main, apps } = await createFleet()
    const set = (status: 0 | 1) => main.call(routerApi.updateStatus, { router_name: apps[0]!.name, status })
    const read = () => main.call(routerApi.lists, { type: 2, search: apps[0]!.name })
    expect(await set(0)).toMatchObject({ code: 200, trips: 2 })
    expect(await read()).toMatchObject({
      states: { disabled: 1, never: 0 },
      data: [{ presence: { state: 'disabled' } }],
    })
    afterRate()
    expect(await set(1)).toMatchObject({ code: 200 })
    expect(await read()).toMatchObject({
      states: { disabled: 0, never: 1 },
      data: [{ presence: { state: 'never', since: null } }],
    })
  })

  it('is refused where a limited role does not cover all networks of the member', async () => {
    const { main, routers: fleet } = await createFleet({ memberQuota: 20 })
    const [a, b, shared] = fleet
    const own = await createNetwork(main, [a!, shared!])
    await createNetwork(main, [b!, shared!])
    const sub = await createSubAccount(main, { flags: ['router:edit'], networks: [own] })
    const set = (router_name: string) => sub.call(routerApi.updateStatus, { router_name, status: 0 })
    expect(await set(shared!.name)).toMatchObject(refusal('ROUTER_SHARED'))
    expect(await set(b!.name)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await set(a!.name)).toMatchObject({ code: 200 })
  })
})

describe('design 12 · software members', () => {
  it('get no ticket for a live socket', async () => {
    const { main, routers: fleet, apps } = await createFleet()
    const ticket = (router_name: string) => main.call(routerApi.trafficTicket, { kind: 'router', router_name })
    expect(await ticket(apps[0]!.name)).toMatchObject({ ...refusal('HARDWARE_ONLY'), trips: 1 })
    expect(await ticket(fleet[0]!.name)).toMatchObject({ code: 200 })
  })

  it('with an empty area code have the dial code 86', async () => {
    const { main } = await createFleet()
    await createService(main.accountId, 'software_member', 5)
    await db
      .update(accounts)
      .set({ sign: unique('s') })
      .where(eq(accounts.id, main.accountId))
    const form = {
      router_type: 2,
      username: unique('u'),
      password: 'Weilai26',
      area_code: ' ',
      phone: '13800000001',
    } as const
    const reply = await main.call(routerApi.add, form)
    expect(reply).toMatchObject({ code: 200 })
    const [row] = await db.select().from(routers).where(eq(routers.name, reply.data.router_name))
    expect(row).toMatchObject({ areaCode: '86', phone: '13800000001' })
  })
})
