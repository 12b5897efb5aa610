import { hubName } from '../../durable/hubs.ts'
import { env } from 'cloudflare:test'
import { randomHex } from '../../worker/security/secrets.ts'
import { type Caller, aMainAccount, db, unique } from '../support/world.ts'
import { devices, routers } from '../../worker/db/schema/members.ts'
import { networkMembers, networks } from '../../worker/db/schema/networks.ts'
import { type DeviceIdentity, HUB_HEADER, type Viewer } from '../../worker/contract/hubs.ts'
import type { AgentFrame, Hello, HubFrame, ViewerFrame } from '../../worker/contract/protocol.ts'
import { PERMISSIONS } from '../../worker/contract/permissions.ts'

export interface TestRouter {
  readonly accountId: number
  readonly routerId: number
  readonly name: string
}

export const routerStub = (routerId: number) => env.ROUTER_HUB.getByName(hubName('router', routerId))
export const networkStub = (networkId: number) => env.NETWORK_HUB.getByName(hubName('network', networkId))
export const accountStub = (accountId: number) => env.ACCOUNT_HUB.getByName(hubName('account', accountId))

export async function aRouter(main: Pick<Caller, 'accountId'>): Promise<TestRouter> {
  const serial = unique('NL-').toUpperCase()
  const [device] = await db
    .insert(devices)
    .values({ serial, model: 'N1', activationHash: randomHex(8), publicKey: '{}', createdAt: Date.now() })
    .returning({ id: devices.id })
  const [router] = await db
    .insert(routers)
    .values({ accountId: main.accountId, name: serial, routerType: 1, deviceId: device!.id, createdAt: Date.now() })
    .returning({ id: routers.id })
  return { accountId: main.accountId, routerId: router!.id, name: serial }
}

export interface TestNetwork {
  readonly id: number
  readonly number: string
  readonly accountId: number
  readonly center: TestRouter
  readonly points: readonly TestRouter[]
}

/** An account of its own with one centre and some points. */
export async function aNetwork(points = 1): Promise<TestNetwork & { main: Caller }> {
  const main = await aMainAccount()
  const center = await aRouter(main)
  const others: TestRouter[] = []
  for (let i = 0; i < points; i++) others.push(await aRouter(main))
  const { accountId } = main
  const number = unique('n')
  const [row] = await db
    .insert(networks)
    .values({ accountId, number, name: '测试组网', secret: randomHex(16), createdAt: Date.now() })
    .returning({ id: networks.id })
  const network = { id: row!.id, number, accountId, center, points: others, main }
  await join(network, center, 'center')
  for (const point of others) await join(network, point, 'point')
  return network
}

let host = 2
export async function join(
  network: Pick<TestNetwork, 'id' | 'accountId'>,
  router: TestRouter,
  memberType: 'center' | 'point',
): Promise<void> {
  await db.insert(networkMembers).values({
    accountId: network.accountId,
    networkId: network.id,
    routerId: router.routerId,
    memberType,
    segmentIndex: memberType === 'center' ? host % 500 : null,
    host: host++,
    joinedAt: Date.now(),
  })
}

/** One end of a live socket in a test: what came, and what is still to come. */
export class Line<In, Out> {
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

  /** Waits for a frame that matches, among those that came too. */
  async next<T extends In>(is: (frame: In) => frame is T, after?: number): Promise<T>
  async next(is: (frame: In) => boolean, after?: number): Promise<In>
  async next(is: (frame: In) => boolean, after = 0): Promise<In> {
    return until(() => this.frames.slice(after).find(is))
  }

  async end(): Promise<{ code: number; reason: string }> {
    return until(() => this.closed ?? undefined)
  }
}

export async function until<T>(look: () => T | undefined | Promise<T | undefined>, withinMs = 3_000): Promise<T> {
  for (const start = Date.now(); Date.now() - start < withinMs;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 10))
  }
  throw new Error('it did not happen in time')
}

export type DeviceLine = Line<HubFrame, AgentFrame | string>
export type ViewerLine = Line<ViewerFrame, unknown>

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

export function identityOf(router: TestRouter, over: Partial<DeviceIdentity> = {}): DeviceIdentity {
  const { accountId, routerId, name } = router
  return {
    accountId,
    routerId,
    routerName: name,
    serial: name,
    remoteHost: '203.0.113.7',
    remotePort: 0,
    tokenId: randomHex(8),
    ...over,
  }
}

export async function aDevice(router: TestRouter, over: Partial<DeviceIdentity> = {}): Promise<DeviceLine> {
  return new Line(await opened(routerStub(router.routerId), HUB_HEADER.device, identityOf(router, over)))
}

export function helloOf(router: TestRouter, over: Partial<Hello> = {}): Hello {
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
export async function anOnlineDevice(router: TestRouter, over: Partial<Hello> = {}): Promise<DeviceLine> {
  const line = await aDevice(router)
  line.send(helloOf(router, over))
  await line.next((frame) => frame.t === 'welcome')
  return line
}

export const isFrame =
  <T extends HubFrame['t']>(t: T) =>
  (frame: HubFrame): frame is Extract<HubFrame, { t: T }> =>
    frame.t === t

export const isShown =
  <T extends ViewerFrame['type']>(type: T) =>
  (frame: ViewerFrame): frame is Extract<ViewerFrame, { type: T }> =>
    frame.type === type

export function viewerOf(accountId: number, over: Partial<Viewer> = {}): Viewer {
  return {
    accountId,
    sessionId: randomHex(8),
    ticketId: randomHex(8),
    grants: { kind: 'main', flags: PERMISSIONS, networks: null },
    isPlain: false,
    ...over,
  }
}

export async function aViewer(
  stub: { fetch(request: Request): Promise<Response> },
  viewer: Viewer,
): Promise<ViewerLine> {
  return new Line(await opened(stub, HUB_HEADER.viewer, viewer))
}

export const counters = (at: number, rx: number, tx: number, bootId = 'boot-1'): AgentFrame => ({
  t: 'counters',
  boot_id: bootId,
  at,
  applied: null,
  interfaces: { eth0: { rx, tx } },
})
