import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { networks, pointLinks, portClaims } from '#db/schema/networks.ts'
import { fakeHubs, noAnswer } from '#tests/support/fake-hubs.ts'
import { createFleet, createRouter, networkRow, refreshed, selectAudits, toHubs } from '#tests/support/fixtures.ts'
import { createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

/** Worker whose network hub does not answer: it reads links from the rows alone. */
const rowsOnly = createTestWorker({ hubs: fakeHubs({ 'network.status': noAnswer }).hubs })

let net: Awaited<ReturnType<typeof createTwin>>

async function createTwin() {
  const { main, routers } = await createFleet({ centers: 3, hardware: 6, software: 1, memberQuota: 20 })
  const [center, twin, one, two, three, spare] = routers as (typeof routers)[number][]
  const plan = {
    network_name: '双中心',
    center: [center!.name, twin!.name],
    point: [one!.name, two!.name, three!.name],
  }
  const { data } = await main.call(networkApi.create, plan)
  const target = { network_number: data.network_number }
  return { main, target, center: center!, twin: twin!, one: one!, two: two!, three: three!, spare: spare! }
}
beforeEach(async () => {
  net = await createTwin()
})
const segment = (gateway = '172.31.255.0') => ({ gateway, mask: 30 })
const save = (more = {}) =>
  net.main.call(networkApi.centerLink, { ...net.target, center_router_name: net.center.name, ...segment(), ...more })
const read = async () => (await net.main.call(networkApi.centerLinkNetwork, net.target)).data
const lastAudit = async () => (await selectAudits(net.main.accountId)).at(-1)

describe('network 4 · twin-centre link', () => {
  it('proposes a free segment and port before anything was set', async () => {
    const reply = await net.main.call(networkApi.centerLinkNetwork, net.target)
    expect(reply).toMatchObject({
      code: 200,
      trips: 1,
      data: { enable: 0, center_router_name: '', gateway: '', mask: 30, public_ip: '', public_port: null, revision: 0 },
    })
    expect(reply.data.free_gateway).toBe('172.31.0.4')
    expect(reply.data.free_port).toEqual(expect.any(Number))
  })

  it('is turned on: both centres get it, and the network shows it', async () => {
    const since = hubCalls.length
    expect(await save()).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(net.center, net.twin))
    expect(await read()).toMatchObject({ ...segment(), enable: 1, center_router_name: net.center.name, revision: 1 })
    expect((await net.main.call(networkApi.info, net.target)).data).toMatchObject({
      network_center_link: 1,
      network_center_link_show: 1,
      network_center_link_network: { ...segment(), center_router_name: net.center.name },
    })
    expect(await lastAudit()).toMatchObject({ action: 'center_link', message: '组网“双中心”设置双中心点互通' })
    expect(await save()).toMatchObject({ code: 200, trips: 1 })
  })

  it('at a public address it needs no segment; its port belongs to it', async () => {
    const ports = { public_ip: '203.0.113.5', public_port: 5000, static_port: 6000 }
    expect(await save({ gateway: '', ...ports })).toMatchObject({ code: 200 })
    expect(await read()).toMatchObject({ gateway: '', ...ports })
    const { id } = await networkRow(net.target.network_number)
    const claims = await db.select().from(portClaims).where(eq(portClaims.networkId, id))
    expect(claims).toMatchObject([{ routerId: net.center.id, service: 'center_link', staticPort: 6000 }])
    await save()
    expect(await db.select().from(portClaims).where(eq(portClaims.networkId, id))).toEqual([])
  })

  it('is turned off and on again, and its segment is changed alone', async () => {
    await save()
    const off = { ...net.target, enable: 0 } as const
    let since = hubCalls.length
    expect(await net.main.call(networkApi.enableCenterLink, off)).toMatchObject({ code: 200, trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(net.center, net.twin))
    expect(await lastAudit()).toMatchObject({ message: '组网“双中心”关闭双中心点互通' })
    expect(await read()).toMatchObject({ enable: 0, ...segment() })
    since = hubCalls.length
    const moved = { ...net.target, ...segment('172.31.9.0') }
    expect(await net.main.call(networkApi.editCenterLinkGateway, moved)).toMatchObject({ code: 200 })
    expect(refreshed(since)).toEqual([])
    expect(await net.main.call(networkApi.enableCenterLink, { ...net.target, enable: 1 })).toMatchObject({ code: 200 })
    expect(await read()).toMatchObject({ enable: 1, ...segment('172.31.9.0') })
  })

  it('network 5 · texts of its form', async () => {
    const text = async (more: object) => (await save(more)).msg
    expect(await text({ center_router_name: '' })).toBe('请选择服务端')
    expect(await text({ gateway: '' })).toBe('网段不能为空')
    expect(await text({ gateway: '0.1.2.0' })).toBe('请输入正确的网段')
    expect(await text({ gateway: '172.31.255.1' })).toBe('网段格式设置错误')
    expect(await text({ public_ip: '0.1.2.3', public_port: 5000, static_port: 5000 })).toBe('请输入正确的公网IP')
    expect(await text({ public_ip: '203.0.113.5', static_port: 5000 })).toBe('公网端口不能为空')
    expect(await text({ public_ip: '203.0.113.5', public_port: 5000 })).toBe('本地端口不能为空')
    expect(await text({ public_ip: '203.0.113.5', public_port: 80, static_port: 5000 })).toBe(
      '设置范围应在1025~65535之间！',
    )
  })

  it('is refused without two centres, for a server that is none, and before it was set', async () => {
    expect(await save({ center_router_name: net.one.name })).toMatchObject(refusal('CENTER_ONLY'))
    expect(await save({ center_router_name: net.spare.name })).toMatchObject(refusal('MEMBER_NOT_IN_NETWORK'))
    const on = { ...net.target, enable: 1 } as const
    expect(await net.main.call(networkApi.enableCenterLink, on)).toMatchObject(refusal('CENTER_LINK_UNSET'))
    const third = { ...net.target, router_name: net.spare.name, member_type: 'center' } as const
    await net.main.call(networkApi.addMember, third)
    expect(await save()).toMatchObject(refusal('CENTER_LINK_NEEDS_TWO'))
    expect((await net.main.call(networkApi.info, net.target)).data.network_center_link_show).toBe(0)
  })

  it('refuses a segment that a member announces, and names the next free one', async () => {
    const lan = await createRouter(net.main.accountId, { lans: ['172.31.255.1/24'], note: '深圳' })
    const point = { ...net.target, router_name: lan.name, member_type: 'point' } as const
    expect(await net.main.call(networkApi.addMember, point)).toMatchObject({ code: 200 })
    const params = { segment: '172.31.255.0/30', owner: '深圳', other: '172.31.255.0/24', free: '172.19.0.0/30' }
    const reply = await save()
    expect(reply).toMatchObject({ code: 422, reason: 'SEGMENT_TAKEN', data: { field: 'gateway' } })
    expect(reply.msg).toContain(`与${params.owner}（${params.other}）重叠`)
  })

  it('refuses a port that a service of the centre has', async () => {
    const { data } = await net.main.call(networkApi.info, net.target)
    const member = data.member.find(({ router_name }) => router_name === net.center.name)
    const port = member?.fixed_port?.router_service.port ?? 0
    const reply = await save({ public_ip: '203.0.113.5', public_port: 5000, static_port: port })
    expect(reply).toMatchObject({ reason: 'PORT_TAKEN', data: { field: 'static_port' } })
  })

  it('an edit of an older state is refused; a suspended network only lets it be turned off', async () => {
    await save()
    expect(await save({ gateway: '172.31.8.0', revision: 0 })).toMatchObject(refusal('SETTING_CHANGED'))
    expect(await save({ gateway: '172.31.8.0', revision: 1 })).toMatchObject({ code: 200 })
    await db.update(networks).set({ status: 0 }).where(eq(networks.number, net.target.network_number))
    expect(await save({ gateway: '172.31.7.0' })).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect(await net.main.call(networkApi.enableCenterLink, { ...net.target, enable: 0 })).toMatchObject({ code: 200 })
    const on = { ...net.target, enable: 1 } as const
    expect(await net.main.call(networkApi.enableCenterLink, on)).toMatchObject(refusal('NETWORK_SUSPENDED'))
  })
})

describe('network 7 · point links', () => {
  const row = (peer: { readonly name: string }, n = 0, static_port: number | null = null) => ({
    router_name: peer.name,
    gateway: `172.31.1.${n * 4}`,
    mask: 30,
    static_port,
  })
  const edit = (router: { readonly name: string }, link_config: ReturnType<typeof row>[], more = {}) =>
    net.main.call(networkApi.editPointLink, { ...net.target, router_name: router.name, link_config, ...more })
  const linksOf = async (router: { readonly name: string }) =>
    (await net.main.call(networkApi.pointLink, { ...net.target, router_name: router.name })).data

  it('both ends get a link, and only they', async () => {
    const since = hubCalls.length
    expect(await edit(net.one, [row(net.two)])).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(refreshed(since)).toEqual(toHubs(net.one, net.two))
    expect(await linksOf(net.one)).toMatchObject({
      router_name: net.one.name,
      linkList: [{ ...row(net.two), port: 24_000, client_port: 24_000, is_server: 1 }],
      revision: 1,
    })
    expect((await linksOf(net.two)).linkList).toMatchObject([{ ...row(net.one), is_server: 0 }])
    expect((await linksOf(net.three)).linkList).toEqual([])
    expect(await lastAudit()).toMatchObject({ message: `组网“双中心”设置成员“${net.one.name}”的点对点互联，共1条` })
    expect(await edit(net.one, [row(net.two)])).toMatchObject({ code: 200, trips: 1 })
  })

  it('a chosen port takes that of a client end on the same device, which moves', async () => {
    await edit(net.one, [row(net.two)])
    expect(await edit(net.two, [row(net.one), row(net.three, 1, 24_000)])).toMatchObject({ code: 200 })
    expect((await linksOf(net.two)).linkList).toMatchObject([
      { router_name: net.three.name, port: 24_000, client_port: 24_000, is_server: 1 },
      { router_name: net.one.name, port: 24_000, client_port: 24_001, is_server: 0 },
    ])
    await edit(net.two, [row(net.one)])
    const stored = await db.select().from(pointLinks).where(eq(pointLinks.accountId, net.main.accountId))
    expect(stored).toMatchObject([{ port: 24_000, clientPort: 24_001 }])
  })

  it('one that is not sent any more goes at both ends; the other end may edit it', async () => {
    await edit(net.one, [row(net.two), row(net.three, 1)])
    const since = hubCalls.length
    expect(await edit(net.three, [])).toMatchObject({ code: 200 })
    expect(refreshed(since)).toEqual(toHubs(net.one, net.three))
    expect((await linksOf(net.one)).linkList.map(({ router_name }) => router_name)).toEqual([net.two.name])
    expect(await edit(net.two, [row(net.one, 0, 25_000)])).toMatchObject({ code: 200 })
    expect((await linksOf(net.one)).linkList).toMatchObject([{ static_port: 25_000, port: 25_000, is_server: 1 }])
  })

  it('a centre, software or a stranger is refused, and so is a segment or port in use', async () => {
    expect(await edit(net.one, [row(net.center)])).toMatchObject(refusal('POINT_LINK_PEER', { name: net.center.name }))
    expect(await edit(net.center, [row(net.one)])).toMatchObject(refusal('POINT_LINK_PEER', { name: net.center.name }))
    expect(await edit(net.one, [row(net.spare)])).toMatchObject(refusal('POINT_LINK_PEER', { name: net.spare.name }))
    await edit(net.one, [row(net.two, 0, 25_000)])
    expect(await edit(net.three, [row(net.two)])).toMatchObject({
      reason: 'SEGMENT_TAKEN',
      data: { field: 'link_config.0.gateway' },
    })
    expect(await edit(net.one, [row(net.two, 0, 25_000), row(net.three, 1, 25_000)])).toMatchObject({
      reason: 'PORT_TAKEN',
    })
    expect(await db.select().from(pointLinks).where(eq(pointLinks.accountId, net.main.accountId))).toHaveLength(1)
  })

  it('an edit of an older state is refused; a suspended network only loses links', async () => {
    await edit(net.one, [row(net.two), row(net.three, 1)])
    expect(await edit(net.one, [], { revision: 0 })).toMatchObject(refusal('SETTING_CHANGED'))
    await db.update(networks).set({ status: 0 }).where(eq(networks.number, net.target.network_number))
    expect(await edit(net.two, [row(net.one), row(net.three, 2)])).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect(await edit(net.one, [row(net.two)])).toMatchObject({ code: 200 })
  })

  it('network/info lists them with both ends', async () => {
    await edit(net.one, [row(net.two)])
    await save()
    const { link } = (await rowsOnly.call(networkApi.info, net.target, net.main.token)).data
    expect(
      link.filter(({ kind }) => kind !== undefined).map((one) => [one.kind, one.vpn_ip, one.center_vpn_ip]),
    ).toEqual([
      ['center', '172.31.255.2', '172.31.255.1'],
      ['point', '172.31.1.2', '172.31.1.1'],
    ])
  })
})

describe('network 3 · a point-to-point network', () => {
  it('has no centre, and its members are linked one by one', async () => {
    const { main, routers } = await createFleet({ hardware: 3 })
    const [one, two, three] = routers
    const plan = {
      network_name: '点对点',
      network_type: 2,
      center: [] as string[],
      point: [one!.name, two!.name],
    } as const
    const make = (more: object) =>
      main.call(networkApi.create, { ...plan, center: [], point: [...plan.point], ...more })
    expect(await make({ point: [one!.name] })).toMatchObject(refusal('TYPE_TWO_MEMBERS_REQUIRED', { min: 2 }))
    expect(await make({ center: [three!.name] })).toMatchObject(refusal('TYPE_TWO_CENTER_FORBIDDEN'))
    const since = hubCalls.length
    const { data } = await make({})
    const target = { network_number: data.network_number }
    expect(refreshed(since)).toEqual(toHubs(one, two))
    expect((await main.call(networkApi.info, target)).data).toMatchObject({
      network_type: 2,
      network_center_link_show: 0,
      link: [],
    })
    const link_config = [{ router_name: two!.name, gateway: '172.31.1.0', mask: 30, static_port: null }]
    const link = { ...target, router_name: one!.name, link_config }
    expect(await main.call(networkApi.editPointLink, link)).toMatchObject({ code: 200 })
    const add = { ...target, router_name: three!.name } as const
    expect(await main.call(networkApi.addMember, { ...add, member_type: 'center' })).toMatchObject(
      refusal('TYPE_TWO_CENTER_FORBIDDEN'),
    )
    expect(await main.call(networkApi.addMember, { ...add, member_type: 'point' })).toMatchObject({ code: 200 })
    expect(await main.call(networkApi.removeMember, add)).toMatchObject({ code: 200 })
    expect(await main.call(networkApi.removeMember, { ...target, router_name: two!.name })).toMatchObject(
      refusal('TYPE_TWO_MEMBERS_REQUIRED', { min: 2 }),
    )
  })
})
