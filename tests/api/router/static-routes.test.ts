import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { compileDocument } from '#tests/support/documents.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import {
  createNetwork,
  createRouter,
  createSoftwareRouter,
  createSubAccount,
  networkRow,
  refreshed,
  selectAudits,
  toHubs,
} from '#tests/support/fixtures.ts'
import { createSites } from '#tests/support/sites.ts'
import { createTestWorker, hubCalls, refusal } from '#tests/support/test-worker.ts'

const ROUTE = { prefix: '10.20.0.0', mask: 16, via: '10.2.0.254' }

describe('network 2 · router/static_routes', () => {
  it('sets them: its networks learn them, and router and centres are pushed', async () => {
    const { main, center, plant, shop, number } = await createSites()
    const since = hubCalls.length
    const input = { router_name: plant.name, routes: [{ ...ROUTE, prefix: '10.20.5.0' }] }
    const reply = await main.call(routerApi.staticRoutes, input)
    expect(reply).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(reply.data).toEqual([{ row: 0, old: '10.20.5.0/16', new: '10.20.0.0/16' }])
    expect(refreshed(since)).toEqual(toHubs(center, plant))
    expect(await networkRow(number)).toMatchObject({ revision: 2 })
    const { data } = await main.call(routerApi.info, { router_name: plant.name })
    expect(data).toMatchObject({ static_routes: [ROUTE], static_routes_revision: 1 })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      action: 'static_routes',
      message: '修改成员“工厂”的静态路由，共1条',
      before: '{"routes":[]}',
      after: '{"routes":[{"prefix":"10.20.0.0/16","via":"10.2.0.254"}]}',
    })
    const route = { prefix: '10.20.0.0/16', router_name: plant.name, via: center.name, state: 'chosen' }
    const routesOf = (router_name: string) => main.call(networkApi.routes, { network_number: number, router_name })
    expect((await routesOf(shop.name)).data).toContainEqual(expect.objectContaining(route))
    const atCenter = { ...route, via: plant.name }
    expect((await routesOf(center.name)).data).toContainEqual(expect.objectContaining(atCenter))
    expect((await main.call(networkApi.info, { network_number: number })).data.member).toContainEqual(
      expect.objectContaining({ router_name: plant.name, static_route_count: 1 }),
    )
  })

  it('stand in the documents of the router, with their next hop, and of its centre', async () => {
    const { main, center, plant } = await createSites()
    await main.call(routerApi.staticRoutes, { router_name: plant.name, routes: [ROUTE] })
    expect((await compileDocument(plant.hub)).lans).toContainEqual({ segment: '10.20.0.0/16', via: '10.2.0.254' })
    const [network] = (await compileDocument(center.hub)).networks
    expect(network?.links.find(({ peer }) => peer === plant.name)?.peer_prefixes).toContain('10.20.0.0/16')
    expect(network?.servers.find(({ service }) => service === 'software')?.routes).toContain('10.20.0.0/16')
  })

  it('an equal state is not written; an older state is refused', async () => {
    const { main, plant } = await createSites()
    const set = (routes: (typeof ROUTE)[], more = {}) =>
      main.call(routerApi.staticRoutes, { router_name: plant.name, routes, ...more })
    expect(await set([ROUTE], { revision: 0 })).toMatchObject({ code: 200 })
    expect(await set([ROUTE])).toMatchObject({ code: 200, trips: 1 })
    expect(await set([], { revision: 0 })).toMatchObject(refusal('SETTING_CHANGED'))
    expect(await set([], { revision: 1 })).toMatchObject({ code: 200 })
    expect((await main.call(routerApi.info, { router_name: plant.name })).data.static_routes).toEqual([])
  })

  it('refuses a next hop elsewhere, a software member, and a device that has not reported', async () => {
    const { main, plant } = await createSites()
    const app = await createSoftwareRouter(main.accountId)
    const unseen = await createRouter(main.accountId)
    const set = (router_name: string, route = ROUTE) =>
      main.call(routerApi.staticRoutes, { router_name, routes: [route] })
    const elsewhere = await set(plant.name, { ...ROUTE, via: '10.3.0.254' })
    expect(elsewhere).toMatchObject({
      ...refusal('STATIC_ROUTE_HOP', { via: '10.3.0.254', lans: '10.2.0.0/24' }),
      data: { field: 'routes.0.via' },
      trips: 1,
    })
    expect(await set(app.name)).toMatchObject(refusal('HARDWARE_ONLY'))
    expect(await set(unseen.name)).toMatchObject(refusal('STATIC_ROUTE_NO_LAN'))
  })

  it('refuses an overlap with a member, with a centre’s segment, and with what the router learns elsewhere', async () => {
    const { main, plant, shop } = await createSites()
    const set = (prefix: string, mask = 24) =>
      main.call(routerApi.staticRoutes, { router_name: plant.name, routes: [{ ...ROUTE, prefix, mask }] })
    const overlap = await set('10.3.0.0', 25)
    expect(overlap).toMatchObject({ reason: 'SEGMENT_CONFLICT', data: { field: 'routes' }, trips: 1 })
    for (const part of ['门店', '工厂', '10.3.0.0/25']) expect(overlap.msg).toContain(part)
    expect(await set('100.64.0.0', 24)).toMatchObject({ reason: 'SEGMENT_CONFLICT' })
    const outside = await createRouter(main.accountId, { note: '外部', lans: ['10.40.0.1/24'] })
    const second = await createRouter(main.accountId, { note: '二区总部' })
    await createNetwork(main, [second, plant, outside], '二区')
    expect((await set('10.40.0.0')).msg).toContain('外部')
    // Two steps away: 门店 learns it in a network of its own.
    const far = await createRouter(main.accountId, { note: '远端', lans: ['10.50.0.1/24'] })
    const third = await createRouter(main.accountId)
    await createNetwork(main, [third, far, shop], '三区')
    expect((await set('10.50.0.0')).msg).toContain('组网“三区”的远端')
    expect(await set('10.60.0.0')).toMatchObject({ code: 200 })
  })

  it('networks that share no router may both have the segment', async () => {
    const { main, plant } = await createSites()
    const other = await createRouter(main.accountId, { lans: ['10.20.1.1/24'] })
    await createNetwork(main, [other], '别区')
    expect(await main.call(routerApi.staticRoutes, { router_name: plant.name, routes: [ROUTE] })).toMatchObject({
      code: 200,
    })
  })

  it('a member that joins between reading and writing is checked too', async () => {
    const { main, plant, number } = await createSites()
    const late = await createRouter(main.accountId, { lans: ['10.20.1.1/24'] })
    const join = { network_number: number, router_name: late.name, member_type: 'point' as const }
    const { call } = createTestWorker({ afterFirstTrip: () => main.call(networkApi.addMember, join) })
    const reply = await call(routerApi.staticRoutes, { router_name: plant.name, routes: [ROUTE] }, main.token)
    expect(reply).toMatchObject({ reason: 'SEGMENT_CONFLICT' })
  })

  it('is refused where the device cannot carry it', async () => {
    const { main, plant } = await createSites()
    const { hubs } = fakeHubs({ 'account.missingSettings': () => ({ [plant.hub]: ['lans:via'] }) })
    const { call } = createTestWorker({ hubs })
    const input = { router_name: plant.name, routes: [ROUTE] }
    expect(await call(routerApi.staticRoutes, input, main.token)).toMatchObject(
      refusal('DEVICE_UNSUPPORTED', { devices: '工厂', reason: '设备版本过旧，不支持静态路由' }),
    )
  })

  it('network 6: belongs to router:edit of a role that covers all networks of the member', async () => {
    const { main, plant, shop, number } = await createSites()
    const other = await createRouter(main.accountId)
    await createNetwork(main, [other, shop], '二区')
    const limited = await createSubAccount(main, { flags: ['router:edit'], networks: [number] })
    const set = (router_name: string, via: string) =>
      limited.call(routerApi.staticRoutes, { router_name, routes: [{ ...ROUTE, via }] })
    expect(await set(shop.name, '10.3.0.254')).toMatchObject(refusal('ROUTER_SHARED'))
    expect(await set(other.name, '10.3.0.254')).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await set(plant.name, '10.2.0.254')).toMatchObject({ code: 200 })
    const editor = await createSubAccount(main, { flags: ['network:edit'] })
    expect(await editor.call(routerApi.staticRoutes, { router_name: plant.name, routes: [] })).toMatchObject(
      refusal('PERMISSION_DENIED'),
    )
  })
})
