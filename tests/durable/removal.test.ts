import { abortAllDurableObjects, env, runInDurableObject } from 'cloudflare:test'
import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { EMPTYING_MS } from '#durable/router-hub/device-socket.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { accounts } from '#db/schema/accounts.ts'
import { devices, routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { canonicalJson } from '#domain/network/compile/compile.ts'
import { keyFingerprint } from '#security/device-secrets.ts'
import { newHubName } from '#security/hub-name.ts'
import { insertDevice } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type TestRouter,
  connectDevice,
  createHubNetwork,
  createHubRouter,
  connectViewer,
  accountStub,
  createAccount,
  connectOnlineDevice,
  counters,
  createHello,
  isFrame,
  isShown,
  networkStub,
  routerStub,
  until,
  createViewer,
  readNow,
  stopLongTimers,
} from './support.ts'
import { holdTimers } from './clock.ts'

/** Deletes the row with the entry of the outbox that belongs to it. */
const deleteRow = ({ routerId, hub }: TestRouter) =>
  db.batch([
    db.delete(routers).where(eq(routers.id, routerId)),
    db.insert(hubOutbox).values({ id: hub, kind: 'router', hub, op: 'remove', dueAt: Date.now() + 3_600_000 }),
  ])
const isStorageEmpty = (router: TestRouter) =>
  runInDurableObject(routerStub(router), async (_, { storage }) => {
    const rows = storage.sql.exec('SELECT * FROM hours').toArray()
    return [...storage.kv.list()].length === 0 && rows.length === 0 && (await storage.getAlarm()) === null
  })

describe('hubs.md, Configuration lifecycle · deleted router', () => {
  it('is sent the empty document, above what it runs, before it is closed with 4002', async () => {
    const { center } = await createHubNetwork(1)
    const device = await connectOnlineDevice(center)
    const running = await device.next(isFrame('config'))
    device.send({ t: 'config_result', version: running.version, hash: running.hash, state: 'confirmed' })
    await deleteRow(center)
    stopLongTimers(EMPTYING_MS) // closed by what the device answers, not by the end of the wait
    const removed = routerStub(center).remove()
    const empty = await device.next((frame) => frame.t === 'config' && frame.version > running.version)
    const body = { router_name: center.name, networks: [], asn: 0, lans: [] }
    expect(empty).toMatchObject({ body, hash: createHash('sha256').update(canonicalJson(body)).digest('hex') })
    expect(device.closed).toBeNull()
    const { version, hash } = empty as typeof running
    device.send({ t: 'config_result', version, hash, state: 'applied' })
    expect((await device.end()).code).toBe(CLOSE.removed)
    await removed
    expect(await isStorageEmpty(center)).toBe(true)
  })

  it('is closed all the same where its device does not answer', async () => {
    const { center } = await createHubNetwork(1)
    const device = await connectOnlineDevice(center)
    const running = await device.next(isFrame('config'))
    await deleteRow(center)
    const timers = holdTimers(EMPTYING_MS)
    const removed = routerStub(center).remove()
    await device.next((frame) => frame.t === 'config' && frame.version > running.version)
    expect(device.closed).toBeNull()
    timers.release()
    await removed
    expect((await device.end()).code).toBe(CLOSE.removed)
    expect(await isStorageEmpty(center)).toBe(true)
  })

  it('leaves no viewer behind that came while its device was being emptied', async () => {
    const { center } = await createHubNetwork(1)
    const device = await connectOnlineDevice(center)
    const running = await device.next(isFrame('config'))
    await deleteRow(center)
    const timers = holdTimers(EMPTYING_MS)
    const removed = routerStub(center).remove()
    await device.next((frame) => frame.t === 'config' && frame.version > running.version)
    const viewer = await connectViewer(routerStub(center), createViewer(center))
    timers.release()
    await removed
    expect((await viewer.end()).code).toBe(CLOSE.removed)
  })

  it('whose delivery was lost is removed when it next saves: the outbox says that it was deleted', async () => {
    const router = await createHubRouter(await createAccount())
    const device = await connectOnlineDevice(router)
    await deleteRow(router)
    device.socket.close(1000)
    expect(await until(async () => ((await isStorageEmpty(router)) ? true : undefined))).toBe(true)
  })

  it('is removed with its device when that is replaced, and the new hub starts without its state', async () => {
    const { center } = await createHubNetwork(1)
    const device = await connectOnlineDevice(center)
    device.send(counters(Date.now(), 1_000, 1_000))
    const { id: deviceId, serial: name } = await insertDevice()
    const next = { ...center, deviceId, name, hub: newHubName('default') }
    await db.update(routers).set({ name, deviceId, hub: next.hub }).where(eq(routers.id, center.routerId))
    const timers = holdTimers(EMPTYING_MS)
    const removed = routerStub(center).remove()
    await until(() => (timers.waiting() > 0 ? true : undefined))
    timers.release()
    await removed
    expect((await device.end()).code).toBe(CLOSE.removed)
    expect(await isStorageEmpty(center)).toBe(true)
    await readNow(routerStub(next))
    const { data, presence } = await routerStub(next).traffic()
    expect([data, presence.state]).toEqual([{}, 'never'])
  })
})

describe('hubs.md, Names and places · router hub whose row changed its owner', () => {
  const watched = async (router: TestRouter) => {
    const device = await connectOnlineDevice(router)
    const start = Date.now()
    for (const at of [0, 1_000, 2_000]) {
      vi.useFakeTimers({ toFake: ['Date'], now: start + at })
      device.send(counters(at, at, at))
      await routerStub(router).traffic()
    }
    const viewer = await connectViewer(routerStub(router), createViewer(router))
    await viewer.next(isShown('history'))
    await until(async () => (Object.keys((await routerStub(router).traffic()).data).length > 0 ? true : undefined))
    return { device, viewer }
  }

  it('deletes its storage when its row belongs to another account', async () => {
    const [router, other] = [await createHubRouter(await createAccount()), await createAccount()]
    const { device, viewer } = await watched(router)
    await db.update(routers).set({ accountId: other.accountId }).where(eq(routers.id, router.routerId))
    await readNow(routerStub(router))
    expect((await viewer.end()).code).toBe(CLOSE.sessionEnded)
    expect((await device.end()).code).toBe(CLOSE.restart)
    const { data, presence } = await routerStub(router).traffic()
    expect([data, presence.state]).toEqual([{}, 'never'])
  })

  it('deletes its storage when another key is pinned, and not when the key is only reset', async () => {
    const router = await createHubRouter(await createAccount())
    const { device, viewer } = await watched(router)
    const pin = (publicKey: string | null) =>
      db
        .update(devices)
        .set({ publicKey, resetAt: publicKey === null ? 1 : null })
        .where(eq(devices.id, router.deviceId))
    await pin(null)
    await readNow(routerStub(router))
    expect((await device.end()).code).toBe(CLOSE.removed)
    expect((await routerStub(router).traffic()).data).toHaveProperty('eth0')
    expect(viewer.closed).toBeNull()
    await pin('{"x":"new"}')
    const renewed = await connectDevice(router, { keyFingerprint: keyFingerprint('{"x":"new"}') })
    renewed.send(createHello(router))
    expect(await renewed.next(isFrame('welcome'))).toMatchObject({ epoch: 2 })
    expect((await viewer.end()).code).toBe(CLOSE.sessionEnded)
    expect((await routerStub(router).traffic()).data).toEqual({})
  })

  it('refuses a device that is not the one of its row', async () => {
    const router = await createHubRouter(await createAccount())
    await connectOnlineDevice(router)
    const stranger = await connectDevice(router, { keyFingerprint: 'another' })
    expect((await stranger.end()).code).toBe(CLOSE.restart)
    expect((await routerStub(router).traffic()).presence.state).toBe('online')
  })
})

describe('hubs.md, Names and places · network or account hub whose row changed', () => {
  it('deletes the members when the network belongs to another account', async () => {
    const [network, other] = [await createHubNetwork(1), await createAccount()]
    const device = await connectOnlineDevice(network.center)
    await readNow(networkStub(network))
    await until(async () =>
      (await networkStub(network).status(1)).members[0]?.presence.state === 'online' ? true : undefined,
    )
    const viewer = await connectViewer(networkStub(network), createViewer(network))
    await viewer.next(isShown('snapshot'))
    await db.update(networks).set({ accountId: other.accountId }).where(eq(networks.id, network.id))
    await db.delete(networkMembers).where(eq(networkMembers.networkId, network.id))
    await readNow(networkStub(network))
    expect((await viewer.end()).code).toBe(CLOSE.sessionEnded)
    expect((await networkStub(network).status(1)).members).toEqual([])
    const theirs = await connectViewer(networkStub(network), createViewer({ ...network, ...other }))
    expect((await theirs.next(isShown('snapshot'))).data.members).toEqual([])
    expect(device.closed).toBeNull()
  })

  it('closes its viewers and deletes its register when the account is removed', async () => {
    const account = await createAccount()
    const console = await connectViewer(accountStub(account), createViewer(account))
    await console.next(isShown('account'))
    await db.delete(accounts).where(eq(accounts.id, account.accountId))
    await accountStub(account).remove()
    expect((await console.end()).code).toBe(CLOSE.sessionEnded)
    await runInDurableObject(accountStub(account), async (_, { storage }) => {
      expect([...storage.kv.list()]).toEqual([])
      expect(storage.sql.exec('SELECT * FROM watchers').toArray()).toEqual([])
    })
  })
})

describe('hubs.md, Names and places · hub with a name of an earlier release', () => {
  it('closes its sockets with 1012 and deletes itself, whatever wakes it', async () => {
    const router = { ...(await createHubRouter(await createAccount())), hub: 'router:12' }
    const stub = routerStub(router)
    const device = await connectDevice(router)
    expect((await device.end()).code).toBe(CLOSE.restart)
    const viewer = await connectViewer(stub, createViewer(router))
    expect((await viewer.end()).code).toBe(CLOSE.restart)

    // As a hub of an earlier release left it, hibernated with a socket and an alarm.
    await runInDurableObject(stub, async (_, state) => {
      const { 1: socket } = new WebSocketPair()
      state.acceptWebSocket(socket, ['device'])
      state.storage.kv.put('router', { routerId: 12, accountId: 1, routerName: 'x', networks: [] })
      await state.storage.setAlarm(Date.now() + 60_000)
    })
    await abortAllDurableObjects()
    await runInDurableObject(routerStub(router), async (_, { storage }) => {
      expect([...storage.kv.list()]).toEqual([])
      expect(await storage.getAlarm()).toBeNull()
    })
    for (const [namespace, name] of [
      [env.NETWORK_HUB, 'network:3'],
      [env.ACCOUNT_HUB, 'account:1'],
    ] as const) {
      const watching = await connectViewer(namespace.getByName(name) as never, createViewer(router))
      expect((await watching.end()).code).toBe(CLOSE.restart)
    }
  })
})

describe('hubs.md, Names and places · hub that was woken without its name', () => {
  it.each([
    ['router', env.ROUTER_HUB],
    ['network', env.NETWORK_HUB],
    ['account', env.ACCOUNT_HUB],
  ])('as a %s hub keeps what it has, because by no name it would find no row', async (_, hubs) => {
    const namespace = hubs as typeof env.ROUTER_HUB
    const id = namespace.newUniqueId()
    await runInDurableObject(namespace.get(id), async (_, { storage }) => storage.kv.put('kept', 1))
    await abortAllDurableObjects()
    await runInDurableObject(namespace.get(id), async (hub) => {
      await expect((hub as unknown as { refresh(): Promise<void> }).refresh()).rejects.toThrow('without its name')
    })
    await runInDurableObject(namespace.get(id), async (_, { storage }) => expect(storage.kv.get('kept')).toBe(1))
  })
})
