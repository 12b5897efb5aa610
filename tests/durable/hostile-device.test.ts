import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { CONFIG_PUSH } from '../../worker/contract/limits.ts'
import { linkId } from '../../worker/domain/network/links.ts'
import { createHubNetwork, connectOnlineDevice, counters, isFrame, routerStub, until } from './support.ts'

// Input of a device reaches lists and pages of its account, and must not be able to break them.

it('a version beyond the maximum is not the base of the next one', async () => {
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!, { applied: { version: Number.MAX_SAFE_INTEGER, hash: 'x' } })
  const { version } = await device.next(isFrame('config'))
  expect(version).toBeLessThanOrEqual(CONFIG_PUSH.versionMax)
  expect((await routerStub(point!).traffic()).config.version).toBe(version)
})

it('reports of links that are not in its document are not stored', async () => {
  const network = await createHubNetwork(1)
  const [point] = network.points
  const device = await connectOnlineDevice(point!)
  const known = linkId(network.number, point?.name ?? '', network.center.name)
  const made = Array.from({ length: 200 }, (_, i) => ({ id: `made-up-${i}`, up: true, rtt_ms: 1 }))
  device.send({ t: 'links', links: [...made, { id: known, up: true, rtt_ms: 1 }] })
  const stored = () => runInDurableObject(routerStub(point!), (_, { storage }) => storage.kv.get<object>('links'))
  expect(Object.keys((await until(async () => (await stored()) ?? undefined)) as object)).toEqual([known])
})

it('a socket that was closed for its frames counts as closed at once, whether or not the device answers', async () => {
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!)
  device.send('not a frame' as never)
  const isClosed = async () => {
    const { presence } = await routerStub(point!).traffic()
    return presence.state === 'reconnecting' && presence.reason === '设备发送的内容不符合协议' ? true : undefined
  }
  expect(await until(isClosed)).toBe(true)
})

it('a counter of an interface without a name closes the socket', async () => {
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!)
  device.send({ t: 'counters', boot_id: 'b', at: 1, applied: null, interfaces: { '': { rx: 1, tx: 1 } } })
  expect((await device.end()).code).toBe(4003)
})

it('an invalid counter closes the socket and leaves no rate', async () => {
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!)
  device.send(counters(0, 0, 0))
  device.send(counters(1_000, 1e308, 1))
  expect((await device.end()).code).toBe(4003)
  expect((await routerStub(point!).traffic()).data).toEqual({})
})
