import { env, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { and, eq } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { linkId } from '#domain/network/members/links.ts'
import { NETWORK_SEVERITY } from '#domain/health/severity.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type TestNetwork,
  connectOnlineDevice,
  createHubNetwork,
  createHubRouter,
  goOffline,
  join,
  networkStub,
  readNow,
  until,
} from './support.ts'

const severity = async ({ id }: TestNetwork) =>
  (await db.select({ severity: networks.severity }).from(networks).where(eq(networks.id, id)))[0]?.severity
const singles = async ({ id }: TestNetwork) =>
  (
    await db
      .select({ routerId: networkMembers.routerId })
      .from(networkMembers)
      .where(and(eq(networkMembers.networkId, id), eq(networkMembers.singleCenter, 1)))
  ).map(({ routerId }) => routerId)
const isStored = (network: TestNetwork, state: keyof typeof NETWORK_SEVERITY) =>
  until(async () => ((await severity(network)) === NETWORK_SEVERITY[state] ? true : undefined))
const isSingle = (network: TestNetwork, routerIds: readonly number[]) =>
  until(async () => (String(await singles(network)) === String(routerIds) ? true : undefined))

it('hubs.md, Health · the rows of a network hold its severity, and name who has lost the second centre', async () => {
  const network = await createHubNetwork(1)
  const [first, second, point] = [network.center, await createHubRouter(network), network.points[0]!]
  await join(network, second, 'center')
  await readNow(networkStub(network))
  expect(await severity(network)).toBe(NETWORK_SEVERITY.never)
  const [a, b, p] = await Promise.all([first, second, point].map((router) => connectOnlineDevice(router)))
  const [toA, toB] = [first, second].map((center) => linkId(network.number, point.name, center.name))
  const report = (id: string, up: boolean) => ({ t: 'links' as const, links: [{ id, up, rtt_ms: 1 }] })
  for (const [device, id] of [
    [a!, toA!],
    [b!, toB!],
    [p!, toA!],
    [p!, toB!],
  ] as const)
    device.send(report(id, true))
  await isStored(network, 'ok')
  await goOffline(second, b!)
  await isStored(network, 'partial')
  await isSingle(network, [point.routerId])
  const back = await connectOnlineDevice(second)
  for (const device of [back, p!]) device.send(report(toB!, true))
  await isStored(network, 'ok')
  await isSingle(network, [])
  await goOffline(second, back)
  await goOffline(first, a!)
  await isStored(network, 'down')
  await isSingle(network, [])
})

it('a write that failed is repeated by the alarm, and one that was lost when the hub wakes', async () => {
  const network = await createHubNetwork(1)
  await readNow(networkStub(network))
  const prepare = env.DB!.prepare.bind(env.DB)
  const away = vi.spyOn(env.DB!, 'prepare').mockImplementation((sql) => {
    if (sql.includes('update networks set severity')) throw new Error('away')
    return prepare(sql)
  })
  await connectOnlineDevice(network.center)
  const alarm = () => runInDurableObject(networkStub(network), (_, { storage }) => storage.getAlarm())
  await until(async () => (await alarm()) ?? undefined)
  expect(await severity(network)).toBe(NETWORK_SEVERITY.never)
  away.mockRestore()
  await runDurableObjectAlarm(networkStub(network))
  await isStored(network, 'ok')

  await runInDurableObject(networkStub(network), (_, { storage }) => void storage.kv.delete('severityRows'))
  await db.update(networks).set({ severity: 0 }).where(eq(networks.id, network.id))
  await evictDurableObject(networkStub(network))
  await networkStub(network).status(1)
  await isStored(network, 'ok')
})
