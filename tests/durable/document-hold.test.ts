import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, it, vi } from 'vitest'
import { VPN } from '#contract/device/limits.ts'
import { CONFIG_PUSH } from '#contract/kernel/hub-limits.ts'
import { networkSettings, networks } from '#db/schema/networks.ts'
import { DEVICE_SETTING_KEYS } from '#domain/network/compile/device-settings.ts'
import { NetworkHub } from '#durable/network-hub/network-hub.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  type TestNetwork,
  type TestRouter,
  connectOnlineDevice,
  createHubNetwork,
  createHubRouter,
  goOffline,
  isFrame,
  join,
  later,
  networkStub,
  readNow,
  routerStub,
  until,
} from './support.ts'

/* Hold of a point's document with new tunnels until its centres run theirs. */

afterEach(() => {
  vi.restoreAllMocks()
})

const configs = (device: DeviceSocket) => device.frames.filter(isFrame('config'))
const stateOf = async (router: TestRouter) => (await routerStub(router).traffic()).config.state

const answered = new WeakMap<DeviceSocket, number>()

/** Answers the newest document once, as a device that has loaded it. */
function applyNewest(device: DeviceSocket): void {
  const newest = configs(device).at(-1)
  if (newest === undefined || answered.get(device) === newest.version) return
  answered.set(device, newest.version)
  device.send({ t: 'config_result', version: newest.version, hash: newest.hash, state: 'applied' })
}

async function settle(router: TestRouter, device: DeviceSocket): Promise<void> {
  await until(async () => {
    applyNewest(device)
    return (await stateOf(router)) === 'applied' ? true : undefined
  }, 20_000)
}

/** Two centres and a point, all online, that run what the rows say. */
async function createRunning(capabilities: string[] = [VPN.capability, ...DEVICE_SETTING_KEYS]) {
  const network = await createHubNetwork(1)
  const [center, point] = [network.center, network.points[0]!]
  const other = await createHubRouter(network)
  await join(network, other, 'center')
  const routers = [center, other, point]
  await readNow(networkStub(network))
  for (const router of routers) await readNow(routerStub(router))
  const devices: DeviceSocket[] = []
  for (const router of routers) devices.push(await connectOnlineDevice(router, { capabilities }))
  const [atCenter, atOther, atPoint] = devices as [DeviceSocket, DeviceSocket, DeviceSocket]
  const readAll = async () => {
    for (const router of routers) await readNow(routerStub(router))
    for (const [at, router] of routers.entries()) await settle(router, devices[at]!)
  }
  await readAll()
  await scheduler.wait(1_500) // refreshes of peers, which follow each other by a second
  await readAll()
  await scheduler.wait(1_100) // two pushes are a second apart
  return { network, center, other, point, atCenter, atOther, atPoint }
}

/** Another cipher: all tunnels restart, at both ends. */
const changeCiphers = ({ id }: TestNetwork) =>
  db
    .update(networks)
    .set({ ciphers: 'sm', revision: sql`revision + 1` })
    .where(eq(networks.id, id))

it('infra/docs/hubs.md · a document with restarted tunnels follows those of both centres, within the hold', async () => {
  const { network, center, other, point, atCenter, atOther, atPoint } = await createRunning()
  const asked = vi.spyOn(NetworkHub.prototype, 'centersApplied')
  const seen = configs(atPoint).length
  await changeCiphers(network)
  const start = performance.now()
  for (const router of [point, center, other]) await readNow(routerStub(router))
  await until(() => (configs(atCenter).at(-1)?.body.networks[0]?.ciphers === 'sm' ? true : undefined))
  expect(await stateOf(point)).toBe('pushing')
  applyNewest(atCenter)
  await until(async () => ((await stateOf(center)) === 'applied' ? true : undefined))
  expect(configs(atPoint)).toHaveLength(seen)
  applyNewest(atOther)
  await until(() => (configs(atPoint).length > seen ? true : undefined))
  expect(performance.now() - start).toBeLessThan(CONFIG_PUSH.holdMs)
  expect(configs(atPoint).at(-1)?.body.networks[0]?.ciphers).toBe('sm')
  expect(asked).toHaveBeenCalledTimes(1)
})

it('infra/docs/hubs.md · other changes go at once, and ask no network', async () => {
  const { network, point, atPoint } = await createRunning()
  const asked = vi.spyOn(NetworkHub.prototype, 'centersApplied')
  const seen = configs(atPoint).length
  await db.insert(networkSettings).values({
    accountId: network.accountId,
    networkId: network.id,
    setting: 'dns',
    value: '["10.0.0.53"]',
    revision: 1,
    updatedAt: Date.now(),
  })
  await db
    .update(networks)
    .set({ revision: sql`revision + 1` })
    .where(eq(networks.id, network.id))
  await readNow(routerStub(point))
  await until(() => (configs(atPoint).length > seen ? true : undefined), 500)
  expect(asked).not.toHaveBeenCalled()
})

it('infra/docs/hubs.md · a centre that is away is not waited for', async () => {
  const { network, center, other, point, atCenter, atOther, atPoint } = await createRunning()
  await goOffline(other, atOther)
  vi.useRealTimers()
  await until(async () => {
    const { members } = await networkStub(network).status(0)
    return members.find((m) => m.router_name === other.name)?.presence.state === 'offline' ? true : undefined
  })
  const seen = configs(atPoint).length
  await changeCiphers(network)
  for (const router of [point, center]) await readNow(routerStub(router))
  await until(() => (configs(atCenter).at(-1)?.body.networks[0]?.ciphers === 'sm' ? true : undefined))
  applyNewest(atCenter)
  await until(() => (configs(atPoint).length > seen ? true : undefined), 2_500)
  expect(configs(atPoint).at(-1)?.body.networks[0]?.ciphers).toBe('sm')
})

it('infra/docs/hubs.md · a hold ends after its time, also over an eviction of the point’s hub and without its network’s', async () => {
  const { network, point, atPoint } = await createRunning()
  vi.spyOn(NetworkHub.prototype, 'centersApplied').mockRejectedValue(new Error('gone'))
  const seen = configs(atPoint).length
  await changeCiphers(network)
  await readNow(routerStub(point))
  expect(await stateOf(point)).toBe('pushing')
  expect(configs(atPoint)).toHaveLength(seen)
  await evictDurableObject(routerStub(point))
  later(CONFIG_PUSH.holdMs)
  await runDurableObjectAlarm(routerStub(point))
  await until(() => (configs(atPoint).length > seen ? true : undefined), 5_000)
  expect(configs(atPoint).at(-1)?.body.networks[0]?.ciphers).toBe('sm')
})

it('infra/docs/hubs.md · a network without tunnels is asked nothing, whatever changes', async () => {
  const asked = vi.spyOn(NetworkHub.prototype, 'centersApplied')
  const { network, point, atPoint } = await createRunning([...DEVICE_SETTING_KEYS])
  const seen = configs(atPoint).length
  await changeCiphers(network)
  await readNow(routerStub(point))
  await until(() => (configs(atPoint).length > seen ? true : undefined), 500)
  expect(asked).not.toHaveBeenCalled()
})
