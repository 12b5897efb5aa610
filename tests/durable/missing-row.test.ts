import { abortAllDurableObjects, env, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HUB_HOLD } from '#contract/kernel/hub-limits.ts'
import { type AgentFrame, CLOSE, DOCUMENT_HEADER, type HubFrame } from '#contract/kernel/protocol.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { reportMissing } from '#db/missing-rows.ts'
import { accounts, auditLogs } from '#db/schema/accounts.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { connectionLogs, devices, removedDevices, routerStates, routers } from '#db/schema/routers.ts'
import { hubHolds, missingRows } from '#db/schema/service.ts'
import { EMPTYING_MS } from '#durable/router-hub/device-socket.ts'
import { loadDocument } from '#durable/router-hub/state/storage.ts'
import { createHubs } from '#durable/hubs.ts'
import { sweepEntries } from '#jobs/hubs.ts'
import { newHubName } from '#security/hub-name.ts'
import { createMainAccount, createMany } from '#tests/support/fixtures.ts'
import { insertMember, insertNetwork, insertRouter } from '#tests/support/rows.ts'
import { db, refusal } from '#tests/support/test-worker.ts'
import {
  type FactoryDevice,
  claim,
  connect,
  createFactoryDevice,
  createToken,
  enrol,
  worker,
} from './factory-device.ts'
import {
  type DeviceSocket,
  type TestRouter,
  TestSocket,
  accountStub,
  connectDevice,
  connectOnlineDevice,
  connectViewer,
  counters,
  createAccount,
  createHello,
  createHubNetwork,
  createHubRouter,
  createViewer,
  isFrame,
  isShown,
  join,
  networkStub,
  readNow,
  routerStub,
  selectState,
  stopLongTimers,
  until,
} from './support.ts'

afterEach(async () => {
  vi.useRealTimers()
  await db.delete(hubHolds)
  await db.delete(missingRows)
})

/** Deletes rows, and inserts them again as a restore would. */
async function takeRouterRow({ routerId }: TestRouter) {
  const [row] = await db.select().from(routers).where(eq(routers.id, routerId))
  const members = await db.select().from(networkMembers).where(eq(networkMembers.routerId, routerId))
  await db.delete(routers).where(eq(routers.id, routerId))
  return async () => {
    await insertRouter(row!)
    for (const member of members) await insertMember(member)
  }
}

/** A device that runs its document, and has sent counters. */
async function running(router: TestRouter) {
  const device = await connectOnlineDevice(router)
  const { version, hash } = await device.next(isFrame('config'))
  device.send({ t: 'config_result', version, hash, state: 'confirmed' })
  const start = Date.now()
  let at = 0
  await until(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start + (at += 1_000) })
    device.send({ ...counters(at, at, at), applied: { version, hash } } as AgentFrame)
    const { data, config } = await routerStub(router).traffic()
    return 'eth0' in data && config.state === 'applied' ? true : undefined
  })
  return { device, applied: { version, hash } }
}

const stored = (router: TestRouter) =>
  runInDurableObject(routerStub(router), async (hub, { storage }) => ({
    config: hub['state'].config,
    document: loadDocument(storage),
  }))

const isPushed = (device: DeviceSocket, since = 0) =>
  device.frames.slice(since).some((frame: HubFrame) => frame.t === 'config')

/** Connects again with what it runs; the welcome, and every frame so far. */
async function comeBack(router: TestRouter, applied: { version: number; hash: string }) {
  const device = await connectDevice(router)
  device.send(createHello(router, { applied }))
  const welcome = await device.next(isFrame('welcome'))
  return { device, welcome }
}

describe('hubs.md, Missing row · router hub', () => {
  it('closes its device and viewers with 1012, keeps document, state and series, and goes on without a push', async () => {
    const { center } = await createHubNetwork(1)
    const { device, applied } = await running(center)
    const viewer = await connectViewer(routerStub(center), createViewer(center))
    await viewer.next(isShown('history'))
    const before = await stored(center)
    const pushes = device.frames.length
    const restore = await takeRouterRow(center)
    await readNow(routerStub(center))
    expect((await device.end()).code).toBe(CLOSE.restart)
    expect((await viewer.end()).code).toBe(CLOSE.restart)
    expect(isPushed(device, pushes)).toBe(false)
    const after = await stored(center)
    expect([after.config.hash, after.config.applied]).toEqual([before.config.hash, applied])
    expect(after.document?.networks).toEqual(before.document?.networks)
    expect(Object.keys((await routerStub(center).traffic()).data)).toContain('eth0')
    expect(await db.select().from(missingRows)).toMatchObject([
      { kind: 'router', name: center.hub, serial: center.name },
    ])

    const refused = await connectDevice(center)
    expect((await refused.end()).code).toBe(CLOSE.restart)
    await restore()
    const { device: back, welcome } = await comeBack(center, applied)
    expect(welcome.desired).toEqual(applied)
    await readNow(routerStub(center))
    expect(isPushed(back)).toBe(false)
    expect((await routerStub(center).traffic()).config.state).toBe('applied')
    await until(async () => ((await selectState(center))?.presence === 'online' ? true : undefined))
  })

  it('keeps it over a crash, and what it could not save is saved when the row is back', async () => {
    const { center } = await createHubNetwork(1)
    const { device, applied } = await running(center)
    await until(() => selectState(center))
    const restore = await takeRouterRow(center)
    device.socket.close(1000)
    await until(async () => ((await db.select().from(missingRows)).length > 0 ? true : undefined)) // by the save
    await abortAllDurableObjects()
    expect((await stored(center)).config.applied).toEqual(applied)
    await restore()
    await comeBack(center, applied)
    const lines = () => db.select().from(connectionLogs).where(eq(connectionLogs.routerName, center.name))
    const saved = await until(async () => ((await lines()).length >= 2 ? lines() : undefined))
    expect(saved.map(({ online }) => online)).toEqual(expect.arrayContaining([0, 1]))
    await until(async () => ((await selectState(center))?.presence === 'online' ? true : undefined))
    expect((await selectState(center))?.configState).toBe('applied')
  })

  it('asks for no alarm of its own while nothing can be saved', async () => {
    const { center } = await createHubNetwork(1)
    const { device } = await running(center)
    await takeRouterRow(center)
    device.socket.close(1000)
    await until(async () => ((await db.select().from(missingRows)).length > 0 ? true : undefined))
    const due = await runInDurableObject(routerStub(center), (hub) => hub['dueTimes']().filter((at) => at !== null))
    for (const at of due) expect(at).toBeGreaterThan(Date.now() + 1_000) // the end of 重连中
  })

  it('is emptied and deleted by the outbox alone, also while its row is missing', async () => {
    const { center } = await createHubNetwork(1)
    const { device } = await running(center)
    await takeRouterRow(center)
    await readNow(routerStub(center))
    await device.end()
    stopLongTimers(EMPTYING_MS)
    await routerStub(center).remove()
    await runInDurableObject(routerStub(center), async (_, { storage }) =>
      expect([...storage.kv.list()].length).toBe(0),
    )
  })

  it('that holds nothing leaves nothing behind, and counts for nothing', async () => {
    const router = { ...(await createHubRouter(await createAccount())), hub: newHubName('default') }
    const device = await connectDevice(router)
    expect((await device.end()).code).toBe(CLOSE.restart)
    await runInDurableObject(routerStub(router), async (_, { storage }) => {
      expect([...storage.kv.list()]).toEqual([])
      expect(await storage.getAlarm()).toBeNull()
    })
    expect(await db.select().from(missingRows)).toEqual([])
  })

  it('closes a device with 1012 whose key the row has lost, and with 4002 only after a reset', async () => {
    const { center } = await createHubNetwork(1)
    const { device, applied } = await running(center)
    await db.update(devices).set({ publicKey: null }).where(eq(devices.id, center.deviceId))
    await readNow(routerStub(center))
    expect((await device.end()).code).toBe(CLOSE.restart)
    expect((await stored(center)).config.applied).toEqual(applied)
    await db.update(devices).set({ resetAt: 1 }).where(eq(devices.id, center.deviceId))
    const again = await comeBack(center, applied)
    await readNow(routerStub(center))
    expect((await again.device.end()).code).toBe(CLOSE.removed)
  })
})

describe('hubs.md, Missing row · other hubs', () => {
  it('a network hub closes its viewers with 1012 and keeps its projection; with its row back it goes on', async () => {
    const network = await createHubNetwork(1)
    await connectOnlineDevice(network.center)
    const viewer = await connectViewer(networkStub(network), createViewer(network))
    await viewer.next(isShown('snapshot'))
    const [row] = await db.select().from(networks).where(eq(networks.id, network.id))
    const names = () =>
      runInDurableObject(networkStub(network), (hub) => [...hub['projection'].members.keys()].toSorted())
    const before = await names()
    await db.delete(networks).where(eq(networks.id, network.id))
    await readNow(networkStub(network))
    expect((await viewer.end()).code).toBe(CLOSE.restart)
    expect(await names()).toEqual(before)
    expect(await db.select().from(missingRows)).toMatchObject([{ kind: 'network', name: network.hub, serial: null }])
    await insertNetwork(row!)
    await join(network, network.center, 'center')
    for (const point of network.points) await join(network, point, 'point')
    expect((await networkStub(network).status(row!.revision + 1)).members).toHaveLength(2)
  })

  it('an account hub closes its consoles with 1012, keeps its registers and makes no alert meanwhile', async () => {
    const account = await createAccount()
    const console = await connectViewer(accountStub(account), createViewer(account))
    await console.next(isShown('account'))
    await db.delete(accounts).where(eq(accounts.id, account.accountId))
    await accountStub(account).refresh()
    expect((await console.end()).code).toBe(CLOSE.restart)
    await runInDurableObject(accountStub(account), async (hub, { storage }) => {
      expect(storage.kv.get('owner')).toBe(account.accountId)
      expect(hub['dueTimes']()).toEqual([])
    })
    expect(await db.select().from(missingRows)).toMatchObject([{ kind: 'account', name: account.accountHub }])
  })
})

describe('operate.md, Database restored', () => {
  it('an empty one under connected devices empties none, and the hold switches itself on at the 21st', async () => {
    const networksOf = await createMany(2, () => createHubNetwork(HUB_HOLD.max / 2))
    const all = networksOf.flatMap(({ center, points }) => [center, ...points])
    const sockets: { router: TestRouter; device: DeviceSocket }[] = []
    for (const router of all) sockets.push({ router, device: await connectOnlineDevice(router) })
    for (const { device } of sockets) {
      const { version, hash } = await device.next(isFrame('config'))
      device.send({ t: 'config_result', version, hash, state: 'confirmed' })
    }
    for (const { router } of sockets)
      await until(async () => ((await routerStub(router).traffic()).config.state === 'applied' ? true : undefined))
    const seen = sockets.map(({ device }) => device.frames.length)
    for (const { accountId } of networksOf) await db.delete(accounts).where(eq(accounts.id, accountId))
    const since = Date.now()
    for (const { router } of sockets.slice(0, HUB_HOLD.max)) await readNow(routerStub(router))
    expect(await db.select().from(hubHolds)).toEqual([])
    const lines = vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const { router } of sockets.slice(HUB_HOLD.max)) await readNow(routerStub(router))
    expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      expect.objectContaining({ level: 'error', event: 'hub_hold' }),
    ])
    vi.restoreAllMocks()
    expect(await db.select().from(hubHolds)).toMatchObject([{ since: expect.any(Number), changedBy: '' }])
    const audit = await db.select().from(auditLogs).where(eq(auditLogs.action, 'hubs/hold_on'))
    expect(audit.filter(({ at }) => at >= since)).toMatchObject([{ accountId: 0, actorKind: 'system', target: 'hubs' }])
    for (const [i, { device, router }] of sockets.entries()) {
      expect((await device.end()).code).toBe(CLOSE.restart)
      expect(isPushed(device, seen[i])).toBe(false)
      expect((await stored(router)).config.applied).not.toBeNull()
    }
  })

  it('one with rows of an older revision pushes the document of that revision, and never an empty one', async () => {
    const network = await createHubNetwork(1)
    const [point] = network.points
    const { device, applied } = await running(point!)
    await db.update(networks).set({ ciphers: 'sm' }).where(eq(networks.id, network.id))
    await db.delete(routerStates).where(eq(routerStates.routerId, point!.routerId)) // as before its first report
    const seen = device.frames.length
    await readNow(routerStub(point!))
    await routerStub(point!).traffic()
    const later = device.frames.slice(seen).filter(isFrame('config'))
    for (const { body, version } of later) {
      expect(body.networks).toHaveLength(1)
      expect(version).toBeGreaterThan(applied.version)
    }
    expect(device.closed).toBeNull()
  })

  it('while the hold is on, rows that would empty a device are put off, and take effect after it', async () => {
    const { center } = await createHubNetwork(1)
    const { device, applied } = await running(center)
    await worker.call(opsApi.holdOn, {})
    const seen = device.frames.length
    await db.delete(networkMembers).where(eq(networkMembers.routerId, center.routerId))
    await readNow(routerStub(center))
    await db.update(routers).set({ status: 0 }).where(eq(routers.id, center.routerId))
    await readNow(routerStub(center))
    expect([device.closed, isPushed(device, seen)]).toEqual([null, false])
    expect((await stored(center)).config.applied).toEqual(applied)
    await worker.call(opsApi.holdOff, {})
    await readNow(routerStub(center))
    expect((await device.end()).code).toBe(CLOSE.removed)
  })
})

describe('hubs.md, Missing row · connection of a device', () => {
  const claimed = async () => {
    const [device, main] = [await createFactoryDevice(), await createMainAccount()]
    await enrol(device)
    return { device, main, row: await claim(device, main) }
  }
  const answerTo = async (device: FactoryDevice, holdsDocument = true) =>
    connect(await createToken(device), true, device.serial, holdsDocument ? { [DOCUMENT_HEADER]: '1' } : {})
  const closeOf = async (device: FactoryDevice) => {
    const { socket } = await answerTo(device)
    return (await new TestSocket<HubFrame, unknown>(socket!).end()).code
  }

  it('is closed with 4002 where its router was deleted while it was away, until somebody claims it', async () => {
    const { device, main } = await claimed()
    expect(await worker.call(routerApi.delete, { router_name: device.serial }, main.token)).toMatchObject({ code: 200 })
    expect(await closeOf(device)).toBe(CLOSE.removed)
    expect(await closeOf(device)).toBe(CLOSE.removed) // again, for one that failed to empty itself
    expect(await connect(await createToken(device), false)).toMatchObject({ status: 403, ...refusal('DEVICE_REMOVED') })
    const again = { router_type: 1 as const, username: device.serial, code: 'ABCD-EFGH-JKMN', note: '' }
    expect(await worker.call(routerApi.add, again as never, main.token)).toMatchObject({ code: 200 })
    expect(await db.select().from(removedDevices).where(eq(removedDevices.serial, device.serial))).toEqual([])
    expect(await answerTo(device)).toMatchObject({ status: 101 })
  })

  it('is refused without a removal where only its row is missing, and counted if it runs a configuration', async () => {
    const { device, row } = await claimed()
    await db.delete(routers).where(eq(routers.id, row.id))
    for (let i = 0; i < 3; i++)
      expect(await answerTo(device)).toMatchObject({ status: 403, ...refusal('DEVICE_UNBOUND') })
    expect(await db.select().from(missingRows)).toMatchObject([{ kind: 'device', name: device.serial }])
    const factory = await createFactoryDevice()
    await enrol(factory)
    expect(await answerTo(factory, false)).toMatchObject({ status: 403, ...refusal('DEVICE_UNBOUND') })
    expect(await db.select().from(missingRows)).toHaveLength(1)
  })

  it('of another key than the removed one is a new device', async () => {
    const device = await createFactoryDevice()
    await enrol(device)
    await db.insert(removedDevices).values({ serial: device.serial, publicKey: '{"x":"earlier"}', removedAt: 1 })
    expect(await answerTo(device, false)).toMatchObject({ status: 403, ...refusal('DEVICE_UNBOUND') })
  })

  it('gets 503 with retry_after during a hold, removed before it or not, at no further cost; one with a row passes', async () => {
    const [lost, removed, present, nobody] = [
      await claimed(),
      await claimed(),
      await claimed(),
      await createFactoryDevice(),
    ]
    for (const { row } of [lost, removed]) await db.delete(routers).where(eq(routers.id, row.id))
    await db.insert(removedDevices).values({ serial: removed.device.serial, removedAt: Date.now() - 1 })
    await worker.call(opsApi.holdOn, {})
    const verify = vi.spyOn(crypto.subtle, 'verify')
    for (const device of [lost.device, removed.device, { ...nobody, serial: 'NL-NOBODY' }]) {
      const answer = await answerTo(device)
      expect(answer).toMatchObject({
        status: 503,
        ...refusal('DEVICES_HELD'),
        data: { retry_after: HUB_HOLD.retryAfterS },
      })
      expect(answer.headers?.get('retry-after')).toBe(String(HUB_HOLD.retryAfterS))
    }
    expect(verify).not.toHaveBeenCalled()
    vi.restoreAllMocks()
    expect(await db.select().from(missingRows)).toEqual([])
    expect(await answerTo(present.device)).toMatchObject({ status: 101 })
    await worker.call(routerApi.delete, { router_name: present.device.serial }, present.main.token)
    expect(await closeOf(present.device)).toBe(CLOSE.removed) // deleted since the hold began
    await worker.call(opsApi.holdOff, {})
    expect(await closeOf(removed.device)).toBe(CLOSE.removed)
    expect(await answerTo(lost.device)).toMatchObject({ status: 403, ...refusal('DEVICE_UNBOUND') })
  })

  it('is closed with 4002 once the operator has forgotten it, also where no row of the device is left', async () => {
    const [lost, back, gone] = [await claimed(), await claimed(), await claimed()]
    for (const { row } of [lost, back, gone]) await db.delete(routers).where(eq(routers.id, row.id))
    for (const { device } of [lost, back, gone]) await answerTo(device)
    await claim(back.device, back.main)
    await db.delete(devices).where(eq(devices.id, gone.device.deviceId))
    await worker.call(opsApi.holdOn, {})
    const listed = await worker.call(opsApi.forgetHubs, { missing: 1 })
    expect(listed.data).toMatchObject({ counts: [{ kind: 'device', count: 2 }], forgotten: 0 })
    expect(await answerTo(lost.device)).toMatchObject({ status: 503 })
    expect((await worker.call(opsApi.forgetHubs, { missing: 1, confirm: 1 })).data).toMatchObject({ forgotten: 2 })
    expect([await closeOf(lost.device), await closeOf(gone.device)]).toEqual([CLOSE.removed, CLOSE.removed])
    expect(await answerTo(back.device)).toMatchObject({ status: 101 })
  })

  it('a hub that is forgotten is removed by the outbox; one whose row is back is not', async () => {
    const [gone, back] = [await createHubNetwork(1), await createHubNetwork(1)]
    for (const { center } of [gone, back]) await running(center)
    await takeRouterRow(gone.center)
    const restore = await takeRouterRow(back.center)
    for (const { center } of [gone, back]) await readNow(routerStub(center))
    await restore()
    await worker.call(opsApi.forgetHubs, { missing: 1, confirm: 1 })
    await sweepEntries(db, createHubs(env), { all: true })
    const keys = ({ center }: { center: TestRouter }) =>
      runInDurableObject(routerStub(center), (_, { storage }) => [...storage.kv.list()].length)
    expect(await keys(gone)).toBe(0)
    expect(await keys(back)).toBeGreaterThan(0)
    const removals = await db.select().from(removedDevices)
    expect(removals.map(({ serial }) => serial)).toContain(gone.center.name)
    expect(removals.map(({ serial }) => serial)).not.toContain(back.center.name)
  })
})

describe('hubs.md, Missing row · count', () => {
  const report = (name: string, now: number) =>
    reportMissing(db, { kind: 'device', name, serial: name }, { now, runId: '' })
  const many = async (count: number, now: number, prefix: string) => {
    const switched = []
    for (let i = 0; i < count; i++) switched.push(await report(`${prefix}${i}`, now))
    return switched.filter(Boolean).length
  }

  it('takes different rows of ten minutes, and each row once', async () => {
    const now = Date.now()
    expect(await many(HUB_HOLD.max, now, 'A')).toBe(0)
    expect(await many(HUB_HOLD.max, now + 1_000, 'A')).toBe(0)
    expect(await many(HUB_HOLD.max, now + HUB_HOLD.windowMs + 1, 'B')).toBe(0)
    expect(await many(1, now + HUB_HOLD.windowMs + 2, 'C')).toBe(1)
  })

  it('starts anew when the operator has switched the hold off', async () => {
    const now = Date.now()
    expect(await many(HUB_HOLD.max + 3, now, 'D')).toBe(1)
    vi.useFakeTimers({ toFake: ['Date'], now: now + 1_000 })
    expect((await worker.call(opsApi.holdOff, {})).data).toMatchObject({ since: null, recent: 0 })
    expect(await many(HUB_HOLD.max, now + 2_000, 'E')).toBe(0)
    expect(await many(1, now + 2_000, 'F')).toBe(1)
  })
})
