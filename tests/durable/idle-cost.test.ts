import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { AgentFrame } from '#contract/kernel/protocol.ts'
import { PRESENCE, STREAM } from '#contract/kernel/hub-limits.ts'
import { DAY_MS, HOUR_MS } from '#contract/kernel/time.ts'
import { linkId } from '#domain/network/members/links.ts'
import {
  accountStub,
  connectOnlineDevice,
  connectViewer,
  counters,
  createHubNetwork,
  createHubRouter,
  createViewer,
  isShown,
  join,
  readNow,
  routerStub,
  until,
} from './support.ts'

/* Billed quantities of a router with two tunnels while nobody looks: rows, alarms, calls of the database. */

/** Ten in the morning in Asia/Shanghai, so that no day ends meanwhile; ahead, so that no alarm fires by itself. */
const startOfTest = () => Math.ceil((Date.now() + HOUR_MS) / DAY_MS) * DAY_MS + 2 * HOUR_MS

const setClock = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now })

type Stub = ReturnType<typeof routerStub>

/** Counts what all hubs and the Worker write from now on. */
async function countWrites(stub: Stub) {
  const spies = await runInDurableObject(stub, (_, { storage }) => ({
    exec: vi.spyOn(Object.getPrototypeOf(storage.sql) as typeof storage.sql, 'exec'),
    put: vi.spyOn(Object.getPrototypeOf(storage.kv) as typeof storage.kv, 'put'),
    alarm: vi.spyOn(Object.getPrototypeOf(storage) as typeof storage, 'setAlarm'),
  }))
  const batch = vi.spyOn(env.DB!, 'batch')
  onTestFinished(() => void [...Object.values(spies), batch].forEach((spy) => spy.mockRestore()))
  return () => ({
    rows: spies.exec.mock.results.reduce((sum, { value }) => sum + (value as SqlStorageCursor<never>).rowsWritten, 0),
    keys: spies.put.mock.calls.map(([key]) => key),
    alarms: spies.alarm.mock.calls.length,
    databaseCalls: batch.mock.calls.length,
  })
}

it('hubs.md, Cost of an idle router · an hour with two tunnels is one row and an alarm, and four checks by the hub of its account', async () => {
  let now = startOfTest()
  setClock(now)
  const network = await createHubNetwork(1)
  const second = await createHubRouter(network)
  await join(network, second, 'center')
  const point = network.points[0]!
  const stub = routerStub(point)
  await readNow(stub)
  const device = await connectOnlineDevice(point)
  const ids = [network.center, second].map(({ name }) => linkId(network.number, point.name, name))
  device.send({ t: 'links', links: ids.map((id) => ({ id, up: true, rtt_ms: 10, tunnel: { loss: 0 } })) })

  let sent = 0
  const takenAt = () => runInDurableObject(stub, (hub) => hub['series'].takenAt)
  const report = async () => {
    now += STREAM.summaryMs
    setClock(now)
    const count = ++sent
    const of = { rx: count * 1_000, tx: count * 500 }
    const counter = { ...of, since_s: count * 300, asked: count * 60, lost: 0, rtt_sum_ms: count * 600, rtt_max_ms: 12 }
    const links = Object.fromEntries(ids.map((id) => [id, counter]))
    const frame: AgentFrame = {
      t: 'counters',
      boot_id: 'boot-1',
      at: count * STREAM.summaryMs,
      applied: null,
      interfaces: { eth0: of },
      links,
    }
    device.send(frame)
    await until(async () => (await takenAt()) === now || undefined)
    for (const hub of [stub, accountStub(network)]) {
      const alarm = await runInDurableObject(hub, (_, { storage }) => storage.getAlarm())
      if (alarm !== null && alarm <= now) await runDurableObjectAlarm(hub)
    }
  }
  for (let n = 0; n < 24; n++) await report()
  const counted = await countWrites(stub)
  for (let n = 0; n < 12; n++) await report()
  expect(counted()).toEqual({ rows: 1, keys: [], alarms: 5, databaseCalls: 4 })
  const history = await stub.linkSeries(ids[0]!, 'hour')
  expect(history.points.map(({ rtt_ms, loss }) => [rtt_ms, loss])).toEqual(Array.from({ length: 60 }, () => [10, 0]))
})

it('hubs.md, Disconnect · a lease check of an open console is one alarm, and no row of the routers that hold their lease', async () => {
  const start = startOfTest()
  setClock(start)
  const network = await createHubNetwork(1)
  const routers = [network.center, ...network.points]
  const devices = await Promise.all(routers.map((router) => connectOnlineDevice(router)))
  const console_ = await connectViewer(accountStub(network), createViewer(network))
  await console_.next(isShown('account'))
  await runDurableObjectAlarm(accountStub(network))
  const checkAt = start + PRESENCE.consoleCheckMs
  setClock(checkAt)
  console_.send({ type: 'ack', seq: 0 })
  for (const device of devices) device.send(counters(PRESENCE.consoleCheckMs, 0, 0))
  for (const router of routers)
    await until(async () => {
      const takenAt = await runInDurableObject(routerStub(router), (hub) => hub['series'].takenAt)
      return takenAt === checkAt || undefined
    })
  const counted = await countWrites(routerStub(network.center))
  await runDurableObjectAlarm(accountStub(network))
  expect(counted()).toEqual({ rows: 0, keys: [], alarms: 1, databaseCalls: 1 })
  const next = await runInDurableObject(accountStub(network), (_, { storage }) => storage.getAlarm())
  expect(next).toBe(checkAt + PRESENCE.consoleCheckMs)
})
