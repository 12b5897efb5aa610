import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { HealthAnswer } from '#contract/kernel/hubs.ts'
import { accounts } from '#db/schema/accounts.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type TestNetwork,
  accountStub,
  connectOnlineDevice,
  connectViewer,
  createHubNetwork,
  createViewer,
  networkStub,
  until,
  readNow,
  askHealth,
  goOffline,
} from './support.ts'

const NOBODY = { online: 0, reconnecting: 0, flapping: 0, unreadable: 0, offline: 0, never: 0, disabled: 0 }

const stored = (network: TestNetwork) =>
  runInDurableObject(accountStub(network), (_, { storage }) =>
    storage.sql
      .exec<{ summary: string; revision: number }>(
        'SELECT summary, revision FROM network_health WHERE hub = ?',
        network.hub,
      )
      .toArray()
      .map(({ summary, revision }) => ({ revision, ...(JSON.parse(summary) as HealthAnswer['summaries'][string]) }))
      .at(0),
  )
const storedState = async (network: TestNetwork) => (await stored(network))?.health.state
const isStored = (network: TestNetwork, state: string) =>
  until(async () => ((await storedState(network)) === state ? true : undefined))

describe('hubs.md, Health · summary of a network', () => {
  it('reaches the account’s hub after the first read, and whenever it changes', async () => {
    const network = await createHubNetwork(1)
    await readNow(networkStub(network))
    await isStored(network, 'never')
    expect(await stored(network)).toMatchObject({
      revision: 1,
      health: { centers: { up: 0, total: 0 }, members: { ...NOBODY, never: 2 }, links: { never: 1 } },
    })
    const center = await connectOnlineDevice(network.center)
    await isStored(network, 'ok')
    await goOffline(network.center, center)
    await isStored(network, 'down')
    expect((await stored(network))?.health.cause).toBe('中心点离线')
  })

  it('that could not be delivered is repeated by the alarm, also after hibernation', async () => {
    const network = await createHubNetwork(1)
    await readNow(networkStub(network))
    await isStored(network, 'never')
    const broken = async () => {
      throw new Error('away')
    }
    await runInDurableObject(accountStub(network), (hub) => void (hub.networkChanged = broken))
    await connectOnlineDevice(network.center)
    await until(async () => ((await networkStub(network).status(1)).health.state === 'ok' ? true : undefined))
    await until(() =>
      runInDurableObject(networkStub(network), async (_, { storage }) => (await storage.getAlarm()) ?? undefined),
    )
    expect(await storedState(network)).toBe('never')
    await evictDurableObject(accountStub(network))
    await evictDurableObject(networkStub(network))
    await runDurableObjectAlarm(networkStub(network))
    await isStored(network, 'ok')
  })

  it('that was lost in a crash is pushed when the hub wakes', async () => {
    const network = await createHubNetwork(1)
    await readNow(networkStub(network))
    await isStored(network, 'never')
    await runInDurableObject(networkStub(network), (hub) => {
      Object.assign(hub, {
        healthPush: { changed: () => {}, retry: async () => {}, dueAt: () => null, accountHub: () => 'x' },
      })
    })
    await connectOnlineDevice(network.center)
    await until(async () => ((await networkStub(network).status(1)).health.state === 'ok' ? true : undefined))
    expect(await storedState(network)).toBe('never')
    await evictDurableObject(networkStub(network))
    await networkStub(network).status(1)
    await isStored(network, 'ok')
  })

  it('that the rows contradict is asked for again, and so is one that is missing', async () => {
    const network = await createHubNetwork(1)
    const rows = (over: object = {}) => [{ hub: network.hub, revision: 1, members: { ...NOBODY, never: 2 }, ...over }]
    const { summaries } = await askHealth(network, { networks: rows(), since: null })
    expect(summaries[network.hub]?.health).toMatchObject({ state: 'never', members: { never: 2 } })
    const asked = await runInDurableObject(accountStub(network), (_, { storage }) =>
      storage.sql.exec("UPDATE network_health SET summary = json_set(summary, '$.health.state', 'ok'), seq = 1"),
    )
    expect(asked).toBeDefined()
    const same = await askHealth(network, { networks: rows(), since: null })
    expect(same.summaries[network.hub]?.health.state).toBe('ok') // nothing contradicts it
    const other = await askHealth(network, {
      networks: rows({ members: { ...NOBODY, never: 1, online: 1 } }),
      since: null,
    })
    expect(other.summaries[network.hub]?.health.state).toBe('never')
    await db.delete(networkMembers).where(eq(networkMembers.routerId, network.points[0]!.routerId))
    await db.update(networks).set({ revision: 2 }).where(eq(networks.id, network.id))
    const edited = await askHealth(network, {
      networks: rows({ revision: 2, members: { ...NOBODY, never: 1 } }),
      since: null,
    })
    expect(edited.summaries[network.hub]?.health.members.never).toBe(1)
  })

  it('of a network that does not answer is what is known', async () => {
    const network = await createHubNetwork(1)
    await readNow(networkStub(network))
    await isStored(network, 'never')
    const broken = async () => {
      throw new Error('overloaded')
    }
    await runInDurableObject(networkStub(network), (hub) => void (hub.health = broken))
    const rows = [{ hub: network.hub, revision: 9, members: NOBODY }]
    expect((await askHealth(network, { networks: rows, since: null })).summaries[network.hub]?.health.state).toBe(
      'never',
    )
  })

  it('is dropped with its network, also where that notice was lost', async () => {
    const [removed, lost] = [await createHubNetwork(1), await createHubNetwork(1)]
    for (const network of [removed, lost]) {
      await readNow(networkStub(network))
      await isStored(network, 'never')
      await db.delete(networkMembers).where(eq(networkMembers.networkId, network.id))
      await db.delete(networks).where(eq(networks.id, network.id))
    }
    await networkStub(removed).remove()
    expect(await stored(removed)).toBeUndefined()
    await accountStub(lost).refresh()
    expect(await stored(lost)).toBeUndefined()
  })

  it('an older report never replaces a newer one', async () => {
    const network = await createHubNetwork(1)
    const report = await networkStub(network).health(1)
    const hub = accountStub(network)
    await hub.networkChanged({ hub: network.hub, report: { ...report, seq: report.seq + 1_000_000 } })
    const older = { ...report, summary: { ...report.summary, health: { ...report.summary.health, cause: 'old' } } }
    await hub.networkChanged({ hub: network.hub, report: older })
    expect((await stored(network))?.health.cause).not.toBe('old')
  })

  it('is sent to open consoles whose role covers the network', async () => {
    const network = await createHubNetwork(1)
    const grants = (names: string[]) => ({ kind: 'ram' as const, flags: [], networks: names })
    const open = (over = {}) => connectViewer(accountStub(network), createViewer(network, over))
    const [main, within, without] = await Promise.all([
      open(),
      open({ grants: grants([network.number]) }),
      open({ grants: grants(['other']) }),
    ])
    await readNow(networkStub(network))
    const isHealth = (frame: (typeof main.frames)[number]) =>
      frame.type === 'networks' && frame.data.some(({ network_number }) => network_number === network.number)
    const { seq } = await main.next(isHealth)
    await within.next(isHealth)
    expect(await without.next((frame) => frame.seq === seq)).toMatchObject({ type: 'networks', data: [] })
  })

  it('everything is forgotten with the account', async () => {
    const network = await createHubNetwork(1)
    await readNow(networkStub(network))
    await isStored(network, 'never')
    const hub = `default.${'9'.repeat(24)}${String(network.id).padStart(8, '0')}`
    await db.update(accounts).set({ hub }).where(eq(accounts.id, network.accountId))
    await accountStub(network).remove()
    expect(await stored(network)).toBeUndefined()
  })
})
