import {
  abortAllDurableObjects,
  env,
  evictDurableObject,
  listDurableObjectIds,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DIAL, PRESENCE } from '#contract/kernel/hub-limits.ts'
import type { DialReport, PresenceState } from '#contract/kernel/protocol.ts'
import { DIAL_ENDED, DIAL_LOST, DIAL_SERVER_AWAY } from '#contract/kernel/states.ts'
import { readPresentRouters } from '#durable/account-hub/database.ts'
import { createHubs } from '#durable/hubs.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { routerStates } from '#db/schema/routers.ts'
import { endDials } from '#jobs/expiry.ts'
import { sweepEntries } from '#jobs/hubs.ts'
import { runJobs } from '#jobs/jobs.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  type TestNetwork,
  accountStub,
  askHealth,
  connectOnlineDevice,
  connectViewer,
  createViewer,
  goOffline,
  later,
  networkStub,
  routerStub,
  until,
} from './support.ts'
import { type DialNetwork, createDialNetwork, dial } from './dial-network.ts'

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
  const release = { id: 'release 2', tag: '', timestamp: '' }
  it.each([
    ['a start', '@start', env],
    ['a deploy, by its first minute', '* * * * *', { ...env, CF_VERSION_METADATA: release }],
  ])(
    'ends within a lease of %s from which its centre does not come back, though nobody watches',
    async (_, cron, on) => {
      const network = await createDialNetwork()
      await report(network.devices[0], dial(network))
      await isShownAs(network, 'online')
      await runInDurableObject(routerStub(network.center), (_, { storage }) => storage.setAlarm(Date.now() + 900_000))
      await abortAllDurableObjects()
      const startedAt = Date.now()
      await runJobs({ cron, scheduledTime: 0 }, on)
      const alarmAt = await runInDurableObject(routerStub(network.center), (_, { storage }) => storage.getAlarm())
      expect(alarmAt).toBeLessThanOrEqual(startedAt + PRESENCE.leaseMs + 1_000)
      later(PRESENCE.leaseMs + 1_000)
      await runDurableObjectAlarm(routerStub(network.center))
      await until(async () => ((await stateRow(network))?.presence === 'offline' ? true : undefined))
    },
  )

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
    const endedAt = Date.now()
    await report(devices[1], { ...second, ended_ms: 0 })
    await isShownAs(network, 'offline')
    const { presence } = (await memberOf(network, client.name))!
    expect(presence).toMatchObject({ state: 'offline', reason: DIAL_ENDED })
    expect(presence.last_seen).toBeGreaterThanOrEqual(endedAt)
    await report(devices[0], first)
    await isShownAs(network, 'offline')
    expect(await movesOf(network)).toEqual(['never → online', 'online → offline'])
  })

  it('that dialled while nobody could be reached is 离线, no longer 从未上线', async () => {
    const network = await createDialNetwork()
    const before = Date.now()
    await report(network.devices[0], dial(network, { began_ms: 3_600_000, ended_ms: 1_800_000 }))
    const after = Date.now()
    await isShownAs(network, 'offline')
    const { last_seen } = (await memberOf(network, network.client.name))!.presence
    expect(last_seen).toBeGreaterThanOrEqual(before - 1_800_000)
    expect(last_seen).toBeLessThanOrEqual(after - 1_800_000)
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

  it('ends where its centre is back within the grace without it, as after a crash, and stays where it is reported again', async () => {
    const network = await createDialNetwork()
    const { center, devices, client } = network
    const open = dial(network)
    await report(devices[0], open)
    await isShownAs(network, 'online')
    later(1_000)
    await report(await connectOnlineDevice(center), open)
    later(DIAL.resumeMs)
    await runDurableObjectAlarm(routerStub(center))
    await isShownAs(network, 'online')
    await connectOnlineDevice(center)
    later(DIAL.resumeMs - 1_000)
    await runDurableObjectAlarm(routerStub(center))
    await isShownAs(network, 'online')
    later(1_000)
    await evictDurableObject(routerStub(center) as ReturnType<typeof routerStub>)
    await runDurableObjectAlarm(routerStub(center))
    await isShownAs(network, 'offline')
    expect((await memberOf(network, client.name))?.presence.reason).toBe(DIAL_LOST)
    expect((await routerStub(center).traffic()).presence.state).toBe('online')
    expect(await movesOf(network)).toEqual(['never → online', 'online → offline'])
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
    const checked = await until(async () => {
      const present = (await readPresentRouters(env, network.accountHub, 0, 9)).map(({ hub }) => hub)
      return present.length === 2 ? present : undefined
    })
    expect(checked.toSorted()).toEqual([network.center.hub, network.second.hub].toSorted())
  })
})

describe('a member that dials one network twice', () => {
  const halts = (device: DeviceSocket) =>
    device.frames.filter((frame) => frame.t === 'command' && frame.kind === 'kill_user')

  it('keeps the newer dial: the device of the older one ends it for good, once', async () => {
    const network = await createDialNetwork()
    const [first, second] = network.devices
    await report(first, dial(network, { began_ms: 30_000 }))
    const newer = dial(network, { began_ms: 0 })
    await report(second, newer)
    const [command] = await until(() => (halts(first).length > 0 ? halts(first) : undefined))
    expect(command).toMatchObject({
      params: { network_number: network.number, name: network.client.name, halt: true },
    })
    await report(second, { ...newer, rx: 10 })
    await report(second, { ...newer, rx: 20 })
    expect(halts(first)).toHaveLength(1)
    expect(halts(second)).toHaveLength(0)
  })

  it('and a report that comes late ends nothing: neither of an older dial nor of one that goes on for long', async () => {
    const network = await createDialNetwork()
    const [first, second] = network.devices
    await report(first, dial(network, { began_ms: 10_000 }))
    await report(second, dial(network, { began_ms: 40_000 }))
    await report(second, dial(network, { began_ms: 5_000, ended_ms: 1_000 }))
    expect([...halts(first), ...halts(second)]).toEqual([])
    const other = await createDialNetwork()
    await report(other.devices[0], dial(other, { began_ms: 3 * DIAL.supersedeMs }))
    await report(other.devices[1], dial(other, { began_ms: 2 * DIAL.supersedeMs }))
    expect(other.devices.flatMap(halts)).toEqual([])
  })
})
