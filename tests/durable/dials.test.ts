import { asc, eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { DIAL } from '#contract/kernel/hub-limits.ts'
import type { DialReport } from '#contract/kernel/protocol.ts'
import { DIAL_LOST } from '#contract/kernel/states.ts'
import { dialLogs } from '#db/schema/clients.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers } from '#db/schema/networks.ts'
import { endDials } from '#jobs/expiry.ts'
import { createSoftwareRouter, unique } from '#tests/support/fixtures.ts'
import { insertMember } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  connectOnlineDevice,
  createHubNetwork,
  isFrame,
  later,
  readNow,
  routerStub,
  until,
} from './support.ts'
import { runInDurableObject } from 'cloudflare:test'
import { holdTimers, stopClock } from './clock.ts'

/** A network whose centre lets software members in. */
async function createDialNetwork(callers = 1) {
  const network = await createHubNetwork(1)
  const { accountId, id: networkId, center } = network
  const names: string[] = []
  for (let i = 0; i < callers; i++) {
    const { id, name } = await createSoftwareRouter(accountId)
    await insertMember({ accountId, networkId, routerId: id, memberType: 'point' })
    names.push(name)
  }
  await readNow(routerStub(center))
  const device = await connectOnlineDevice(center)
  return { ...network, names, device, name: names[0]! }
}

const dial = (network_number: string, name: string, over: Partial<DialReport> = {}): DialReport => ({
  key: unique('d'),
  network_number,
  name,
  remote: '203.0.113.9',
  began_ms: 60_000,
  ended_ms: null,
  rx: 100,
  tx: 200,
  ...over,
})

/** Sends reports and waits until all are acknowledged. */
async function report(device: DeviceSocket, dials: readonly DialReport[]): Promise<void> {
  const after = device.frames.length
  device.send({ t: 'dial', dials: [...dials] })
  await until(() => {
    const keys = device.frames.slice(after).flatMap((frame) => (frame.t === 'dial_ack' ? frame.keys : []))
    return dials.every(({ key }) => keys.includes(key)) || undefined
  })
}

const idOf = async (name: string) => (await db.select().from(routers).where(eq(routers.name, name)))[0]!.id

const rows = (accountId: number) =>
  db.select().from(dialLogs).where(eq(dialLogs.accountId, accountId)).orderBy(asc(dialLogs.id))

it('stores a dial with its times by the hub’s clock and the address that the document gives', async () => {
  const now = stopClock()
  const { accountId, number, name, center, device } = await createDialNetwork()
  await report(device, [dial(number, name.toUpperCase(), { began_ms: 60_000 })])
  const [row] = await rows(accountId)
  expect(row).toMatchObject({
    mode: 'p2p',
    networkNumber: number,
    routerName: name,
    routerId: await idOf(name),
    linkRouterName: center.name,
    orig: '203.0.113.9',
    vpnIp: expect.stringMatching(/^100\./),
    rx: 100,
    tx: 200,
    endAt: null,
  })
  expect(row!.startAt).toBe(now - 60_000)
})

it('a report that is repeated after a lost acknowledgement is one row; later ones bring it up to date', async () => {
  const { accountId, number, name, device } = await createDialNetwork()
  const first = dial(number, name)
  await report(device, [first])
  await report(device, [first])
  await report(device, [{ ...first, rx: 900, tx: 800, began_ms: 120_000, ended_ms: 1_000, reason: '客户端断开' }])
  const [ended] = await rows(accountId)
  await report(device, [{ ...first, rx: 5, ended_ms: 9_000 }])
  await report(device, [first])
  const found = await rows(accountId)
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({
    rx: 900,
    tx: 800,
    endAt: ended!.endAt,
    startAt: ended!.startAt,
    reason: '客户端断开',
  })
})

it('names that are not in the document are acknowledged and dropped, also those of another account', async () => {
  const { accountId, number, device } = await createDialNetwork()
  const other = await createDialNetwork()
  await report(device, [
    dial(number, other.name),
    dial(other.number, other.name),
    dial('none', 'nobody@test01'),
    dial(number, other.center.name),
  ])
  expect(await rows(accountId)).toEqual([])
  expect(await rows(other.accountId)).toEqual([])
})

it('a device writes no row of another one, whatever key it sends', async () => {
  const network = await createDialNetwork()
  const second = await connectOnlineDevice(network.points[0]!)
  const own = dial(network.number, network.name)
  await report(network.device, [own])
  await report(second, [{ ...own, rx: 10 ** 9, ended_ms: 0 }])
  expect(await rows(network.accountId)).toMatchObject([{ rx: 100, endAt: null }])
})

it('the last report of a member that has left the network still ends its dial', async () => {
  const { accountId, number, name, center, device } = await createDialNetwork()
  const first = dial(number, name)
  await report(device, [first])
  const isSoftware = sql`router_id in (select id from routers where name = ${name})`
  await db.delete(networkMembers).where(isSoftware)
  await readNow(routerStub(center))
  await report(device, [{ ...first, ended_ms: 0, rx: 500 }])
  expect(await rows(accountId)).toMatchObject([{ rx: 500, endAt: expect.any(Number) }])
})

it('frames as fast as the device may are one write at once, and one for all others at the end of the second', async () => {
  const { accountId, number, names, center, device } = await createDialNetwork(8)
  const timers = holdTimers(DIAL.saveMs)
  const sent = Array.from({ length: 12 }, (_, i) => [dial(number, names[i % 8]!), dial(number, names[(i + 1) % 8]!)])
  for (const dials of sent) device.send({ t: 'dial', dials })
  await until(() => runInDurableObject(routerStub(center), (hub) => hub['dials']['pending'].size === 22 || undefined))
  await until(async () => (await rows(accountId)).length === 2 || undefined)
  timers.release()
  await until(async () => (await rows(accountId)).length === 24 || undefined)
  const acks = () => device.frames.filter(isFrame('dial_ack')).map(({ keys }) => keys.length)
  await until(() => acks().reduce((sum, count) => sum + count, 0) === 24 || undefined)
  expect(acks()).toEqual([2, 22])
})

it('a device stores so many new dials in an hour; beyond that it is not acknowledged and nothing is stored', async () => {
  const hourMs = 3_600_000
  later(hourMs - (Date.now() % hourMs) + hourMs / 2) // half past, so that no hour ends within the test
  const { accountId, number, name, device } = await createDialNetwork()
  const many = Array.from({ length: DIAL.newPerHour + 10 }, () => dial(number, name))
  for (let at = 0; at < many.length; at += 50) device.send({ t: 'dial', dials: many.slice(at, at + 50) })
  await until(async () => ((await rows(accountId)).length >= DIAL.newPerHour ? true : undefined))
  await report(device, [{ ...many[0]!, rx: 7_000 }]) // what is stored goes on
  expect(await rows(accountId)).toHaveLength(DIAL.newPerHour)
  later(hourMs)
  await report(device, [many.at(-1)!])
  expect(await rows(accountId)).toHaveLength(DIAL.newPerHour + 1)
})

it('a dial that is reported no more ends when it was last seen, and goes on with the next report', async () => {
  const { accountId, number, name, device } = await createDialNetwork()
  const first = dial(number, name)
  await report(device, [first])
  const [row] = await rows(accountId)
  await endDials({ db, now: Date.now() + DIAL.lostMs + 1, hubOutbox: [] })
  expect(await rows(accountId)).toMatchObject([{ endAt: row!.seenAt, reason: DIAL_LOST }])
  await report(device, [{ ...first, rx: 300 }])
  expect(await rows(accountId)).toMatchObject([{ endAt: null, reason: '', rx: 300 }])
})

it('a frame that breaks the protocol closes the socket', async () => {
  const { number, name, device } = await createDialNetwork()
  device.send({ t: 'dial', dials: [{ ...dial(number, name), rx: -1 }] })
  expect((await device.end()).code).toBe(4003)
  expect(device.frames.some(isFrame('dial_ack'))).toBe(false)
})
