import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import type { NetworkSetting } from '#contract/network/settings.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { memberSettings, networkSettings, pointLinks, portClaims } from '#db/schema/networks.ts'
import { saveMemberSettings, saveNetworkSetting } from '#features/network/sql/settings.ts'
import { type Caller, createFleet, networkRow, refreshed, selectAudits, toHubs } from '#tests/support/fixtures.ts'
import { call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

type Router = Awaited<ReturnType<typeof createFleet>>['routers'][number]
let net: Awaited<ReturnType<typeof createTwin>>

/** Two centres, one of them main router of type 2, connected by an enabled twin link; three points, two of them linked. */
async function createTwin() {
  const { main, routers } = await createFleet({ centers: 3, hardware: 6, software: 0, memberQuota: 20 })
  const [center, twin, one, two, three, spare] = routers as Router[]
  const plan = {
    network_name: '双中心',
    center: [center!.name, twin!.name],
    point: [one!.name, two!.name, three!.name],
  }
  const { data } = await main.call(networkApi.create, plan)
  const number = data.network_number
  const key = { accountId: main.accountId, number }
  return { main, number, key, plan, center: center!, twin: twin!, one: one!, two: two!, three: three!, spare: spare! }
}
const ROUTING = () => ({ type: 2, main: net.center.id, secondary: net.twin.id })
const LINK = () => ({
  enable: 1,
  server: net.center.id,
  gateway: '172.31.0.0',
  mask: 30,
  ports: { public_ip: null, public_port: 6000, static_port: 6000 },
})
const set = (kind: NetworkSetting, value: unknown) => saveNetworkSetting(db, net.key, kind, value, Date.now())
async function stored(kind: NetworkSetting) {
  const { id } = await networkRow(net.number)
  const where = and(eq(networkSettings.networkId, id), eq(networkSettings.setting, kind))
  const [row] = await db.select().from(networkSettings).where(where)
  return row && (JSON.parse(row.value) as unknown)
}
const settingsOf = async (router: Router) =>
  (await db.select().from(memberSettings).where(eq(memberSettings.routerId, router.id)))
    .map(({ setting }) => setting)
    .toSorted()

async function link(server: Router, client: Router) {
  const { id } = await networkRow(net.number)
  const ends = { serverId: server.id, clientId: client.id, gateway: '172.31.1.0', mask: 30, port: 24_000 }
  await db.insert(pointLinks).values({ accountId: net.main.accountId, networkId: id, ...ends })
}
const target = (router: Router, more = {}) => ({ network_number: net.number, router_name: router.name, ...more })
const editTo = (center: readonly Router[], point: readonly Router[], more = {}) => ({
  network_number: net.number,
  network_name: '双中心',
  center: center.map(({ name }) => name),
  point: point.map(({ name }) => name),
  ...more,
})

beforeEach(async () => {
  net = await createTwin()
})

/** Every call by which a centre stops being one that works. */
const WAYS: readonly (readonly [string, (by: Caller, more: object) => Promise<{ code: number }>])[] = [
  ['leaves', (by, more) => by.call(networkApi.removeMember, target(net.center, more))],
  [
    'is demoted',
    (by, more) => by.call(networkApi.edit, editTo([net.twin], [net.center, net.one, net.two, net.three], more)),
  ],
  ['is deleted', (by, more) => by.call(routerApi.delete, { router_name: net.center.name, ...more })],
  ['is deleted with others', (by, more) => by.call(routerApi.batchDelete, { router_name: [net.center.name], ...more })],
  [
    'is disabled by the operator',
    (_, more) => call(opsApi.disableMember, { account: net.main.username, name: net.center.name, ...more }),
  ],
  ['is disabled', (by, more) => by.call(routerApi.updateStatus, { router_name: net.center.name, status: 0, ...more })],
]

/** Round trips, which the operator's answers do not count. */
const inTrips = (way: string, trips: number) => (way.includes('operator') ? {} : { trips })

describe('network 4 · a centre that a setting in use needs', () => {
  it.each(WAYS)('%s: refused while it is main router of type 2, done with the confirmation', async (way, act) => {
    await set('routing', ROUTING())
    const asked = await act(net.main, {})
    expect(asked).toMatchObject({
      ...refusal('ROUTER_IN_ROUTING', { name: net.center.name, network: '双中心' }),
      ...inTrips(way, 1),
    })
    expect(await stored('routing')).toEqual(ROUTING())
    const since = hubCalls.length
    expect(await act(net.main, { confirm: 1 })).toMatchObject({ code: 200, ...inTrips(way, 2) })
    expect(await stored('routing')).toEqual({ type: 1, main: null, secondary: null })
    expect(refreshed(since)).toEqual(expect.arrayContaining(toHubs(net.one, net.two, net.three)))
  })
  it.each(WAYS)(
    '%s: refused while it is an end of an enabled twin link, done with the confirmation',
    async (way, act) => {
      await set('center_link', LINK())
      expect(await act(net.main, {})).toMatchObject({
        ...refusal('ROUTER_IN_CENTER_LINK', { name: net.center.name, network: '双中心' }),
        ...inTrips(way, 1),
      })
      const since = hubCalls.length
      expect(await act(net.main, { confirm: 1 })).toMatchObject({ code: 200, ...inTrips(way, 2) })
      expect(await stored('center_link')).toMatchObject({ enable: 0 })
      expect(refreshed(since)).toContain(net.twin.hub)
      expect((await selectAudits(net.main.accountId)).at(-1)?.action).not.toBe('create')
    },
  )
  it('a backup router that a limited write does not touch stays; another centre may go', async () => {
    await set('routing', { type: 2, main: net.twin.id, secondary: net.center.id })
    const { main } = net
    expect(await main.call(networkApi.removeMember, target(net.one))).toMatchObject({ code: 200 })
    expect(await stored('routing')).toMatchObject({ type: 2 })
    expect(await main.call(networkApi.removeMember, target(net.center))).toMatchObject(
      refusal('ROUTER_IN_ROUTING', { name: net.center.name, network: '双中心' }),
    )
  })
  it('a third centre is refused while the twin link is on', async () => {
    await set('center_link', LINK())
    const input = { ...target(net.spare), member_type: 'center' as const }
    expect(await net.main.call(networkApi.addMember, input)).toMatchObject(
      refusal('CENTER_LINK_HAS_TWO', { network: '双中心' }),
    )
    const since = hubCalls.length
    expect(await net.main.call(networkApi.addMember, { ...input, confirm: 1 })).toMatchObject({ code: 200, trips: 2 })
    expect(await stored('center_link')).toMatchObject({ enable: 0, server: net.center.id })
    expect(refreshed(since)).toEqual(expect.arrayContaining(toHubs(net.center, net.twin, net.spare)))
  })
  it.each([
    [
      'deletes',
      '删除成员“#”，退出1个组网',
      () => net.main.call(routerApi.delete, { router_name: net.center.name, confirm: 1 }),
    ],
    [
      'disables',
      '停用成员“#”',
      () => net.main.call(routerApi.updateStatus, { router_name: net.center.name, status: 0, confirm: 1 }),
    ],
  ])('says in the log of a member what was turned off by who %s it', async (_, message, act) => {
    await set('center_link', LINK())
    await set('routing', ROUTING())
    await act()
    const last = (await selectAudits(net.main.accountId)).at(-1)
    expect(last?.message.replace(net.center.name, '#')).toBe(`${message}，并关闭主备路由，并关闭双中心点互通`)
  })
  it('says in the log what was turned off with it', async () => {
    await set('center_link', LINK())
    await set('routing', ROUTING())
    await net.main.call(networkApi.removeMember, target(net.center, { confirm: 1 }))
    const last = (await selectAudits(net.main.accountId)).at(-1)
    expect(last?.message).toBe(`组网“双中心”移除成员“${net.center.name}”，并关闭主备路由，并关闭双中心点互通`)
  })
})

describe('network 4 · data deleted with a member', () => {
  const gateway = { router: { gateway: '10.99.0.0', mask: 24 }, software: null }
  async function setAll(router: Router) {
    const save = (kind: Parameters<typeof saveMemberSettings>[2], value: unknown) =>
      saveMemberSettings(db, net.key, kind, [{ routerId: router.id, value }], Date.now())
    await Promise.all([
      save('gateway', gateway),
      save('default_route', { mode: 2, metric: null }),
      save('quagga', { enable: 1 }),
    ])
    const { id } = await networkRow(net.number)
    const claim = { accountId: net.main.accountId, networkId: id, routerId: router.id }
    await db.insert(portClaims).values({ ...claim, service: 'router', staticPort: 7000 })
  }
  const claimsOf = (router: Router) => db.select().from(portClaims).where(eq(portClaims.routerId, router.id))
  const links = () => db.select().from(pointLinks).where(eq(pointLinks.accountId, net.main.accountId))

  it('a centre that is demoted loses its segments and ports, and keeps what every member has', async () => {
    await setAll(net.center)
    const edit = editTo([net.twin], [net.center, net.one, net.two, net.three])
    expect(await net.main.call(networkApi.edit, edit)).toMatchObject({ code: 200 })
    expect(await settingsOf(net.center)).toEqual(['default_route', 'quagga'])
    expect(await claimsOf(net.center)).toEqual([])
  })
  it('one that leaves or is deleted loses all', async () => {
    await setAll(net.center)
    await setAll(net.twin)
    await net.main.call(networkApi.removeMember, target(net.center))
    expect([await settingsOf(net.center), await claimsOf(net.center)]).toEqual([[], []])
    expect(await settingsOf(net.twin)).toHaveLength(3)
    const more = editTo([net.twin, net.spare], [net.one, net.two, net.three])
    expect(await net.main.call(networkApi.edit, more)).toMatchObject({ code: 200 })
    expect(await net.main.call(routerApi.delete, { router_name: net.twin.name })).toMatchObject({ code: 200 })
    expect([await settingsOf(net.twin), await claimsOf(net.twin)]).toEqual([[], []])
  })
  it('point links go with either end, and the other end is pushed', async () => {
    await link(net.one, net.two)
    let since = hubCalls.length
    expect(await net.main.call(networkApi.removeMember, target(net.two))).toMatchObject({ code: 200, trips: 2 })
    expect(await links()).toEqual([])
    expect(refreshed(since)).toEqual(toHubs(net.center, net.twin, net.one, net.two))
    await link(net.one, net.three)
    since = hubCalls.length
    expect(await net.main.call(routerApi.delete, { router_name: net.one.name })).toMatchObject({ code: 200, trips: 2 })
    expect(await links()).toEqual([])
    expect(refreshed(since)).toEqual(toHubs(net.center, net.twin, net.three))
  })
  it('a disabled member keeps everything', async () => {
    await setAll(net.center)
    await link(net.one, net.two)
    for (const router of [net.center, net.one])
      expect(await net.main.call(routerApi.updateStatus, { router_name: router.name, status: 0 })).toMatchObject({
        code: 200,
      })
    expect(await settingsOf(net.center)).toHaveLength(3)
    expect(await links()).toHaveLength(1)
  })
})
