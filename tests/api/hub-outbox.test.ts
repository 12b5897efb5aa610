import { env } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { accountApi } from '../../worker/contract/account.ts'
import { FAN_OUT } from '../../worker/contract/limits.ts'
import { loginApi } from '../../worker/contract/login.ts'
import { networkApi } from '../../worker/contract/network.ts'
import { opsApi } from '../../worker/contract/ops.ts'
import { routerApi } from '../../worker/contract/router.ts'
import { sessions } from '../../worker/db/schema/accounts.ts'
import { hubOutbox } from '../../worker/db/schema/hub-outbox.ts'
import { deliverOutbox } from '../../worker/db/hub-outbox.ts'
import { endSessions } from '../../worker/jobs/expiry.ts'
import { sweepEntries } from '../../worker/jobs/hub-outbox.ts'
import { runJobs } from '../../worker/jobs/jobs.ts'
import { newHubName } from '../../worker/security/hub-name.ts'
import { fakeHubs } from '../support/fake-hubs.ts'
import { type Caller, createFleet, createNetwork, networkRow } from '../support/fixtures.ts'
import { createTestWorker, call, db, hubCalls } from '../support/test-worker.ts'

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
async function createScene() {
  const { main, routers } = await createFleet()
  const [center, point, other] = routers.map((router) => router)
  const network_number = await createNetwork(main, [center!, point!])
  const { hub } = await networkRow(network_number)
  return { main, center: center!, point: point!, other: other!, network_number, network: hub }
}
type Scene = Awaited<ReturnType<typeof createScene>>
type Broken = (
  by: Caller,
  ...args: Parameters<ReturnType<typeof createTestWorker>['call']>
) => Promise<{ code: number }>

const writes: readonly (readonly [string, (scene: Scene, send: Broken) => Promise<unknown>, (s: Scene) => string[]])[] =
  [
    [
      'a deleted router',
      (s, send) => send(s.main, routerApi.delete, { router_name: s.point.name }),
      (s) => [`network.refresh ${s.network}`, `router.refresh ${s.center.hub}`, `router.remove ${s.point.hub}`],
    ],
    [
      'a deleted network',
      (s, send) => send(s.main, networkApi.delete, { network_number: s.network_number }),
      (s) => [`network.remove ${s.network}`, ...[s.center, s.point].map(({ hub }) => `router.refresh ${hub}`)],
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

describe('hubs · a lost notice is delivered by the sweep', () => {
  const broken = createTestWorker({ hubs: BROKEN })
  const send: Broken = (by, spec, input) =>
    broken.call(spec, input, spec.access === 'operator' ? {} : { token: by.token })

  it.each(writes)('%s', async (_, write, expected) => {
    const scene = await createScene()
    expect(await entries()).toEqual([])
    expect(await write(scene, send)).toMatchObject({ code: 200 })
    expect(await sweep()).toEqual([]) // a failed delivery waits for its time
    await makeDue()
    expect(await sweep()).toEqual(expected(scene).toSorted())
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

describe('delivery', () => {
  it('runs in waitUntil and leaves no row to sweep', async () => {
    const { main, point } = await createScene()
    const since = hubCalls.length
    await main.call(routerApi.resend, { router_name: point.name })
    expect(hubCalls.slice(since)).toMatchObject([{ kind: 'router', hub: point.hub, method: 'resend' }])
    expect(await entries()).toEqual([])
  })

  it('does not happen for a write that was refused', async () => {
    const { main, center } = await createScene()
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

  it('to many hubs calls a few at a time, and joins the calls that another delivery waits with', async () => {
    const rows = (mark: string) =>
      Array.from({ length: 100 }, (_, n) => ({
        id: `${mark}${n}`,
        kind: 'router' as const,
        hub: `default.y${n}`,
        op: 'refresh' as const,
        dueAt: 1,
      }))
    const [first, second] = [rows('first'), rows('second')]
    for (const { id, kind, hub, op, dueAt } of [...first, ...second])
      await db.insert(hubOutbox).values({ id, kind, hub, op, dueAt })
    let [running, most] = [0, 0]
    const { hubs, calls } = fakeHubs({
      'router.refresh': async () => {
        most = Math.max(most, ++running)
        await new Promise((done) => setTimeout(done, 1))
        running--
      },
    })
    await Promise.all([deliverOutbox(db, hubs, first, Date.now()), deliverOutbox(db, hubs, second, Date.now())])
    expect([calls.length, most, await entries()]).toEqual([100, FAN_OUT.group, []])
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

  it('at a start takes entries that are not due, each once', async () => {
    const { main, point } = await createScene()
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
    await runJobs({ cron, scheduledTime: Date.now() }, env)
    expect(await entries()).toEqual([])
  })
})
