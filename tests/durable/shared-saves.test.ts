import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ROUTER_SAVES } from '#contract/kernel/hub-limits.ts'
import { connectionLogs, routers as routerRows } from '#db/schema/routers.ts'
import { db } from '#tests/support/test-worker.ts'
import { holdTimers, stopClock } from './clock.ts'
import {
  type DeviceSocket,
  type TestAccount,
  type TestRouter,
  accountStub,
  connectOnlineDevice,
  createAccount,
  createHubRouter,
  later,
  routerStub,
  selectState,
  until,
} from './support.ts'

const GRACE_MS = 16_000
const { everyMs } = ROUTER_SAVES

let account: TestAccount
beforeEach(async () => {
  stopClock()
  account = await createAccount()
})

/** Routers of the account that are online, and saved so. */
async function createOnline(count: number): Promise<{ routers: TestRouter[]; lines: DeviceSocket[] }> {
  const routers: TestRouter[] = []
  for (let n = 0; n < count; n++) routers.push(await createHubRouter(account))
  const lines = await Promise.all(routers.map((router) => connectOnlineDevice(router)))
  await allSaved(routers, 'online')
  return { routers, lines }
}

const allSaved = (routers: readonly TestRouter[], presence: string) =>
  until(async () => {
    const states = await Promise.all(routers.map(selectState))
    return states.every((state) => state?.presence === presence) || undefined
  })

/** Devices that are cut off, up to the decision that they are offline; the second of the saves until then is over. */
async function drop(routers: readonly TestRouter[], lines: readonly DeviceSocket[]): Promise<void> {
  for (const { socket } of lines) socket.close(1000, 'bye')
  await allSaved(routers, 'reconnecting')
  await until(() =>
    runInDurableObject(accountStub(account), (hub) => hub['saves']['runs']['timer'] === null || undefined),
  )
  later(GRACE_MS)
}

const decide = (routers: readonly TestRouter[]) =>
  Promise.all(routers.map((router) => runDurableObjectAlarm(routerStub(router))))

/** The connection log of the account, as `<router> <epoch> <online>`. */
async function selectLog(): Promise<readonly string[]> {
  const rows = await db.select().from(connectionLogs).where(eq(connectionLogs.accountId, account.accountId))
  return rows.map(({ routerName, epoch, online }) => `${routerName} ${epoch} ${online}`).toSorted()
}

const bothLines = (routers: readonly TestRouter[]) =>
  routers.flatMap(({ name }) => [`${name} 1 0`, `${name} 1 1`]).toSorted()

/** The statement that saves states, whose last value is the list of them. */
const isSave = (sql: string): boolean => sql.includes('returning (select hub from routers')

/** Number of routers in each batch that saves states, from now on. */
function countBatches(): number[] {
  const sizes: number[] = []
  const prepare = env.DB!.prepare.bind(env.DB)
  vi.spyOn(env.DB!, 'prepare').mockImplementation((sql) => {
    const statement = prepare(sql)
    const bind = statement.bind.bind(statement)
    statement.bind = (...values) => {
      if (isSave(sql)) sizes.push((JSON.parse(String(values.at(-1))) as []).length)
      return bind(...values)
    }
    return statement
  })
  return sizes
}

/** Hubs whose saves wait in the account's hub. */
const waiting = () => runInDurableObject(accountStub(account), (hub) => [...hub['saves']['waiting'].keys()])
const untilWaiting = (count: number) => until(async () => ((await waiting()).length === count ? true : undefined))

async function abort(stub: DurableObjectStub<never>): Promise<void> {
  await runInDurableObject(stub, (_, state) => state.abort('a crash')).catch(() => {})
}

/** Alarm of a hub whose save has failed, behind its back-off. */
async function retry(router: TestRouter): Promise<void> {
  later(5_000)
  await runDurableObjectAlarm(routerStub(router))
}

describe('hubs.md, State outbox · saves by the account’s hub', () => {
  it('a hundred routers that drop within a second are three batches, and each is saved once', async () => {
    const { routers, lines } = await createOnline(100)
    await drop(routers, lines)
    const timers = holdTimers(everyMs, everyMs)
    const sizes = countBatches()
    const decided = decide(routers)
    await untilWaiting(99)
    expect(sizes).toEqual([1])
    timers.release()
    await decided
    await allSaved(routers, 'offline')
    expect(sizes).toEqual([1, 50, 49])
    expect(await selectLog()).toEqual(bothLines(routers))
  })

  it('a crash of the account’s hub loses no save that waits there', async () => {
    const { routers, lines } = await createOnline(3)
    await drop(routers, lines)
    holdTimers(everyMs, everyMs)
    const decided = decide(routers)
    await untilWaiting(2)
    const lost = (await waiting()).map((hub) => routers.find((router) => router.hub === hub)!)
    for (const router of lost) expect((await selectState(router))?.presence).toBe('reconnecting')
    vi.restoreAllMocks()
    await abort(accountStub(account) as never)
    await decided
    await Promise.all(lost.map(retry))
    await allSaved(routers, 'offline')
    expect(await selectLog()).toEqual(bothLines(routers))
  })

  it('a crash between the write and its answer doubles no line', async () => {
    const { routers, lines } = await createOnline(1)
    await drop(routers, lines)
    const batch = env.DB!.batch.bind(env.DB)
    const run = vi.spyOn(env.DB!, 'batch').mockImplementation(async (statements) => {
      const results = await batch(statements)
      await abort(accountStub(account) as never)
      return results as never
    })
    await decide(routers)
    await allSaved(routers, 'offline')
    run.mockRestore()
    await retry(routers[0]!)
    await until(() =>
      runInDurableObject(routerStub(routers[0]!), (hub) => hub['state'].outbox.logs.length === 0 || undefined),
    )
    expect(await selectLog()).toEqual(bothLines(routers))
  })

  it('a crash of the router’s hub while it waits: it asks again when it wakes', async () => {
    const { routers, lines } = await createOnline(2)
    await drop(routers, lines)
    const timers = holdTimers(everyMs, everyMs)
    const decided = decide(routers).catch(() => {})
    await untilWaiting(1)
    const [hub] = await waiting()
    await abort(routerStub({ hub: hub! }) as never)
    await decided
    await routerStub({ hub: hub! }).traffic()
    timers.release()
    await allSaved(routers, 'offline')
    expect(await selectLog()).toEqual(bothLines(routers))
  })

  it('a lost database leaves all of them to one probe, which then brings the others', async () => {
    const { routers, lines } = await createOnline(3)
    await drop(routers, lines)
    const away = vi.spyOn(env.DB!, 'batch').mockRejectedValue(new Error('D1_ERROR: overloaded'))
    await decide(routers)
    const left = () => runInDurableObject(accountStub(account), (hub) => hub['retries']['waiting'].size)
    await until(async () => ((await left()) === routers.length ? true : undefined))
    expect(away.mock.calls.length).toBeLessThan(routers.length)
    away.mockRestore()
    later(10_000)
    await runDurableObjectAlarm(accountStub(account))
    await allSaved(routers, 'offline')
    expect(await selectLog()).toEqual(bothLines(routers))
  })

  it('an account’s hub of the release before knows no such call: the router’s hub saves by itself', async () => {
    const { routers, lines } = await createOnline(2)
    await runInDurableObject(accountStub(account), (hub) => void Object.assign(hub, { saveRouter: undefined }))
    const sizes = countBatches()
    await drop(routers, lines)
    await decide(routers)
    await allSaved(routers, 'offline')
    expect(sizes).toEqual([1, 1, 1, 1])
    expect(await selectLog()).toEqual(bothLines(routers))
  })

  it('an account’s hub that does not answer is asked three times, then the router’s hub saves by itself', async () => {
    const { routers, lines } = await createOnline(1)
    const refuse = () => Promise.reject(new Error('broken'))
    await runInDurableObject(accountStub(account), (hub) => void Object.assign(hub, { saveRouter: refuse }))
    for (const { socket } of lines) socket.close(1000, 'bye')
    for (let n = 1; n <= ROUTER_SAVES.tries; n++) {
      await until(() =>
        runInDurableObject(routerStub(routers[0]!), (hub) => hub['outbox']['shared']['unanswered'] === n || undefined),
      )
      expect((await selectState(routers[0]!))?.presence).toBe('online')
      await retry(routers[0]!)
    }
    await until(async () => ((await selectState(routers[0]!))?.presence === 'online' ? undefined : true))
  })

  it('a row that is missing is said to its router alone', async () => {
    const { routers, lines } = await createOnline(3)
    await drop(routers, lines)
    const gone = routers[2]!
    await db.delete(routerRows).where(eq(routerRows.id, gone.routerId))
    await decide(routers)
    await allSaved(routers.slice(0, 2), 'offline')
    await until(() => runInDurableObject(routerStub(gone), (hub) => hub['row'].isMissing || undefined))
    const { saved, change } = await runInDurableObject(routerStub(gone), (hub) => hub['state'].outbox)
    expect(saved).toBeLessThan(change)
  })
})
