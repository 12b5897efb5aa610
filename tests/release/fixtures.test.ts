import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { networkApi } from '#contract/network/index.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { HUB_HEADER } from '#contract/kernel/hubs.ts'
import {
  type AgentFrame,
  type HubFrame,
  type LinkReport,
  agentFrame,
  viewerFrame,
  viewerRequest,
} from '#contract/kernel/protocol.ts'
import { readFrame } from '#infra/agent/hub/frames.ts'
import { openConsole } from '#infra/bench/account.ts'
import { opened } from '#infra/bench/live-clients.ts'
import { until } from '#infra/bench/stack.ts'
import { readState } from './fixtures.ts'
import { type Product, startProduct } from './product.ts'
import { buildCheckout } from './releases.ts'
import { shownAway, watch } from './scene.ts'
import type { DrillState, RecordedCall, StoredHub } from './state.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

const earlier = readState(Date.now())
const kindOf = (frame: unknown) => {
  const { t, type } = frame as { t?: string; type?: string }
  return t ?? type ?? ''
}

describe('deploy.md, Each release · frames of the release before are read today', () => {
  const received = earlier.received.map((frame) => ({ frame, kind: kindOf(frame) }))
  const sent = earlier.sent.map((frame) => ({ frame, kind: kindOf(frame) }))
  const isOfDevice = ({ frame }: { frame: unknown }) => 't' in (frame as object)

  it.each(received.filter(isOfDevice))('$kind of a device', ({ frame }) => {
    expect(agentFrame.parse(frame)).toMatchObject(frame as object)
  })
  it.each(received.filter((one) => !isOfDevice(one)))('$kind of a console', ({ frame }) => {
    expect(viewerRequest.parse(frame)).toEqual(frame)
  })
  it.each(sent.filter(isOfDevice))('$kind to a device', ({ frame }) => {
    expect(readFrame(JSON.stringify(frame))).toMatchObject(frame as object)
  })
  it.each(sent.filter((one) => !isOfDevice(one)))('$kind to a console', ({ frame }) => {
    expect(viewerFrame.parse(frame)).toEqual(frame)
  })
})

describe('deploy.md, Each release · what the release before has stored', () => {
  let product: Product
  beforeAll(async () => {
    const today = await buildCheckout()
    product = await startProduct({ before: today, after: today }, 9430)
    await product.fill(earlier)
  })
  afterAll(() => product.stop())

  const username = String(earlier.rows['accounts']?.[0]?.['username'])
  const network_number = String(earlier.rows['networks']?.[0]?.['number'])
  const routers = earlier.hubs.filter(({ hubClass }) => hubClass === 'RouterHub').map(toRouter)
  const kept = routers.filter(({ isConnected }) => isConnected)
  const left = routers.filter(({ isConnected }) => !isConnected).map(({ name }) => name)
  const console = () => openConsole(product, username)

  it('runs on: devices come back without a push, and consoles are shown nothing else', async () => {
    const watcher = await watch(product, username, { kind: 'network', network_number })
    const devices = await Promise.all(kept.map((router) => connect(product, router)))
    for (const { hub: name } of kept) await product.call({ hubClass: 'RouterHub', name, method: 'refresh', args: [] })
    const compiled = (await product.state()).hubs.filter(({ hubClass }) => hubClass === 'RouterHub').map(toRouter)
    expect(compiled.map(({ name, desired }) => ({ name, desired }))).toEqual(
      expect.arrayContaining(kept.map(({ name, desired }) => ({ name, desired }))),
    )
    for (const [i, { frames }] of devices.entries()) {
      expect(frames.find(({ t }) => t === 'welcome')).toMatchObject({ desired: kept[i]?.desired })
      expect(frames.filter(({ t }) => t === 'config' || t === 'command')).toEqual([])
    }
    const view = async () => console()(networkApi.status, { network_number })
    await until(async () => (await view()).link.some(({ state }) => state === 'up'), 20_000)
    const { members } = await view()
    expect(members.map(({ router_name, presence: { state } }) => `${router_name} ${state}`).toSorted()).toEqual(
      [...kept.map(({ name }) => `${name} online`), ...left.map((name) => `${name} offline`)].toSorted(),
    )
    expect(watcher.faults).toEqual([])
    expect(shownAway(watcher, left)).toEqual([])
    const { rows } = await product.state()
    expect(rows['connection_logs']).toHaveLength(earlier.rows['connection_logs']?.length ?? 0)
    watcher.close()
    for (const { socket } of devices) socket.close()
  })

  it('has the alert that is open, sent once', async () => {
    const call = console()
    const alerts = await call(monitorApi.alerts, { page: 1, limit: 10 })
    expect(alerts.map(({ rule, router_name, end_time }) => [rule, router_name, end_time])).toEqual([
      ['router_offline', left[0], null],
    ])
    const deliveries = await call(monitorApi.deliveries, { page: 1, limit: 10 })
    expect(deliveries.map(({ channel, state }) => `${channel} ${state}`).toSorted()).toEqual(['mail sent', 'site sent'])
  })

  const calls = earlier.calls.filter(({ method }) => method !== 'connect')
  it.each(calls.map((call) => ({ call, title: `${call.hubClass}.${call.method}` })))(
    'is answered as before: $title',
    async ({ call }) => {
      const answer = await product.call(call)
      expect(missingIn(answer, call.result)).toEqual([])
    },
  )

  it('is no fault to anybody', () => expect(product.faults()).toEqual([]))
})

interface StoredRouter {
  readonly hub: string
  readonly name: string
  readonly desired: { readonly version: number; readonly hash: string }
  readonly isConnected: boolean
  readonly links: readonly LinkReport[]
}

function toRouter({ name: hub, kv }: StoredHub): StoredRouter {
  const {
    router,
    config,
    presence,
    links = {},
  } = kv as {
    router: { routerName: string }
    config: { version: number; hash: string }
    presence: { connected: boolean }
    links?: Readonly<Record<string, Omit<LinkReport, 'id'>>>
  }
  const { version, hash } = config
  return {
    hub,
    name: router.routerName,
    desired: { version, hash },
    isConnected: presence.connected,
    links: Object.entries(links).map(([id, report]) => ({ id, ...report })),
  }
}

/** A device of the release before, which comes as that has let it in, and says what it said then. */
async function connect(product: Product, { hub, name, desired, links }: StoredRouter) {
  const upgrade = earlier.calls.find(
    ({ name: of, method, args }) => of === hub && method === 'connect' && String(args[0]).startsWith(HUB_HEADER.device),
  ) as RecordedCall
  const identity = (upgrade.args as [string, object][]).map(([header, value]) => [header, withToken(value)] as const)
  const socket = new WebSocket(product.upgradeUrl({ hubClass: 'RouterHub', name: hub, identity }))
  const frames: HubFrame[] = []
  socket.on('message', (data) => frames.push(JSON.parse(String(data)) as HubFrame))
  await opened(socket)
  const said = earlier.received as AgentFrame[]
  const hello = said.find((frame) => frame.t === 'hello' && frame.serial === name)
  socket.send(JSON.stringify({ ...hello, applied: desired }))
  await until(() => frames.some(({ t }) => t === 'welcome'), 20_000)
  socket.send(JSON.stringify({ t: 'links', links }))
  return { socket, frames }
}

/** Tokens are good for one connection. */
const withToken = (value: object): object =>
  JSON.parse(JSON.stringify(value).replace(/("tokenId":)"[^"]*"/, `$1"${randomBytes(8).toString('hex')}"`)) as object

/** Fields of an answer of the release before that today's has not, or has as another type. */
function missingIn(answer: unknown, before: unknown, path = ''): string[] {
  if (before === null || before === undefined || answer === null) return []
  if (Array.isArray(before))
    return Array.isArray(answer) ? (answer.length > 0 ? missingIn(answer[0], before[0], `${path}[]`) : []) : [path]
  if (typeof before !== 'object') return typeof answer === typeof before ? [] : [path]
  if (typeof answer !== 'object') return [path]
  return Object.entries(before).flatMap(([key, value]) =>
    key in answer ? missingIn((answer as DrillState['rows'])[key], value, `${path}.${key}`) : [`${path}.${key}`],
  )
}
