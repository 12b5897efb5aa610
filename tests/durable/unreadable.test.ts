import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { SILENT_HUB } from '#contract/kernel/hub-limits.ts'
import { routerApi } from '#contract/router/index.ts'
import { UNREADABLE_REASON } from '#contract/kernel/states.ts'
import { RouterHub } from '#durable/router-hub/router-hub.ts'
import {
  type DeviceSocket,
  type TestNetwork,
  type TestRouter,
  type ViewerSocket,
  accountStub,
  askHealth,
  connectOnlineDevice,
  connectViewer,
  counters,
  createHubNetwork,
  createViewer,
  isShown,
  later,
  networkStub,
  routerStub,
  selectState,
  until,
  watchNetwork,
} from './support.ts'
import { stopClock } from './clock.ts'
import { useMonitoredNetwork } from './monitored-network.ts'

const SILENT = new Error('internal error')

/** From now on the hub of this router answers no check; until the returned function is called. */
function silence({ hub }: TestRouter, error: Error = SILENT): () => void {
  const check = RouterHub.prototype.checkLease
  const spy = vi.spyOn(RouterHub.prototype, 'checkLease').mockImplementation(async function (this: RouterHub, ...args) {
    if (this['hub'] === hub) throw error
    return check.apply(this, args)
  })
  return () => spy.mockRestore()
}

const isOnline = (router: TestRouter) =>
  until(async () => ((await selectState(router))?.presence === 'online' ? true : undefined))
const alarm = (account: Pick<TestNetwork, 'accountHub'>) => runDurableObjectAlarm(accountStub(account as TestNetwork))
const isMarked = async (router: TestRouter) => ((await selectState(router))?.unreadableSince ?? null) !== null
const memberOf = async (network: TestNetwork, { name }: TestRouter) =>
  (await networkStub(network).status(1)).members.find((member) => member.router_name === name)?.presence

/** Alarms of the account's hub every half minute, while these devices and consoles go on sending. */
async function passChecks(
  network: TestNetwork,
  checks: number,
  devices: readonly (readonly [TestRouter, DeviceSocket])[] = [],
  consoles: readonly ViewerSocket[] = [],
): Promise<void> {
  for (let n = 0; n < checks; n++) {
    later(SILENT_HUB.everyMs)
    const now = Date.now()
    for (const [router, device] of devices) {
      device.send(counters(now, 0, 0))
      await until(() => runInDurableObject(routerStub(router), (hub) => hub['device']['frameAt'] === now || undefined))
    }
    for (const viewer of consoles) viewer.send({ type: 'ack', seq: 0 })
    await until(() => runInDurableObject(accountStub(network), (hub) => isHeard(hub['viewers'].sockets()) || undefined))
    await alarm(network)
  }
}

const isHeard = (sockets: readonly WebSocket[]): boolean =>
  sockets.every(
    (socket) => (socket.deserializeAttachment() as { lastReceivedAt: number }).lastReceivedAt === Date.now(),
  )

async function openNetwork() {
  stopClock()
  const network = await createHubNetwork(1)
  const [point] = network.points as [TestRouter]
  const center = await connectOnlineDevice(network.center)
  const device = await connectOnlineDevice(point)
  for (const router of [network.center, point]) await isOnline(router)
  await networkStub(network).status(1)
  const console = await connectViewer(accountStub(network), createViewer(network))
  await console.next(isShown('account'))
  const all = [[network.center, center] as const, [point, device] as const]
  const pass = (checks: number, devices: typeof all = all) => passChecks(network, checks, devices, [console])
  return { network, point, device, console, pass, others: [all[0]!] }
}

describe('hubs.md, Silent hubs · a router whose hub does not answer', () => {
  it('is 未知 after three failed checks over 75 s, in rows, network and consoles alike; no other router is', async () => {
    const { network, point, console, pass } = await openNetwork()
    const viewer = await watchNetwork(network)
    silence(point)
    await alarm(network)
    await pass(2)
    expect(await isMarked(point)).toBe(false) // three checks, a minute
    await pass(1)
    const row = await selectState(point)
    expect(row).toMatchObject({ presence: 'online', unreadableSince: Date.now() })
    expect(await isMarked(network.center)).toBe(false)
    const shown = { state: 'unreadable', since: row?.unreadableSince, reason: UNREADABLE_REASON }
    expect(await memberOf(network, point)).toMatchObject(shown)
    const routers = await console.next(isShown('routers'))
    expect(routers.data).toMatchObject([{ router_name: point.name, presence: shown }])
    const delta = await viewer.next(isShown('delta'))
    expect(delta.data.members).toMatchObject([{ router_name: point.name, presence: shown }])

    expect(await network.main.call(routerApi.lists, { state: 'unreadable' })).toMatchObject({
      count: 1,
      states: { unreadable: 1, online: 1, attention: 1 },
      data: [{ router_name: point.name, presence: shown }],
    })
    expect(await network.main.call(routerApi.quantity, {})).toMatchObject({
      data: { hardware_online: 1, hardware_states: { online: 1, unreadable: 1, attention: 1 } },
    })
    const { health } = await networkStub(network).status(1)
    expect(health).toMatchObject({ state: 'partial', cause: '1 个成员状态未知', members: { online: 1, unreadable: 1 } })
    const { transitions } = await askHealth(network, { networks: [], since: 0 })
    expect(transitions.find(({ routerHub }) => routerHub === point.hub)).toMatchObject({
      from: 'online',
      to: 'unreadable',
    })
  })

  it('is found by its network, too, when no console is open', async () => {
    stopClock()
    const network = await createHubNetwork(1)
    const [point] = network.points as [TestRouter]
    await connectOnlineDevice(point)
    await isOnline(point)
    await networkStub(network).status(1)
    silence(point)
    later(60_000)
    await networkStub(network).status(1)
    await until(() => runInDurableObject(accountStub(network), (hub) => hub['silent'].has(point.hub) || undefined))
    await passChecks(network, 3)
    expect((await memberOf(network, point))?.state).toBe('unreadable')
  })

  it('shows the state that it saves next, whatever came before', async () => {
    const { network, point, device, pass } = await openNetwork()
    const wake = silence(point)
    await alarm(network)
    await pass(3)
    expect((await memberOf(network, point))?.state).toBe('unreadable')
    wake()
    device.socket.close(1000, 'bye')
    await until(async () => ((await isMarked(point)) ? undefined : true))
    await until(async () => ((await memberOf(network, point))?.state === 'reconnecting' ? true : undefined))
  })

  it('that answers again is what it was, without a change of its own', async () => {
    const { network, point, console, pass } = await openNetwork()
    const wake = silence(point)
    await alarm(network)
    await pass(3)
    wake()
    await pass(2)
    await until(async () => ((await isMarked(point)) ? undefined : true))
    await until(async () => ((await memberOf(network, point))?.state === 'online' ? true : undefined))
    await console.next((frame) => frame.type === 'routers' && frame.data[0]?.presence.state === 'online')
    const { transitions } = await askHealth(network, { networks: [], since: 0 })
    const own = transitions.filter(({ routerHub }) => routerHub === point.hub).map(({ from, to }) => `${from} → ${to}`)
    expect(own.slice(0, 2)).toEqual(['unreadable → online', 'online → unreadable'])
  })

  it('is not made by a deploy, however many follow each other', async () => {
    const { network, point, pass } = await openNetwork()
    silence(point, new Error('Durable Object reset because its code was updated.'))
    await alarm(network)
    await pass(10)
    expect(await isMarked(point)).toBe(false)
  })

  it('that answers in between starts the count over', async () => {
    const { network, point, pass } = await openNetwork()
    for (let n = 0; n < 3; n++) {
      const wake = silence(point)
      await alarm(network)
      await pass(2)
      wake()
      await pass(1)
    }
    expect(await isMarked(point)).toBe(false)
  })

  it('that is away stays so: only what is called present can be unreadable', async () => {
    const { network, point, device, pass, others } = await openNetwork()
    silence(point)
    await alarm(network)
    device.socket.close(1000, 'bye')
    await until(async () => ((await selectState(point))?.presence === 'reconnecting' ? true : undefined))
    later(16_000)
    await runDurableObjectAlarm(routerStub(point))
    await until(async () => ((await selectState(point))?.presence === 'offline' ? true : undefined))
    await pass(5, others)
    expect(await isMarked(point)).toBe(false)
  })
})

describe('hubs.md, Silent hubs · alerts', () => {
  const { network, listAlerts, saveSettings } = useMonitoredNetwork(1)

  it('make no alert of a router that is unreadable, nor of its return', async () => {
    const device = await connectOnlineDevice(network.center)
    await isOnline(network.center)
    await saveSettings({ rules: JSON.stringify({ router_online: { on: true, delayMinutes: 0, severity: 'notice' } }) })
    const wake = silence(network.center)
    await alarm(network)
    await passChecks(network, 12, [[network.center, device]])
    expect(await isMarked(network.center)).toBe(true)
    wake()
    await passChecks(network, 3, [[network.center, device]])
    await until(async () => {
      const { transitions } = await askHealth(network, { networks: [], since: 0 })
      return transitions.some(({ from }) => from === 'unreadable') || undefined
    })
    await passChecks(network, 3, [[network.center, device]]) // an alert is gathered for a while before it opens
    expect((await listAlerts()).rows.map(({ rule }) => rule)).toEqual([])
  })
})
