import { expect, it } from 'vitest'
import { CONFIG_PUSH } from '../../worker/contract/limits.ts'
import { createHubNetwork, connectOnlineDevice, counters, isFrame, routerStub } from './support.ts'

// Input of a device reaches lists and pages of its account, and must not be able to break them.

it('a version beyond the maximum is not the base of the next one', async () => {
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!, { applied: { version: Number.MAX_SAFE_INTEGER, hash: 'x' } })
  const { version } = await device.next(isFrame('config'))
  expect(version).toBeLessThanOrEqual(CONFIG_PUSH.versionMax)
  expect((await routerStub(point!).traffic()).config.version).toBe(version)
})

it('an invalid counter closes the socket and leaves no rate', async () => {
  const [point] = (await createHubNetwork(1)).points
  const device = await connectOnlineDevice(point!)
  device.send(counters(0, 0, 0))
  device.send(counters(1_000, 1e308, 1))
  expect((await device.end()).code).toBe(4003)
  expect((await routerStub(point!).traffic()).data).toEqual({})
})
