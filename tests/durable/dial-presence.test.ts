import {
  abortAllDurableObjects,
  env,
  evictDurableObject,
  listDurableObjectIds,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CLIENT_NOTICES, DIAL } from '../../worker/contract/hub-limits.ts'
import type { DialReport, PresenceState } from '../../worker/contract/protocol.ts'
import { DIAL_ENDED, DIAL_LOST, DIAL_SERVER_AWAY } from '../../worker/contract/states.ts'
import { readPresentRouters } from '../../durable/account-hub/database.ts'
import { createHubs } from '../../durable/hubs.ts'
import { hubOutbox } from '../../worker/db/schema/hub-outbox.ts'
import { routerStates } from '../../worker/db/schema/members.ts'
import { endDials } from '../../worker/jobs/expiry.ts'
import { sweepEntries } from '../../worker/jobs/hub-outbox.ts'
import { createSoftwareRouter, unique } from '../support/fixtures.ts'
import { insertMember, insertSoftwareRouters } from '../support/rows.ts'
import { db } from '../support/test-worker.ts'
import {
  type DeviceSocket,
  type TestNetwork,
  accountStub,
  askHealth,
  connectOnlineDevice,
  connectViewer,
  createHubNetwork,
  createHubRouter,
  createViewer,
  goOffline,
  isShown,
  join,
  later,
  networkStub,
  readNow,
  routerStub,
  until,
} from './support.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A network of two connected centres with one software member. */
async function createDialNetwork() {
  const network = await createHubNetwork(0)
  const { accountId, id: networkId } = network
  const second = await createHubRouter(network)
  await join(network, second, 'center')
  const client = await createSoftwareRouter(accountId)
  await insertMember({ accountId, networkId, routerId: client.id, memberType: 'point' })
  for (const center of [network.center, second]) await readNow(routerStub(center))
  const devices = [await connectOnlineDevice(network.center), await connectOnlineDevice(second)] as const
  await readNow(networkStub(network))
  return { ...network, second, client, devices }
}
type DialNetwork = Awaited<ReturnType<typeof createDialNetwork>>

const dial = ({ number, client }: DialNetwork, over: Partial<DialReport> = {}): DialReport => ({
  key: unique('d'),
  network_number: number,
  name: client.name,
  remote: '203.0.113.9',
  began_ms: 0,
  ended_ms: null,
  rx: 0,
  tx: 0,
  ...over,
})

async function report(device: DeviceSocket, ...dials: readonly DialReport[]): Promise<void> {
  const after = device.frames.length
  device.send({ t: 'dial', dials: [...dials] })
  await until(() => {
    const keys = device.frames.slice(after).flatMap((frame) => (frame.t === 'dial_ack' ? frame.keys : []))
    return dials.every(({ key }) => keys.includes(key)) || undefined
  })
}

const stateRow = async ({ client }: DialNetwork) => {
  const [row] = await db.select().from(routerStates).where(eq(routerStates.routerId, client.id))
  return row
}
const memberOf = async (network: TestNetwork, name: string) =>
  (await networkStub(network).status(1)).members.find((member) => member.router_name === name)

/** The member is in this state in its row, in its network, and for the account's hub. */
async function isShownAs(network: DialNetwork, state: PresenceState): Promise<void> {
  await until(async () => {
    const row = await stateRow(network)
    const member = await memberOf(network, network.client.name)
    const isSame = (row?.presence ?? 'never') === state && member?.presence.state === state
    return (isSame && !row?.notifiedPresence) || undefined
  })
  const { summaries } = await askHealth(network, {
    networks: [
      { hub: network.hub, revision: 1, members: (await networkStub(network).health(1)).summary.health.members },
    ],
    since: null,
  })
  expect(summaries[network.hub]?.health.members[state]).toBeGreaterThanOrEqual(1)
}

const movesOf = async (network: DialNetwork) =>
  (await askHealth(network, { networks: [], since: 0 })).transitions
    .filter(({ routerHub }) => routerHub === network.client.hub)
    .map(({ from, to }) => `${from} → ${to}`)
    .toReversed()

describe('hubs.md, Dials · presence of a software member', () => {
  it('is 在线 while a dial is open at one of two centres, and 离线 after the last, also over evictions', async () => {
    const network = await createDialNetwork()
    const { devices, client } = network
    await isShownAs(network, 'never')
    const [first, second] = [dial(network), dial(network)]
    await report(devices[0], first)
    await isShownAs(network, 'online')
    const online = await stateRow(network)
    for (const hub of [routerStub(network.center), networkStub(network), accountStub(network)])
      await evictDurableObject(hub as ReturnType<typeof routerStub>)
    await report(devices[1], second)
    await report(devices[0], { ...first, ended_ms: 0 })
    await isShownAs(network, 'online')
    expect((await stateRow(network))?.presenceSince).toBe(online?.presenceSince)
    await report(devices[1], { ...second, ended_ms: 0 })
    await isShownAs(network, 'offline')
    const { presence } = (await memberOf(network, client.name))!
    expect(presence).toMatchObject({ state: 'offline', reason: DIAL_ENDED })
    expect(presence.last_seen).toBeGreaterThan(Date.now() - 60_000)
    await report(devices[0], first)
    await isShownAs(network, 'offline')
    expect(await movesOf(network)).toEqual(['never → online', 'online → offline'])
  })

  it('that dialled while nobody could be reached is 离线, no longer 从未上线', async () => {
    const network = await createDialNetwork()
    await report(network.devices[0], dial(network, { began_ms: 3_600_000, ended_ms: 1_800_000 }))
    await isShownAs(network, 'offline')
    const { last_seen } = (await memberOf(network, network.client.name))!.presence
    expect(Math.abs(last_seen! - (Date.now() - 1_800_000))).toBeLessThan(30_000)
  })

  it('ends with its centre, in the batch that writes the centre 离线, and comes back with the report after it', async () => {
    const network = await createDialNetwork()
    const { center, devices, client } = network
    const open = dial(network)
    await report(devices[0], open)
    await isShownAs(network, 'online')
    await goOffline(center, devices[0])
    await isShownAs(network, 'offline')
    expect((await memberOf(network, client.name))?.presence.reason).toBe(DIAL_SERVER_AWAY)
    const again = await connectOnlineDevice(center)
    await report(again, open)
    await isShownAs(network, 'online')
  })

  it('outlives a restart, and the loss of one of two centres', async () => {
    const network = await createDialNetwork()
    const { center, second, devices } = network
    await report(devices[0], dial(network))
    await report(devices[1], dial(network))
    await isShownAs(network, 'online')
    await abortAllDurableObjects()
    await isShownAs(network, 'online')
    const [one] = [await connectOnlineDevice(center), await connectOnlineDevice(second)]
    await goOffline(center, one)
    await until(async () => ((await memberOf(network, center.name))?.presence.state === 'offline' ? true : undefined))
    await isShownAs(network, 'online')
    expect(await movesOf(network)).toEqual(['never → online'])
  })

  it('that is reported no more is 离线 when its dial counts as lost', async () => {
    const network = await createDialNetwork()
    await report(network.devices[0], dial(network))
    await isShownAs(network, 'online')
    const entries: Parameters<typeof endDials>[0]['hubOutbox'] = []
    await endDials({ db, now: Date.now() + DIAL.lostMs + 1_000, hubOutbox: entries })
    expect(entries.some(({ hub }) => hub === network.accountHub)).toBe(true)
    await accountStub(network).refresh()
    await isShownAs(network, 'offline')
    expect((await memberOf(network, network.client.name))?.presence.reason).toBe(DIAL_LOST)
  })

  it('reaches consoles and the network though the network did not answer at first', async () => {
    const network = await createDialNetwork()
    const viewer = await connectViewer(accountStub(network), createViewer(network))
    await runInDurableObject(networkStub(network), (hub) => {
      hub.clientsChanged = async () => {
        throw new Error('overloaded')
      }
    })
    await report(network.devices[0], dial(network))
    const frame = await viewer.next(
      (each) => each.type === 'routers' && each.data.some(({ router_name }) => router_name === network.client.name),
    )
    expect(frame).toMatchObject({ data: [{ presence: { state: 'online' }, config: { state: 'none' } }] })
    await until(async () => {
      const [row] = await db.select().from(hubOutbox).where(eq(hubOutbox.hub, network.accountHub))
      return row && row.tries > 0 ? true : undefined
    })
    expect((await stateRow(network))?.notifiedPresence).toBe('never')
    await evictDurableObject(networkStub(network))
    await sweepEntries(db, createHubs(env, 'test'), { all: true })
    await isShownAs(network, 'online')
    expect(await movesOf(network)).toEqual(['never → online'])
  })

  it('gets no hub of its own, whoever looks at it', async () => {
    const network = await createDialNetwork()
    await connectViewer(accountStub(network), createViewer(network))
    await connectViewer(networkStub(network), createViewer(network))
    await report(network.devices[0], dial(network))
    await isShownAs(network, 'online')
    later(60_000)
    await runDurableObjectAlarm(accountStub(network))
    await runDurableObjectAlarm(networkStub(network))
    const ids = (await listDurableObjectIds(env.ROUTER_HUB)).map(String)
    expect(ids).toContain(String(env.ROUTER_HUB.idFromName(network.center.hub)))
    expect(ids).not.toContain(String(env.ROUTER_HUB.idFromName(network.client.hub)))
    const checked = (await readPresentRouters(env, network.accountHub, 0, 9)).map(({ hub }) => hub)
    expect(checked.toSorted()).toEqual([network.center.hub, network.second.hub].toSorted())
  })
})

/** Rows that D1 charges for, and how often it is asked. */
function meterDatabase() {
  const batch = env.DB!.batch.bind(env.DB)
  const sum = { read: 0, written: 0 }
  vi.spyOn(env.DB!, 'batch').mockImplementation(async (statements) => {
    const results = await batch(statements)
    for (const { meta } of results) {
      sum.read += meta.rows_read
      sum.written += meta.rows_written
    }
    return results as never
  })
  return sum
}

/** A network with so many further software members. */
async function createCrowd(size: number) {
  const network = await createDialNetwork()
  const { accountId, id: networkId, center } = network
  const names = Array.from({ length: size }, (_, n) => `c${n}@${accountId}`)
  await insertSoftwareRouters(accountId, names)
  await db.run(sql`insert into network_members (account_id, network_id, router_id, member_type, host, joined_at)
    select account_id, ${networkId}, id, 'point', 2000 + row_number() over (), 0 from routers
    where account_id = ${accountId} and name like 'c%'`)
  await readNow(routerStub(center))
  await readNow(networkStub(network))
  return { ...network, names }
}

it('1,000 software members that come and go at once are few rows each, and few wakes and frames', async () => {
  const size = 1_000
  const network = await createCrowd(size)
  const { accountId, devices, names } = network
  await db.run(sql`create table notices (at integer)`)
  await db.run(
    sql`create trigger count_notices after insert on hub_outbox begin insert into notices values (new.due_at); end`,
  )
  const viewers = [
    await connectViewer(accountStub(network), createViewer(network)),
    await connectViewer(networkStub(network), createViewer(network)),
  ]
  await viewers[1]!.next(isShown('snapshot'))
  const calls: number[] = []
  await runInDurableObject(networkStub(network), (hub) => {
    const clientsChanged = hub.clientsChanged.bind(hub)
    hub.clientsChanged = async (changes) => {
      calls.push(changes.length)
      return clientsChanged(changes)
    }
  })
  const dials = names.map((name) => dial(network, { name }))
  const settled = env.DB!.prepare(`select count(*) as count from routers r join router_states s on s.router_id = r.id
    where r.account_id = ? and r.name like 'c%' and s.presence = ? and s.notified_presence is null`)
  const rows = meterDatabase()
  const start = performance.now()
  const send = async (all: readonly DialReport[], state: PresenceState) => {
    for (let at = 0; at < all.length; at += 50) devices[0].send({ t: 'dial', dials: all.slice(at, at + 50) })
    await until(async () => {
      const row = await settled.bind(accountId, state).first<{ count: number }>() // not metered
      return row!.count === size ? true : undefined
    })
  }
  await send(dials, 'online')
  await until(() => performance.now() - start > 1_100 || undefined) // a device may send 20 frames a second
  await send(
    dials.map((each) => ({ ...each, ended_ms: 0 })),
    'offline',
  )
  const passedMs = performance.now() - start
  const saves = 2 + Math.ceil(passedMs / DIAL.saveMs)
  const [notices] = await db.all<[number]>(sql`select count(*) from notices`)
  expect(notices![0]).toBeLessThanOrEqual(saves)
  expect(calls.length).toBeLessThanOrEqual(saves * Math.ceil(size / CLIENT_NOTICES.page))
  expect(calls.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(2 * size + CLIENT_NOTICES.page)
  for (const viewer of viewers) expect(viewer.frames.length).toBeLessThanOrEqual(4 + Math.ceil(passedMs / 500))
  expect(rows.written / (2 * size)).toBeLessThanOrEqual(9)
  expect(rows.read / (2 * size)).toBeLessThanOrEqual(60)
}, 60_000)
