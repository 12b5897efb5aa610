import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { PAGE_SIZE } from '#contract/kernel/limits.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { overviewApi } from '#contract/overview/index.ts'
import { routerApi } from '#contract/router/index.ts'
import type { RouterSort } from '#contract/router/routers.ts'
import { networkMembers } from '#db/schema/networks.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import {
  type Caller,
  type TestRouter,
  createRouter,
  createSoftwareRouter,
  createMany,
  createMainAccount,
  createFleet,
  createNetwork,
  createSubAccount,
  unique,
} from '#tests/support/fixtures.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

describe('network 7 · router/lists', () => {
  it('pages one kind, newest first', async () => {
    const main = await createMainAccount()
    for (let i = 0; i < PAGE_SIZE + 1; i++) await createRouter(main.accountId, { note: `第${i}台` })
    await createSoftwareRouter(main.accountId, { note: '小王', phone: '13800000000' })
    const first = await main.call(routerApi.lists, {})
    expect(first).toMatchObject({ code: 200, count: PAGE_SIZE + 1, trips: 1 })
    expect(first.data[0]).toMatchObject({
      router_type: 1,
      note: `第${PAGE_SIZE}台`,
      online_status: 0,
      presence: { state: 'never', since: null },
      config: { state: 'none', version: 0 },
      version: '',
      router_model: 'NL-200',
      os: '',
      area_code: '86',
      phone: '',
      source: 'manual',
      status: 1,
      network_count: 0,
    })
    expect((await main.call(routerApi.lists, { page: 2 })).data).toMatchObject([{ note: '第0台' }])
    expect(await main.call(routerApi.lists, { type: 2 })).toMatchObject({
      count: 1,
      data: [{ router_type: 2, note: '小王', phone: '13800000000', router_model: '' }],
    })
  })

  it('shows phones to who may edit members; to others masked, and no search finds their digits', async () => {
    const main = await createMainAccount()
    const app = await createSoftwareRouter(main.accountId, { note: '小王', phone: '13800001234' })
    const viewer = await createSubAccount(main, { flags: PERMISSIONS.filter((flag) => flag !== 'router:edit') })
    const editor = await createSubAccount(main, { flags: ['router:edit'] })
    const reads: readonly (readonly [string, (by: Caller) => Promise<unknown>])[] = [
      ['lists', (by) => by.call(routerApi.lists, { type: 2 })],
      ['software', (by) => by.call(routerApi.software, {})],
      ['info', (by) => by.call(routerApi.info, { router_name: app.name })],
    ]
    const offenders = await findOffenders(reads)(async (_, read) => {
      for (const by of [main, editor]) expect(JSON.stringify(await read(by))).toContain('13800001234')
      const seen = JSON.stringify(await read(viewer))
      expect(seen).toContain('138****1234')
      expect(seen).not.toContain('13800001234')
    })
    expect(offenders).toEqual([])
    for (const search of ['13800001234', '0001', '138'])
      expect([search, (await viewer.call(routerApi.lists, { type: 2, search })).count]).toEqual([search, 0])
    expect((await viewer.call(routerApi.lists, { type: 2, search: '小王' })).count).toBe(1)
    expect((await editor.call(routerApi.lists, { type: 2, search: '0001' })).count).toBe(1)
  })

  it('finds by name, note and phone', async () => {
    const main = await createMainAccount()
    const a = await createSoftwareRouter(main.accountId, { note: '财务' })
    const b = await createSoftwareRouter(main.accountId, { phone: '13911112222' })
    const found = async (search: string) => {
      const { data, count } = await main.call(routerApi.lists, { type: 2, search })
      expect(count).toBe(data.length)
      return data.map((r) => r.router_name)
    }
    expect(await found(a.name.slice(0, 9).toUpperCase())).toEqual([a.name])
    expect(await found('财')).toEqual([a.name])
    expect(await found('1111')).toEqual([b.name])
    expect(await found('%')).toEqual([])
  })

  it('filters by state, and counts what each filter would show in the same reply', async () => {
    const main = await createMainAccount()
    const of = (state: object) => createRouter(main.accountId, { state })
    const online = await of({ presence: 'online', version: '2.0', mac: 'aa', configState: 'applied' })
    const leaving = await of({ presence: 'reconnecting' })
    const flapping = await of({ presence: 'flapping', live: 1 })
    const flappingDead = await of({ presence: 'flapping', live: 0 })
    const gone = await of({ presence: 'offline' })
    const never = await createRouter(main.accountId)
    const disabled = await of({ presence: 'disabled' })
    const unsynced = await of({ presence: 'online', configState: 'unsynced' })
    const silent = await of({ presence: 'online', unreadableSince: 1 })
    const app = await createSoftwareRouter(main.accountId, { state: { presence: 'offline' } })
    const expected = {
      online: [unsynced, online],
      reconnecting: [leaving],
      flapping: [flappingDead, flapping],
      unreadable: [silent],
      offline: [gone],
      never: [never],
      disabled: [disabled],
      attention: [silent, unsynced, gone, flappingDead, flapping],
      config: [unsynced],
      single_center: [],
    }
    const states = Object.fromEntries(Object.entries(expected).map(([state, rows]) => [state, rows.length]))
    for (const [state, rows] of Object.entries(expected)) {
      const reply = await main.call(routerApi.lists, { state: state as 'online' })
      expect(reply).toMatchObject({ trips: 1, count: rows.length, states })
      expect(reply.data.map((r) => r.router_name)).toEqual(rows.map((r) => r.name))
    }
    const { data, states: found } = await main.call(routerApi.lists, { search: gone.name })
    expect(found).toEqual({
      ...states,
      ...Object.fromEntries(Object.keys(states).map((s) => [s, 0])),
      offline: 1,
      attention: 1,
    })
    expect(data[0]?.online_status).toBe(0)
    const wire = (await main.call(routerApi.lists, {})).data.filter(({ online_status }) => online_status === 1)
    expect(wire.map((r) => r.router_name)).toEqual([unsynced, flapping, leaving, online].map((r) => r.name))
    expect((await main.call(routerApi.lists, { type: 2 })).states).toMatchObject({ offline: 1, attention: 0 })
    expect((await main.call(routerApi.quantity, {})).data).toMatchObject({
      hardware: 9,
      hardware_online: 4,
      hardware_states: states,
      software_states: { offline: 1, never: 0 },
    })
    const { router, app: apps } = (await main.call(routerApi.member, {})).data
    expect(Object.fromEntries(router.map((r) => [r.router_name, r.presence.state]))).toMatchObject({
      [never.name]: 'never',
      [gone.name]: 'offline',
    })
    expect(apps).toMatchObject([{ router_name: app.name, online: 0, presence: { state: 'offline' } }])
  })
})

describe('design 10 · router/lists by what the hubs of networks have stored', () => {
  it('filters and counts 单中心, each member once, in the networks of the role', async () => {
    const { main, routers } = await createFleet({ hardware: 4, memberQuota: 20 })
    const [center, a, b, c] = routers
    const numbers = [
      await createNetwork(main, [center!, a!, b!], '甲'),
      await createNetwork(main, [center!, a!, c!], '乙'),
    ]
    const mark = (...marked: readonly TestRouter[]) =>
      db
        .update(networkMembers)
        .set({ singleCenter: 1 })
        .where(
          inArray(
            networkMembers.routerId,
            marked.map(({ id }) => id),
          ),
        )
    await mark(a!, b!)
    const find = async (by: Caller) => {
      const reply = await by.call(routerApi.lists, { state: 'single_center' })
      expect(reply).toMatchObject({ trips: 1, states: { single_center: reply.count } })
      const { hardware_states } = (await by.call(routerApi.quantity, {})).data
      expect(hardware_states.single_center).toBe(reply.count)
      return reply.data.map((row) => [row.router_name, row.single_center]).toSorted()
    }
    expect(await find(main)).toEqual([a!, b!].map(({ name }) => [name, 1]).toSorted())
    const sub = await createSubAccount(main, { flags: PERMISSIONS, networks: [numbers[1]!] })
    expect(await find(sub)).toEqual([[a!.name, 1]])
    expect((await main.call(overviewApi.info, {})).data.status.single_center).toBe(2)
    expect((await sub.call(overviewApi.info, {})).data.status.single_center).toBe(1)
  })

  it('opens by severity, then name: what is wrong stands on the first page', async () => {
    const { main } = await createFleet({ hardware: 0, software: 0 })
    const make = (note: string, state: object) =>
      createRouter(main.accountId, { note, state: { presence: 'online', ...state } })
    await make('b 在线', {})
    await make('a 在线', {})
    await make('z 离线', { presence: 'offline' })
    await make('y 配置', { configState: 'failed' })
    await make('x 未知', { unreadableSince: 1 })
    await make('w 离线', { presence: 'offline' })
    const lonely = await make('v 单中心', {})
    await createNetwork(main, [lonely])
    await db.update(networkMembers).set({ singleCenter: 1 }).where(eq(networkMembers.routerId, lonely.id))
    const notes = async (order: 'asc' | 'desc') =>
      (await main.call(routerApi.lists, { sort: 'state', order })).data.map(({ note }) => note)
    const worst = ['w 离线', 'z 离线', 'x 未知', 'y 配置', 'v 单中心', 'a 在线', 'b 在线']
    expect(await notes('desc')).toEqual(worst)
    expect(await notes('asc')).toEqual(['a 在线', 'b 在线', 'v 单中心', 'y 配置', 'x 未知', 'w 离线', 'z 离线'])
  })
})

describe('design 10 · router/lists sorted', () => {
  it('by what is wrong, by name and by when it was seen last; ties newest first', async () => {
    const main = await createMainAccount()
    const make = (name: string, note: string, state?: object) =>
      createRouter(main.accountId, { name: unique(name), note, ...(state && { state }) })
    await make('A', 'c 在线', { presence: 'online', lastSeenAt: 1, configState: 'applied' })
    await make('B', 'a 离线', { presence: 'offline', lastSeenAt: 9, configState: 'queued' })
    await make('C', 'B 抖动', { presence: 'flapping', lastSeenAt: 5, configState: 'failed' })
    await make('D', '', undefined)
    const notes = async (sort: RouterSort, order: 'asc' | 'desc') => {
      const reply = await main.call(routerApi.lists, { sort, order })
      expect(reply).toMatchObject({ code: 200, trips: 1, count: 4 })
      return reply.data.map(({ note }) => note.slice(-2) || '从未')
    }
    expect(await notes('created', 'desc')).toEqual(['从未', '抖动', '离线', '在线'])
    expect(await notes('state', 'desc')).toEqual(['离线', '抖动', '在线', '从未'])
    expect(await notes('state', 'asc')).toEqual(['从未', '在线', '抖动', '离线'])
    expect(await notes('config', 'desc')).toEqual(['抖动', '离线', '在线', '从未'])
    expect(await notes('name', 'asc')).toEqual(['离线', '抖动', '在线', '从未']) // a, B, c, D…: case does not matter
    expect(await notes('seen', 'desc')).toEqual(['抖动', '在线', '离线', '从未']) // an online member counts as seen now
    expect(await notes('seen', 'asc')).toEqual(['从未', '离线', '抖动', '在线'])
    expect(await main.call(routerApi.lists, { sort: 'phone' as never })).toMatchObject({ code: 422 })
  })

  it('by name with its first number by value, also inside of it, in both directions', async () => {
    const main = await createMainAccount()
    const sorted = ['门店 1', '门店 2', '门店 10', '成都第2门店', '成都第12门店', 'Shop', 'shop 3', 'shop 03b', '7']
    for (const note of sorted) await createRouter(main.accountId, { name: unique('N'), note })
    const notes = async (order: 'asc' | 'desc') =>
      (await main.call(routerApi.lists, { sort: 'name', order })).data.map(({ note }) => note)
    const expected = ['7', 'Shop', 'shop 03b', 'shop 3', '成都第2门店', '成都第12门店', '门店 1', '门店 2', '门店 10']
    expect(await notes('asc')).toEqual(expected)
    expect(await notes('desc')).toEqual(expected.toReversed())
  })

  it('names its networks, newest first, its segments and where it connects from', async () => {
    const main = await createMainAccount({ services: { network_member: 20 } })
    const router = await createRouter(main.accountId, {
      lans: ['192.168.9.1/24', '10.1.2.3/16', '10.1.9.9/16'],
      state: { presence: 'online', remoteHost: '203.0.113.5' },
    })
    const [first, second] = [await createNetwork(main, [router], '华东'), await createNetwork(main, [router], '华北')]
    const read = async (caller: { readonly call: typeof main.call }) =>
      (await caller.call(routerApi.lists, {})).data.map(({ networks, network_count, lan, remote_ip }) => ({
        networks: networks.map(({ network_number, network_name }) => [network_number, network_name]),
        network_count,
        lan,
        remote_ip,
      }))
    const seen = { lan: ['192.168.9.0/24', '10.1.0.0/16'], remote_ip: '203.0.113.5' }
    expect(await read(main)).toEqual([
      {
        networks: [
          [second, '华北'],
          [first, '华东'],
        ],
        network_count: 2,
        ...seen,
      },
    ])
    const limited = await createSubAccount(main, { networks: [first] })
    expect(await read(limited)).toEqual([{ networks: [[first, '华东']], network_count: 1, ...seen }])
    expect(await main.call(routerApi.lists, { sort: 'networks', order: 'desc' })).toMatchObject({ code: 200, trips: 1 })
  })
})

it('network 7 · router/quantity counts by type, with the limits', async () => {
  const main = await createMainAccount({ services: { software_member: 20 }, sign: `q${Date.now() % 1e8}` })
  await createMany(2, () => createRouter(main.accountId))
  await createSoftwareRouter(main.accountId, { state: { presence: 'online' } })
  expect(await main.call(routerApi.quantity, {})).toMatchObject({
    code: 200,
    trips: 1,
    data: {
      hardware: 2,
      hardware_online: 0,
      software: 1,
      software_online: 1,
      software_max: 20,
      sign: expect.stringMatching(/^q\d+$/),
    },
  })
})

describe('network 7 · router/info', () => {
  it('answers device, interfaces and networks in one round trip', async () => {
    const { main } = await createFleet({ hardware: 0 })
    const interfaces = [
      { role: 'wan', interface: 'eth0', ip: '203.0.113.5', mask: 24 },
      { role: 'lan', interface: 'lan', ip: '192.168.9.1', mask: 24 },
    ].map((port) => ({ ...port, interface_uuid: 'u', protocol: 'dhcp', mac: '', mtu: 1500, up: true }))
    const router = await createRouter(main.accountId, {
      note: '总部',
      state: {
        presence: 'online',
        version: '1.2',
        mac: '00:11',
        remoteHost: '198.51.100.7',
        interfaces: JSON.stringify(interfaces),
      },
    })
    const number = await createNetwork(main, [router, await createRouter(main.accountId)], '华东')
    expect(await main.call(routerApi.info, { router_name: router.name })).toMatchObject({
      code: 200,
      trips: 1,
      data: {
        router_name: router.name,
        router_type: 1,
        note: '总部',
        online: 1,
        router_model: 'NL-200',
        router_ipv4: '203.0.113.5',
        router_mac: '00:11',
        remote_ip: '198.51.100.7',
        version: '1.2',
        interfaces: interfaces.map((port) => ({ ...port, ipv4_subnet_mask: '255.255.255.0' })),
        network: [{ network_number: number, network_name: '华东', network_member_count: 2, member_type: 'center' }],
      },
    })
  })

  it('another account’s member is answered like an unknown one', async () => {
    const [main, stranger] = [await createMainAccount(), await createMainAccount()]
    const router = await createRouter(main.accountId)
    const calls: readonly [Endpoint, object][] = [
      [routerApi.info, {}],
      [routerApi.events, {}],
      [routerApi.traffic, {}],
      [routerApi.series, { range: 'hour' }],
      [routerApi.note, { note: 'x' }],
      [routerApi.delete, {}],
      [routerApi.updateStatus, {}],
    ]
    for (const router_name of [router.name, 'nobody'])
      for (const [spec, input] of calls) {
        const reply = await stranger.call(spec, { router_name, ...input })
        expect({ path: spec.path, ...reply }).toMatchObject({ path: spec.path, ...refusal('ROUTER_NOT_FOUND') })
      }
    expect(await main.call(routerApi.info, { router_name: router.name })).toMatchObject({ data: { note: '' } })
  })
})

describe('network 7 · router/traffic and router/update_status', () => {
  const state = {
    presence: { state: 'online', since: 1, last_seen: 2, reason: '' },
    config: { state: 'applied', version: 3, applied_version: 3, reason: '', at: 4 },
  }
  const data = { eth0: [{ down: 8_000, upload: 16_000, time: 5 }] }

  it('traffic answers its last rates', async () => {
    const main = await createMainAccount()
    const router = await createRouter(main.accountId)
    const { hubs, calls } = fakeHubs({ 'router.traffic': () => ({ data, ...state }) })
    const reply = await createTestWorker({ hubs }).call(routerApi.traffic, { router_name: router.name }, main.token)
    expect(reply).toMatchObject({ code: 200, trips: 1, data: { data, ...state } })
    expect(calls).toEqual([{ kind: 'router', hub: router.hub, method: 'traffic', args: [] }])
  })

  it('series answers the stored rates of a range; software members have none', async () => {
    const main = await createMainAccount()
    const [router, app] = [await createRouter(main.accountId), await createSoftwareRouter(main.accountId)]
    const stored = { eth0: data.eth0.map((rate) => ({ ...rate, down_peak: 9_000, upload_peak: 16_000 })) }
    const { hubs, calls } = fakeHubs({ 'router.trafficSeries': () => ({ from: 1, to: 2, data: stored }) })
    const read = (router_name: string, range: 'week' | 'month', at?: number) =>
      createTestWorker({ hubs }).call(routerApi.series, { router_name, range, ...(at && { at }) }, main.token)
    expect(await read(router.name, 'week')).toMatchObject({
      code: 200,
      trips: 1,
      data: { from: 1, to: 2, step_ms: 3_600_000, data: stored },
    })
    expect(await read(router.name, 'month')).toMatchObject({ code: 200, data: { step_ms: 7_200_000 } })
    expect(await read(app.name, 'week')).toMatchObject(refusal('HARDWARE_ONLY'))
    expect(await read(router.name, 'year' as never)).toMatchObject({ code: 422, data: { field: 'range' } })
    expect((await read(router.name, 'week', 1_800_000_000_000)).code).toBe(200)
    const asked = (...args: unknown[]) => ({ kind: 'router', hub: router.hub, method: 'trafficSeries', args })
    expect(calls).toEqual([asked('week', undefined), asked('month', undefined), asked('week', 1_800_000_000_000)])
  })

  it('a report is requested from an online device; offline and software members are refused', async () => {
    const main = await createMainAccount()
    const [router, app] = [await createRouter(main.accountId), await createSoftwareRouter(main.accountId)]
    const ask = (there: boolean, router_name: string) =>
      createTestWorker({ hubs: fakeHubs({ 'router.requestReport': () => there }).hubs }).call(
        routerApi.updateStatus,
        { router_name },
        main.token,
      )
    expect(await ask(true, router.name)).toMatchObject({ code: 200, msg: '发送成功', trips: 1 })
    const absent = await createRouter(main.accountId)
    expect(await ask(false, absent.name)).toMatchObject(refusal('ROUTER_OFFLINE'))
    expect(await ask(true, app.name)).toMatchObject(refusal('HARDWARE_ONLY'))
  })
})
