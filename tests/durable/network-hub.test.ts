import {
  abortAllDurableObjects,
  env,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import type { ViewerFrame } from '#contract/kernel/protocol.ts'
import { LEASE_ROUND, PRESENCE, ROUTER_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { load } from '#durable/network-hub/storage.ts'
import { RouterHub } from '#durable/router-hub/router-hub.ts'
import { linkId } from '#domain/network/members/links.ts'
import { NEVER_SEEN, noConfig } from '#domain/router/presence.ts'
import { networks } from '#db/schema/networks.ts'
import { db } from '#tests/support/test-worker.ts'
import { insertNetwork } from '#tests/support/rows.ts'
import {
  type TestNetwork,
  type TestRouter,
  createHubNetwork,
  createHubRouter,
  connectOnlineDevice,
  isShown,
  join,
  networkStub,
  routerStub,
  until,
  readNow,
  later,
  watchNetwork,
} from './support.ts'

const linkStates = async (network: TestNetwork) =>
  (await networkStub(network).status(1)).links.map(({ state, reason }) => [state, reason])
const testLinkId = (network: TestNetwork, point = 0) =>
  linkId(network.number, network.points[point]!.name, network.center.name)

/** Centre and points online, and every link probed from both ends. */
async function createOnlineNetwork(points: number) {
  const network = await createHubNetwork(points)
  const center = await connectOnlineDevice(network.center)
  const devices = await Promise.all(network.points.map((point) => connectOnlineDevice(point)))
  await readNow(networkStub(network))
  center.send({ t: 'links', links: devices.map((_, i) => ({ id: testLinkId(network, i), up: true, rtt_ms: 9 })) })
  devices.forEach((device, i) =>
    device.send({ t: 'links', links: [{ id: testLinkId(network, i), up: true, rtt_ms: 8 }] }),
  )
  await until(async () => ((await linkStates(network)).every(([state]) => state === 'up') ? true : undefined))
  return { network, center, devices }
}

describe('hubs.md, Links · network', () => {
  it('answers from the rows before any device has been seen', async () => {
    const network = await createHubNetwork(2)
    const { members, links } = await networkStub(network).status(1)
    expect(members.map((m) => [m.router_name, m.member_type, m.presence.state])).toEqual([
      [network.center.name, 'center', 'never'],
      [network.points[0]!.name, 'point', 'never'],
      [network.points[1]!.name, 'point', 'never'],
    ])
    expect(links.map(({ id, reason }) => [id, reason])).toEqual([
      [testLinkId(network, 0), '中心点从未上线'],
      [testLinkId(network, 1), '中心点从未上线'],
    ])
  })

  it('has a link up when both ends report it, also after hibernation and restart', async () => {
    const { network } = await createOnlineNetwork(1)
    await evictDurableObject(networkStub(network))
    expect(await linkStates(network)).toEqual([['up', '']])
    await abortAllDurableObjects()
    expect(await linkStates(network)).toEqual([['up', '']])
  })

  it('shows a link with one silent end as 单边', async () => {
    const { network, center } = await createOnlineNetwork(1)
    center.send({ t: 'links', links: [{ id: testLinkId(network), up: false, rtt_ms: null }] })
    await until(async () => ((await linkStates(network))[0]?.[0] === 'one_sided' ? true : undefined))
    expect((await linkStates(network))[0]?.[1]).toBe('中心点收不到对方的探测')
  })

  it('shows the tunnel of a link as its ends report it, until one has gone', async () => {
    const { network, center, devices } = await createOnlineNetwork(1)
    const linkOf = async () => (await networkStub(network).status(1)).links[0]!
    expect((await linkOf()).tunnel).toBeUndefined()
    const id = testLinkId(network)
    const at = (remote: string) => ({ cipher: 'SM4-CBC', remote })
    const up = { id, up: true, rtt_ms: 2 }
    devices[0]!.send({ t: 'links', links: [{ ...up, tunnel: { ...at('203.0.113.5:40001'), loss: 15 } }] })
    center.send({ t: 'links', links: [{ ...up, tunnel: at('198.51.100.7:1194') }] })
    const shown = {
      cipher: 'SM4-CBC',
      loss: 15,
      client_remote: '198.51.100.7:1194',
      server_remote: '203.0.113.5:40001',
    }
    await until(async () => {
      const { tunnel } = await linkOf()
      return tunnel?.client_remote && tunnel.server_remote ? true : undefined
    })
    expect((await linkOf()).tunnel).toEqual(shown)
    await evictDurableObject(networkStub(network))
    expect((await linkOf()).tunnel).toEqual(shown)
    devices[0]!.send({ t: 'links', links: [{ id, up: false, rtt_ms: null, tunnel: { reason: '证书已吊销' } }] })
    center.send({ t: 'links', links: [{ id, up: false, rtt_ms: null, tunnel: {} }] })
    await until(async () => ((await linkOf()).state === 'down' ? true : undefined))
    expect(await linkOf()).toMatchObject({ reason: '证书已吊销', tunnel: { cipher: '', loss: null } })
  })

  it('suspects a centre whose points receive nothing, before its presence is decided', async () => {
    const { network, devices } = await createOnlineNetwork(4)
    devices.forEach((device, i) =>
      device.send({ t: 'links', links: [{ id: testLinkId(network, i), up: false, rtt_ms: null }] }),
    )
    const summary = await until(async () => {
      const { summary } = await networkStub(network).health(1)
      return summary.causes?.[0]?.oneSided === 4 ? summary : undefined
    })
    const { name } = network.center
    expect(summary).toMatchObject({
      health: { state: 'partial', issues: 1, cause: '1 个中心点疑似失联（4 条链路）' },
      causes: [{ role: 'center', routerName: name, members: 4, isPartial: false }],
      problems: [],
      checked: { [name]: 4, '': 4 },
    })
  })

  it('explains a lost centre once, and a lost point by itself', async () => {
    const { network, center, devices } = await createOnlineNetwork(2)
    devices[0]!.socket.close(1000)
    await until(async () => {
      const { members } = await networkStub(network).status(1)
      return members[1]?.presence.state === 'reconnecting' ? true : undefined
    })
    later(16_000)
    await runDurableObjectAlarm(routerStub(network.points[0]!))
    await until(async () => ((await linkStates(network))[0]?.[1] === '成员离线' ? true : undefined))
    expect(await linkStates(network)).toEqual([
      ['down', '成员离线'],
      ['up', ''],
    ])
    center.socket.close(1000)
    await until(async () =>
      (await routerStub(network.center).traffic()).presence.state !== 'online' ? true : undefined,
    )
    later(16_000)
    await runDurableObjectAlarm(routerStub(network.center))
    await until(async () => ((await linkStates(network))[1]?.[1] === '中心点离线' ? true : undefined))
    expect((await linkStates(network)).map(([state]) => state)).toEqual(['unknown', 'unknown'])
  })

  it('that shares a pair of routers with another receives only its own links', async () => {
    const { network, center, devices } = await createOnlineNetwork(1)
    const other = { ...network, ...(await insertNetwork({ accountId: network.accountId })) }
    await join(other, network.center, 'center')
    await join(other, network.points[0]!, 'point')
    for (const router of [network.center, network.points[0]!]) await readNow(routerStub(router))
    await readNow(networkStub(other))
    expect(await linkStates(other)).toEqual([['unknown', '等待设备上报']])
    const down = [{ id: testLinkId(other), up: false, rtt_ms: null }]
    center.send({ t: 'links', links: down })
    devices[0]!.send({ t: 'links', links: down })
    await until(async () => ((await linkStates(other))[0]?.[0] === 'down' ? true : undefined))
    expect(await linkStates(network)).toEqual([['up', '']])
  })

  it('checks the lease of a device that a peer reports silent, also without viewers', async () => {
    const { network, center, devices } = await createOnlineNetwork(1)
    const point = routerStub(network.points[0]!)
    const alarmIn = () =>
      runInDurableObject(point, async (_, state) => ((await state.storage.getAlarm()) ?? Infinity) - Date.now())
    later(ROUTER_OUTBOX.logsMs)
    devices[0]!.send({ t: 'links', links: [{ id: testLinkId(network), up: true, rtt_ms: 1 }] })
    await until(async () => {
      await runDurableObjectAlarm(point) // saves that the link is up; nothing is left to do then
      return (await alarmIn()) > PRESENCE.leaseMs ? true : undefined
    })
    center.send({ t: 'links', links: [{ id: testLinkId(network), up: false, rtt_ms: null }] })
    await until(async () => ((await alarmIn()) <= PRESENCE.leaseMs ? true : undefined))
    later(PRESENCE.leaseMs)
    await runDurableObjectAlarm(point)
    expect((await point.traffic()).presence.state).toBe('offline')
  })

  it('asks no device’s hub when it is opened, and the present members a little later, also for a console that only polls', async () => {
    const { network } = await createOnlineNetwork(2)
    const asked = vi.spyOn(RouterHub.prototype, 'checkLease')
    later(PRESENCE.watchedCheckMs + LEASE_ROUND.pauseMs)
    await linkStates(network)
    const viewer = await watchNetwork(network)
    await viewer.next(isShown('snapshot'))
    await runDurableObjectAlarm(networkStub(network))
    expect(asked).toHaveBeenCalledTimes(0)
    viewer.socket.close()
    later(LEASE_ROUND.firstMs)
    const isSeen = async () => ((await linkStates(network))[0]?.[1] === '中心点离线' ? true : undefined)
    expect(await until(isSeen)).toBe(true)
    expect(asked).toHaveBeenCalledTimes(3)
    asked.mockRestore()
  })

  it('checks its members’ leases while there are viewers', async () => {
    const { network } = await createOnlineNetwork(1)
    const viewer = await watchNetwork(network)
    await viewer.next(isShown('snapshot'))
    later(80_000)
    viewer.send({ type: 'ack', seq: 0 })
    await runDurableObjectAlarm(networkStub(network))
    const isRemoved = (frame: ViewerFrame) =>
      frame.type === 'delta' && frame.data.members.some((m) => m.presence.state === 'offline')
    expect(await viewer.next(isRemoved)).toMatchObject({ code: 200 })
  })
})

describe('hubs.md, Links · a hub that missed a refresh', () => {
  /** A point joins, and the hub is not refreshed. */
  async function joinUnnoticed(network: TestNetwork): Promise<string> {
    const router = await createHubRouter(network)
    await join(network, router, 'point')
    await db.update(networks).set({ revision: 2 }).where(eq(networks.id, network.id))
    return router.name
  }
  const readNetworkHub = async () => {
    const network = await createHubNetwork(1)
    await readNow(networkStub(network))
    return network
  }

  it('reads the rows when it is asked with their revision', async () => {
    const network = await readNetworkHub()
    const joined = await joinUnnoticed(network)
    const names = async (revision: number) =>
      (await networkStub(network).status(revision)).members.map(({ router_name }) => router_name)
    expect(await names(1)).not.toContain(joined)
    expect(await names(2)).toContain(joined)
  })

  it('reads the rows for a viewer that connects, and at its alarm while one is there', async () => {
    const network = await readNetworkHub()
    const first = await joinUnnoticed(network)
    const viewer = await watchNetwork(network)
    const { data } = await viewer.next(isShown('snapshot'))
    expect(data.members.map(({ router_name }) => router_name)).toContain(first)
    const second = await createHubRouter(network)
    await join(network, second, 'point')
    await db.update(networks).set({ revision: 3 }).where(eq(networks.id, network.id))
    await runDurableObjectAlarm(networkStub(network))
    const isAdded = (frame: ViewerFrame) =>
      frame.type === 'snapshot' && frame.data.members.some(({ router_name }) => router_name === second.name)
    expect(await viewer.next(isAdded)).toMatchObject({ code: 200 })
  })

  const center = ({ center: { hub, name } }: TestNetwork) => ({ routerHub: hub, routerName: name })
  it.each([
    ['its links', (network: TestNetwork) => networkStub(network).linksReported({ ...center(network), links: [] })],
    [
      'its state',
      (network: TestNetwork) =>
        networkStub(network).memberChanged({ ...center(network), presence: NEVER_SEEN, config: noConfig }),
    ],
  ])('reads the rows when a member that it knows wakes it by %s', async (_, report) => {
    const network = await readNetworkHub()
    const read = () => runInDurableObject(networkStub(network), (hub, { storage }) => load(storage, 'revision'))
    await joinUnnoticed(network)
    await report(network)
    expect(await read()).toBe(1)
    await evictDurableObject(networkStub(network))
    await report(network)
    expect(await until(async () => ((await read()) === 2 ? true : undefined))).toBe(true)
  })

  it('reads the rows when a member reports that it does not know', async () => {
    const network = await readNetworkHub()
    const router = await createHubRouter(network)
    await join(network, router, 'point')
    await connectOnlineDevice(router)
    await readNow(routerStub(router))
    const isKnown = async () =>
      (await networkStub(network).status(1)).members.some((m) => m.router_name === router.name) ? true : undefined
    expect(await until(isKnown)).toBe(true)
  })

  it('reads the rows for a report of a link that it does not know, so that the report is not lost', async () => {
    const network = await readNetworkHub()
    const point = await createHubRouter(network)
    await join(network, point, 'point')
    await db.update(networks).set({ revision: 2 }).where(eq(networks.id, network.id))
    const id = linkId(network.number, point.name, network.center.name)
    const report = async ({ hub, name }: TestRouter): Promise<void> =>
      networkStub(network).linksReported({ routerHub: hub, routerName: name, links: [{ id, up: true, rttMs: 8 }] })
    const batch = vi.spyOn(env.DB!, 'batch').mockRejectedValue(new Error('the database is away'))
    const isTaken = await report(point).then(
      () => true,
      () => false,
    )
    expect(isTaken).toBe(false) // the router's hub reports again
    batch.mockRestore()
    await Promise.all([report(point), report(network.center)])
    const { links } = await networkStub(network).status(2)
    expect(links.find((link) => link.id === id)).toMatchObject({ client_up: true, server_up: true })
  })

  it('keeps a report that is ahead of the rows until they name its link, and looks for newer rows only once', async () => {
    const network = await readNetworkHub()
    const point = await createHubRouter(network)
    const id = linkId(network.number, point.name, network.center.name)
    const report = ({ hub, name }: TestRouter, rttMs: number): Promise<void> =>
      networkStub(network).linksReported({ routerHub: hub, routerName: name, links: [{ id, up: true, rttMs }] })
    await report(point, 8)
    await report(network.center, 8)
    const batch = vi.spyOn(env.DB!, 'batch')
    for (let n = 0; n < 5; n++) await Promise.all([report(point, n), report(network.center, n)])
    expect(batch).not.toHaveBeenCalled()
    batch.mockRestore()
    await evictDurableObject(networkStub(network))
    await join(network, point, 'point')
    await db.update(networks).set({ revision: 2 }).where(eq(networks.id, network.id))
    await readNow(networkStub(network))
    const { links } = await networkStub(network).status(2)
    expect(links.find((link) => link.id === id)).toMatchObject({ client_up: true, server_up: true, rtt_ms: 4 })
  })

  it('forgets a kept report when its member disconnects', async () => {
    const network = await readNetworkHub()
    const { hub: routerHub, name: routerName } = network.center
    const point = await createHubRouter(network)
    const id = linkId(network.number, point.name, routerName)
    await networkStub(network).linksReported({ routerHub, routerName, links: [{ id, up: true, rttMs: 8 }] })
    const presence = { ...NEVER_SEEN, state: 'offline', since: Date.now() } as const
    await networkStub(network).memberChanged({ routerHub, routerName, presence, config: noConfig })
    await join(network, point, 'point')
    await readNow(networkStub(network))
    const { links } = await networkStub(network).status(1)
    expect(links.find((link) => link.id === id)).toMatchObject({ server_up: null })
  })

  it('drops a report that waited for the rows while its member disconnected', async () => {
    const network = await readNetworkHub()
    const { hub: routerHub, name: routerName } = network.center
    const stub = networkStub(network)
    const turn = (state: 'online' | 'offline', since: number) =>
      stub.memberChanged({ routerHub, routerName, presence: { ...NEVER_SEEN, state, since }, config: noConfig })
    await turn('online', Date.now())
    const point = await createHubRouter(network)
    await join(network, point, 'point')
    await db.update(networks).set({ revision: 2 }).where(eq(networks.id, network.id))
    const id = linkId(network.number, point.name, routerName)
    const report = stub.linksReported({ routerHub, routerName, links: [{ id, up: true, rttMs: 8 }] })
    await turn('offline', Date.now() + 1)
    await report
    const { links } = await stub.status(2)
    expect(links.find((link) => link.id === id)).toMatchObject({ server_up: null })
  })
})

it('hubs.md, Links · those of one member are answered without the others', async () => {
  const network = await createHubNetwork(2)
  const namesOf = async (name: string) =>
    (await networkStub(network).routerLinks(1, name)).links.map(({ router_name }) => router_name)
  const [a, b] = network.points.map(({ name }) => name)
  expect(await namesOf(a!)).toEqual([a])
  expect(await namesOf(network.center.name)).toEqual([a, b])
  expect(await namesOf('NL-NONE')).toEqual([])
})
