import { eq } from 'drizzle-orm'
import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { expect, it, vi } from 'vitest'
import { readPresentRouters } from '#durable/account-hub/database.ts'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { CLOSE, type ViewerFrame } from '#contract/kernel/protocol.ts'
import { monitorSettings } from '#db/schema/monitor.ts'
import { linkId } from '#domain/network/members/links.ts'
import { routerStates } from '#db/schema/routers.ts'
import { sessions } from '#db/schema/accounts.ts'
import { attentionHandlers } from '#db/schema/monitor.ts'
import { tickets } from '#db/schema/tickets.ts'
import { newHubName } from '#security/hub-name.ts'
import { db } from '#tests/support/test-worker.ts'
import { insertMessage, insertSupportTicket, unique } from '#tests/support/rows.ts'
import {
  createHubNetwork,
  createHubRouter,
  connectViewer,
  accountStub,
  createAccount,
  connectOnlineDevice,
  isShown,
  networkStub,
  openSession,
  routerStub,
  createViewer,
  until,
  readNow,
  later,
} from './support.ts'
import { stopClock } from './clock.ts'

async function selectPresence({ routerId }: { readonly routerId: number }) {
  const [row] = await db.select().from(routerStates).where(eq(routerStates.routerId, routerId))
  return row?.presence
}

it('sends open consoles the unread count, at once and when it changes', async () => {
  const account = await createAccount()
  const { accountId } = account
  await insertMessage({ accountId })
  const console = await connectViewer(accountStub(account), createViewer(account))
  expect((await console.next(isShown('account'))).data.unread).toBe(1)
  await insertMessage({ accountId })
  await accountStub(account).refresh()
  await console.next((frame) => frame.type === 'account' && frame.data.unread === 2)
})

it('counts unread messages for each person, and of a limited role those of its networks', async () => {
  const network = await createHubNetwork(0)
  const { accountId, number } = network
  const hub = accountStub(network)
  const role = (networks: string[]) => ({ grants: { kind: 'ram' as const, flags: [], networks } })
  const [main, within, without] = await Promise.all([
    connectViewer(hub, createViewer(network)),
    connectViewer(hub, createViewer(network, { person: 'ram:1', ...role([number]) })),
    connectViewer(hub, createViewer(network, { person: 'ram:2', ...role(['other']) })),
  ])
  const unread = (count: number) => (frame: ViewerFrame) => frame.type === 'account' && frame.data.unread === count
  await Promise.all([main, within, without].map((console) => console.next(unread(0))))
  await insertMessage({ accountId })
  await insertMessage({ accountId, networkNumber: number, readBy: [`main:${accountId}`] })
  await insertMessage({ accountId, person: 'ram:2' })
  await insertMessage({ accountId, networkNumber: number })
  await hub.refresh()
  const { seq } = await main.next(unread(2))
  const counts = await Promise.all([within, without].map((console) => console.next((frame) => frame.seq === seq)))
  expect(counts).toMatchObject([{ data: { unread: 2 } }, { data: { unread: 1 } }])
})

it('sends nothing where no count has changed', async () => {
  const account = await createAccount()
  const console = await connectViewer(accountStub(account), createViewer(account))
  await console.next(isShown('account'))
  await accountStub(account).refresh()
  await insertMessage({ accountId: account.accountId })
  await accountStub(account).refresh()
  await console.next((frame) => frame.type === 'account' && frame.data.unread === 1)
  expect(console.frames.filter(isShown('account'))).toHaveLength(2)
})

it('sends tickets that moved to who wrote them and to the main account, each state once', async () => {
  const account = await createAccount()
  const { accountId } = account
  const hub = accountStub(account)
  const role = { grants: { kind: 'ram' as const, flags: [], networks: null } }
  const [main, author, other] = await Promise.all([
    connectViewer(hub, createViewer(account)),
    connectViewer(hub, createViewer(account, { person: 'ram:1', ...role })),
    connectViewer(hub, createViewer(account, { person: 'ram:2', ...role })),
  ])
  await Promise.all([main, author, other].map((console) => console.next(isShown('account'))))
  const number = unique('T')
  await insertSupportTicket({ accountId, number, person: 'ram:1', status: 3 })
  await hub.refresh()
  const { seq } = await main.next(isShown('ticket'))
  const seen = await Promise.all([main, author, other].map((console) => console.next((frame) => frame.seq === seq)))
  const moved = [{ ticket_number: number, ticket_status: 3 }]
  expect(seen).toMatchObject([{ data: moved }, { data: moved }, { data: [] }])
  await hub.refresh()
  await db.update(tickets).set({ status: 2, revision: 2, updatedAt: Date.now() }).where(eq(tickets.number, number))
  await hub.refresh()
  await author.next((frame) => frame.type === 'ticket' && frame.data[0]?.ticket_status === 2)
  expect(author.frames.filter(isShown('ticket'))).toHaveLength(2)
})

it('sends open consoles one frame when somebody handles a row', async () => {
  const account = await createAccount()
  const { accountId } = account
  const hub = accountStub(account)
  const console = await connectViewer(hub, createViewer(account))
  await console.next(isShown('account'))
  await db.insert(attentionHandlers).values({ accountId, trouble: 'outage NL1', name: 'li', at: Date.now() })
  await hub.refresh()
  await console.next(isShown('attention'))
  await hub.refresh()
  await insertMessage({ accountId })
  await hub.refresh()
  await console.next((frame) => frame.type === 'account' && frame.data.unread === 1)
  expect(console.frames.filter(isShown('attention'))).toHaveLength(1)
})

it('sends a console only members it may see', async () => {
  const network = await createHubNetwork(1)
  const { number, center } = network
  const grants = (networks: string[]) => ({ kind: 'ram' as const, flags: [], networks })
  const [main, within, without] = await Promise.all([
    connectViewer(accountStub(network), createViewer(network)),
    connectViewer(accountStub(network), createViewer(network, { grants: grants([number]) })),
    connectViewer(accountStub(network), createViewer(network, { grants: grants(['other']) })),
  ])
  await readNow(routerStub(center))
  await connectOnlineDevice(center)
  const isOnline = (frame: (typeof main.frames)[number]) =>
    frame.type === 'routers' && frame.data.some((r) => r.router_name === center.name && r.presence.state === 'online')
  const { seq } = await main.next(isOnline)
  await within.next(isOnline)
  const seen = await without.next((frame) => frame.seq === seq)
  expect(seen).toMatchObject({ type: 'routers', data: [] })
})

it('an open console finds a frozen device within its check, without a network that watches it', async () => {
  stopClock()
  const network = await createHubNetwork(0)
  const { center } = network
  await readNow(routerStub(center))
  await connectOnlineDevice(center)
  await until(async () => ((await selectPresence(center)) === 'online' ? true : undefined))
  const console = await connectViewer(accountStub(network), createViewer(network))
  await console.next(isShown('account'))
  const alarm = await runInDurableObject(accountStub(network), (_, state) => state.storage.getAlarm())
  expect(alarm! - Date.now()).toBeLessThanOrEqual(PRESENCE.consoleCheckMs)
  later(PRESENCE.leaseMs)
  console.send({ type: 'ack', seq: 0 })
  await until(() => (console.socket.readyState === WebSocket.OPEN ? true : undefined))
  await accountStub(network).refresh()
  await runDurableObjectAlarm(accountStub(network))
  expect((await routerStub(center).traffic()).presence.state).toBe('offline')
})

it('a frozen device is found within 15 minutes while nobody looks, and an account without present routers sets no alarm', async () => {
  stopClock()
  const network = await createHubNetwork(0)
  const { center } = network
  const stub = accountStub(network)
  const alarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
  await readNow(routerStub(center))
  await stub.refresh()
  expect(await alarm()).toBeNull()
  const device = await connectOnlineDevice(center)
  await until(async () => (await alarm()) ?? undefined)
  expect((await alarm())! - Date.now()).toBeLessThanOrEqual(PRESENCE.idleCheckMs)
  later(PRESENCE.idleCheckMs)
  await runDurableObjectAlarm(stub)
  expect((await device.end()).code).toBe(CLOSE.silent)
  expect((await routerStub(center).traffic()).presence.state).toBe('offline')
  await until(async () => ((await selectPresence(center)) === 'offline' ? true : undefined))
  later(PRESENCE.idleCheckMs)
  await runDurableObjectAlarm(stub)
  expect(await alarm()).toBeNull()
})

it('a router that goes offline moves the next lease check forward if a console is open, and not otherwise', async () => {
  stopClock()
  const router = await createHubRouter(await createAccount())
  await readNow(routerStub(router))
  const stub = accountStub(router)
  const { presence, config } = await routerStub(router).traffic()
  const change = { routerHub: router.hub, routerName: router.name, seenIn: [], missing: [], unsupported: [], config }
  const goOffline = () => {
    later(1_000)
    const move = { from: 'online', to: 'offline', at: Date.now(), reason: '' } as const
    return stub.routerChanged({ ...change, presence, moves: [move] })
  }
  /** Milliseconds until the alarm. */
  const alarmIn = () =>
    runInDurableObject(stub, async (_, { storage }) => ((await storage.getAlarm()) ?? Infinity) - Date.now())
  await runInDurableObject(stub, (hub) => hub['leases'].notePresent())
  await goOffline()
  await stub.refresh()
  expect(await alarmIn()).toBe(PRESENCE.idleCheckMs)
  const console = await connectViewer(stub, createViewer(router))
  await console.next(isShown('account'))
  expect(await alarmIn()).toBe(PRESENCE.consoleCheckMs)
  await goOffline()
  expect(await alarmIn()).toBe(10_000)
})

it('reads its present routers in pages, each row with how many there are in all', async () => {
  const { center, points, ...network } = await createHubNetwork(2)
  const [first, second] = [center, points[0]!]
  for (const { routerId } of [first, second]) await db.insert(routerStates).values({ routerId, presence: 'online' })
  const read = (afterId: number) => readPresentRouters(env, network.accountHub, afterId, 1)
  const row = ({ routerId: id, hub, name }: typeof first, isPoint: 0 | 1) => ({
    id,
    hub,
    name,
    isUnreadable: 0,
    isPoint,
    total: 2,
  })
  expect(await read(0)).toEqual([row(first, 0)])
  expect(await read(first.routerId)).toEqual([row(second, 1)])
  expect(await read(second.routerId)).toEqual([])
})

it('alerts find a point that froze with its centre: the centre by its check, the point right behind it', async () => {
  stopClock()
  const network = await createHubNetwork(1)
  const { center, points } = network
  const point = points[0]!
  await readNow(networkStub(network))
  const devices = [await connectOnlineDevice(center), await connectOnlineDevice(point)]
  for (const device of devices)
    device.send({ t: 'links', links: [{ id: linkId(network.number, point.name, center.name), up: true, rtt_ms: 1 }] })
  const stub = accountStub(network)
  const linked = () => runInDurableObject(stub, (hub) => [...hub['healthStore'].linked()])
  await until(async () => ((await linked()).includes(point.name) ? true : undefined))
  await db.insert(monitorSettings).values({ accountId: network.accountId, enabled: 1, updatedAt: 1 })
  await stub.refresh()
  const checked: string[] = []
  await runInDurableObject(stub, (hub, { storage }) => {
    storage.kv.put('leaseRound', Date.now()) // a round over all routers has just been
    const { check } = hub['leases']['deps']
    Object.assign(hub['leases']['deps'], {
      check: (routers: Parameters<typeof check>[0]) => {
        checked.push(...routers.map(({ hub }) => hub))
        return check(routers)
      },
    })
  })
  const nextCheck = async () => {
    const at = await runInDurableObject(stub, (_, state) => state.storage.getAlarm())
    vi.useFakeTimers({ toFake: ['Date'], now: Math.max(at ?? 0, Date.now()) })
    await runDurableObjectAlarm(stub)
  }
  later(PRESENCE.leaseMs + 1_000)
  await runDurableObjectAlarm(stub)
  expect(checked).toEqual([center.hub])
  await until(async () => ((await linked()).includes(point.name) ? undefined : true))
  const before = Date.now()
  for (let alarms = 0; alarms < 3 && !checked.includes(point.hub); alarms++) await nextCheck() // the alert's own is earlier
  expect(checked).toContain(point.hub)
  expect(Date.now() - before).toBeLessThanOrEqual(60_000)
  expect((await routerStub(point).traffic()).presence.state).toBe('offline')
})

it('refuses a session for a minute after its end, and then deletes the entry', async () => {
  const account = await createAccount()
  const hub = accountStub(account)
  const { accountId } = account
  const [sessionId, other] = [unique('s'), unique('s')]
  for (const id of [sessionId, other]) await openSession({ sessionId: id, accountId })
  const entry = (id: string) => ({ sessionId: id, kind: 'router' as const, hub: newHubName('default'), on: true })
  expect(await hub.watching(entry(sessionId))).toBe(true)
  await db.update(sessions).set({ endedAt: Date.now() }).where(eq(sessions.id, sessionId))
  await hub.refresh()
  expect(await hub.watching(entry(sessionId))).toBe(false)
  expect(await hub.watching(entry(other))).toBe(true)
})

it('closes a watcher whose session row is deleted', async () => {
  const network = await createHubNetwork(1)
  const viewer = createViewer(network)
  const socket = await connectViewer(routerStub(network.center), viewer)
  await socket.next(isShown('history'))
  await db.delete(sessions).where(eq(sessions.id, viewer.sessionId))
  await accountStub(network).refresh()
  expect((await socket.end()).code).toBe(4004)
})
