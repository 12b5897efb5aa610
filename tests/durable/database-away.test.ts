import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { DATABASE_RETRY, HUB_READ } from '#contract/kernel/hub-limits.ts'
import { routerStates } from '#db/schema/routers.ts'
import { toViews } from '#durable/network-hub/projection.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  type TestNetwork,
  accountStub,
  connectOnlineDevice,
  connectViewer,
  createHubNetwork,
  createHubRouter,
  createViewer,
  isShown,
  join,
  later,
  networkStub,
  routerStub,
  selectState,
  until,
} from './support.ts'
import { stopClock } from './clock.ts'

const POINTS = 4

/** Number of routers that a statement saves: their states are its last value. */
const countSaved = (sql: string, values: readonly unknown[]): number =>
  sql.includes('insert into router_states') ? (JSON.parse(String(values.at(-1))) as unknown[]).length : 0

it('hubs.md, Outages of the database · one hub tries again for all, live sockets stay right, and then all rows are', async () => {
  stopClock()
  const network = await createHubNetwork(POINTS)
  const devices: DeviceSocket[] = []
  for (const router of network.points) devices.push(await connectOnlineDevice(router))
  const presences = async () => Promise.all(network.points.map(async (point) => (await selectState(point))?.presence))
  await until(async () => ((await presences()).every((state) => state === 'online') ? true : undefined))
  await networkStub(network).status(1)
  const console = await connectViewer(accountStub(network), createViewer(network))
  await console.next(isShown('account'))

  const prepare = env.DB!.prepare.bind(env.DB)
  const saved = new Map<D1PreparedStatement, number>()
  vi.spyOn(env.DB!, 'prepare').mockImplementation((sql) => {
    const statement = prepare(sql)
    return {
      bind: (...values: unknown[]) => remember(statement.bind(...values), countSaved(sql, values)),
    } as D1PreparedStatement
  })
  const remember = (statement: D1PreparedStatement, routers: number) => {
    saved.set(statement, routers)
    return statement
  }
  const batch = env.DB!.batch.bind(env.DB)
  let isAway = true
  let saves = 0
  vi.spyOn(env.DB!, 'batch').mockImplementation(async (statements) => {
    for (const statement of statements) saves += saved.get(statement) ?? 0
    if (isAway) throw new Error('D1_ERROR: database is locked: SQLITE_BUSY')
    return batch(statements) as never
  })
  for (const { socket } of devices) socket.close(1000, 'bye')
  const waiting = () => runInDurableObject(accountStub(network), (hub) => hub['retries']['waiting'].size)
  await until(async () => ((await waiting()) === POINTS ? true : undefined))
  expect(saves).toBe(POINTS)

  later(16_000)
  for (const point of network.points) await runDurableObjectAlarm(routerStub(point))
  const shown = () =>
    new Map(
      console.frames
        .filter(isShown('routers'))
        .flatMap(({ data }) => data.map((r) => [r.router_name, r.presence.state])),
    )
  await until(() => ([...shown().values()].filter((state) => state === 'offline').length === POINTS ? true : undefined))
  const { members } = await networkStub(network).status(1)
  expect(members.filter(({ presence }) => presence.state === 'offline')).toHaveLength(POINTS)
  expect(saves).toBe(POINTS) // the second change tried no save of its own
  for (let n = 1; n <= 3; n++) {
    later(DATABASE_RETRY.probeMs)
    await runDurableObjectAlarm(accountStub(network))
    await until(() => (saves === POINTS + n ? true : undefined))
    await until(() => runInDurableObject(accountStub(network), (hub) => !hub['retries']['isRunning'] || undefined))
  }
  isAway = false
  later(DATABASE_RETRY.probeMs)
  await runDurableObjectAlarm(accountStub(network))
  await until(async () => ((await waiting()) === 0 ? true : undefined))
  expect(await presences()).toEqual(Array(POINTS).fill('offline'))
  expect(saves).toBe(POINTS + 3 + POINTS)
})

const refuseAll = () =>
  vi.spyOn(env.DB!, 'batch').mockRejectedValue(new Error('D1_ERROR: database is locked: SQLITE_BUSY'))
/** The alarm of the account's hub, which asks one hub; not those of the hubs themselves. */
async function probe(network: TestNetwork): Promise<void> {
  later(DATABASE_RETRY.probeMs)
  await runDurableObjectAlarm(accountStub(network))
  await until(() => runInDurableObject(accountStub(network), (hub) => !hub['retries']['isRunning'] || undefined))
}
const namesIn = (network: TestNetwork) =>
  runInDurableObject(networkStub(network), (hub) => [...hub['projection'].members.keys()])

describe('hubs.md, Outages of the database · the hub of a network', () => {
  it('reads its rows with the first probe that succeeds, not after its own pause', async () => {
    stopClock()
    const network = await createHubNetwork()
    await networkStub(network).status(1)
    const added = await createHubRouter(network)
    await join(network, added, 'point')
    later(HUB_READ.everyMs)
    const away = refuseAll()
    await networkStub(network)
      .refresh()
      .catch(() => {})
    await probe(network)
    expect(await namesIn(network)).not.toContain(added.name)
    away.mockRestore()
    await probe(network)
    expect(await namesIn(network)).toContain(added.name)
    expect(await runInDurableObject(accountStub(network), (hub) => hub['retries']['waiting'].size)).toBe(0)
  })

  it('keeps a report of a link that its rows do not name yet, and shows it with that read', async () => {
    stopClock()
    const network = await createHubNetwork()
    await networkStub(network).status(1)
    const added = await createHubRouter(network)
    await join(network, added, 'point')
    await db.update(routerStates).set({ presence: 'online' }).where(eq(routerStates.routerId, added.routerId))
    const id = `${network.number}:${added.name}>${network.center.name}`
    const away = refuseAll()
    const report = { routerHub: added.hub, routerName: added.name, links: [{ id, up: true, rttMs: 9 }] }
    await networkStub(network)
      .linksReported(report)
      .catch(() => {})
    away.mockRestore()
    await probe(network)
    const clientUp = await runInDurableObject(
      networkStub(network),
      (hub) => toViews([], [...hub['projection'].links.values()]).links.find((link) => link.id === id)?.client_up,
    )
    expect(clientUp).toBe(true)
  })
})
