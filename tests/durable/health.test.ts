import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { HealthAnswer } from '../../worker/contract/hubs.ts'
import { HEALTH } from '../../worker/contract/limits.ts'
import { accounts } from '../../worker/db/schema/accounts.ts'
import { networkMembers, networks } from '../../worker/db/schema/networks.ts'
import { db } from '../support/test-worker.ts'
import {
  type TestAccount,
  type TestNetwork,
  type TestRouter,
  accountStub,
  connectOnlineDevice,
  connectViewer,
  createAccount,
  createHubNetwork,
  createHubRouter,
  createViewer,
  networkStub,
  routerStub,
  until,
  readNow,
} from './support.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
const NOBODY = { online: 0, reconnecting: 0, flapping: 0, offline: 0, never: 0, disabled: 0 }

const ask = (account: TestAccount, question: Parameters<ReturnType<typeof accountStub>['health']>[0]) =>
  accountStub(account).health(question) as Promise<HealthAnswer>
const movesOf = async (account: TestAccount) =>
  (await ask(account, { networks: [], since: 0 })).transitions.map(({ from, to }) => `${from} → ${to}`).toReversed()

async function createDevice(): Promise<TestRouter> {
  const router = await createHubRouter(await createAccount())
  await readNow(routerStub(router))
  return router
}

/** A close, and the decision after the grace. */
async function goOffline(router: TestRouter, device: Awaited<ReturnType<typeof connectOnlineDevice>>): Promise<void> {
  device.socket.close(1000, 'bye')
  await until(async () => ((await routerStub(router).traffic()).presence.state === 'online' ? undefined : true))
  later(16_000)
  await runDurableObjectAlarm(routerStub(router))
}

describe('hubs.md, Health · transitions of members', () => {
  it('are kept with the reason and the time, also over hibernation and restart', async () => {
    const router = await createDevice()
    const device = await connectOnlineDevice(router)
    await until(async () => ((await movesOf(router)).length === 1 ? true : undefined))
    await evictDurableObject(accountStub(router))
    await goOffline(router, device)
    await until(async () => ((await movesOf(router)).length === 2 ? true : undefined))
    await abortAllDurableObjects()
    const { transitions } = await ask(router, { networks: [], since: 0 })
    expect(transitions).toMatchObject([
      { routerHub: router.hub, from: 'online', to: 'offline', reason: expect.stringMatching(/./) },
      { routerHub: router.hub, from: 'never', to: 'online', reason: '' },
    ])
    expect(transitions[0]!.at).toBeGreaterThan(transitions[1]!.at)
  })

  it('an interruption within the grace is none', async () => {
    const router = await createDevice()
    const device = await connectOnlineDevice(router)
    device.socket.close(1000, 'bye')
    await until(async () => ((await routerStub(router).traffic()).presence.state === 'reconnecting' ? true : undefined))
    await connectOnlineDevice(router)
    await until(async () => ((await routerStub(router).traffic()).presence.state === 'online' ? true : undefined))
    await until(async () => ((await movesOf(router)).length > 0 ? true : undefined))
    expect(await movesOf(router)).toEqual(['never → online'])
  })

  it('reach the account’s hub one by one, though it did not answer while they happened', async () => {
    const router = await createDevice()
    const broken = async () => {
      throw new Error('away')
    }
    await runInDurableObject(accountStub(router), (hub) => void (hub.routerChanged = broken))
    const device = await connectOnlineDevice(router)
    await goOffline(router, device)
    later(1)
    await connectOnlineDevice(router)
    await until(async () => ((await routerStub(router).traffic()).presence.state === 'online' ? true : undefined))
    expect(await movesOf(router)).toEqual([])
    await evictDurableObject(accountStub(router))
    await evictDurableObject(routerStub(router))
    later(70_000) // beyond the longest wait, within the lease
    await runDurableObjectAlarm(routerStub(router))
    await until(async () => ((await movesOf(router)).length === 3 ? true : undefined))
    expect(await movesOf(router)).toEqual(['never → online', 'online → offline', 'offline → online'])
  })

  it('a repeated call adds nothing, and 48 h later they are gone', async () => {
    const router = await createDevice()
    await connectOnlineDevice(router)
    await until(async () => ((await movesOf(router)).length === 1 ? true : undefined))
    const { transitions } = await ask(router, { networks: [], since: 0 })
    const { presence, config } = await routerStub(router).traffic()
    const change = {
      routerHub: router.hub,
      routerName: router.name,
      networkNumbers: [],
      unsupported: [],
      presence,
      config,
    }
    await accountStub(router).routerChanged({ ...change, moves: transitions })
    expect(await movesOf(router)).toHaveLength(1)
    later(HEALTH.transitionsMs)
    expect(await movesOf(router)).toEqual([])
    const move = { from: 'online', to: 'offline', at: Date.now(), reason: '' } as const
    await accountStub(router).routerChanged({ ...change, moves: [move] })
    const count = await runInDurableObject(accountStub(router), (_, { storage }) =>
      storage.sql.exec('SELECT count(*) AS n FROM transitions').one(),
    )
    expect(count).toEqual({ n: 1 })
  })

  it('are limited in number', async () => {
    const router = await createDevice()
    const { presence, config } = await routerStub(router).traffic()
    const change = {
      routerHub: router.hub,
      routerName: router.name,
      networkNumbers: [],
      unsupported: [],
      presence,
      config,
    }
    const now = Date.now()
    const moves = Array.from({ length: HEALTH.transitionsMax + 50 }, (_, n) => ({
      from: 'online' as const,
      to: 'offline' as const,
      at: now - n,
      reason: '',
    }))
    await accountStub(router).routerChanged({ ...change, moves })
    expect(await movesOf(router)).toHaveLength(HEALTH.transitionsMax)
  })

  it('nothing is kept for an account that does not exist', async () => {
    const router = await createDevice()
    const { presence, config } = await routerStub(router).traffic()
    const gone = { ...router, accountHub: router.accountHub.replace(/.{8}$/, '0badc0de') }
    const move = { from: 'online', to: 'offline', at: Date.now(), reason: '' } as const
    await accountStub(gone).routerChanged({
      routerHub: router.hub,
      routerName: router.name,
      networkNumbers: [],
      presence,
      config,
      moves: [move],
      unsupported: ['ciphers:sm'],
    })
    expect(await ask(gone, { networks: [], since: 0 })).toEqual({ summaries: {}, transitions: [], unsupported: {} })
  })
})

/** What the account's hub has of a network, without asking the network again. */
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
    const { summaries } = await ask(network, { networks: rows(), since: null })
    expect(summaries[network.hub]?.health).toMatchObject({ state: 'never', members: { never: 2 } })
    const asked = await runInDurableObject(accountStub(network), (_, { storage }) =>
      storage.sql.exec("UPDATE network_health SET summary = json_set(summary, '$.health.state', 'ok'), seq = 1"),
    )
    expect(asked).toBeDefined()
    const same = await ask(network, { networks: rows(), since: null })
    expect(same.summaries[network.hub]?.health.state).toBe('ok') // nothing contradicts it
    const other = await ask(network, { networks: rows({ members: { ...NOBODY, never: 1, online: 1 } }), since: null })
    expect(other.summaries[network.hub]?.health.state).toBe('never')
    await db.delete(networkMembers).where(eq(networkMembers.routerId, network.points[0]!.routerId))
    await db.update(networks).set({ revision: 2 }).where(eq(networks.id, network.id))
    const edited = await ask(network, {
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
    expect((await ask(network, { networks: rows, since: null })).summaries[network.hub]?.health.state).toBe('never')
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
    await accountStub(network).refresh()
    expect(await stored(network)).toBeUndefined()
  })
})
