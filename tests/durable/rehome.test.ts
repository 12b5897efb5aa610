import { abortAllDurableObjects, env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HUB_TRANSFER } from '#contract/kernel/hub-limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { CLOSE, type AgentFrame, type HubFrame, RETURN_TICKET_HEADER } from '#contract/kernel/protocol.ts'
import { opsApi } from '#contract/ops/index.ts'
import { connectionLogs, routers } from '#db/schema/routers.ts'
import { missingRows } from '#db/schema/service.ts'
import { newHubName } from '#security/hub-name.ts'
import { type Caller, createMainAccount } from '#tests/support/fixtures.ts'
import { insertMember, insertNetwork } from '#tests/support/rows.ts'
import { db, refusal } from '#tests/support/test-worker.ts'
import { stopClock } from './clock.ts'
import {
  type FactoryDevice,
  claim,
  connect,
  createFactoryDevice,
  createToken,
  enrol,
  worker,
} from './factory-device.ts'
import { TestSocket, counters, createHello, isFrame, later, routerStub, until } from './support.ts'

const MINUTE_MS = 60_000
const soon = <T>(poll: () => Promise<T | undefined>): Promise<T> => until(poll, 15_000)

interface Online {
  readonly device: FactoryDevice
  readonly row: Awaited<ReturnType<typeof claim>>
  readonly line: TestSocket<HubFrame, AgentFrame>
  readonly ticket: string
}

let main: Caller
beforeEach(async () => {
  stopClock()
  main = await createMainAccount()
})

const hubOf = async ({ id }: Online['row']): Promise<HubName> =>
  (await db.select({ hub: routers.hub }).from(routers).where(eq(routers.id, id)))[0]!.hub
const rehome = ({ device }: Online, over: { place?: 'apac' | 'weur'; confirm?: 1 } = {}) =>
  worker.call(opsApi.rehome, { router: device.serial, place: 'apac', ...over })

async function greet(device: FactoryDevice, socket: WebSocket | null, applied: object | null) {
  const line = new TestSocket<HubFrame, AgentFrame>(socket!)
  line.send(createHello({ name: device.serial }, { applied: applied as never, capabilities: ['flows'] }))
  return { line, welcome: await line.next(isFrame('welcome')) }
}

/** A device of a network whose document it has confirmed, with traffic of some hours. */
async function createOnline(): Promise<Online & { applied: { version: number; hash: string } }> {
  const device = await createFactoryDevice()
  await enrol(device)
  const row = await claim(device, main)
  const network = await insertNetwork({ accountId: main.accountId })
  await insertMember({ accountId: main.accountId, networkId: network.id, routerId: row.id, memberType: 'center' })
  const { line, welcome } = await greet(device, (await connect(await createToken(device))).socket, null)
  const { version, hash } = await line.next(isFrame('config'))
  line.send({ t: 'config_result', version, hash, state: 'confirmed' })
  let at = 0
  await soon(async () => {
    later(MINUTE_MS)
    at += MINUTE_MS
    line.send({ ...counters(at, at * 100, at * 50), applied: { version, hash } } as AgentFrame)
    const { data, config } = await routerStub(row).traffic()
    return (data['eth0']?.length ?? 0) > 2 && config.state === 'applied' ? true : undefined
  })
  return { device, row, line, ticket: welcome.ticket!, applied: { version, hash } }
}

const volumes = async (hub: HubName) => (await routerStub({ hub }).trafficSeries('day')).data
/** Keys and rows in the storage of a hub. */
const countStored = (hub: HubName) =>
  runInDurableObject(routerStub({ hub }), (_, { storage }) => {
    const tables = storage.sql.exec<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 1) <> '_'`,
    )
    const rows = tables.toArray().map(({ name }) => storage.sql.exec(`SELECT 1 FROM ${name}`).toArray().length)
    return [...storage.kv.list()].length + rows.reduce((sum, count) => sum + count, 0)
  })
const untilEmpty = (hub: HubName) => soon(async () => ((await countStored(hub)) === 0 ? true : undefined))

describe('hubs.md, Rehome · a router that is online', () => {
  it('comes back at the new hub with its configuration, series and state; nothing is pushed or logged', async () => {
    const online = await createOnline()
    const { device, row, line, ticket, applied } = online
    const before = await volumes(row.hub)
    const { since } = (await routerStub(row).traffic()).presence
    expect(Object.keys(before)).toEqual(['eth0'])

    expect(await rehome(online)).toMatchObject({ code: 200, data: { copied: expect.any(Number) as number } })
    expect(await line.end()).toEqual({ code: CLOSE.restart, reason: `retry_after=${HUB_TRANSFER.retryS}` })
    const hub = await hubOf(row)
    expect(hub.startsWith('apac.')).toBe(true)
    await untilEmpty(row.hub)

    const { status, socket } = await connect(await createToken(device), true, '127.0.0.1', {
      [RETURN_TICKET_HEADER]: ticket,
    })
    expect(status).toBe(101)
    const { line: next, welcome } = await greet(device, socket, applied)
    expect(welcome).toMatchObject({ epoch: 2, desired: applied })
    expect(welcome.ticket).not.toBe(ticket)
    expect(next.frames.filter(isFrame('config'))).toEqual([])
    expect(await volumes(hub)).toEqual(before)
    expect((await routerStub({ hub }).traffic()).presence).toMatchObject({ state: 'online', since })
    const logs = await db.select().from(connectionLogs).where(eq(connectionLogs.routerName, device.serial))
    expect(logs.filter(({ online: isOn, epoch }) => isOn === 0 || epoch !== 1)).toEqual([])
    expect(await db.select().from(missingRows).where(eq(missingRows.name, row.hub))).toEqual([])

    const run = vi.spyOn(env.DB!, 'batch')
    await connect(await createToken(device), true, '127.0.0.1', { [RETURN_TICKET_HEADER]: welcome.ticket! })
    expect(run).not.toHaveBeenCalled()
  })

  it('the old ticket is refused by the old hub, before and after it has forgotten', async () => {
    const online = await createOnline()
    const { device, row, ticket } = online
    const ask = async () => connect(await createToken(device), true, '127.0.0.1', { [RETURN_TICKET_HEADER]: ticket })
    await routerStub(row).exportStorage(null)
    const frozen = new TestSocket<HubFrame, AgentFrame>((await ask()).socket!)
    expect(await frozen.end()).toMatchObject({ code: CLOSE.restart })
    await routerStub(row).endTransfer()
    expect(await rehome(online)).toMatchObject({ code: 200 })
    const hub = await hubOf(row)
    await untilEmpty(row.hub)
    const { socket } = await ask()
    await greet(device, socket, null)
    expect((await routerStub({ hub }).traffic()).presence.state).toBe('online')
    expect(await countStored(row.hub)).toBe(0)
  })

  it('moves on and back: each time to a hub that never was', async () => {
    const online = await createOnline()
    const before = await volumes(online.row.hub)
    const hubs = [online.row.hub]
    for (const place of ['apac', 'weur', 'apac'] as const) {
      later(2_000) // a hub reads at most once a second
      expect(await rehome(online, { place })).toMatchObject({ code: 200 })
      await untilEmpty(hubs.at(-1)!)
      hubs.push(await hubOf(online.row))
      await routerStub({ hub: hubs.at(-1)! }).refresh()
    }
    expect(new Set(hubs).size).toBe(4)
    expect(await volumes(hubs.at(-1)!)).toEqual(before)
  })
})

describe('hubs.md, Rehome · crashes', () => {
  it('between copy and write: the old hub goes on, and the new one deletes itself', async () => {
    const online = await createOnline()
    const { device, row } = online
    const hub = newHubName('apac')
    await routerStub({ hub }).importStorage(await routerStub(row).exportStorage(null))
    expect(await countStored(hub)).toBeGreaterThan(5)
    await abortAllDurableObjects()
    const { line } = await greet(device, (await connect(await createToken(device))).socket, online.applied)
    expect(line.frames.filter(isFrame('config'))).toEqual([])
    expect(await countStored(hub)).toBeGreaterThan(5)
    later(HUB_TRANSFER.stagedMs)
    await runDurableObjectAlarm(routerStub({ hub }))
    await untilEmpty(hub)
    expect(await db.select().from(missingRows).where(eq(missingRows.name, hub))).toEqual([])
    expect(await rehome(online)).toMatchObject({ code: 200 })
  })

  it('between write and delivery: the outbox rows bring both hubs there, and the device finds its new one at once', async () => {
    const online = await createOnline()
    const { device, row, applied } = online
    const before = await volumes(row.hub)
    const away = vi.spyOn(env.ROUTER_HUB, 'getByName')
    expect(await rehome(online)).toMatchObject({ code: 200 })
    away.mockRestore()
    await abortAllDurableObjects()
    const hub = await hubOf(row)
    const { welcome } = await greet(device, (await connect(await createToken(device))).socket, applied)
    expect(welcome.desired).toEqual(applied)
    expect(await volumes(hub)).toEqual(before)
    await routerStub(row).refresh()
    await untilEmpty(row.hub)
    expect(await rehome(online)).toMatchObject(refusal('REHOME_SAME_PLACE', { place: 'apac' }))
  })

  it('a page of a transfer that is over is refused: another one has begun, or the hub has thawed', async () => {
    const online = await createOnline()
    const { row } = online
    const page = (cursor: string) => runInDurableObject(routerStub(row), (hub) => hub.exportStorage(cursor))
    await routerStub(row).exportStorage(null)
    const id = await runInDurableObject(routerStub(row), (hub) => hub['transfer']['id'])
    await routerStub(row).exportStorage(null)
    await expect(page(`${id}:1`)).rejects.toThrow('over')
    const second = await runInDurableObject(routerStub(row), (hub) => hub['transfer']['id'])
    expect((await page(`${second}:1`)).next).toBeNull()
    later(HUB_TRANSFER.frozenMs)
    await expect(page(`${second}:1`)).rejects.toThrow('over')
  })
})

describe('hubs.md, Rehome · an old hub that does not answer', () => {
  it('loses its series with --confirm only; when it is back, it forgets and does not empty the device', async () => {
    const online = await createOnline()
    const { device, row, line, applied } = online
    const refuse = () => Promise.reject(new Error('broken'))
    await runInDurableObject(
      routerStub(row),
      (hub) => void Object.assign(hub, { exportStorage: refuse, refresh: refuse }),
    )
    expect(await rehome(online)).toMatchObject(refusal('REHOME_LOSES'))
    expect(await rehome(online, { confirm: 1 })).toMatchObject({ code: 200, data: { copied: null } })
    const hub = await hubOf(row)
    const { welcome } = await greet(device, (await connect(await createToken(device))).socket, applied)
    expect(welcome.desired?.hash).toBe(applied.hash)
    expect(await volumes(hub)).toEqual({})

    await runInDurableObject(routerStub(row), (old) => {
      Reflect.deleteProperty(old, 'exportStorage')
      Reflect.deleteProperty(old, 'refresh')
    })
    await routerStub(row).refresh()
    await untilEmpty(row.hub)
    expect((await line.end()).code).toBe(CLOSE.restart)
    expect(line.frames.filter(isFrame('config'))).toHaveLength(1)
  })

  it('a ticket for a hub that does not answer leaves the device to the database', async () => {
    const online = await createOnline()
    const { device, row, ticket } = online
    const refuse = () => Promise.reject(new Error('broken'))
    await runInDurableObject(
      routerStub(row),
      (hub) => void Object.assign(hub, { exportStorage: refuse, fetch: refuse }),
    )
    expect(await rehome(online, { confirm: 1 })).toMatchObject({ code: 200 })
    const { status, socket } = await connect(await createToken(device), true, '127.0.0.1', {
      [RETURN_TICKET_HEADER]: ticket,
    })
    expect(status).toBe(101)
    expect((await greet(device, socket, null)).welcome.epoch).toBe(1)
  })
})
