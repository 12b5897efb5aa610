import { env } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { isOperatorAccess } from '#contract/kernel/permissions.ts'
import { loginApi } from '#contract/login/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { sessions } from '#db/schema/accounts.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { deliverOutbox, deliverWrite, insertOutboxEntries } from '#db/hub-outbox.ts'
import { endSessions } from '#jobs/expiry.ts'
import { sweepEntries } from '#jobs/hubs.ts'
import { runJobs } from '#jobs/jobs.ts'
import { newHubName } from '#security/hub-name.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { type Caller, createFleet, createNetwork, networkRow } from '#tests/support/fixtures.ts'
import { createTestWorker, call, db, hubCalls } from '#tests/support/test-worker.ts'

// Hub outbox: hub notices of a write are stored in its batch, delivered in waitUntil, and swept if that failed.

const fail = () => Promise.reject(new Error('Network connection lost'))
const BROKEN = fakeHubs({
  'router.refresh': fail,
  'router.remove': fail,
  'router.resend': fail,
  'network.refresh': fail,
  'network.remove': fail,
  'account.refresh': fail,
}).hubs

const entries = () => db.select().from(hubOutbox)
const makeDue = () => db.update(hubOutbox).set({ dueAt: 0 })
const sweep = async (options = {}) => {
  const { hubs, calls } = fakeHubs()
  await sweepEntries(db, hubs, options)
  return calls.map(({ kind, method, hub }) => `${kind}.${method} ${hub}`).toSorted()
}

beforeEach(async () => void (await db.delete(hubOutbox)))
/** A network of a centre and a point, and the outbox entries of each write. */
async function createFixtures() {
  const { main, routers } = await createFleet()
  const [center, point, other] = routers.map((router) => router)
  const network_number = await createNetwork(main, [center!, point!])
  const { hub } = await networkRow(network_number)
  return { main, center: center!, point: point!, other: other!, network_number, network: hub }
}
type Fixtures = Awaited<ReturnType<typeof createFixtures>>
type Broken = (
  by: Caller,
  ...args: Parameters<ReturnType<typeof createTestWorker>['call']>
) => Promise<{ code: number }>

const writes: readonly (readonly [
  string,
  (fixtures: Fixtures, send: Broken) => Promise<unknown>,
  (s: Fixtures) => string[],
])[] = [
  [
    'a deleted router',
    (s, send) => send(s.main, routerApi.delete, { router_name: s.point.name }),
    (s) => [`network.refresh ${s.network}`, `router.refresh ${s.center.hub}`, `router.remove ${s.point.hub}`],
  ],
  [
    'a deleted network',
    (s, send) => send(s.main, networkApi.delete, { network_number: s.network_number }),
    (s) => [
      `account.refresh ${s.main.hub}`,
      `network.remove ${s.network}`,
      ...[s.center, s.point].map(({ hub }) => `router.refresh ${hub}`),
    ],
  ],
  [
    'a member that was added',
    ({ main, network_number, other }, send) =>
      send(main, networkApi.addMember, { network_number, router_name: other.name, member_type: 'point' }),
    (s) => [`network.refresh ${s.network}`, ...[s.center, s.other].map(({ hub }) => `router.refresh ${hub}`)],
  ],
  [
    'a configuration to send again',
    (s, send) => send(s.main, routerApi.resend, { router_name: s.point.name }),
    (s) => [`router.resend ${s.point.hub}`],
  ],
  ['a session that ended', (s, send) => send(s.main, loginApi.logout, {}), (s) => [`account.refresh ${s.main.hub}`]],
  [
    'a disabled account',
    (s, send) => send(s.main, opsApi.setAccountStatus, { account: s.main.username, status: 0 }),
    (s) => [`account.refresh ${s.main.hub}`],
  ],
  [
    'a message',
    (s, send) => send(s.main, opsApi.sendMessage, { account: s.main.username, title: 't', content: 'c' }),
    (s) => [`account.refresh ${s.main.hub}`],
  ],
  [
    'a device whose key was reset',
    (s, send) => send(s.main, opsApi.resetDevice, { serial: s.point.name }),
    (s) => [`router.refresh ${s.point.hub}`],
  ],
]

describe('design 5 · hubs · a lost notice is delivered by the sweep', () => {
  const broken = createTestWorker({ hubs: BROKEN })
  const send: Broken = (by, spec, input) =>
    broken.call(spec, input, isOperatorAccess(spec.access) ? {} : { token: by.token })

  it.each(writes)('%s', async (_, write, expected) => {
    const fixtures = await createFixtures()
    expect(await entries()).toEqual([])
    expect(await write(fixtures, send)).toMatchObject({ code: 200 })
    expect(await sweep()).toEqual([]) // a failed delivery waits for its time
    await makeDue()
    expect(await sweep()).toEqual(expected(fixtures).toSorted())
    expect(await entries()).toEqual([])
  })

  it('a new suffix: the centres that name software, and their networks', async () => {
    const { main, routers, apps } = await createFleet()
    const number = await createNetwork(main, [routers[0]!, routers[1]!, apps[0]!])
    const { hub } = await networkRow(number)
    await send(main, accountApi.editSign, { sign: `s${main.accountId}suffix`.slice(0, 12) })
    await makeDue()
    expect(await sweep()).toEqual([`network.refresh ${hub}`, `router.refresh ${routers[0]!.hub}`])
  })

  it('a session whose time was over', async () => {
    const { main } = await createFleet()
    await db.update(sessions).set({ expiresAt: 1 }).where(eq(sessions.id, main.session.id))
    await endSessions({ db, now: Date.now(), hubOutbox: [] })
    await makeDue()
    expect(await sweep()).toEqual([`account.refresh ${main.hub}`])
    expect((await main.call(accountApi.info, {})).code).toBe(2002)
  })
})

describe('design 5 · delivery', () => {
  it('runs in waitUntil and leaves no row to sweep', async () => {
    const { main, point } = await createFixtures()
    const since = hubCalls.length
    await main.call(routerApi.resend, { router_name: point.name })
    expect(hubCalls.slice(since)).toMatchObject([{ kind: 'router', hub: point.hub, method: 'resend' }])
    expect(await entries()).toEqual([])
  })

  it('does not happen for a write that was refused', async () => {
    const { main, center } = await createFixtures()
    const since = hubCalls.length
    expect((await main.call(routerApi.delete, { router_name: center.name })).code).toBe(422)
    expect([...hubCalls.slice(since), ...(await entries())]).toEqual([])
  })

  it('of hundreds of failing hubs waits longer each time, and does not hold up a new entry', async () => {
    const row = (n: number) => ({ id: `failing${n}`, kind: 'router', hub: `default.x${n}`, op: 'refresh' }) as const
    const failing = Array.from({ length: 250 }, (_, n) => row(n))
    await db.run(sql`insert into hub_outbox (id, kind, hub, op, due_at)
      select value ->> 'id', 'router', value ->> 'hub', 'refresh', 1 from json_each(${JSON.stringify(failing)})`)
    await sweepEntries(db, BROKEN)
    const tried = (await entries()).filter(({ tries }) => tries === 1)
    expect(tried).toHaveLength(200)
    expect(tried.every(({ dueAt }) => dueAt > Date.now())).toBe(true)
    const calls = await sweep()
    expect(calls).toHaveLength(50)
  })

  it('of many deletes its entries in portions, so that a Worker that is cut off keeps its progress', async () => {
    const row = (n: number) => ({ id: `many${n}`, kind: 'router', hub: `default.x${n}`, op: 'refresh' }) as const
    const many = Array.from({ length: 250 }, (_, n) => row(n))
    await db.run(sql`insert into hub_outbox (id, kind, hub, op, due_at)
      select value ->> 'id', 'router', value ->> 'hub', 'refresh', 1 from json_each(${JSON.stringify(many)})`)
    let left = 250
    const { hubs } = fakeHubs({
      'router.refresh': async (hub: string) => {
        if (hub === 'default.x249') left = (await entries()).length
      },
    })
    await deliverOutbox(db, hubs, many, Date.now())
    expect([left, await entries()]).toEqual([50, []])
  })

  it('calls a hub once for entries that ask the same, and deletes them all', async () => {
    const { main } = await createFleet()
    const rows = ['one', 'two', 'three'].map((id) => ({ id, kind: 'account', hub: main.hub, op: 'refresh' }) as const)
    await insertOutboxEntries(db, rows, 0)
    const { hubs, calls } = fakeHubs()
    await deliverOutbox(db, hubs, rows, 0)
    expect([calls.length, await entries()]).toEqual([1, []])
  })

  it('at a pace starts one call after the other', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const hubNames = Array.from({ length: 40 }, (_, n) => `default.x${n}`)
    const { hubs, calls } = fakeHubs()
    const tasks = hubNames.map((hub) => ({ id: hub, kind: 'router', hub, op: 'refresh' }) as const)
    const delivered = deliverOutbox(db, hubs, tasks, 0, { gapMs: HUB_OUTBOX.callGapMs })
    await vi.advanceTimersByTimeAsync(9 * HUB_OUTBOX.callGapMs)
    expect(calls).toHaveLength(10)
    await vi.advanceTimersByTimeAsync(40 * HUB_OUTBOX.callGapMs)
    await delivered
    expect(calls.map(({ hub }) => hub)).toEqual(hubNames)
  })

  it('of a large call of the operator starts one call after the other', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const hubNames = Array.from({ length: HUB_OUTBOX.directMax + 8 }, (_, n) => `default.y${n}`)
    const { hubs, calls } = fakeHubs()
    const tasks = hubNames.map((hub) => ({ id: hub, kind: 'router', hub, op: 'refresh' }) as const)
    const delivered = deliverWrite(db, hubs, async () => undefined, tasks)
    await vi.advanceTimersByTimeAsync(9 * HUB_OUTBOX.callGapMs)
    expect(calls).toHaveLength(10)
    await vi.advanceTimersByTimeAsync(40 * HUB_OUTBOX.callGapMs)
    await delivered
    expect(calls.map(({ hub }) => hub)).toEqual(hubNames)
  })

  it('of a write that concerns many hubs is left to its account’s hub, of a small one is not', async () => {
    const { main, routers } = await createFleet({ memberQuota: 50, hardware: HUB_OUTBOX.directMax + 1 })
    const network_number = await createNetwork(main, routers)
    await db.delete(hubOutbox)
    const since = hubCalls.length
    await main.call(networkApi.ciphers, { network_number, ncp_ciphers: 'sm' })
    const stored = (await entries()).map(({ id, kind, hub, op, requestId }) => ({ id, kind, hub, op, requestId }))
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
    expect(stored).toHaveLength(HUB_OUTBOX.directMax + 2)
    const handedOver = hubCalls.slice(since).filter(({ method }) => method !== 'missingSettings') // asked before the write
    expect(handedOver).toMatchObject([{ kind: 'account', hub: main.hub, method: 'deliver' }])
    expect((handedOver[0]!.args[0] as typeof stored).toSorted(byId)).toEqual(stored.toSorted(byId))
    const sinceName = hubCalls.length
    await main.call(networkApi.name, { network_number, network_name: '新名称' })
    expect(hubCalls.slice(sinceName).map(({ method }) => method)).not.toContain('deliver')
  })

  it('to a hub that never answers counts as failed, and blocks no other', async () => {
    await db.insert(hubOutbox).values([
      { id: 'answers', kind: 'account', hub: 'default.a', op: 'refresh', dueAt: 1 },
      { id: 'hangs', kind: 'router', hub: 'default.b', op: 'refresh', dueAt: 1 },
    ])
    const { hubs } = fakeHubs({ 'router.refresh': () => new Promise(() => {}) })
    await deliverOutbox(db, hubs, await entries(), Date.now(), { timeoutMs: 50 })
    expect(await entries()).toMatchObject([{ id: 'hangs', tries: 1 }])
  })

  it('that was lost, and whose retry fails, is repeated within two minutes', async () => {
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const { main } = await createFleet()
    await insertOutboxEntries(db, [{ id: 'lost', kind: 'account', hub: main.hub, op: 'refresh' }], now)
    const failing = fakeHubs({ 'account.refresh': fail })
    const tries: number[] = []
    for (let at = 14_999; at <= 120_000; at += HUB_OUTBOX.sweepEveryMs) {
      vi.setSystemTime(now + at) // just before it is due
      const isFirst = failing.calls.length === 0
      const { hubs, calls } = isFirst ? failing : fakeHubs()
      await sweepEntries(db, hubs)
      if (calls.length > 0) tries.push(at)
    }
    expect(tries).toEqual([44_999, 74_999])
    expect(await entries()).toEqual([])
  })

  it('by a run of the cron takes what is due at its beginning, and half a minute later what is due by then', async () => {
    const { main } = await createFleet()
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now })
    const due = (id: string, dueAt: number) => ({ id, kind: 'account', hub: main.hub, op: 'refresh', dueAt }) as const
    await db.insert(hubOutbox).values([due('first', now), due('second', now + 20_000), due('third', now + 31_000)])
    const run = runJobs({ cron: '* * * * *', scheduledTime: now }, env)
    const left = async () => (await entries()).map(({ id }) => id)
    const patiently = { timeout: 60_000, interval: 1 } // milliseconds, of the real clock
    await vi.waitFor(async () => expect(await left()).toEqual(['second', 'third']), patiently)
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), patiently) // the run waits for nothing else
    await vi.advanceTimersByTimeAsync(HUB_OUTBOX.sweepEveryMs)
    const ended = run.then(() => true)
    // A call of a hub that failed is repeated after a pause, which is a timer, too.
    while (!(await Promise.race([ended, scheduler.wait(5)]))) await vi.advanceTimersByTimeAsync(1)
    expect(await left()).toEqual(['third'])
  })

  it('goes on portion by portion while hubs answer', async () => {
    const { main } = await createFleet()
    const many = Array.from({ length: 450 }, (_, n) => ({ id: `m${n}`, hub: main.hub }))
    await db.run(sql`insert into hub_outbox (id, kind, hub, op, due_at)
      select value ->> 'id', 'account', value ->> 'hub', 'refresh', 1 from json_each(${JSON.stringify(many)})`)
    await sweep()
    expect(await entries()).toEqual([])
  })

  it('at a start takes entries that are not due, each once', async () => {
    const { main, point } = await createFixtures()
    await createTestWorker({ hubs: BROKEN }).call(routerApi.resend, { router_name: point.name }, main.token)
    await sweepEntries(db, BROKEN, { all: true })
    expect(await entries()).toMatchObject([{ tries: 2 }])
    expect(await sweep({ all: true })).toEqual([`router.resend ${point.hub}`])
    expect(await call(routerApi.lists, {}, main.token)).toMatchObject({ code: 200 })
  })

  it.each(['* * * * *', '@start'])('by the job of %s reaches the hubs themselves', async (cron) => {
    const { main } = await createFleet()
    await db.insert(hubOutbox).values([
      { id: 'a', kind: 'account', hub: main.hub, op: 'refresh', dueAt: 0 },
      { id: 'b', kind: 'router', hub: newHubName('default'), op: 'remove', dueAt: 0 },
    ])
    await runJobs({ cron, scheduledTime: 0 }, env)
    expect(await entries()).toEqual([])
  })
})
