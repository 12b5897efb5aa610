import { expect, it } from 'vitest'
import { CONFIG_PUSH } from '../../worker/contract/limits.ts'
import { aNetwork, anOnlineDevice, counters, isFrame, routerStub } from './support.ts'

// What a device says reaches lists and pages of its account, so it must not be able to break them.

it('a version beyond all counting is not the one the next is counted from', async () => {
  const [point] = (await aNetwork(1)).points
  const line = await anOnlineDevice(point!, { applied: { version: Number.MAX_SAFE_INTEGER, hash: 'x' } })
  const { version } = await line.next(isFrame('config'))
  expect(version).toBeLessThanOrEqual(CONFIG_PUSH.versionMax)
  expect((await routerStub(point!).traffic()).config.version).toBe(version)
})

it('a counter that is none costs the socket and leaves no rate', async () => {
  const [point] = (await aNetwork(1)).points
  const line = await anOnlineDevice(point!)
  line.send(counters(0, 0, 0))
  line.send(counters(1_000, 1e308, 1))
  expect((await line.end()).code).toBe(4003)
  expect((await routerStub(point!).traffic()).data).toEqual({})
})
