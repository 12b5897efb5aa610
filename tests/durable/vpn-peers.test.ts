import { expect, it } from 'vitest'
import { VPN } from '#contract/device/limits.ts'
import {
  type DeviceSocket,
  type TestRouter,
  connectDevice,
  createHello,
  createHubNetwork,
  isFrame,
  readNow,
  routerStub,
  selectState,
  until,
} from './support.ts'

/* Peers of a device that begins or ceases to run tunnels. */

const carriersOf = (device: DeviceSocket) =>
  device.frames
    .filter(isFrame('config'))
    .at(-1)
    ?.body.networks.flatMap(({ links }) => links.map(({ carrier }) => carrier))

/** A point answers no probes: nothing but its capability moves documents of others. */
async function connect(router: TestRouter, capabilities: string[]): Promise<DeviceSocket> {
  const device = await connectDevice(router)
  device.send(createHello(router, { capabilities }))
  await device.next(isFrame('welcome'))
  const vpn = capabilities.includes(VPN.capability) ? 1 : 0
  await until(async () => ((await selectState(router))?.vpn === vpn ? true : undefined))
  return device
}

it('infra/docs/hubs.md · a device that begins to run tunnels moves its own document and those of its peers', async () => {
  const network = await createHubNetwork(2)
  const [center, point, other] = [network.center, network.points[0]!, network.points[1]!]
  for (const router of [center, point, other]) await readNow(routerStub(router))
  const atCenter = await connect(center, [VPN.capability])
  const atOther = await connect(other, [])
  const atPoint = await connect(point, [])
  await until(() => (carriersOf(atPoint)?.length === 1 ? true : undefined))
  expect(carriersOf(atCenter)?.every((carrier) => carrier === 'probe')).toBe(true)
  const seen = atOther.frames.filter(isFrame('config')).length

  const again = await connect(point, [VPN.capability])
  await until(() => (carriersOf(again)?.[0] === 'tunnel' ? true : undefined))
  await until(() => (carriersOf(atCenter)?.toSorted().join() === 'probe,tunnel' ? true : undefined))
  expect(atOther.frames.filter(isFrame('config'))).toHaveLength(seen)
})
