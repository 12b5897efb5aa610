import { asc, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { dialLogs } from '#db/schema/clients.ts'
import { networks } from '#db/schema/networks.ts'
import { linkId } from '#domain/network/members/links.ts'
import { endDials } from '#jobs/expiry.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  type TestRouter,
  connectOnlineDevice,
  createHello,
  createHubNetwork,
  later,
  readNow,
  routerStub,
  until,
} from './support.ts'
import { routerApi } from '#contract/router/index.ts'
import { connectionLogs } from '#db/schema/routers.ts'

type Row = typeof dialLogs.$inferSelect

/** A centre and a point whose device is there. */
async function createLink() {
  const network = await createHubNetwork(1)
  const point = network.points[0]!
  await readNow(routerStub(point))
  const device = await connectOnlineDevice(point)
  const link = linkId(network.number, point.name, network.center.name)
  const rows = () =>
    db.select().from(dialLogs).where(eq(dialLogs.accountId, network.accountId)).orderBy(asc(dialLogs.id))
  return { ...network, point, device, link, rows, send: (up: boolean) => sendLink(device, link, up) }
}

const sendLink = (device: DeviceSocket, id: string, up: boolean) =>
  device.send({ t: 'links', links: [{ id, up, rtt_ms: up ? 8 : null }] })

let release = 0
/** Another release of the device is saved at once, and what waits with it. */
async function flush<T>(device: DeviceSocket, router: TestRouter, poll: () => Promise<T | undefined>): Promise<T> {
  device.send(createHello(router, { agent_version: `1.1.${++release}` }))
  return until(poll)
}
const isLong = (count: number) => (rows: Row[]) => (rows.length === count ? rows : undefined)
const ended = (rows: Row[]) => (rows.every(({ endAt }) => endAt !== null) && rows.length > 0 ? rows : undefined)

it('directory 2: a link of hardware is one row for each up and down, written by the end that dials', async () => {
  const { accountId, number, center, point, device, link, rows, send } = await createLink()
  const other = await connectOnlineDevice(center)
  sendLink(other, link, true)
  send(true)
  const [row] = await flush(device, point, () => rows().then(isLong(1)))
  expect(row).toMatchObject({
    accountId,
    mode: 'p2p',
    networkNumber: number,
    routerName: point.name,
    routerId: point.routerId,
    linkRouterName: center.name,
    orig: '203.0.113.7',
    endAt: null,
    isLink: 1,
  })
  send(false)
  const [over] = await flush(device, point, () => rows().then(ended))
  expect(over).toMatchObject({ id: row!.id, startAt: row!.startAt, reason: '隧道已断开' })
  expect(over!.endAt).toBeGreaterThanOrEqual(row!.startAt)
  send(true)
  send(false)
  send(true)
  const all = await flush(device, point, () => rows().then(isLong(3)))
  expect(all.map(({ endAt }) => endAt === null)).toEqual([false, false, true])
})

it('sweeps of dials that nobody reports leave a link alone, and usage does not count it', async () => {
  const { main, point, device, rows, send } = await createLink()
  send(true)
  await flush(device, point, () => rows().then(isLong(1)))
  expect(await main.call(routerApi.usage, { start_time: '2020-01-01', end_time: '2099-01-01' })).toMatchObject({
    count: 0,
  })
  later(3 * 86_400_000)
  await endDials({ db, now: Date.now(), hubOutbox: [] } as never)
  expect(await rows()).toMatchObject([{ endAt: null }])
})

it('ends with the network that is deleted, although its rows are gone', async () => {
  const { id: networkId, point, device, rows, send } = await createLink()
  send(true)
  await flush(device, point, () => rows().then(isLong(1)))
  await db.delete(networks).where(eq(networks.id, networkId))
  await readNow(routerStub(point))
  const [over] = await flush(device, point, () => rows().then(ended))
  expect(over).toMatchObject({ reason: '连接已从组网中移除' })
})

it('ends with its member, whose device says nothing more', async () => {
  const { main, point, device, rows, send } = await createLink()
  send(true)
  await flush(device, point, () => rows().then(isLong(1)))
  expect(await main.call(routerApi.delete, { router_name: point.name })).toMatchObject({ code: 200 })
  expect(await rows()).toMatchObject([{ reason: '设备已移除或更换' }])
})

it('lines of the connection log know their member', async () => {
  const { point } = await createLink()
  const select = () => db.select().from(connectionLogs).where(eq(connectionLogs.routerName, point.name))
  const line = await until(async () => (await select())[0])
  expect(line).toMatchObject({ routerId: point.routerId, online: 1 })
})
