import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { StateMove } from '#contract/kernel/hubs.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { routers, connectionLogs } from '#db/schema/routers.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import {
  createFleet,
  createMainAccount,
  createNetwork,
  createRouter,
  createSubAccount,
} from '#tests/support/fixtures.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

const HOUR = 3_600_000

/** The worker with an account hub that keeps these transitions. */
function workerWith(transitions: readonly StateMove[]) {
  const fake = fakeHubs({ 'account.routerTransitions': () => transitions })
  return { calls: fake.calls, worker: createTestWorker({ hubs: fake.hubs }) }
}
const move = (from: StateMove['from'], to: StateMove['to'], hours: number, reason = ''): StateMove => ({
  from,
  to,
  at: Date.now() - hours * HOUR,
  reason,
})

describe('design 8 · router/events', () => {
  it('answers the transitions that the account’s hub keeps, and the state at the start of the bar', async () => {
    const main = await createMainAccount()
    const router = await createRouter(main.accountId, { state: { presence: 'online' } })
    const kept = [
      move('offline', 'online', 2),
      move('online', 'offline', 3, '75 秒未收到心跳'),
      move('flapping', 'online', 30),
    ]
    const { calls, worker } = workerWith(kept)
    const before = Date.now()
    const reply = await worker.call(routerApi.events, { router_name: router.name }, main.token)
    expect(reply).toMatchObject({
      code: 200,
      trips: 1,
      data: { live: 1, transitions: kept, bar: { start: 'online' } },
    })
    const { from, to } = reply.data.bar
    expect(to - from).toBe(HEALTH.barMs)
    expect(to).toBeGreaterThanOrEqual(before)
    expect(calls.map(({ kind, hub, method, args }) => [kind, hub, method, ...args])).toEqual([
      ['account', main.hub, 'routerTransitions', router.hub],
    ])
  })

  it('without a transition the state is that of the row, 重连中 as 在线', async () => {
    const main = await createMainAccount()
    const startOf = async (state: object) => {
      const router = await createRouter(main.accountId, state)
      const { worker } = workerWith([])
      return (await worker.call(routerApi.events, { router_name: router.name }, main.token)).data.bar.start
    }
    expect(await startOf({})).toBe('never')
    expect(await startOf({ state: { presence: 'reconnecting' } })).toBe('online')
    expect(await startOf({ state: { presence: 'disabled' } })).toBe('disabled')
  })

  it('the start of the bar is unknown where earlier transitions were left out', async () => {
    const main = await createMainAccount()
    const router = await createRouter(main.accountId, { state: { presence: 'offline' } })
    const many = Array.from({ length: HEALTH.eventsShown }, (_, n) => move('online', 'offline', 1 + n / 100))
    const { worker } = workerWith(many)
    const { data } = await worker.call(routerApi.events, { router_name: router.name }, main.token)
    expect([data.transitions.length, data.bar.start]).toEqual([HEALTH.eventsShown, null])
  })

  it('is empty, and says so, while the hub does not answer', async () => {
    const main = await createMainAccount()
    const router = await createRouter(main.accountId, { state: { presence: 'online' } })
    const broken = () => {
      throw new Error('overloaded')
    }
    const worker = createTestWorker({ hubs: fakeHubs({ 'account.routerTransitions': broken }).hubs })
    const { data } = await worker.call(routerApi.events, { router_name: router.name }, main.token)
    expect(data).toMatchObject({ live: 0, transitions: [], bar: { start: null } })
  })

  it('knows only the members that the caller’s role covers; another tenant’s is like a missing one', async () => {
    const { main, routers } = await createFleet()
    const [inside, outside] = routers
    const sub = await createSubAccount(main, { networks: [await createNetwork(main, [inside!])] })
    await createNetwork(main, [outside!])
    const stranger = await createMainAccount()
    const { calls, worker } = workerWith([])
    const ask = (token: string, router_name: string) => worker.call(routerApi.events, { router_name }, token)
    expect(await ask(sub.token, inside!.name)).toMatchObject({ code: 200 })
    const asked = calls.length
    for (const reply of [
      await ask(sub.token, outside!.name),
      await ask(stranger.token, inside!.name),
      await ask(main.token, 'NL-NONE'),
    ])
      expect(reply).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(calls).toHaveLength(asked)
  })
})

describe('account 2 · an alert opens its object at that time', () => {
  const AT = Date.now() - 10 * 24 * HOUR
  const log = (main: { readonly accountId: number }, routerName: string, online: 0 | 1, hours: number, reason = '') =>
    db.insert(connectionLogs).values({
      accountId: main.accountId,
      routerName,
      epoch: 2,
      online,
      remoteIp: '203.0.113.9',
      remotePort: 1,
      version: '',
      reason,
      at: AT + hours * HOUR,
    })

  /** Lines from before a router's creation are another one's that had its name or id. */
  const createLongAgo = (main: { readonly accountId: number }) =>
    db
      .update(routers)
      .set({ createdAt: AT - 24 * HOUR })
      .where(eq(routers.accountId, main.accountId))

  it('router/events with at: its connections within 12 hours, whatever the hub still keeps', async () => {
    const main = await createMainAccount()
    const [router, other] = [await createRouter(main.accountId), await createRouter(main.accountId)]
    await createLongAgo(main)
    await log(main, router.name, 1, -13)
    await log(main, router.name, 0, -1, '75 秒未收到心跳')
    await log(main, router.name, 1, 2)
    await log(main, router.name, 0, 13)
    await log(main, other.name, 0, 0)
    const { calls, worker } = workerWith([])
    const input = { router_name: router.name, at: AT }
    expect(await worker.call(routerApi.events, input, main.token)).toMatchObject({
      code: 200,
      trips: 1,
      data: {
        live: 1,
        transitions: [
          { from: 'offline', to: 'online', at: AT + 2 * HOUR },
          { from: 'online', to: 'offline', at: AT - HOUR, reason: '75 秒未收到心跳' },
        ],
        bar: { from: AT - 12 * HOUR, to: AT + 12 * HOUR, start: 'online' },
      },
    })
    expect(calls).toEqual([])
    const stranger = await createMainAccount()
    for (const [token, name] of [
      [stranger.token, router.name],
      [main.token, 'NL-NONE'],
    ] as const)
      expect(await worker.call(routerApi.events, { router_name: name, at: AT }, token)).toMatchObject(
        refusal('ROUTER_NOT_FOUND'),
      )
    expect(await worker.call(routerApi.events, { ...input, at: -1 }, main.token)).toMatchObject({
      code: 422,
      data: { field: 'at' },
    })
  })

  it('network/events: connections of its members within an hour; another network’s and tenant’s is like a missing one', async () => {
    const { main, routers } = await createFleet()
    const [inside, outside] = routers
    const number = await createNetwork(main, [inside!])
    const foreign = await createNetwork(main, [outside!])
    await createLongAgo(main)
    await log(main, inside!.name, 0, 0, '75 秒未收到心跳')
    await log(main, inside!.name, 1, 2)
    await log(main, outside!.name, 0, 0)
    const sub = await createSubAccount(main, { networks: [number] })
    const { worker } = workerWith([])
    const ask = (network_number: string, token: string) =>
      worker.call(networkApi.events, { network_number, at: AT }, token)
    expect(await ask(number, sub.token)).toMatchObject({
      code: 200,
      trips: 1,
      data: {
        from: AT - HOUR,
        to: AT + HOUR,
        transitions: [
          { router_name: inside!.name, note: '', from: 'online', to: 'offline', reason: '75 秒未收到心跳' },
        ],
      },
    })
    const stranger = await createMainAccount()
    for (const reply of [await ask(foreign, sub.token), await ask(number, stranger.token), await ask('X', main.token)])
      expect(reply).toMatchObject(refusal('NETWORK_NOT_FOUND'))
  })
})
