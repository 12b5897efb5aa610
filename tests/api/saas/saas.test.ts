import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { saasApi } from '#contract/saas/index.ts'
import { connectionLogs } from '#db/schema/routers.ts'
import { saasDevices } from '#db/schema/saas.ts'
import {
  createFleet,
  createMainAccount,
  createNetwork,
  createRouter,
  createSubAccount,
  refreshed,
  selectAudits,
  unique,
} from '#tests/support/fixtures.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { sellSaas } from '#tests/support/saas.ts'
import { call, createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const DAY = 86_400_000

async function createSaas(over: Parameters<typeof sellSaas>[1] = {}) {
  const main = await createMainAccount()
  const router = await createRouter(main.accountId)
  await sellSaas(router, over)
  return { main, router, target: { router_name: router.name } }
}
const saasRow = async (id: number) => (await db.select().from(saasDevices).where(eq(saasDevices.routerId, id)))[0]

describe('directory 2 · operator · SaaS devices', () => {
  it('are sold, changed and raised for a time; each moves the device’s document and has its audit row', async () => {
    const { main, router } = await createSaas()
    const since = hubCalls.length
    expect(await sellSaas(router, { bandwidth: 20, edition: 'standard', group: '海外办公' })).toMatchObject({
      code: 200,
    })
    const [start_time, end_time] = [Date.now(), Date.now() + DAY]
    const raised = { serial: router.name.toLowerCase(), bandwidth: 90, start_time, end_time }
    expect(await call(opsApi.saasTemporary, raised)).toMatchObject({ code: 200 })
    await sellSaas(router, { bandwidth: 20, edition: 'standard', group: '海外办公' })
    expect(await saasRow(router.id)).toMatchObject({
      groupName: '海外办公',
      share: 0,
      bandwidth: 20,
      tempBandwidth: 90,
      tempStartAt: start_time,
      tempExpireAt: end_time,
    })
    expect(refreshed(since)).toEqual([router.hub, router.hub, router.hub])
    const audits = await selectAudits(main.accountId)
    expect(audits.map(({ action, actorKind }) => [action, actorKind])).toEqual([
      ['saas/set', 'operator'],
      ['saas/set', 'operator'],
      ['saas/temporary', 'operator'],
      ['saas/set', 'operator'],
    ])
  })

  it.each<[string, Parameters<typeof sellSaas>[1], ReturnType<typeof refusal>]>([
    ['more than its maximum', { bandwidth: 101 }, refusal('BANDWIDTH_TOO_HIGH', { max: 100 })],
    ['a pool that is unknown', { pool: '没有' }, refusal('POOL_UNKNOWN')],
    ['a device that is unknown', { serial: 'NL-NOBODY' }, refusal('SAAS_NO_DEVICE')],
  ])('refuses %s', async (_, over, expected) => {
    const { router } = await createSaas()
    expect(await sellSaas(router, over)).toMatchObject(expected)
  })

  it('refuses a temporary value above the maximum, or of a device that is none', async () => {
    const { router, main } = await createSaas()
    const times = { start_time: Date.now(), end_time: Date.now() + DAY }
    const high = await call(opsApi.saasTemporary, { serial: router.name, bandwidth: 101, ...times })
    expect(high).toMatchObject(refusal('BANDWIDTH_TOO_HIGH', { max: 100 }))
    const plain = await createRouter(main.accountId)
    const none = await call(opsApi.saasTemporary, { serial: plain.name, bandwidth: 10, ...times })
    expect(none).toMatchObject(refusal('SAAS_NOT_FOUND'))
  })

  it('ends with the member that is deleted', async () => {
    const { main, router, target } = await createSaas()
    await main.call(routerApi.delete, target)
    expect(await saasRow(router.id)).toBeUndefined()
  })
})

describe('directory 2 · SaaS devices', () => {
  it('stand in their groups, with what is in force, and are found by name, note and group', async () => {
    const main = await createMainAccount()
    const [a, b, c] = [
      await createRouter(main.accountId),
      await createRouter(main.accountId),
      await createRouter(main.accountId),
    ]
    await sellSaas(a, { group: '门店', edition: 'standard' })
    await sellSaas(b, { group: '海外办公', expired_time: Date.now() - 1 })
    await sellSaas(c, { group: '海外办公' })
    const now = Date.now()
    await call(opsApi.saasTemporary, { serial: c.name, bandwidth: 80, start_time: now - DAY, end_time: now + DAY })
    const { data, trips } = await main.call(saasApi.router, {})
    expect(trips).toBe(1)
    const rows = data.map(({ group, router_name, share, bandwidth, current_bandwidth }) => [
      group,
      router_name,
      share,
      bandwidth,
      current_bandwidth,
    ])
    expect(rows).toEqual(
      [
        ['海外办公', b.name, 1, 50, 0],
        ['海外办公', c.name, 1, 50, 80],
        ['门店', a.name, 0, 50, 50],
      ].toSorted(([g, n], [h, m]) => (g === h ? (n! < m! ? -1 : 1) : g! < h! ? -1 : 1)),
    )
    expect((await main.call(saasApi.router, { search: '门店' })).data).toHaveLength(1)
    expect((await main.call(saasApi.router, { search: a.name.toLowerCase() })).data).toHaveLength(1)
  })

  it('are connected or not, as their devices are', async () => {
    const main = await createMainAccount()
    const routers = [
      await createRouter(main.accountId, { state: { presence: 'online' } }),
      await createRouter(main.accountId, { state: { presence: 'offline' } }),
    ]
    for (const router of routers) await sellSaas(router)
    const online = new Map((await main.call(saasApi.router, {})).data.map((row) => [row.router_name, row.online]))
    expect(routers.map(({ name }) => online.get(name))).toEqual([1, 0])
  })

  it('has its detail; one that is unknown, of another account or no SaaS device answers 204', async () => {
    const { router, target } = await createSaas({ group: '海外办公' })
    const stranger = await createMainAccount()
    const main = stranger
    const plain = await createRouter(main.accountId)
    for (const router_name of [router.name, plain.name, 'NL-NONE'])
      expect(await main.call(saasApi.info, { router_name })).toMatchObject({ ...refusal('SAAS_NOT_FOUND'), code: 204 })
    expect(target.router_name).toBe(router.name)
  })

  it('the detail has what the hub knows', async () => {
    const { main, target } = await createSaas({ group: '海外办公' })
    const { hubs } = fakeHubs({
      'router.presenceTraffic': () => ({ since: 1_000, upload: 5, download: 7, countsFlows: true }),
    })
    const worker = createTestWorker({ hubs })
    const { data, trips } = await worker.call(saasApi.info, target, main.token)
    expect(trips).toBe(1)
    expect(data).toMatchObject({ group: '海外办公', input: 5, out: 7, online_time: 1_000, analysis: 1, network: [] })
  })

  it('a limited role sees those of its networks, and changes none that is also in others', async () => {
    const { main, routers } = await createFleet()
    const [own, both, other] = [routers[0]!, routers[1]!, routers[2]!]
    for (const router of [own, both, other]) await sellSaas(router)
    const network = await createNetwork(main, [own, both])
    await createNetwork(main, [other, both])
    const limited = await createSubAccount(main, { flags: ['router:edit'], networks: [network] })
    const seen = (await limited.call(saasApi.router, {})).data
    expect(seen.map(({ router_name, shared }) => [router_name, shared]).toSorted()).toEqual(
      [
        [own.name, 0],
        [both.name, 1],
      ].toSorted(),
    )
    const set = (name: string) => limited.call(saasApi.bandwidth, { router_name: name, bandwidth: 60 })
    expect(await set(other.name)).toMatchObject(refusal('SAAS_NOT_FOUND'))
    expect(await set(both.name)).toMatchObject(refusal('ROUTER_SHARED'))
    expect(await set(own.name)).toMatchObject({ code: 200 })
    expect(await limited.call(saasApi.traffic, { router_name: other.name })).toMatchObject(refusal('SAAS_NOT_FOUND'))
  })
})

describe('directory 5 · bandwidth of a SaaS device', () => {
  it('is set, in the document and in the audit', async () => {
    const { main, router, target } = await createSaas()
    const since = hubCalls.length
    const { code, msg, trips } = await main.call(saasApi.bandwidth, { ...target, bandwidth: 100 })
    expect([code, msg, trips]).toEqual([200, '修改成功', 2])
    expect(await saasRow(router.id)).toMatchObject({ bandwidth: 100 })
    expect(refreshed(since)).toEqual([router.hub])
    const audit = (await selectAudits(main.accountId)).at(-1)
    expect(audit).toMatchObject({
      module: 'saas',
      action: 'bandwidth',
      before: '{"bandwidth":50}',
      after: '{"bandwidth":100}',
    })
  })

  it.each<[string, Parameters<typeof sellSaas>[1], unknown, string]>([
    ['nothing', {}, undefined, '请输入带宽'],
    ['a fraction', {}, 1.5, '带宽必须为整数 Mbs'],
    ['zero', {}, 0, '带宽不能小于等于0 Mbs'],
    ['more than its maximum', {}, 101, '带宽不能大于最大值：100 Mbs'],
    ['the standard edition', { edition: 'standard' }, 60, '仅共享版设备可以修改带宽，如需调整请联系服务商'],
    ['an expired device', { expired_time: Date.now() - 1 }, 60, '设备服务已到期，无法修改带宽，请续费后重试'],
  ])('%s is refused on its field', async (_, over, bandwidth, msg) => {
    const { main, router, target } = await createSaas(over)
    const answer = await main.call(saasApi.bandwidth, { ...target, bandwidth } as never)
    expect(answer).toMatchObject({ code: 422, msg, data: { field: 'bandwidth' } })
    expect(await saasRow(router.id)).toMatchObject({ bandwidth: 50 })
  })

  it('that the operator has just lowered is refused in the write', async () => {
    const { main, router, target } = await createSaas()
    const lower = () => db.update(saasDevices).set({ maxBandwidth: 55 }).where(eq(saasDevices.routerId, router.id))
    const worker = createTestWorker({ afterFirstTrip: async () => void (await lower()) })
    const answer = await worker.call(saasApi.bandwidth, { ...target, bandwidth: 60 }, main.token)
    expect(answer).toMatchObject(refusal('BANDWIDTH_CHANGED'))
    expect(await saasRow(router.id)).toMatchObject({ bandwidth: 50 })
  })
})

describe('directory 2 · presences of a SaaS device', () => {
  it('are pairs of lines with their volumes, newest first; the one that lasts has the hub’s', async () => {
    const { main, router, target } = await createSaas()
    const line = {
      accountId: main.accountId,
      routerName: router.name,
      remotePort: 1,
      version: '',
      remoteIp: '198.51.100.7',
    }
    const at = Date.now() - 10 * DAY
    await db.insert(connectionLogs).values([
      { ...line, epoch: 1, online: 1, at, localIp: '203.0.113.1' },
      { ...line, epoch: 1, online: 0, at: at + 90_000, upload: 10, download: 20 },
      { ...line, epoch: 2, online: 1, at: at + 100_000, localIp: '203.0.113.2', remoteIp: '198.51.100.8' },
    ])
    const { hubs } = fakeHubs({
      'router.presenceTraffic': () => ({ since: at + 100_000, upload: 3, download: 4, countsFlows: true }),
    })
    const worker = createTestWorker({ hubs })
    const { data, count, trips } = await worker.call(saasApi.connect, target, main.token)
    expect([count, trips]).toEqual([2, 1])
    expect(data).toMatchObject([
      { ip: '203.0.113.2', origin: '198.51.100.8', input: 3, out: 4, online_time: at + 100_000, stop_time: null },
      {
        ip: '203.0.113.1',
        origin: '198.51.100.7',
        input: 10,
        out: 20,
        session_date: 90,
        online_time: at,
        stop_time: at + 90_000,
      },
    ])
    expect((await main.call(saasApi.connect, { ...target, search: '198.51.100.8' })).count).toBe(1)
    const stranger = await createMainAccount()
    expect(await stranger.call(saasApi.connect, target)).toMatchObject(refusal('SAAS_NOT_FOUND'))
  })
})

describe('directory 9 · traffic and flows of a SaaS device', () => {
  it.each([
    ['traffic', saasApi.traffic, 'wanTraffic', 1],
    ['applications', saasApi.appLog, 'flowSeries', 1],
    ['LAN addresses', saasApi.origScrLog, 'flowSeries', 1],
    ['shares of applications', saasApi.appLogTop, 'flowTop', 6],
    ['shares of LAN addresses', saasApi.origScrLogTop, 'flowTop', 6],
  ] as const)('%s: the last hours by default, at most 180 days', async (_, spec, method, hours) => {
    const { main, router, target } = await createSaas()
    const since = hubCalls.length
    const before = Date.now()
    expect(await main.call(spec, target)).toMatchObject({ code: 200, trips: 1 })
    const asked = hubCalls.slice(since).find((one) => one.method === method && one.hub === router.hub)
    const { from, to } = asked!.args[0] as { from: number; to: number }
    expect([to - from, to >= before]).toEqual([hours * 3_600_000, true])
    expect(await main.call(spec, { ...target, start_date: Date.now() - 180 * DAY })).toMatchObject({ code: 200 })
    const old = await main.call(spec, { ...target, start_date: Date.now() - 182 * DAY })
    expect(old).toMatchObject({ code: 422, msg: '最多查询最近180天', data: { field: 'start_date' } })
    const mixed = await main.call(spec, { ...target, start_date: 1_760_000_000_000, end_date: 1_750_000_000_000 })
    expect(mixed).toMatchObject({ data: { field: 'end_date' } })
  })

  it('names the rest 其他, with what no flow explains beside the rows', async () => {
    const { main, target } = await createSaas()
    const row = { name: '', input: 1, out: 2, total: 3, share: 1_234 }
    const { hubs } = fakeHubs({ 'router.flowTop': () => ({ rows: [row], uncounted: { input: 9, out: 8 } }) })
    const answer = await createTestWorker({ hubs }).call(saasApi.appLogTop, target, main.token)
    expect(answer.data).toEqual([{ ...row, name: '其他', share: 12.34 }])
    expect(answer.uncounted).toEqual({ input: 9, out: 8 })
  })

  it('an account without SaaS devices has none', async () => {
    const main = await createMainAccount()
    expect((await main.call(saasApi.router, { search: unique('x') })).data).toEqual([])
  })
})
