import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { networks, memberSettings } from '#db/schema/networks.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { createFleet, networkRow, refreshed, selectAudits, toHubs } from '#tests/support/fixtures.ts'
import { createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

type Flags = Partial<Pick<typeof accounts.$inferInsert, 'quagga' | 'quaggaAdvanced' | 'defaultRoute' | 'dnsQuantity'>>

/** A network of two centres, a point and a software member. */
async function createTwinNetwork(flags: Flags = {}) {
  const { main, routers, apps } = await createFleet({ hardware: 3 })
  const [center, twin, point] = [routers[0]!, routers[1]!, routers[2]!]
  const app = apps[0]!
  const reply = await main.call(networkApi.create, {
    network_name: '测试网',
    center: [center.name, twin.name],
    point: [point.name, app.name],
  })
  const setFlags = (next: Flags) => db.update(accounts).set(next).where(eq(accounts.id, main.accountId))
  if (Object.keys(flags).length > 0) await setFlags(flags)
  const { network_number } = reply.data
  const suspend = () => db.update(networks).set({ status: 0 }).where(eq(networks.number, network_number))
  const lastAudit = async () => (await selectAudits(main.accountId)).at(-1)
  return { main, center, twin, point, app, network_number, setFlags, suspend, lastAudit, since: hubCalls.length }
}
type TwinNetwork = Awaited<ReturnType<typeof createTwinNetwork>>
const readInfo = async ({ main, network_number }: Pick<TwinNetwork, 'main' | 'network_number'>) =>
  (await main.call(networkApi.info, { network_number })).data

describe('network 5 · DNS', () => {
  it('is saved in two round trips and pushed to every device; the same again is not', async () => {
    const made = await createTwinNetwork()
    const { main, center, twin, point, network_number, since } = made
    const input = { network_number, dns: ['10.0.0.53', ' 10.0.0.54 '], revision: 0 }
    expect(await main.call(networkApi.dns, input)).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(center, twin, point))
    expect(await readInfo(made)).toMatchObject({ network_dns: ['10.0.0.53', '10.0.0.54'], revisions: { dns: 1 } })
    expect(await made.lastAudit()).toMatchObject({
      action: 'dns',
      target: network_number,
      message: '组网“测试网”的DNS改为10.0.0.53、10.0.0.54',
      before: '{"dns":[]}',
    })
    const calls = hubCalls.length
    expect(await main.call(networkApi.dns, { ...input, revision: 1 })).toMatchObject({ code: 200, trips: 1 })
    expect([hubCalls.length, (await readInfo(made)).revisions['dns']]).toEqual([calls, 1])
  })

  it('comes as a form with brackets, too, and one empty text clears it', async () => {
    const made = await createTwinNetwork()
    const { main, network_number } = made
    const asForm = { ...networkApi.dns, body: 'form' } as const
    expect(await main.call(asForm, { network_number, dns: ['10.0.0.53'] })).toMatchObject({ code: 200 })
    expect((await readInfo(made)).network_dns).toEqual(['10.0.0.53'])
    expect(await main.call(asForm, { network_number, dns: '' })).toMatchObject({ code: 200 })
    expect((await readInfo(made)).network_dns).toEqual([])
  })

  it.each([
    ['three', ['10.0.0.1', '10.0.0.2', '10.0.0.3'], refusal('DNS_LIMIT_REACHED', { limit: 2 })],
    ['no address', ['10.0.0.x'], { code: 422, msg: '请输入正确的DNS地址', data: { field: 'dns.0' } }],
    ['one that starts with 0', ['0.0.0.53'], { code: 422, msg: '请输入正确的DNS地址' }],
    ['one twice', ['10.0.0.1', '10.0.0.1'], { code: 422, msg: 'DNS地址不能重复', data: { field: 'dns.1' } }],
  ])('refuses %s', async (_, dns, expected) => {
    const { main, network_number } = await createTwinNetwork()
    expect(await main.call(networkApi.dns, { network_number, dns })).toMatchObject(expected)
  })

  it('takes as many as the account has bought; after that dropped, only fewer', async () => {
    const { main, network_number, setFlags } = await createTwinNetwork({ dnsQuantity: 4 })
    const dns = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4']
    expect(await main.call(networkApi.dns, { network_number, dns })).toMatchObject({ code: 200 })
    await setFlags({ dnsQuantity: 1 })
    const four = { network_number, dns: ['10.0.0.9', ...dns.slice(1)] }
    expect(await main.call(networkApi.dns, four)).toMatchObject(refusal('DNS_LIMIT_REACHED', { limit: 1 }))
    expect(await main.call(networkApi.dns, { network_number, dns: dns.slice(1) })).toMatchObject({ code: 200 })
  })

  it('of an older state is refused; without a revision it passes', async () => {
    const { main, network_number } = await createTwinNetwork()
    await main.call(networkApi.dns, { network_number, dns: ['10.0.0.1'], revision: 0 })
    const stale = { network_number, dns: ['10.0.0.2'], revision: '0' }
    expect(await main.call(networkApi.dns, stale)).toMatchObject(refusal('SETTING_CHANGED'))
    expect(await main.call(networkApi.dns, { network_number, dns: ['10.0.0.2'] })).toMatchObject({ code: 200 })
  })

  it('can only be cleared in a suspended network', async () => {
    const made = await createTwinNetwork()
    const { main, network_number } = made
    await main.call(networkApi.dns, { network_number, dns: ['10.0.0.1'] })
    await made.suspend()
    const other = { network_number, dns: ['10.0.0.2'] }
    expect(await main.call(networkApi.dns, other)).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect(await main.call(networkApi.dns, { network_number, dns: [] })).toMatchObject({ code: 200 })
  })

  it('is refused at once where a device does not carry it', async () => {
    const { main, network_number, point } = await createTwinNetwork()
    const known = { [point.hub]: ['dns'] }
    const worker = createTestWorker({ hubs: fakeHubs({ 'account.missingSettings': () => known }).hubs })
    const params = { devices: point.name, reason: '设备版本过旧，不支持DNS' }
    const refused = await worker.call(networkApi.dns, { network_number, dns: ['10.0.0.1'] }, main.token)
    expect(refused).toMatchObject(refusal('DEVICE_UNSUPPORTED', params))
  })
})

describe('network 5 · prefix rows', () => {
  const rows = [
    { ip: '10.1.2.3', mask: 16, name: '总部' },
    { ip: '172.16.0.0', mask: '12' },
  ]

  it('are aligned to their mask, answered old → new, and pushed to centres alone', async () => {
    const made = await createTwinNetwork()
    const { main, center, twin, network_number, since } = made
    const saved = await main.call(networkApi.editPrefix, { network_number, prefix: rows, revision: 0 })
    expect(saved).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(saved.data).toEqual([{ row: 0, old: '10.1.2.3/16', new: '10.1.0.0/16' }])
    expect(refreshed(since)).toEqual(toHubs(center, twin))
    const read = await main.call(networkApi.prefix, { network_number })
    const basic = { permission: 'permit', ge: null, le: 32 }
    expect(read).toMatchObject({ code: 200, trips: 1, revision: 1 })
    expect(read.data).toEqual([
      { ip: '10.1.0.0', mask: 16, name: '总部', ...basic },
      { ip: '172.16.0.0', mask: 12, name: '', ...basic },
    ])
    expect((await readInfo(made)).prefix_count).toBe(2)
  })

  it('come as a form with brackets, too', async () => {
    const { main, network_number } = await createTwinNetwork()
    const asForm = { ...networkApi.editPrefix, body: 'form' } as const
    expect(await main.call(asForm, { network_number, prefix: rows })).toMatchObject({ code: 200 })
    expect((await main.call(networkApi.prefix, { network_number })).data).toHaveLength(2)
    expect(await main.call(asForm, { network_number, prefix: '' })).toMatchObject({ code: 200 })
    expect((await main.call(networkApi.prefix, { network_number })).data).toEqual([])
  })

  it.each([
    ['an empty number', { ip: '', mask: 8 }, '请输入正确的网络号'],
    ['a number that starts with 0', { ip: '0.1.2.3', mask: 8 }, '请输入正确的网络号'],
    ['a mask below 8', { ip: '10.0.0.0', mask: 7 }, '掩码取值范围在8~32'],
    ['a mask above 32', { ip: '10.0.0.0', mask: 33 }, '掩码取值范围在8~32'],
    ['ge at the mask', { ip: '10.0.0.0', mask: 8, ge: 8 }, '应满足：掩码 < ge <= le <= 32'],
    ['ge above le', { ip: '10.0.0.0', mask: 8, ge: 24, le: 16 }, '应满足：掩码 < ge <= le <= 32'],
  ])('refuse %s', async (_, row, msg) => {
    const { main, network_number } = await createTwinNetwork({ quaggaAdvanced: 1 })
    expect(await main.call(networkApi.editPrefix, { network_number, prefix: [row] })).toMatchObject({ code: 422, msg })
  })

  it('refuse two that meet after the correction', async () => {
    const { main, network_number } = await createTwinNetwork()
    const prefix = [rows[0]!, { ip: '10.1.9.9', mask: 16 }]
    const refused = await main.call(networkApi.editPrefix, { network_number, prefix })
    expect(refused).toMatchObject({
      ...refusal('PREFIX_TWICE', { prefix: '10.1.0.0/16' }),
      data: { field: 'prefix.1.ip' },
    })
  })

  it('take permission, ge and le with quagga_advanced; what is set stays when the account loses it', async () => {
    const { main, network_number, setFlags } = await createTwinNetwork()
    const advanced = { ip: '10.0.0.0', mask: 8, permission: 'deny', ge: 16, le: 24 }
    const save = (...prefix: object[]) => main.call(networkApi.editPrefix, { network_number, prefix })
    const denied = refusal('FEATURE_NOT_ENABLED', { feature: '网络号的高级设置' })
    expect(await save(advanced)).toMatchObject(denied)
    await setFlags({ quaggaAdvanced: 1 })
    expect(await save(advanced)).toMatchObject({ code: 200 })
    await setFlags({ quaggaAdvanced: 0 })
    expect(await save(advanced, rows[1]!)).toMatchObject({ code: 200 })
    expect(await save({ ...advanced, le: 25 })).toMatchObject(denied)
    expect(await save(rows[1]!)).toMatchObject({ code: 200 })
  })
})

describe('network 4 · routing', () => {
  it('type 2 names a main and a backup router; both centres and the points are pushed', async () => {
    const made = await createTwinNetwork()
    const { main, center, twin, point, network_number, since } = made
    const input = { network_number, type: 2, main_router: center.name, secondary_router: twin.name } as const
    expect(await main.call(networkApi.editRouting, { ...input, revision: 0 })).toMatchObject({ code: 200, trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(center, twin, point))
    const read = await main.call(networkApi.routing, { network_number })
    const view = { type: 2, main_router: center.name, secondary_router: twin.name }
    expect([read.trips, read.data]).toEqual([1, { ...view, revision: 1 }])
    const info = await readInfo(made)
    expect(info.network_routing).toEqual(view)
    expect(info.member.filter(({ routing }) => routing === 1).map((m) => m.router_name)).toEqual([center.name])
    expect((await made.lastAudit())?.message).toContain(`主备，主路由“${center.name}”，备路由“${twin.name}”`)
    expect(await main.call(networkApi.editRouting, { network_number, type: 1 })).toMatchObject({ code: 200 })
    const back = await main.call(networkApi.routing, { network_number })
    expect(back.data).toEqual({ type: 1, main_router: '', secondary_router: '', revision: 2 })
  })

  it.each([
    ['no main router', (n: TwinNetwork) => ({ secondary_router: n.twin.name }), '请选择主路由'],
    ['no backup router', (n: TwinNetwork) => ({ main_router: n.center.name }), '请选择备路由'],
    [
      'one router twice',
      (n: TwinNetwork) => ({ main_router: n.center.name, secondary_router: n.center.name }),
      '主路由与备路由不能相同',
    ],
    [
      'a router that is no centre',
      (n: TwinNetwork) => ({ main_router: n.center.name, secondary_router: n.point.name }),
      '所选成员不是该组网的中心点，请重新选择',
    ],
  ])('refuses %s', async (_, names, msg) => {
    const made = await createTwinNetwork()
    const { main, network_number } = made
    const input = { network_number, type: 2, ...names(made) } as const
    expect(await main.call(networkApi.editRouting, input)).toMatchObject({ code: 422, msg })
  })

  it('needs two centres', async () => {
    const made = await createTwinNetwork()
    const { main, center, twin, network_number } = made
    await main.call(networkApi.removeMember, { network_number, router_name: twin.name })
    const input = { network_number, type: 2, main_router: center.name, secondary_router: twin.name } as const
    expect(await main.call(networkApi.editRouting, input)).toMatchObject(refusal('ROUTING_NEEDS_TWO'))
  })
})

describe('network 6 · default route and dynamic routing', () => {
  const ALL = { quagga: 1, defaultRoute: 1 }

  it('a member advertises with a metric, and is pushed', async () => {
    const made = await createTwinNetwork(ALL)
    const { main, point, network_number, since } = made
    const target = { network_number, router_name: point.name }
    const saved = await main.call(networkApi.defaultRoute, { ...target, model: '1', metric: '60', revision: 0 })
    expect(saved).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(point))
    const member = (await readInfo(made)).member.find((m) => m.router_name === point.name)
    expect(member).toMatchObject({ default_route: 1, metric: 60, revisions: { default_route: 1 } })
    expect((await made.lastAudit())?.message).toBe(`组网“测试网”成员“${point.name}”的默认路由改为通告，优先级2`)
  })

  it.each([
    ['no metric', { model: 1 }, '请选择优先级'],
    ['another metric', { model: 1, metric: 45 }, '请选择有效的优先级'],
    ['a metric that is received', { model: 2, metric: 30 }, '仅通告默认路由时可设置优先级'],
    ['another mode', { model: 3 }, '请选择默认路由的模式'],
  ])('refuses %s', async (_, form, msg) => {
    const { main, point, network_number } = await createTwinNetwork(ALL)
    const input = { network_number, router_name: point.name, ...form }
    expect(await main.call(networkApi.defaultRoute, input)).toMatchObject({ code: 422, msg })
  })

  it.each([
    ['quagga', { defaultRoute: 1 }, '动态路由'],
    ['default_route', { quagga: 1 }, '默认路由'],
  ])('an account without %s may only turn it off', async (_, flags, feature) => {
    const made = await createTwinNetwork(ALL)
    const { main, point, network_number } = made
    const target = { network_number, router_name: point.name }
    await main.call(networkApi.defaultRoute, { ...target, model: 2 })
    await made.setFlags({ quagga: 0, defaultRoute: 0, ...flags })
    const advertise = { ...target, model: 1, metric: 30 }
    expect(await main.call(networkApi.defaultRoute, advertise)).toMatchObject(
      refusal('FEATURE_NOT_ENABLED', { feature }),
    )
    expect(await main.call(networkApi.defaultRoute, { ...target, model: 0 })).toMatchObject({ code: 200 })
  })

  it('is for hardware; a router of another network is not found', async () => {
    const { main, app, network_number } = await createTwinNetwork(ALL)
    const { routers } = await createFleet({ hardware: 1 })
    const set = (router_name: string) => main.call(networkApi.defaultRoute, { network_number, router_name, model: 2 })
    expect(await set(app.name)).toMatchObject(refusal('HARDWARE_ONLY'))
    expect(await set(routers[0]!.name)).toMatchObject(refusal('MEMBER_NOT_IN_NETWORK'))
  })

  it('dynamic routing of a point moves it and the centres; of all, every device', async () => {
    const made = await createTwinNetwork(ALL)
    const { main, center, twin, point, network_number, since } = made
    const one = { network_number, router_name: point.name, enable: 1, revision: 0 }
    expect(await main.call(networkApi.quagga, one)).toMatchObject({ code: 200, trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(center, twin, point))
    const enabled = async () => (await readInfo(made)).member.filter((m) => m.quagga === 1).length
    expect(await enabled()).toBe(1)
    expect(await main.call(networkApi.quaggaEnable, { network_number })).toMatchObject({ code: 200, trips: 2 })
    expect(await enabled()).toBe(3) // not the software member
    const { id } = await networkRow(network_number)
    expect(await db.$count(memberSettings, eq(memberSettings.networkId, id))).toBe(3)
    await made.setFlags({ quagga: 0 })
    await made.suspend()
    expect(await main.call(networkApi.quaggaDisable, { network_number })).toMatchObject({ code: 200, trips: 2 })
    expect(await enabled()).toBe(0)
    const refused = await main.call(networkApi.quaggaEnable, { network_number })
    expect(refused).toMatchObject(refusal('FEATURE_NOT_ENABLED', { feature: '动态路由' }))
  })
})
