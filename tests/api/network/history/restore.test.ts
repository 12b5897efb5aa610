import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts } from '#db/schema/accounts.ts'
import { networks } from '#db/schema/networks.ts'
import { fakeHubs, noAnswer } from '#tests/support/fake-hubs.ts'
import {
  createNetwork,
  createSubAccount,
  networkRow,
  refreshed,
  selectAudits,
  toHubs,
} from '#tests/support/fixtures.ts'
import { createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'
import { createHistoryNetwork, versionsOf } from './history-network.ts'
import { networkApi } from '#contract/network/index.ts'

/** Worker whose network hub does not answer: it reads links from the rows alone. */
const rowsOnly = createTestWorker({ hubs: fakeHubs({ 'network.status': noAnswer }).hubs })

describe('network 6 · network/restore', () => {
  it('sets what was set then as a new change, which can be undone again', async () => {
    const made = await createHistoryNetwork()
    const { main, target, a, b, c } = made
    await main.call(networkApi.dns, { ...target, dns: ['10.0.0.53'] })
    await main.call(networkApi.editRouting, { ...target, type: 2, main_router: a.name, secondary_router: b.name })
    await main.call(networkApi.defaultRoute, { ...target, router_name: c.name, model: 1, metric: 60 })
    await main.call(networkApi.dns, { ...target, dns: [] })
    const since = hubCalls.length
    const { revision } = await networkRow(target.network_number)
    const restored = await main.call(networkApi.restore, { ...target, version: 2, revision })
    expect(restored).toMatchObject({ code: 200, msg: '已恢复', trips: 2, data: { skipped: [] } })
    expect(refreshed(since)).toEqual(toHubs(a, b, c))
    expect(await main.call(networkApi.info, target)).toMatchObject({
      data: { network_dns: ['10.0.0.53'], network_routing: { type: 1 } },
    })
    const [newest] = await versionsOf(made)
    expect(newest).toMatchObject({ version: 6 })
    expect(newest?.changes.map(({ title }) => title).toSorted()).toEqual(
      ['DNS', '路由方式', `${c.name} · 默认路由`].toSorted(),
    )
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      action: 'restore',
      message: '组网“测试网”恢复到历史版本2',
    })
    expect(await main.call(networkApi.restore, { ...target, version: 5 })).toMatchObject({ code: 200 })
    expect(await main.call(networkApi.info, target)).toMatchObject({
      data: { network_dns: [], network_routing: { type: 2, main_router: a.name } },
    })
  })

  it('the state before the first change can be restored', async () => {
    const { main, target } = await createHistoryNetwork()
    await main.call(networkApi.dns, { ...target, dns: ['10.0.0.53'] })
    expect(await main.call(networkApi.restore, { ...target, version: 1 })).toMatchObject({ code: 200 })
    expect(await main.call(networkApi.info, target)).toMatchObject({ data: { network_dns: [] } })
  })

  it('names what it passes over; where nothing is left it is refused', async () => {
    const { main, target, a, b, spare, c } = await createHistoryNetwork()
    await main.call(networkApi.editRouting, { ...target, type: 2, main_router: a.name, secondary_router: b.name })
    await main.call(networkApi.dns, { ...target, dns: ['10.0.0.53'] })
    await main.call(networkApi.edit, {
      ...target,
      network_name: '测试网',
      center: [a.name],
      point: [c.name, spare.name],
      confirm: 1,
    })
    await main.call(networkApi.dns, { ...target, dns: [] })
    const skipped = ['路由方式：主路由或备路由已不是该组网的中心点']
    expect(await main.call(networkApi.restore, { ...target, version: 3 })).toMatchObject({ data: { skipped } })
    expect(await main.call(networkApi.restore, { ...target, version: 3 })).toMatchObject(
      refusal('VERSION_LOST', { reasons: skipped.join() }),
    )
  })

  it('follows the rules of each setting: flags, segments, another revision, suspended', async () => {
    const { main, target, a, c, spare } = await createHistoryNetwork()
    const gateway = (ip: string) =>
      main.call(networkApi.editCenterGateway, {
        ...target,
        router_name: a.name,
        router_network: { gateway: ip, mask: 24 },
      })
    expect(await gateway('10.8.0.0')).toMatchObject({ code: 200 })
    expect(await gateway('10.9.0.0')).toMatchObject({ code: 200 })
    await main.call(networkApi.quagga, { ...target, router_name: c.name, enable: 1 })
    await main.call(networkApi.quagga, { ...target, router_name: c.name, enable: 0 })
    const restore = (version: number, over: object = {}) =>
      main.call(networkApi.restore, { ...target, version, ...over })
    expect(await restore(2, { revision: 1 })).toMatchObject(refusal('NETWORK_CHANGED'))
    expect(await restore(5)).toMatchObject(refusal('VERSION_SAME'))
    // Another network of the same centre takes the segment meanwhile.
    const other = await createNetwork(main, [spare, a], '另一网')
    const elsewhere = await main.call(networkApi.editCenterGateway, {
      network_number: other,
      router_name: spare.name,
      router_network: { gateway: '10.8.0.0', mask: 24 },
    })
    expect(elsewhere).toMatchObject({ code: 200 })
    expect(await restore(2)).toMatchObject({ code: 422, reason: 'SEGMENT_TAKEN' })
    await db.update(accounts).set({ quagga: 0 }).where(eq(accounts.id, main.accountId))
    expect(await restore(4)).toMatchObject(refusal('FEATURE_NOT_ENABLED', { feature: '动态路由' }))
    await db.update(networks).set({ status: 0 }).where(eq(networks.number, target.network_number))
    await db.update(accounts).set({ quagga: 1 }).where(eq(accounts.id, main.accountId))
    expect(await restore(4)).toMatchObject(refusal('NETWORK_SUSPENDED'))
  })

  it('restores ports, twin-centre link and point links with their claims', async () => {
    const { main, target, a, c, spare } = await createHistoryNetwork()
    await main.call(networkApi.addMember, { ...target, router_name: spare.name, member_type: 'point' })
    const ports = { public_ip: '203.0.113.9', public_port: 3000, static_port: 4000 }
    const none = { public_ip: '', public_port: null, static_port: null }
    const fixed = (router_service: object) =>
      main.call(networkApi.fixedPort, {
        ...target,
        router_name: a.name,
        router_service,
        software_service: none,
      } as never)
    expect(await fixed(ports)).toMatchObject({ code: 200 })
    const twin = {
      center_router_name: a.name,
      gateway: '172.31.200.0',
      mask: 30,
      enable: 1,
      ...ports,
      static_port: 4001,
      public_port: 3001,
    }
    expect(await main.call(networkApi.centerLink, { ...target, ...twin } as never)).toMatchObject({ code: 200 })
    const links = (rows: readonly object[]) =>
      main.call(networkApi.editPointLink, { ...target, router_name: c.name, link_config: rows } as never)
    const link = { router_name: spare.name, gateway: '172.31.201.0', mask: 30, static_port: 4002 }
    expect(await links([link])).toMatchObject({ code: 200 })
    const { version } = (await versionsOf({ main, target }))[0]!
    await links([])
    await main.call(networkApi.enableCenterLink, { ...target, enable: 0 })
    await fixed(none)
    expect(await main.call(networkApi.restore, { ...target, version })).toMatchObject({
      code: 200,
      data: { skipped: [] },
    })
    expect(await rowsOnly.call(networkApi.info, target, main.token)).toMatchObject({
      data: { network_center_link: 1, link: expect.arrayContaining([expect.objectContaining({ kind: 'point' })]) },
    })
    expect(await main.call(networkApi.pointLink, { ...target, router_name: c.name })).toMatchObject({
      data: { linkList: [{ router_name: spare.name, port: 4002 }] },
    })
    expect((await versionsOf({ main, target }))[0]?.changes).toHaveLength(3)
  })

  it('gives a member back what it lost by leaving or by its role, once it is there again, and names it until then', async () => {
    const { main, target, a, b, c, spare } = await createHistoryNetwork()
    await main.call(networkApi.addMember, { ...target, router_name: spare.name, member_type: 'point' })
    const link = { router_name: spare.name, gateway: '172.31.201.0', mask: 30, static_port: 4002 }
    await main.call(networkApi.editPointLink, { ...target, router_name: c.name, link_config: [link] })
    await main.call(networkApi.defaultRoute, { ...target, router_name: c.name, model: 1, metric: 60 })
    const router_network = { gateway: '10.8.0.0', mask: 24 }
    await main.call(networkApi.editCenterGateway, { ...target, router_name: b.name, router_network })
    const { version } = (await versionsOf({ main, target }))[0]!
    const edit = (center: readonly string[], point: readonly string[]) =>
      main.call(networkApi.edit, { ...target, network_name: '测试网', center: [...center], point: [...point] })
    expect(await edit([a.name], [b.name, spare.name])).toMatchObject({ code: 200, trips: 2 })
    const [left] = await versionsOf({ main, target })
    expect(left?.changes.map(({ title }) => title)).toEqual(['成员', '点对点互联'])
    expect(await main.call(networkApi.restore, { ...target, version })).toMatchObject(
      refusal('VERSION_LOST', {
        reasons: '点对点互联：成员已不在组网或已是中心点；默认路由：成员已不在组网；网段：成员的角色已改变',
      }),
    )
    await edit([a.name, b.name], [c.name, spare.name])
    expect(await main.call(networkApi.restore, { ...target, version })).toMatchObject({
      code: 200,
      data: { skipped: [] },
    })
    const { data } = await main.call(networkApi.info, target)
    const memberOf = (name: string) => data.member.find(({ router_name }) => router_name === name)
    expect(memberOf(c.name)).toMatchObject({ default_route: 1, metric: 60 })
    expect(memberOf(b.name)).toMatchObject({ gateway: { router: router_network } })
    expect(await main.call(networkApi.pointLink, { ...target, router_name: c.name })).toMatchObject({
      data: { linkList: [{ router_name: spare.name, port: 4002 }] },
    })
  })

  it('is for who may edit the network', async () => {
    const { main, target } = await createHistoryNetwork()
    await main.call(networkApi.dns, { ...target, dns: ['10.0.0.53'] })
    const viewer = await createSubAccount(main)
    expect(await viewer.call(networkApi.versions, target)).toMatchObject({ code: 200 })
    expect(await viewer.call(networkApi.restore, { ...target, version: 1 })).toMatchObject(refusal('PERMISSION_DENIED'))
    const limited = await createSubAccount(main, { flags: ['network:edit'], networks: ['other'] })
    expect(await limited.call(networkApi.versions, target)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(await limited.call(networkApi.restore, { ...target, version: 1 })).toMatchObject(
      refusal('NETWORK_NOT_FOUND'),
    )
  })
})
