import { env, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { STATUS_COUNTERS, addCounters } from '#contract/kernel/status.ts'
import { stopClock } from './clock.ts'
import { later } from './support.ts'

const { slotMs, keptMs } = STATUS_COUNTERS
let hubs = 0
const openHub = () => env.STATUS_HUB!.getByName(`status-${++hubs}`)
type Stub = ReturnType<typeof openHub>

const countRows = (stub: Stub) =>
  runInDurableObject(stub, (_, { storage }) =>
    ['slots', 'samples'].map((table) => storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n),
  )
const readAll = async (stub: Stub, from = 0) =>
  (await stub.read({ from, to: Date.now() + 1, onlineBefore: 0 })).releases

describe('hubs.md, Status · counters', () => {
  it('of all isolates are sums by release', async () => {
    stopClock()
    const stub = openHub()
    await stub.add('v1', { calls: 3, 'refused TOKEN_BAD': 1 })
    await stub.add('v1', { calls: 2, faults: 1 })
    await stub.add('v2', { calls: 1 })
    expect(await readAll(stub)).toEqual({
      v1: { calls: 5, faults: 1, 'refused TOKEN_BAD': 1 },
      v2: { calls: 1 },
    })
    expect(await countRows(stub)).toEqual([2, 0])
  })

  it('are read for a range of time, to the slot', async () => {
    stopClock()
    const stub = openHub()
    await stub.add('v1', { calls: 1 })
    const begun = Date.now()
    later(6 * slotMs)
    await stub.add('v1', { calls: 10 })
    expect(await readAll(stub, begun)).toEqual({ v1: { calls: 11 } })
    expect(await readAll(stub, begun + slotMs)).toEqual({ v1: { calls: 10 } })
    const { releases } = await stub.read({ from: begun, to: begun + slotMs, onlineBefore: 0 })
    expect(releases).toEqual({ v1: { calls: 1 } })
  })

  it('of names that only a newer release knows are kept', () => {
    const newer = { calls: 1, inventions: 2 } as Parameters<typeof addCounters>[0]
    expect(addCounters(newer, { calls: 1 }, newer)).toEqual({ calls: 3, inventions: 4 })
  })

  it('go after some hours, so that the storage stays small', async () => {
    stopClock()
    const stub = openHub()
    for (let n = 0; n < 5; n++) {
      await stub.add('v1', { calls: 1 })
      await stub.sample(n)
      later(slotMs)
    }
    expect(await countRows(stub)).toEqual([5, 5])
    later(keptMs)
    await stub.add('v2', { calls: 1 })
    expect([await countRows(stub), await readAll(stub)]).toEqual([[1, 0], { v2: { calls: 1 } }])
  })
})

it('hubs.md, Status · routers online: the last sample before a time', async () => {
  stopClock()
  const stub = openHub()
  const begun = Date.now()
  const onlineBefore = async (time: number) => (await stub.read({ from: 0, to: 0, onlineBefore: time })).online
  expect(await onlineBefore(begun)).toBeNull()
  await stub.sample(40)
  later(60_000)
  await stub.sample(12)
  expect([await onlineBefore(begun - 1), await onlineBefore(begun + 59_999), await onlineBefore(Date.now())]).toEqual([
    null,
    40,
    12,
  ])
})
