import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { QuestionReply } from '#contract/device/questions.ts'
import { DIAGNOSIS_RATE, type DiagnosisPlan } from '#contract/network/diagnosis.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerStates } from '#db/schema/routers.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import {
  createMainAccount,
  createNetwork,
  createRouter,
  createSoftwareRouter,
  createSubAccount,
  lanPort,
  selectAudits,
} from '#tests/support/fixtures.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

async function createAskedNetwork() {
  const main = await createMainAccount({ services: { network_member: 20 } })
  const { accountId } = main
  const center = await createRouter(accountId, { note: '总部', lans: ['10.1.0.0/24'] })
  const point = await createRouter(accountId, { note: '门店', lans: ['10.2.0.0/24'] })
  const other = await createRouter(accountId, { note: '工厂', lans: ['10.99.0.0/24'] })
  const app = await createSoftwareRouter(accountId)
  const network_number = await createNetwork(main, [center, point, app])
  const plant = await createNetwork(main, [center, other])
  return { main, center, point, other, app, network_number, plant }
}

const open = (over: Parameters<typeof fakeHubs>[0] = {}) => {
  const { hubs, calls } = fakeHubs(over)
  const worker = createTestWorker({ hubs })
  const plans = () => calls.filter(({ method }) => method === 'diagnose').map(({ args }) => args[0] as DiagnosisPlan)
  return { worker, plans }
}

describe('network 2 · network/diagnose', () => {
  it('hands a plan of the rows to the network’s hub, counted and audited, in two round trips', async () => {
    const { main, center, point, network_number } = await createAskedNetwork()
    const { worker, plans } = open()
    const input = { network_number, router_name: point.name, kind: 'path', destination: '10.1.0.9' } as const
    const accepted = await worker.call(networkApi.diagnose, input, main.token)
    expect(accepted).toMatchObject({ code: 200, msg: '已受理', trips: 2 })
    const [plan] = plans()
    expect(plan).toMatchObject({
      jobId: accepted.data.job_id,
      networkNumber: network_number,
      routerName: point.name,
      routerNote: '门店',
      count: 4,
      isPinged: true,
    })
    expect(plan!.hops).toMatchObject([
      { name: point.name, label: '门店', intended: { links: [{ peer: center.name }] }, prefix: '10.1.0.0/24' },
      { name: center.name, label: '总部', intended: { local: 'lan' } },
    ])
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      action: 'diagnose',
      target: network_number,
      message: '组网“测试网”从成员“门店”对10.1.0.9进行路径分析',
    })
  })

  it('refuses addresses outside of the network, and no hub is asked', async () => {
    const { main, point, app, network_number } = await createAskedNetwork()
    const { worker, plans } = open()
    const base = { network_number, router_name: point.name, kind: 'ping' } as const
    const ask = (over: object) =>
      worker.call(networkApi.diagnose, { ...base, destination: '10.1.0.9', ...over }, main.token)
    const outside = { ...refusal('DIAGNOSIS_DESTINATION', { network: '测试网' }), data: { field: 'destination' } }
    for (const destination of ['10.99.0.1', '198.51.100.80', '192.168.7.7'])
      for (const kind of ['ping', 'traceroute', 'path']) expect(await ask({ kind, destination })).toMatchObject(outside)
    for (const [field, over] of [
      ['destination', { destination: '224.0.0.1' }],
      ['destination', { destination: 'host' }],
      ['count', { count: 11 }],
      ['source', { source: '10.2.0.7' }],
    ] as const)
      expect(await ask(over)).toMatchObject({ code: 422, data: { field } })
    expect(await ask({ kind: 'path', source: '10.1.0.7' })).toMatchObject(refusal('DIAGNOSIS_SOURCE'))
    expect(await ask({ router_name: app.name })).toMatchObject(refusal('HARDWARE_ONLY'))
    expect(await ask({ router_name: 'nobody' })).toMatchObject(refusal('MEMBER_NOT_IN_NETWORK'))
    expect(plans()).toEqual([])
  })

  it('of a role that is limited to networks reaches no other one', async () => {
    const { main, center, network_number, plant } = await createAskedNetwork()
    const { worker, plans } = open()
    const sub = await createSubAccount(main, { flags: ['network:edit'], networks: [network_number] })
    const ask = (number: string, destination: string) =>
      worker.call(
        networkApi.diagnose,
        { network_number: number, router_name: center.name, kind: 'ping', destination },
        sub.token,
      )
    expect(await ask(plant, '10.99.0.1')).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(await ask(network_number, '10.99.0.1')).toMatchObject({ reason: 'DIAGNOSIS_DESTINATION' })
    expect(await ask(network_number, '10.2.0.1')).toMatchObject({ code: 200 })
    expect(plans()).toHaveLength(1)
    const viewer = await createSubAccount(main, { flags: [], networks: [network_number] })
    const input = { network_number, router_name: center.name, kind: 'ping', destination: '10.2.0.1' } as const
    expect(await worker.call(networkApi.diagnose, input, viewer.token)).toMatchObject(refusal('PERMISSION_DENIED'))
    expect(await worker.call(networkApi.diagnoses, { network_number }, viewer.token)).toMatchObject({
      code: 200,
      trips: 1,
    })
  })

  it.each([
    ['offline', 'DIAGNOSIS_AWAY'],
    ['busy', 'DIAGNOSIS_BUSY'],
    ['too_old', 'DIAGNOSIS_UNSUPPORTED'],
  ] as const)('says that its device is %s', async (state, reason) => {
    const { main, point, network_number } = await createAskedNetwork()
    const { worker } = open({ 'network.diagnose': () => state })
    const input = { network_number, router_name: point.name, kind: 'ping', destination: '10.1.0.9' } as const
    expect(await worker.call(networkApi.diagnose, input, main.token)).toMatchObject({ code: 422, reason })
  })

  it('runs ten times a minute in an account', async () => {
    const { main, point, network_number } = await createAskedNetwork()
    const { worker, plans } = open()
    const input = { network_number, router_name: point.name, kind: 'ping', destination: '10.1.0.9' } as const
    for (let n = 0; n < DIAGNOSIS_RATE.limit; n++) await worker.call(networkApi.diagnose, input, main.token)
    expect(await worker.call(networkApi.diagnose, input, main.token)).toMatchObject({ code: 429 })
    expect(plans()).toHaveLength(DIAGNOSIS_RATE.limit)
  })

  it('of another account is not found, nor are its records', async () => {
    const { point, network_number } = await createAskedNetwork()
    const stranger = await createMainAccount()
    const { worker, plans } = open()
    const input = { network_number, router_name: point.name, kind: 'ping', destination: '10.1.0.9' } as const
    const target = { network_number, job_id: '0'.repeat(32) }
    for (const asked of [
      worker.call(networkApi.diagnose, input, stranger.token),
      worker.call(networkApi.diagnosis, target, stranger.token),
      worker.call(networkApi.diagnoses, { network_number }, stranger.token),
      worker.call(networkApi.actualRoutes, { network_number, router_name: point.name }, stranger.token),
    ])
      expect(await asked).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(plans()).toEqual([])
  })
})

describe('network 2 · network/actual_routes', () => {
  async function readRoutes(reply: (offset: number, link: string) => QuestionReply, over: object = {}) {
    const { main, center, point, network_number } = await createAskedNetwork()
    await db
      .insert(routerStates)
      .values({ routerId: point.id, presence: 'online', configState: 'applied' })
      .onConflictDoUpdate({
        target: routerStates.routerId,
        set: { presence: 'online', configState: 'applied' },
      })
    const link = `${network_number}:${point.name}>${center.name}`
    const { worker } = open({
      'router.ask': (_: string, { offset }: { offset: number }) => reply(offset, link),
    } as never)
    const input = { network_number, router_name: point.name, ...over }
    const read = await worker.call(networkApi.actualRoutes, input, main.token)
    return { read, center, point }
  }

  const page = (rows: [string, number][], links: string[], total = rows.length) =>
    ({ state: 'answered', data: { total, links, rows } }) as QuestionReply

  it('show the intended half of a device that is offline, and say so, in one round trip', async () => {
    const { read, point } = await readRoutes(() => ({ state: 'offline' }))
    expect(read).toMatchObject({
      code: 200,
      trips: 1,
      router_name: point.name,
      at: null,
      differences: 0,
      notice: '设备离线，仅显示配置的路由',
    })
    expect(read.data.find(({ prefix }) => prefix === '10.1.0.0/24')).toMatchObject({ actual: null, verdict: 'unknown' })
  })

  it.each([
    ['too_old', '设备不支持读取实际路由，仅显示配置的路由，请升级后查看'],
    ['busy', '设备正在应答其他请求，仅显示配置的路由，请稍后刷新'],
    ['silent', '设备未应答，仅显示配置的路由，请稍后刷新'],
  ] as const)('of a device that is %s', async (state, notice) => {
    expect((await readRoutes(() => ({ state }))).read).toMatchObject({ code: 200, notice, at: null })
  })

  it('compare the pages of the device, filtered to differences', async () => {
    const first = await readRoutes(() => page([], []), { only: 'differences' })
    expect(first.read).toMatchObject({ differences: first.read.count, notice: '' })
    expect(first.read.data.every(({ verdict, reason }) => verdict === 'missing' && reason === '对端未公布该网段')).toBe(
      true,
    )
  })

  it('tell those that the kernel of the device has lost', async () => {
    const lost = (links: string[]) =>
      ({ state: 'answered', data: { total: 1, links, rows: [], lost: [['10.1.0.0/24', 0]] } }) as QuestionReply
    const { read } = await readRoutes((_, link) => lost([link]), { search: '10.1.0.9' })
    const reason = '对端总部有该路由，本设备的路由表中缺失'
    expect(read).toMatchObject({ notice: '', data: [{ verdict: 'missing', reason, actual: null }] })
  })

  it('mark the segment of a LAN port that is down at its router, and at others, in the same round trip', async () => {
    const { main, center, point, network_number } = await createAskedNetwork()
    const link = `${network_number}:${point.name}>${center.name}`
    const segments = { [center.name]: '10.2.0.0/24', [point.name]: '10.1.0.0/24' }
    const worker = createTestWorker({
      hubs: fakeHubs({
        'router.ask': (hub) => page([[segments[hub === center.hub ? center.name : point.name]!, 0]], [link]),
      }).hubs,
    })
    const report = (presence: 'online' | 'offline', up: boolean) =>
      db
        .update(routerStates)
        .set({ presence, interfaces: JSON.stringify([{ ...lanPort('10.1.0.1/24', 0), up }]) })
        .where(eq(routerStates.routerId, center.id))
    const read = (router_name: string) =>
      worker.call(networkApi.actualRoutes, { network_number, router_name, search: '10.1.0.9' }, main.token)
    await db
      .update(routerStates)
      .set({ presence: 'online', configState: 'applied' })
      .where(inArray(routerStates.routerId, [center.id, point.id]))

    await report('online', false)
    const own = await read(center.name)
    expect(own).toMatchObject({ trips: 1, count: 1, differences: 1 })
    const marked = { router_name: center.name, router_name_note: '总部', via: '', state: 'chosen', actual: null }
    expect(own.data).toEqual([expect.objectContaining({ ...marked, reason: 'LAN接口未连接', verdict: 'unreachable' })])
    const other = await read(point.name)
    expect(other).toMatchObject({ trips: 1, count: 1 })
    expect(other.data).toMatchObject([
      { via: center.name, verdict: 'unreachable', reason: '总部的LAN接口未连接', actual: { via: center.name } },
    ])

    await report('online', true)
    expect((await read(center.name)).data).toEqual([])
    expect((await read(point.name)).data).toMatchObject([{ verdict: 'same', reason: '' }])
    await report('offline', false) // an older report says nothing about now
    expect((await read(point.name)).data).toMatchObject([{ verdict: 'same' }])
  })
})
