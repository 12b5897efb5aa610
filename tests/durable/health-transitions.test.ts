import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import {
  type TestAccount,
  type TestRouter,
  accountStub,
  connectOnlineDevice,
  createAccount,
  createHubRouter,
  routerStub,
  until,
  readNow,
  later,
  askHealth,
  goOffline,
} from './support.ts'
import { stopClock } from './clock.ts'

const movesOf = async (account: TestAccount) =>
  (await askHealth(account, { networks: [], since: 0 })).transitions
    .map(({ from, to }) => `${from} → ${to}`)
    .toReversed()

/** The report of a router's hub to the account's, without transitions. */
async function createChange(router: TestRouter) {
  const { presence, config } = await routerStub(router).traffic()
  return { routerHub: router.hub, routerName: router.name, seenIn: [], missing: [], unsupported: [], presence, config }
}

async function createDevice(): Promise<TestRouter> {
  const router = await createHubRouter(await createAccount())
  await readNow(routerStub(router))
  return router
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
    const { transitions } = await askHealth(router, { networks: [], since: 0 })
    expect(transitions).toMatchObject([
      { routerHub: router.hub, from: 'online', to: 'offline', reason: expect.stringMatching(/./) },
      { routerHub: router.hub, from: 'never', to: 'online', reason: '' },
    ])
    expect(transitions[0]!.at).toBeGreaterThan(transitions[1]!.at)
  })

  it('an interruption within the grace is none', async () => {
    stopClock()
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
    const { transitions } = await askHealth(router, { networks: [], since: 0 })
    const change = await createChange(router)
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
    const change = await createChange(router)
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
    const gone = { ...router, accountHub: router.accountHub.replace(/.{8}$/, '0badc0de') }
    const move = { from: 'online', to: 'offline', at: Date.now(), reason: '' } as const
    await accountStub(gone).routerChanged({
      ...(await createChange(router)),
      missing: ['ciphers:sm'],
      unsupported: ['ciphers:sm'],
      moves: [move],
    })
    expect(await accountStub(gone).missingSettings([gone.hub])).toEqual({})
    expect(await askHealth(gone, { networks: [], since: 0 })).toEqual({
      summaries: {},
      transitions: [],
      unsupported: {},
      alerts: [],
      channels: [],
    })
  })
})

/** The account hub's stored state of a network, without asking the network again. */
