import { env, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, vi } from 'vitest'
import { randomHex } from '#security/secrets.ts'
import { type Caller, createMainAccount, unique } from '#tests/support/fixtures.ts'
import { insertDevice, insertMember, insertNetwork, insertRouter } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import { sessions } from '#db/schema/accounts.ts'
import { routerStates, connectionLogs } from '#db/schema/routers.ts'
import { type DeviceIdentity, HUB_HEADER, type HealthAnswer, type HubName, type Viewer } from '#contract/kernel/hubs.ts'
import type { AgentFrame, Hello, HubFrame, ViewerFrame } from '#contract/kernel/protocol.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { keyFingerprint } from '#security/device-secrets.ts'

export interface TestAccount {
  readonly accountId: number
  readonly accountHub: HubName
}

export interface TestRouter extends TestAccount {
  readonly routerId: number
  readonly deviceId: number
  readonly hub: HubName
  readonly name: string
}

export const routerStub = ({ hub }: Pick<TestRouter, 'hub'>) => env.ROUTER_HUB.getByName(hub)
export const networkStub = ({ hub }: Pick<TestNetwork, 'hub'>) => env.NETWORK_HUB.getByName(hub)
/** The read of a `refresh` without its throttle, so that a test need not wait for the end of the second. */
export const readNow = (stub: ReturnType<typeof routerStub | typeof networkStub>): Promise<void> =>
  runInDurableObject(stub as ReturnType<typeof routerStub>, (hub) => hub['reading'].readNow())

/** Its row in the lists; undefined before its device was seen. */
/** A hub that still waits, as with a flush, is evicted when that is over: a sequence goes on meanwhile. */
export const evictSoon = (stub: DurableObjectStub): Promise<void> =>
  Promise.race([evictDurableObject(stub).catch(() => {}), scheduler.wait(EVICTION_MS)])
const EVICTION_MS = 200

export async function selectState({ routerId }: TestRouter) {
  const [row] = await db.select().from(routerStates).where(eq(routerStates.routerId, routerId))
  return row
}
/** Its connection log, oldest first. */
const selectLogLines = ({ name }: TestRouter) =>
  db
    .select({ epoch: connectionLogs.epoch, online: connectionLogs.online, reason: connectionLogs.reason })
    .from(connectionLogs)
    .where(eq(connectionLogs.routerName, name))
    .orderBy(connectionLogs.id)

/** For each test a claimed device in an account of its own; `router` is always that of the test that runs. */
export function useRouter() {
  const router = {} as TestRouter
  beforeEach(async () => {
    Object.assign(router, await createHubRouter(await createAccount()))
  })
  const stub = () => routerStub(router)
  return {
    router,
    stub,
    presence: async () => (await stub().traffic()).presence,
    storedState: () => selectState(router),
    logLines: () => selectLogLines(router),
  }
}

export const accountStub = ({ accountHub }: TestAccount) => env.ACCOUNT_HUB.getByName(accountHub)

export async function createAccount(): Promise<TestAccount & { main: Caller }> {
  const main = await createMainAccount()
  return { accountId: main.accountId, accountHub: main.hub, main }
}

/** Value of a device's public key column in tests. */
const PUBLIC_KEY = '{}'

export async function createHubRouter({ accountId, accountHub }: TestAccount): Promise<TestRouter> {
  const { id: deviceId, serial } = await insertDevice({ publicKey: PUBLIC_KEY })
  return claim({ accountId, accountHub }, { deviceId, name: serial })
}

/** A router row for a device, as `router/add` makes it. */
export async function claim(
  { accountId, accountHub }: TestAccount,
  { deviceId, name }: Pick<TestRouter, 'deviceId' | 'name'>,
): Promise<TestRouter> {
  const { id: routerId, hub } = await insertRouter({ accountId, name, deviceId })
  return { accountId, accountHub, routerId, deviceId, hub, name }
}

export interface TestNetwork extends TestAccount {
  readonly id: number
  readonly number: string
  readonly hub: HubName
  readonly center: TestRouter
  readonly points: readonly TestRouter[]
}

/** An account of its own with one centre and some points. */
export async function createHubNetwork(points = 1): Promise<TestNetwork & { main: Caller }> {
  const { main, ...account } = await createAccount()
  const center = await createHubRouter(account)
  const others: TestRouter[] = []
  for (let i = 0; i < points; i++) others.push(await createHubRouter(account))
  const row = await insertNetwork({ accountId: account.accountId })
  const network = { ...account, ...row, center, points: others, main }
  await join(network, center, 'center')
  for (const point of others) await join(network, point, 'point')
  return network
}

export const watchNetwork = (network: TestNetwork): Promise<ViewerSocket> =>
  connectViewer(networkStub(network), createViewer(network))

export const join = (
  { id: networkId, accountId }: Pick<TestNetwork, 'id' | 'accountId'>,
  { routerId }: TestRouter,
  memberType: 'center' | 'point',
): Promise<void> => insertMember({ accountId, networkId, routerId, memberType })

/** One end of a live socket: frames received so far, and waiting for others. */
export class TestSocket<In, Out> {
  readonly frames: In[] = []
  closed: { code: number; reason: string } | null = null
  readonly socket: WebSocket

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.accept()
    socket.addEventListener('message', ({ data }) => {
      if (data !== 'pong') this.frames.push(JSON.parse(String(data)) as In)
    })
    socket.addEventListener('close', ({ code, reason }) => {
      this.closed = { code, reason }
    })
  }

  send(frame: Out): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  /** Waits for a frame that matches, including those received before. */
  async next<T extends In>(is: (frame: In) => frame is T, after?: number): Promise<T>
  async next(is: (frame: In) => boolean, after?: number): Promise<In>
  async next(is: (frame: In) => boolean, after = 0): Promise<In> {
    return until(() => this.frames.slice(after).find(is))
  }

  async end(): Promise<{ code: number; reason: string }> {
    return until(() => this.closed ?? undefined)
  }
}

export async function until<T>(poll: () => T | undefined | Promise<T | undefined>, withinMs = 60_000): Promise<T> {
  for (const start = performance.now(); performance.now() - start < withinMs;) {
    const found = await poll()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 10))
  }
  throw new Error('it did not happen in time')
}

/** Until the test ends no timer of this length or longer fires: what happens meanwhile waits for an event. */
export function stopLongTimers(fromMs: number): void {
  const original = globalThis.setTimeout
  const start = (run: () => void, ms = 0) => (ms >= fromMs ? 0 : original(run, ms))
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(start as unknown as typeof setTimeout)
}

export type DeviceSocket = TestSocket<HubFrame, AgentFrame | string>
export type ViewerSocket = TestSocket<ViewerFrame, unknown>

async function opened(
  stub: { fetch(request: Request): Promise<Response> },
  header: string,
  pass: unknown,
): Promise<WebSocket> {
  const response = await stub.fetch(
    new Request('https://hub/', {
      headers: { upgrade: 'websocket', [header]: encodeURIComponent(JSON.stringify(pass)) },
    }),
  )
  if (!response.webSocket) throw new Error(`no socket: ${response.status}`)
  return response.webSocket
}

export function createIdentity(router: TestRouter, over: Partial<DeviceIdentity> = {}): DeviceIdentity {
  const { accountId, deviceId, name } = router
  return {
    accountId,
    deviceId,
    keyFingerprint: keyFingerprint(PUBLIC_KEY),
    routerName: name,
    serial: name,
    remoteHost: '203.0.113.7',
    remotePort: 0,
    tokenId: randomHex(8),
    ...over,
  }
}

export async function connectDevice(router: TestRouter, over: Partial<DeviceIdentity> = {}): Promise<DeviceSocket> {
  return new TestSocket(await opened(routerStub(router), HUB_HEADER.device, createIdentity(router, over)))
}

export function createHello(router: Pick<TestRouter, 'name'>, over: Partial<Hello> = {}): Hello {
  return {
    t: 'hello',
    protocol: 1,
    serial: router.name,
    boot_id: 'boot-1',
    agent_version: '1.0.0',
    model: 'N1',
    mac: '02:00:00:00:00:01',
    capabilities: [],
    applied: null,
    interfaces: [],
    probe_port: 0,
    ...over,
  }
}

/** A device that is connected and welcomed. */
export async function connectOnlineDevice(router: TestRouter, over: Partial<Hello> = {}): Promise<DeviceSocket> {
  const device = await connectDevice(router)
  device.send(createHello(router, over))
  await device.next((frame) => frame.t === 'welcome')
  return device
}

export const isFrame =
  <T extends HubFrame['t']>(t: T) =>
  (frame: HubFrame): frame is Extract<HubFrame, { t: T }> =>
    frame.t === t

export const isShown =
  <T extends ViewerFrame['type']>(type: T) =>
  (frame: ViewerFrame): frame is Extract<ViewerFrame, { type: T }> =>
    frame.type === type

export function createViewer({ accountId, accountHub }: TestAccount, over: Partial<Viewer> = {}): Viewer {
  return {
    accountId,
    accountHub,
    sessionId: randomHex(8),
    ticketId: randomHex(8),
    person: `main:${accountId}`,
    grants: { kind: 'main', flags: PERMISSIONS, networks: null },
    isLegacy: false,
    ...over,
  }
}

/** The session row behind a viewer; the account's hub closes viewers that have none. */
export async function openSession({ sessionId, accountId }: Pick<Viewer, 'sessionId' | 'accountId'>): Promise<void> {
  const now = Date.now()
  const times = { createdAt: now, rotatedAt: now, expiresAt: now + 3_600_000 }
  await db
    .insert(sessions)
    .values({ id: sessionId, accountId, refreshHash: unique('r'), ip: '', userAgent: '', ...times })
    .onConflictDoNothing()
}

export async function connectViewer(
  stub: { fetch(request: Request): Promise<Response> },
  viewer: Viewer,
): Promise<ViewerSocket> {
  await openSession(viewer)
  return new TestSocket(await opened(stub, HUB_HEADER.viewer, viewer))
}

/** Moves the clock of the Worker and its hubs forward, until the test ends. */
export const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })

export const counters = (at: number, rx: number, tx: number, bootId = 'boot-1'): AgentFrame => ({
  t: 'counters',
  boot_id: bootId,
  at,
  applied: null,
  interfaces: { eth0: { rx, tx } },
})

export const askHealth = (account: TestAccount, question: Parameters<ReturnType<typeof accountStub>['health']>[0]) =>
  accountStub(account).health(question) as Promise<HealthAnswer>

/** A close, and the decision after the grace. */
export async function goOffline(router: TestRouter, device: DeviceSocket): Promise<void> {
  device.socket.close(1000, 'bye')
  await until(async () => ((await routerStub(router).traffic()).presence.state === 'online' ? undefined : true))
  later(16_000)
  await runDurableObjectAlarm(routerStub(router))
}
