import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { overviewApi } from '#contract/overview/index.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { unsupportedText } from '#domain/network/compile/device-settings.ts'
import { services } from '#db/schema/accounts.ts'
import { networks } from '#db/schema/networks.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import {
  createFleet,
  createMainAccount,
  createNetwork,
  createRouter,
  createService,
  createSoftwareRouter,
  createSubAccount,
  networkRow,
} from '#tests/support/fixtures.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'
import { open, setLan, since, state, workerWith } from './evaluated-worker.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

describe('design 12 · overview/info', () => {
  it('of a new account is empty, and well', async () => {
    const main = await createMainAccount()
    const reply = await open(main)
    expect(reply).toMatchObject({ code: 200, trips: 1 })
    const { data } = reply
    expect(data).toMatchObject({ live: 1, networks: [], changes: [], service_end: null, seats: { used: 0, total: 0 } })
    expect(data.attention).toEqual({ count: 0, rows: [] })
    expect(new Set(Object.values(data.status))).toEqual(new Set([0]))
    expect(data.presence).toEqual([])
  })

  it('says that a total outage is one, with the networks that it interrupts', async () => {
    const { main } = await createFleet({ hardware: 0, memberQuota: 100, centers: 2 })
    const down = await Promise.all(
      Array.from({ length: 4 }, () => createRouter(main.accountId, { state: state('offline') })),
    )
    const number = await createNetwork(main, down, '全国门店')
    await createRouter(main.accountId, { note: '备用', state: state('offline') })
    const never = await createRouter(main.accountId)
    const { calls, worker } = workerWith()
    const reply = await worker.call(overviewApi.info, {}, main.token)
    expect(reply).toMatchObject({
      trips: 1,
      data: {
        status: { networks_down: 1, networks_partial: 0, hardware_offline: 5, hardware_flapping: 0 },
        members: { hardware: { offline: 5, never: 1, online: 0 }, software_max: 0 },
        networks: [
          {
            network_number: number,
            network_name: '全国门店',
            network_status: 1,
            health: { state: 'down' },
            availability: 0,
          },
        ],
        attention: {
          count: 3,
          rows: [
            {
              kind: 'fleet_offline',
              name: '5 台硬件',
              cause: '在 1 秒内同时离线，可能是服务端或出口线路 → 全国门店中断',
              since,
              target: { type: 'members' },
            },
            { kind: 'service_ending' },
            { kind: 'service_ending' },
          ],
        },
      },
    })
    expect(JSON.stringify(reply.data.attention)).not.toContain(never.name)
    expect(calls.map(({ kind, method }) => `${kind}.${method}`)).toEqual(['account.health'])
  })

  it('names the centre that interrupts a network, and folds who is away with it', async () => {
    const { main } = await createFleet({ hardware: 0, memberQuota: 100, centers: 1 })
    const seen = (minutes: number) => state('offline', { lastSeenAt: since - minutes * 60_000 })
    const center = await createRouter(main.accountId, { note: '总部', state: seen(0) })
    const point = await createRouter(main.accountId, { state: seen(5) })
    await createNetwork(main, [center, point], '研发专网')
    const { data } = await open(main)
    expect(data.status).toMatchObject({ networks_down: 1, hardware_offline: 2, suspected: 0 })
    expect(data.attention.rows.filter(({ kind }) => kind !== 'service_ending')).toMatchObject([
      { kind: 'network_down', name: '总部', cause: '离线 → 研发专网中断', since, folded: 1 },
    ])
  })

  it('counts as the list of members does', async () => {
    const main = await createMainAccount()
    for (const presence of ['online', 'offline', 'flapping', 'disabled'] as const)
      await createRouter(main.accountId, { state: state(presence) })
    await createRouter(main.accountId)
    await createSoftwareRouter(main.accountId, { state: state('offline') })
    const { members, attention, status } = (await open(main)).data
    const { attention: listed, config: _, single_center, ...states } = (await main.call(routerApi.lists, {})).states
    expect(members.hardware).toEqual(states)
    expect(attention.count).toBe(listed)
    expect(status.single_center).toBe(single_center)
    expect(members.software).toMatchObject({ offline: 1, online: 0 })
  })

  it('lists links, overlapping segments, configurations, services and quota', async () => {
    const { main } = await createFleet({ hardware: 0, memberQuota: 2, centers: 1 })
    const sameEnd = { expireAt: Date.now() + 86_000_000 }
    await db.update(services).set(sameEnd).where(eq(services.accountId, main.accountId))
    await createService(main.accountId, 'bandwidth', 1, { name: '带宽包', expireAt: Date.now() + 20 * 86_400_000 })
    await createService(main.accountId, 'center', 1, { name: '长期', expireAt: Date.now() + 400 * 86_400_000 })
    const a = await createRouter(main.accountId, { note: '总部', state: state('online') })
    const b = await createRouter(main.accountId, {
      note: '门店',
      state: state('online', { configState: 'failed', configReason: '磁盘已满', configAt: since }),
    })
    await createNetwork(main, [a, b])
    for (const router of [a, b]) await setLan(router.id, '10.9.0.1/24')
    const link = {
      kind: 'link_down',
      routerName: b.name,
      centerRouterName: a.name,
      isSingleCenter: false,
      reason: '两端均收不到对方的探测',
      since,
    } as const
    const { data } = await open(main, workerWith([], [link]).worker)
    expect(data.attention.rows.map(({ kind, name, cause }) => [kind, name, cause])).toEqual([
      ['link_down', '门店', '到“总部”的链路断开：两端均收不到对方的探测'],
      ['overlap', '总部 ↔ 门店', '网段重叠：总部（10.9.0.0/24）与门店（10.9.0.0/24）'],
      ['config_failed', '门店', '配置失败：磁盘已满'],
      ['service_ending', '标准服务 center', '还有 1 天到期'],
      ['service_ending', '标准服务 network_member', '还有 1 天到期'],
      ['service_ending', '带宽包', '还有 20 天到期'],
      ['quota_full', '组网席位', '已使用 2 / 2'],
    ])
    expect(data).toMatchObject({
      status: { links_down: 1, config_trouble: 1, overlaps: 1, reminders: 4 },
      seats: { used: 2, total: 2 },
    })
    expect(data.service_end).toBeGreaterThan(Date.now())
  })

  it('has a number in the status line for whatever it lists', async () => {
    const { main } = await createFleet({ hardware: 0, memberQuota: 2, centers: 1 })
    await createSoftwareRouter(main.accountId, { state: state('flapping') })
    const number = await createNetwork(main, [await createRouter(main.accountId, { state: state('online') })])
    await db.update(networks).set({ status: 0 }).where(eq(networks.number, number))
    const { attention, status } = (await open(main)).data
    const kinds = attention.rows.map(({ kind }) => kind)
    expect(kinds).toEqual(['network_suspended', 'member_flapping', 'service_ending', 'service_ending'])
    expect(status).toMatchObject({ networks_suspended: 1, software_flapping: 1, hardware_flapping: 0, reminders: 2 })
  })

  it('lists devices too old for a setting, by what the hub knows of them', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const failed = { configState: 'failed', configReason: '设备版本过旧，不支持国密（SM4）' } as const
    const old = await createRouter(main.accountId, { note: '旧机', state: state('online', failed) })
    await createNetwork(main, [old])
    const unsupported = { [old.hub]: ['ciphers:sm', 'of another release'], 'default.gone': ['ciphers:sm'] }
    const { data } = await open(main, workerWith([], [], unsupported).worker)
    const row = { kind: 'setting_unsupported', name: '旧机', cause: '设备版本过旧，不支持国密（SM4）' }
    expect(data.attention.rows.filter(({ target }) => target.type === 'router')).toMatchObject([row])
    expect(data.status.config_trouble).toBe(1)
    const listed = await main.call(routerApi.lists, { type: 1, state: 'attention' })
    expect(listed).toMatchObject({ count: 1, states: { attention: 1 }, data: [{ router_name: old.name }] })
  })

  it('lists a device that is too old for the service with the step to upgrade it', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const failed = { configState: 'failed', configReason: unsupportedText(['protocol']) } as const
    const old = await createRouter(main.accountId, { note: '旧机', state: state('online', failed) })
    const { data } = await open(main, workerWith([], [], { [old.hub]: ['protocol'] }).worker)
    const rows = data.attention.rows.filter(({ target }) => target.type === 'router')
    expect(rows).toMatchObject([{ kind: 'setting_unsupported', cause: expect.stringMatching(/^需要升级：/) }])
  })

  it('draws the last 24 hours from the transitions, and lists them', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const router = await createRouter(main.accountId, { note: '总部', state: state('offline') })
    await createNetwork(main, [router])
    const now = Date.now()
    const move = (hours: number, from: 'online' | 'offline', to: 'online' | 'offline') => ({
      routerHub: router.hub,
      from,
      to,
      at: now - hours * 3_600_000,
      reason: to === 'offline' ? '连接中断' : '',
    })
    const transitions = [
      move(6, 'online', 'offline'),
      move(12, 'offline', 'online'),
      { ...move(3, 'online', 'offline'), routerHub: 'default.gone' },
    ]
    const { data } = await open(main, workerWith(transitions).worker)
    expect(data.presence).toEqual([
      { at: data.at - HEALTH.curveMs, online: 0 },
      { at: now - 12 * 3_600_000, online: 1 },
      { at: now - 6 * 3_600_000, online: 0 },
      { at: data.at, online: 0 },
    ])
    expect(data.changes).toMatchObject([
      { router_name: router.name, note: '总部', from: 'online', to: 'offline', reason: '连接中断' },
      { from: 'offline', to: 'online' },
    ])
    expect(data.networks[0]?.availability).toBeCloseTo(0.25, 2)
    expect(data.networks[0]?.availability_ms).toBe(HEALTH.curveMs)
  })

  it('bounds the curve, and draws no time from before the oldest transition that is kept', async () => {
    const main = await createMainAccount()
    const router = await createRouter(main.accountId, { state: state('online') })
    const now = Date.now()
    const transitions = Array.from({ length: HEALTH.transitionsMax }, (_, n) => ({
      routerHub: router.hub,
      from: n % 2 === 0 ? ('offline' as const) : ('online' as const),
      to: n % 2 === 0 ? ('online' as const) : ('offline' as const),
      at: now - 1 - n * 4_000,
      reason: '',
    }))
    const { data } = await open(main, workerWith(transitions).worker)
    expect(data.presence.length).toBeLessThanOrEqual(4 * (HEALTH.curveMs / HEALTH.curveBucketMs) + 1)
    expect(data.presence[0]?.at).toBe(transitions.at(-1)?.at)
    expect(JSON.stringify(data.presence).length).toBeLessThan(50_000)
  })

  it('a role limited to networks sees those, and nothing of the rest', async () => {
    const { main } = await createFleet({ hardware: 0, memberQuota: 3, centers: 1 })
    const [inside, outside] = [
      await createRouter(main.accountId, { note: '内', lans: ['10.1.0.1/24'], state: state('offline') }),
      await createRouter(main.accountId, { note: '外', lans: ['10.2.0.1/24'], state: state('offline') }),
    ]
    const shared = await createRouter(main.accountId, { note: '共用', state: state('offline') })
    const own = await createNetwork(main, [inside, shared], '可见')
    const other = await createNetwork(main, [outside], '不可见')
    const sub = await createSubAccount(main, { networks: [own] })
    const transitions = [inside, outside].map(({ hub }) => ({
      routerHub: hub,
      from: 'online' as const,
      to: 'offline' as const,
      at: Date.now() - 60_000,
      reason: '',
    }))
    const { calls, worker } = workerWith(transitions)
    const { data } = await open(sub, worker)
    expect(data.networks.map(({ network_name }) => network_name)).toEqual(['可见'])
    expect(data.members.hardware.offline).toBe(2)
    expect(data.changes.map(({ router_name }) => router_name)).toEqual([inside.name])
    expect(data.attention.rows.map(({ kind }) => kind)).toEqual(['network_down'])
    const text = JSON.stringify(data)
    for (const hidden of [outside.name, '外', '不可见', other]) expect(text).not.toContain(hidden)
    const asked = calls[0]!.args[0] as { networks: { hub: string }[] }
    expect(asked.networks.map(({ hub }) => hub)).toEqual([(await networkRow(own)).hub])
  })

  it('sends rows of every kind, however many others come before', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const gone = Array.from({ length: HEALTH.rowsShown + 1 }, (_, n) =>
      createRouter(main.accountId, { state: state('offline', { lastSeenAt: since - n * 60_000 }) }),
    )
    await Promise.all(gone)
    const { attention, status } = (await open(main)).data
    const kinds = attention.rows.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'member_offline')).toHaveLength(HEALTH.rowsShown)
    expect(kinds.filter((kind) => kind === 'service_ending')).toHaveLength(status.reminders)
    expect(attention.count).toBe(gone.length + status.reminders)
  })

  it('names networks whose hub did not answer', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    await createNetwork(main, [await createRouter(main.accountId, { state: state('online') })])
    const silent = fakeHubs({ 'account.health': () => ({ summaries: {}, transitions: [], unsupported: {} }) })
    const { data } = await open(main, createTestWorker({ hubs: silent.hubs }))
    expect(data).toMatchObject({ live: 1, networks: [{ live: 0, health: { state: 'ok' } }] })
    expect((await open(main)).data.networks[0]?.live).toBe(1)
  })

  it('still answers from the rows when the hub cannot', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    await createNetwork(main, [await createRouter(main.accountId, { state: state('offline') })])
    const broken = () => {
      throw new Error('overloaded')
    }
    const worker = createTestWorker({ hubs: fakeHubs({ 'account.health': broken }).hubs })
    const { data } = await open(main, worker)
    expect(data).toMatchObject({ live: 0, status: { networks_down: 1 }, presence: [], changes: [] })
    expect(data.networks[0]).toMatchObject({ health: { state: 'down' }, availability: null, availability_ms: 0 })
  })

  it('says of a network what its page and the list say', async () => {
    const { main } = await createFleet({ hardware: 0, centers: 1 })
    const number = await createNetwork(main, [await createRouter(main.accountId, { state: state('offline') })])
    const { worker } = workerWith()
    const listed = (await worker.call(networkApi.lists, {}, main.token)).data[0]
    const shown = (await open(main, worker)).data.networks[0]
    expect(listed?.health).toEqual(shown?.health)
    const page = (await worker.call(networkApi.info, { network_number: number }, main.token)).data
    expect([page.health.state, page.health.cause]).toEqual([shown?.health.state, shown?.health.cause])
  })
})
