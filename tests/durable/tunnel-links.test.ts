import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { VPN } from '#contract/device/limits.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { memberSettings } from '#db/schema/networks.ts'
import { routers } from '#db/schema/routers.ts'
import { readNetwork } from '#durable/network-hub/database.ts'
import { linkId } from '#domain/network/members/links.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  type TestNetwork,
  connectOnlineDevice,
  createHubNetwork,
  networkStub,
  readNow,
  routerStub,
  until,
} from './support.ts'

/* Reasons of links whose ends run tunnels. */

const WAN: InterfaceInfo = {
  interface: 'eth0',
  interface_uuid: 'eth0',
  protocol: 'static',
  role: 'wan',
  ip: '192.168.1.20',
  mask: 24,
  mac: '',
  mtu: 1500,
  up: true,
}
const TUNNELS = { capabilities: [VPN.capability], interfaces: [WAN] }

const linkOf = async (network: TestNetwork) => (await networkStub(network).status(1)).links[0]!
const become = (network: TestNetwork, state: string, reason: string) =>
  until(async () => {
    const link = await linkOf(network)
    return link.state === state && link.reason === reason ? true : undefined
  }, 10_000).catch(async (error: unknown) => {
    throw new Error(JSON.stringify(await linkOf(network)), { cause: error })
  })

async function createNetwork() {
  const network = await createHubNetwork(1)
  const point = network.points[0]!
  for (const router of [network.center, point]) await readNow(routerStub(router))
  const report = (device: DeviceSocket, up: boolean) =>
    device.send({ t: 'links', links: [{ id: linkId(network.number, point.name, network.center.name), up, rtt_ms: 8 }] })
  return { network, point, report }
}

it('infra/docs/hubs.md, Links · a link with tunnels at one end alone is 仅探测, by rows and by reports', async () => {
  const { network, point, report } = await createNetwork()
  const devices = [await connectOnlineDevice(network.center, TUNNELS), await connectOnlineDevice(point)]
  await readNow(networkStub(network))
  for (const device of devices) report(device, true)
  await become(network, 'up', '仅探测：成员的设备不支持隧道')
  const rows = await readNetwork(env, network.hub)
  expect(rows?.members.map(({ tunnels }) => tunnels)).toEqual([{ seenAt: '203.0.113.7', wan: WAN.ip }, undefined])
  await connectOnlineDevice(point, TUNNELS).then((device) => report(device, true))
  await become(network, 'up', '')
})

it('infra/docs/hubs.md, Links · a centre behind NAT says so until its port is fixed', async () => {
  const { network, point, report } = await createNetwork()
  const devices = [await connectOnlineDevice(network.center, TUNNELS), await connectOnlineDevice(point, TUNNELS)]
  await readNow(networkStub(network))
  for (const device of devices) report(device, false)
  await become(network, 'down', '中心点在NAT之后，没有固定端口：请在上级路由器映射UDP端口，并在“固定端口”中填写')
  const ports = { public_ip: null, public_port: 31_194, static_port: 31_194 }
  await db.insert(memberSettings).values({
    accountId: network.accountId,
    networkId: network.id,
    routerId: network.center.routerId,
    setting: 'fixed_port',
    value: JSON.stringify({
      router_service: ports,
      software_service: { ...ports, public_port: 31_195, static_port: 31_195 },
    }),
    revision: 1,
    updatedAt: Date.now(),
  })
  await readNow(networkStub(network))
  await become(network, 'down', '两端均收不到对方的探测')
  expect((await linkOf(network)).state).toBe('down')
})

it('infra/docs/hubs.md, Links · a disabled end with tunnels is shown as before, though no document names it', async () => {
  const { network, point, report } = await createNetwork()
  const devices = [await connectOnlineDevice(network.center, TUNNELS), await connectOnlineDevice(point, TUNNELS)]
  await readNow(networkStub(network))
  for (const device of devices) report(device, true)
  await become(network, 'up', '')
  await db.update(routers).set({ status: 0 }).where(eq(routers.id, point.routerId))
  await readNow(routerStub(point))
  await readNow(routerStub(network.center))
  await become(network, 'unknown', '成员已停用')
  const { health } = await networkStub(network).status(1)
  expect(health.state).not.toBe('down')
})
