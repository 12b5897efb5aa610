import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#contract/device/limits.ts'
import { type AgentFrame, type Hello, type HubFrame, RETURN_TICKET_HEADER } from '#contract/kernel/protocol.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { createHubs } from '#durable/hubs.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'
import { stopClock } from './clock.ts'
import { claim, createFactoryDevice, createToken, enrol } from './factory-device.ts'
import {
  type DeviceSocket,
  type TestRouter,
  TestSocket,
  connectDevice,
  connectOnlineDevice,
  createHello,
  createHubNetwork,
  isFrame,
  later,
  readNow,
  routerStub,
  until,
} from './support.ts'

const A = '198.51.100.1'
const B = '198.51.100.2'
const MINUTE = 60_000

/** The centre connects from an address, and has said hello. */
async function connectFrom(center: TestRouter, remoteHost: string, over: Partial<Hello> = {}) {
  const line = await connectDevice(center, { remoteHost })
  line.send(createHello(center, { probe_port: 4500, ...over }))
  await line.next(isFrame('welcome'))
  return line
}

const rowOf = async ({ routerId }: TestRouter) =>
  (await db.select().from(routerStates).where(eq(routerStates.routerId, routerId)))[0]

/** The hub has saved the hello. */
const saved = (router: TestRouter) => until(async () => ((await rowOf(router))?.probePort === 4500 ? true : undefined))

/** A frame after some time, so that the device counts as connected, and then the alarm. */
async function pass(line: DeviceSocket, center: TestRouter, ms: number): Promise<void> {
  later(ms)
  line.send({ t: 'links', links: [] })
  await runInDurableObject(routerStub(center), () => {})
  await runDurableObjectAlarm(routerStub(center))
}

const storedEndpoints = async (router: TestRouter): Promise<unknown> =>
  JSON.parse((await rowOf(router))?.endpoints ?? 'null') as unknown

const chosen = ({ routerId }: TestRouter, hosts: readonly string[]) =>
  db
    .update(routers)
    .set({ endpoints: JSON.stringify(hosts) })
    .where(eq(routers.id, routerId))

describe('hubs.md, Endpoints · a centre', () => {
  it('that comes 50 times from two addresses in turn pushes nothing, and one that stays moves after ten minutes', async () => {
    const { center, points } = await createHubNetwork()
    const [shop] = points as [TestRouter]
    await connectFrom(center, A)
    await saved(center)
    const point = await connectOnlineDevice(shop)
    const targetsOf = (frame: Parameters<ReturnType<typeof isFrame<'config'>>>[0]) =>
      frame.t === 'config' ? frame.body.networks[0]?.links[0]?.endpoint?.host : undefined
    await point.next((frame) => targetsOf(frame) === A)
    const refreshes = async () => (await db.select().from(hubOutbox)).filter(({ hub }) => hub === shop.hub)
    await until(async () => ((await refreshes()).length === 0 ? true : undefined))
    const versionOf = async () => (await routerStub(shop).traffic()).config.version
    const version = await versionOf()
    stopClock()
    for (let n = 1; n <= 50; n++) {
      later(5 * MINUTE)
      await connectFrom(center, n % 2 === 0 ? A : B)
      if (n % 10 === 0) await runDurableObjectAlarm(routerStub(center)) // it waits for saves, which take a second each
    }
    expect(await refreshes()).toEqual([])
    expect(await storedEndpoints(center)).toEqual({ flag: [], reported: [], seen: [A] })
    later(5 * MINUTE)
    const line = await connectFrom(center, B)
    await pass(line, center, ENDPOINTS.steadyMs - 1)
    expect(await versionOf()).toBe(version)
    await pass(line, center, 1)
    await until(async () => ((await versionOf()) > version ? true : undefined))
    expect(await storedEndpoints(center)).toEqual({ flag: [], reported: [], seen: [B] })
  })

  it('behind a relay keeps the addresses that it was seen at', async () => {
    const { center } = await createHubNetwork()
    await connectFrom(center, A)
    await connectFrom(center, '', { endpoints: ['vpn.example.com'] })
    // the account's hub saves a greeting up to a second after the connection
    await until(async () => ((await rowOf(center))?.endpoints?.includes('vpn.example.com') ? true : undefined))
    expect((await rowOf(center))?.remoteHost).toBe('')
    expect(await storedEndpoints(center)).toEqual({ flag: ['vpn.example.com'], reported: [], seen: [A] })
  })

  it('gives names only to a device that looks them up, also once it has learned it', async () => {
    const { center, points } = await createHubNetwork()
    const [shop] = points as [TestRouter]
    await connectFrom(center, A)
    await saved(center)
    await chosen(center, ['vpn.example.com', '198.51.100.9'])
    await readNow(routerStub(shop))
    const old = await connectOnlineDevice(shop)
    const before = await old.next((frame) => frame.t === 'config' && frame.body.networks.length > 0)
    const hostsOf = (frame: typeof before) =>
      frame.t === 'config' ? frame.body.networks[0]?.links[0]?.endpoints?.map(({ host }) => host) : undefined
    expect(hostsOf(before)).toEqual(['198.51.100.9', A])
    const line = await connectOnlineDevice(shop, { capabilities: [ENDPOINTS.namesCapability] })
    const after = await line.next((frame) => hostsOf(frame)?.length === 3)
    expect(hostsOf(after)).toEqual(['vpn.example.com', '198.51.100.9', A])
  })
})

describe('hubs.md, Endpoints · a device behind a relay', () => {
  const RELAY = '198.51.100.200'
  const { request } = createTestWorker({
    hubs: (requestId) => createHubs(env, requestId),
    env: { DEVICE_RELAYS: `${RELAY},203.0.113.0/24` },
  })

  it('has no address in its hub, by the database and by its return ticket; without the relay it has one', async () => {
    const device = await createFactoryDevice()
    await enrol(device)
    const row = await claim(device, await createMainAccount())
    const seenFrom = async (ip: string, more: Readonly<Record<string, string>> = {}) => {
      const authorization = `Bearer ${await createToken(device)}`
      const headers = { 'cf-connecting-ip': ip, upgrade: 'websocket', authorization, ...more }
      const { webSocket } = await request('/device/v1/connect', { headers })
      const line = new TestSocket<HubFrame, AgentFrame>(webSocket!)
      line.send(createHello({ name: device.serial }))
      const { ticket } = await line.next(isFrame('welcome'))
      const seen = await runInDurableObject(routerStub(row), (hub) => hub['state'].device?.remoteHost)
      return { seen, ticket }
    }
    const first = await seenFrom('8.8.8.8')
    expect(first.seen).toBe('8.8.8.8')
    expect((await seenFrom(RELAY)).seen).toBe('')
    expect((await seenFrom('8.8.8.9')).seen).toBe('8.8.8.9')
    expect((await seenFrom('203.0.113.77', { [RETURN_TICKET_HEADER]: first.ticket! })).seen).toBe('')
  })
})
