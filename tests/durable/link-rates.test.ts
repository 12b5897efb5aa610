import { expect, it } from 'vitest'
import { LINK_TOTALS } from '#contract/kernel/hub-limits.ts'
import { linkId, trunkId } from '#domain/network/members/links.ts'
import {
  connectOnlineDevice,
  createHubNetwork,
  type DeviceSocket,
  isFrame,
  isShown,
  networkStub,
  routerStub,
  until,
  watchNetwork,
} from './support.ts'

/** Counters of one link or trunk that grows by so many bytes a second. */
const counterAt = (at: number, rx: number, tx: number) => ({
  rx: (at / 1_000) * rx,
  tx: (at / 1_000) * tx,
  since_s: at / 1_000,
})

it('hubs.md, Traffic · a viewer gets the throughput of a link and of a trunk, and devices stream only while it looks', async () => {
  const network = await createHubNetwork(1)
  const { center, number } = network
  const point = network.points[0]!
  const [server, client] = [await connectOnlineDevice(center), await connectOnlineDevice(point)]
  const viewer = await watchNetwork(network)
  const { seq } = await viewer.next(isShown('snapshot'))
  const id = linkId(number, point.name, center.name)
  await until(async () => (await networkStub(network).status(1)).links.length || undefined)
  expect([server, client].flatMap(({ frames }) => frames.filter(isFrame('stream')))).toEqual([])

  viewer.send({ type: 'rates', ids: [id, trunkId(center.name), 'N1:made-up>x'] })
  const ofClient = await client.next(isFrame('stream'))
  expect(ofClient).toMatchObject({ on: true })
  expect(ofClient).not.toHaveProperty('trunks')
  expect(await server.next(isFrame('stream'))).toMatchObject({ on: true, trunks: true })

  const sendCounters = async (device: DeviceSocket, of: (at: number) => object) => {
    for (const at of [20_000, 40_000, 60_000]) {
      // far enough for any machine: the hub takes its own time if that is longer
      device.send({ t: 'counters', boot_id: 'b', at, applied: null, interfaces: {}, ...of(at) } as never)
      await new Promise((done) => setTimeout(done, 600)) // closer counters give no rate
    }
  }
  await Promise.all([
    sendCounters(client, (at) => ({ links: { [id]: counterAt(at, 1_000, 500) } })),
    sendCounters(server, (at) => ({ trunks: { [number]: counterAt(at, 500, 1_000) } })),
  ])
  const shown = await until(() => {
    const rates = Object.assign({}, ...viewer.frames.filter(isShown('link_rates')).map(({ data }) => data))
    return Object.keys(rates).length === 2 ? rates : undefined
  })
  for (const key of [id, trunkId(center.name)])
    expect([key, shown[key].down, shown[key].upload]).toEqual([key, 8_000, 4_000])
  const frames = viewer.frames.filter(isShown('link_rates'))
  expect(frames.every((frame) => frame.seq >= seq && frame.seq <= viewer.frames.at(-1)!.seq)).toBe(true)
  expect(new Set(viewer.frames.map((frame) => frame.seq)).size).toBeLessThan(viewer.frames.length)
})

it('hubs.md, Traffic · bytes of links are read fresh: the device sends its counters more often while somebody reads', async () => {
  const network = await createHubNetwork(1)
  const point = network.points[0]!
  const device = await connectOnlineDevice(point)
  const id = linkId(network.number, point.name, network.center.name)
  const counters = (at: number, rx: number, tx: number) =>
    device.send({
      t: 'counters',
      boot_id: 'b',
      at,
      applied: null,
      interfaces: {},
      links: { [id]: { rx, tx, since_s: 5 } },
    } as never)
  const read = routerStub(point).linkTotals([id])
  expect(await device.next(isFrame('stream'))).toMatchObject({ on: true, rate_ms: LINK_TOTALS.everyMs })
  counters(20_000, 3_000, 1_000)
  expect(await read).toEqual({ [id]: { down: 3_000, upload: 1_000 } })
  expect(await routerStub(point).linkTotals([id])).toEqual({ [id]: { down: 3_000, upload: 1_000 } })
  expect(device.frames.filter(isFrame('stream'))).toHaveLength(1)
})
