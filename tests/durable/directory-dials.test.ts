import { asc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { dialLogs } from '#db/schema/clients.ts'
import { type TestDirectory, createTestDirectory, entries, runNow, saveTestConfig } from '#tests/support/directory.ts'
import { insertNetwork } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  connectOnlineDevice,
  createHubRouter,
  isFrame,
  join,
  readNow,
  routerStub,
  stopLongTimers,
  until,
} from './support.ts'

/** A directory whose people are points of a network, with its centre connected; their first run is over. */
async function createDialledDirectory(count: number) {
  const test = await createTestDirectory(entries(count), { isSaved: false })
  const account = { accountId: test.accountId, accountHub: test.main.hub }
  const network = await insertNetwork({ accountId: test.accountId })
  const center = await createHubRouter(account)
  await join({ ...network, accountId: test.accountId }, center, 'center')
  await saveTestConfig(test.accountId, { syncMode: 2, networkId: network.id })
  await runNow(test)
  await runNow(test) // a first run after the configuration asks before it disables
  await readNow(routerStub(center))
  const device = await connectOnlineDevice(center)
  await until(() => accountsOf(device).length === count || undefined)
  return { ...test, number: network.number, center, device }
}

/** Names that may dial by the newest document the device was sent; none before there is one. */
const accountsOf = ({ frames }: DeviceSocket): string[] =>
  (frames.findLast(isFrame('config'))?.body.networks ?? [])
    .flatMap(({ servers = [] }) => servers)
    .flatMap(({ accounts }) => accounts.map(({ name }) => name))

const dialsOf = ({ accountId }: TestDirectory) =>
  db
    .select({ name: dialLogs.routerName, endAt: dialLogs.endAt })
    .from(dialLogs)
    .where(eq(dialLogs.accountId, accountId))
    .orderBy(asc(dialLogs.routerName))

describe('directory 4 · a run that disables a member with an open dial', () => {
  it.each([
    ['who left the directory', (all: ReturnType<typeof entries>) => all.slice(1)],
    [
      'who is disabled there',
      ([first, ...others]: ReturnType<typeof entries>) => [{ ...first!, isDisabled: true }, ...others],
    ],
  ])('%s is taken from the document of the centre, which is pushed without a timer', async (_, change) => {
    const test = await createDialledDirectory(12)
    const { device, number, sign } = test
    const dials = [0, 1].map((n) => ({
      key: `d${n}`,
      network_number: number,
      name: `u${n}@${sign}`,
      remote: '203.0.113.9',
      began_ms: 0,
      ended_ms: null,
      rx: 0,
      tx: 0,
    }))
    device.send({ t: 'dial', dials })
    await device.next(isFrame('dial_ack'))
    expect(await dialsOf(test)).toMatchObject([{ endAt: null }, { endAt: null }])

    test.directory.users = change(entries(12))
    stopLongTimers(1_000)
    expect(await runNow(test)).toMatchObject({ run: { state: 'done', counts: { disabled: 1 } } })
    await until(() => accountsOf(device).length === 11 || undefined)
    expect(accountsOf(device)).not.toContain(`u0@${sign}`)
    expect(accountsOf(device)).toContain(`u1@${sign}`)

    const acknowledged = device.frames.length
    device.send({ t: 'dial', dials: [{ ...dials[0]!, ended_ms: 0 }] })
    await device.next(isFrame('dial_ack'), acknowledged)
    expect(await dialsOf(test)).toMatchObject([{ endAt: expect.any(Number) }, { endAt: null }])
  })
})
