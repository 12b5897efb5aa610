import { desc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { NETWORK } from '../../../worker/contract/limits.ts'
import { networkApi } from '../../../worker/contract/network.ts'
import { opsApi } from '../../../worker/contract/ops.ts'
import { routerApi } from '../../../worker/contract/router.ts'
import { accounts } from '../../../worker/db/schema/accounts.ts'
import { networks } from '../../../worker/db/schema/networks.ts'
import { networkVersions } from '../../../worker/db/schema/settings.ts'
import {
  createFleet,
  createNetwork,
  createSubAccount,
  networkRow,
  refreshed,
  selectAudits,
  toHubs,
} from '../../support/fixtures.ts'
import { call, db, hubCalls, refusal } from '../../support/test-worker.ts'

async function createHistoryNetwork() {
  const { main, routers } = await createFleet({ hardware: 5, centers: 2 })
  const { quagga, defaultRoute } = { quagga: 1, defaultRoute: 1 } as const
  await db.update(accounts).set({ quagga, defaultRoute }).where(eq(accounts.id, main.accountId))
  const [a, b, c] = routers
  const created = await main.call(networkApi.create, {
    network_name: '测试网',
    center: [a!.name, b!.name],
    point: [c!.name],
  })
  const network_number = created.data.network_number
  return { main, network_number, a: a!, b: b!, c: c!, spare: routers[3]!, target: { network_number } }
}
const versionsOf = async ({
  main,
  target,
}: Pick<Awaited<ReturnType<typeof createHistoryNetwork>>, 'main' | 'target'>) => {
  const reply = await main.call(networkApi.versions, target)
  return reply.data
}

describe('network 6 · network/versions', () => {
  it('says who changed what, old and new, newest first', async () => {
    const made = await createHistoryNetwork()
    const { main, target, c } = made
    expect(await main.call(networkApi.versions, target)).toMatchObject({ code: 200, trips: 1, data: [], revision: 1 })
    const set = await main.call(networkApi.dns, { ...target, dns: ['10.0.0.53'] })
    expect(set).toMatchObject({ code: 200, trips: 2 })
    await main.call(networkApi.quagga, { ...target, router_name: c.name, enable: 1 })
    await main.call(networkApi.name, { ...target, network_name: '新名' })
    expect(await versionsOf(made)).toMatchObject([
      { version: 4, actor: main.username, changes: [{ title: '组网名称', old: '测试网', new: '新名' }] },
      { version: 3, changes: [{ title: `${c.name} · 动态路由`, old: '关闭', new: '开启' }] },
      { version: 2, changes: [{ title: 'DNS', old: '未设置', new: '10.0.0.53' }] },
      { version: 1, actor: '', changes: [] },
    ])
  })

  it('holds the changes of members, too, and what they end', async () => {
    const made = await createHistoryNetwork()
    const { main, target, a, b, c, spare } = made
    await main.call(networkApi.editRouting, { ...target, type: 2, main_router: a.name, secondary_router: b.name })
    await main.call(networkApi.addMember, { ...target, router_name: spare.name, member_type: 'point' })
    await main.call(networkApi.edit, {
      ...target,
      network_name: '新名',
      center: [a.name],
      point: [c.name, spare.name],
      confirm: 1,
    })
    const [edited, added] = await versionsOf(made)
    expect(added?.changes).toEqual([{ title: '成员', old: '3 个', new: `4 个：新增 ${spare.name}` }])
    expect(edited?.changes).toEqual([
      { title: '组网名称', old: '测试网', new: '新名' },
      { title: '成员', old: '4 个', new: `3 个：移除 ${b.name}` },
      { title: '路由方式', old: `主备路由，主 ${a.name}，备 ${b.name}`, new: '双主负载均衡' },
    ])
  })

  it('holds the deletion of a member in each of its networks: who, when, and what it ended', async () => {
    const made = await createHistoryNetwork()
    const { main, target, a, b, c, spare } = made
    await main.call(networkApi.editRouting, { ...target, type: 2, main_router: a.name, secondary_router: b.name })
    const second = await createNetwork(main, [spare, b], '二网')
    const reply = await main.call(routerApi.delete, { router_name: b.name, confirm: 1 })
    expect(reply).toMatchObject({ code: 200, trips: 2 })
    const [deleted] = await versionsOf(made)
    expect(deleted).toMatchObject({ version: 3, actor: main.username })
    expect(deleted?.changes).toEqual([
      { title: '成员', old: '3 个', new: `2 个：移除 ${b.name}` },
      { title: '路由方式', old: `主备路由，主 ${a.name}，备 ${b.name}`, new: '双主负载均衡' },
    ])
    const other = { main, target: { network_number: second } }
    expect((await versionsOf(other))[0]?.changes).toEqual([{ title: '成员', old: '2 个', new: `1 个：移除 ${b.name}` }])
    // The version before can no longer be had, and says why.
    const restored = await main.call(networkApi.restore, { ...target, version: 2 })
    expect(restored).toMatchObject({ code: refusal('VERSION_LOST').code, reason: 'VERSION_LOST' })
    await main.call(networkApi.quagga, { ...target, router_name: c.name, enable: 1 })
    expect((await versionsOf(made))[0]?.changes).toMatchObject([{ title: `${c.name} · 动态路由` }])
  })

  it('one version a network of many that are deleted together; of a disabled member only what it ended', async () => {
    const made = await createHistoryNetwork()
    const { main, target, a, b, c } = made
    await main.call(routerApi.updateStatus, { router_name: c.name, status: 0 })
    expect(await versionsOf(made)).toEqual([])
    await main.call(networkApi.editRouting, { ...target, type: 2, main_router: a.name, secondary_router: b.name })
    await main.call(routerApi.updateStatus, { router_name: b.name, status: 0, confirm: 1 })
    expect((await versionsOf(made))[0]).toMatchObject({
      actor: main.username,
      changes: [{ title: '路由方式', old: `主备路由，主 ${a.name}，备 ${b.name}`, new: '双主负载均衡' }],
    })
    await main.call(routerApi.batchDelete, { router_name: [b.name, c.name] })
    const versions = await versionsOf(made)
    expect(versions.map(({ version }) => version)).toEqual([4, 3, 2, 1])
    expect(versions[0]?.changes).toMatchObject([{ title: '成员', old: '3 个' }])
    // What the disabling ended comes back by hand, once it is possible.
    expect(await main.call(networkApi.restore, { ...target, version: 2 })).toMatchObject({ reason: 'VERSION_LOST' })
  })

  it('what the disabling of a member ended can be restored', async () => {
    const { main, target, a, b } = await createHistoryNetwork()
    await main.call(networkApi.editRouting, { ...target, type: 2, main_router: a.name, secondary_router: b.name })
    await main.call(routerApi.updateStatus, { router_name: b.name, status: 0, confirm: 1 })
    const restored = await main.call(networkApi.restore, { ...target, version: 2 })
    expect(restored).toMatchObject({ code: 200, data: { skipped: [] } })
    expect(await main.call(networkApi.routing, target)).toMatchObject({ data: { type: 2, secondary_router: b.name } })
  })

  it('what an operator disables is the operator’s change', async () => {
    const made = await createHistoryNetwork()
    const { main, target, a, b } = made
    await main.call(networkApi.editRouting, { ...target, type: 2, main_router: a.name, secondary_router: b.name })
    const disabled = { account: main.username, name: b.name, confirm: 1 as const }
    expect(await call(opsApi.disableMember, disabled)).toMatchObject({ code: 200 })
    const [version] = await db
      .select()
      .from(networkVersions)
      .where(eq(networkVersions.accountId, main.accountId))
      .orderBy(desc(networkVersions.version))
    expect(version).toMatchObject({ version: 3, actorKind: 'operator' })
  })

  it('keeps the last twenty', async () => {
    const made = await createHistoryNetwork()
    for (let i = 0; i < 22; i++) await made.main.call(networkApi.name, { ...made.target, network_name: `名称${i}` })
    const versions = await versionsOf(made)
    expect(versions).toHaveLength(NETWORK.versionsKept)
    expect([versions[0]?.version, versions.at(-1)?.version]).toEqual([23, 4])
    const gone = { ...made.target, version: 3 }
    expect(await made.main.call(networkApi.restore, gone)).toMatchObject(refusal('VERSION_NOT_FOUND'))
  })

  it('a call that changes nothing, or is refused, makes none', async () => {
    const made = await createHistoryNetwork()
    await made.main.call(networkApi.name, { ...made.target, network_name: '测试网' })
    await made.main.call(networkApi.dns, { ...made.target, dns: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] })
    expect(await versionsOf(made)).toEqual([])
    expect(await db.select().from(networkVersions).where(eq(networkVersions.accountId, made.main.accountId))).toEqual(
      [],
    )
  })
})

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
    expect(await main.call(networkApi.info, target)).toMatchObject({
      data: { network_center_link: 1, link: expect.arrayContaining([expect.objectContaining({ kind: 'point' })]) },
    })
    expect(await main.call(networkApi.pointLink, { ...target, router_name: c.name })).toMatchObject({
      data: { linkList: [{ router_name: spare.name, port: 4002 }] },
    })
    expect((await versionsOf({ main, target }))[0]?.changes).toHaveLength(3)
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
