import { env, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { HubName } from '#contract/kernel/hubs.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { opsApi } from '#contract/ops/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { ldapConfigs } from '#db/schema/ldap.ts'
import { hubOutbox, missingRows } from '#db/schema/service.ts'
import { createHubs } from '#durable/hubs.ts'
import { linkId } from '#domain/network/members/links.ts'
import { continueErasures } from '#features/ops/customer-data/erasures.ts'
import { findAccount } from '#tests/support/account-rows.ts'
import { createImported, directoryStub } from '#tests/support/directory.ts'
import { STATEMENT, breakDatabase } from '#tests/support/directory-database.ts'
import { fakeHubs, noAnswer } from '#tests/support/fake-hubs.ts'
import { insertNetwork } from '#tests/support/rows.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'
import { carry, createNode } from './carried-network.ts'
import {
  type DeviceSocket,
  accountStub,
  askHealth,
  connectOnlineDevice,
  connectViewer,
  counters,
  createHubRouter,
  createViewer,
  isFrame,
  join,
  networkStub,
  readNow,
  routerStub,
  until,
  watchNetwork,
} from './support.ts'

const worker = createTestWorker({ hubs: (requestId) => createHubs(env, requestId) })

/** Everything that a hub has stored, as text, without its empty tables. */
const stored = (stub: DurableObjectStub) =>
  runInDurableObject(stub, async (_, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*'")
      .toArray()
    const rows = tables.flatMap(({ name }) =>
      storage.sql
        .exec(`SELECT * FROM "${name}"`)
        .toArray()
        .map((row) => [name, ...Object.values(row).map((value) => toText(value))]),
    )
    const alarm = await storage.getAlarm()
    return [...rows, ...storage.kv.list(), ...(alarm === null ? [] : [['alarm', alarm]])].map((row) =>
      JSON.stringify(row),
    )
  })

/** Packed rows hold their names in the clear. */
const toText = (value: SqlStorageValue) => (value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value)

/** Applies each document that the device is sent, as an agent does, until no more come. */
function applyAll(device: DeviceSocket, newest = 0): void {
  device.next(isConfigAbove(newest)).then(
    ({ version, hash }) => {
      device.send({ t: 'config_result', version, hash, state: 'confirmed' })
      applyAll(device, version)
    },
    () => {},
  )
}
const isConfigAbove = (newest: number) => {
  const isConfig = isFrame('config')
  return (frame: Parameters<typeof isConfig>[0]): frame is Extract<typeof frame, { t: 'config' }> =>
    isConfig(frame) && frame.version > newest
}

/** Hubs, of which that of one router refuses every call. */
const withoutAnswer = (hubs: ReturnType<typeof createHubs>, away: HubName): ReturnType<typeof createHubs> => ({
  ...hubs,
  router: (hub) => (hub === away ? fakeHubs({ 'router.refresh': noAnswer }).hubs.router(hub) : hubs.router(hub)),
})

/** An account with a directory, a network over a node, a device and open consoles. */
async function createCustomer() {
  const { accountId, hub: directoryHub } = await createImported(3)
  const [row] = await db
    .select({ hub: accounts.hub, username: accounts.username })
    .from(accounts)
    .where(eq(accounts.id, accountId))
  const own = { accountId, accountHub: row!.hub }
  const [center, point] = [await createHubRouter(own), await createHubRouter(own)]
  const network = { ...own, ...(await insertNetwork({ accountId })), center, points: [point] }
  await join(network, center, 'center')
  await join(network, point, 'point')
  return { ...network, username: row!.username, point, directoryHub }
}

describe('hubs.md, Erasure · hubs of an erased account', () => {
  it('have stored something before and nothing afterwards; sockets are closed, and the device is emptied', async () => {
    const customer = await createCustomer()
    const { accountId, username: account, center, point, number, directoryHub } = customer
    const pop = await createNode()
    await carry(customer, pop, 0)
    const node = await connectOnlineDevice(pop.node)
    applyAll(node)
    const link = linkId(number, point.name, pop.node.name)
    const at = Date.now()
    for (const [ms, rx] of [
      [0, 100],
      [1_000, 200],
    ] as const) {
      node.send({ ...counters(at + ms, rx, rx), links: { [link]: { rx, tx: rx, since_s: 5 } } } as never)
      await new Promise((done) => setTimeout(done, 600)) // closer counters give no rate
    }
    const device = await connectOnlineDevice(center)
    applyAll(device)
    device.send(counters(at, 1_000, 1_000))
    await readNow(networkStub(customer))
    await askHealth(customer, { networks: [], since: 0 })
    const [viewer, console] = [
      await watchNetwork(customer),
      await connectViewer(accountStub(customer), createViewer(customer)),
    ]
    const hubs = {
      center: routerStub(center),
      point: routerStub(point),
      network: networkStub(customer),
      account: accountStub(customer),
      directory: directoryStub(directoryHub),
    }
    await readNow(hubs.point)
    const series = await worker.call(opsApi.accountExportSeries, { account, kind: 'router' })
    expect(series.data.series).toMatchObject([
      { router_name: center.name, traffic: expect.any(Array), links: expect.any(Array) },
    ])
    for (const kind of ['network', 'account'] as const)
      expect((await worker.call(opsApi.accountExportSeries, { account, kind })).data.series).toHaveLength(1)
    const nodeText = async () => (await stored(routerStub(pop.node))).join()
    await until(async () => ((await nodeText()).includes(link) ? true : undefined))
    for (const [name, stub] of Object.entries(hubs))
      expect([name, (await stored(stub)).length > 0]).toEqual([name, true])

    let answer = await worker.call(opsApi.accountErase, { account, confirm: 1 })
    while (answer.data.next) answer = await worker.call(opsApi.accountErase, { account, after: answer.data.next })
    expect(answer.data).toMatchObject({ account_id: accountId, hubs_left: 0, done: 1 })

    expect((await device.end()).code).toBe(CLOSE.removed)
    expect(device.frames.findLast(isFrame('config'))).toMatchObject({ body: { networks: [] } })
    expect((await viewer.end()).code).toBe(CLOSE.sessionEnded)
    expect(await until(() => console.closed?.code)).toBe(CLOSE.sessionEnded)
    for (const [name, stub] of Object.entries(hubs)) expect([name, await stored(stub)]).toEqual([name, []])
    expect(await findAccount(accountId)).toEqual(['account_erasures.account_id'])
    expect(await db.select().from(hubOutbox)).toEqual([])
    expect(await db.select().from(missingRows)).toEqual([])
    const left = await until(async () => {
      const text = await nodeText()
      return text.includes(number) ? undefined : text
    })
    expect([link, center.name, point.name].filter((name) => left.includes(name))).toEqual([])
  })

  it('of a node that does not answer is waited for: it holds the network until the cron has reached it', async () => {
    const customer = await createCustomer()
    const { accountId, username: account, number } = customer
    const pop = await createNode()
    await carry(customer, pop, 0)
    const node = routerStub(pop.node)
    await readNow(node)
    const nodeText = async () => (await stored(node)).join()
    expect(await nodeText()).toContain(number)
    const away = createTestWorker({ hubs: (requestId) => withoutAnswer(createHubs(env, requestId), pop.node.hub) })
    const erase = (after?: number) => away.call(opsApi.accountErase, { account, confirm: 1, ...(after && { after }) })
    let answer = await erase()
    while (answer.data.next) answer = await erase(answer.data.next)
    expect(answer.data).toMatchObject({ hubs_left: 1, done: 0 })
    expect((await erase(accountId)).data).toMatchObject({ rows: 0, hubs_left: 1, done: 0, next: null })
    const erasure = async () =>
      (await worker.call(opsApi.accountErasures, {})).data.find(({ account_id }) => account_id === accountId)
    expect(await erasure()).toMatchObject({ finished_at: null, hubs_left: 1 })
    expect(await nodeText()).toContain(number)

    await continueErasures({ db, hubs: createHubs(env), files: env.FILES, now: Date.now(), runId: 'r' })
    expect(await erasure()).toMatchObject({ finished_at: expect.any(Number), hubs_left: 0 })
    await until(async () => ((await nodeText()).includes(number) ? undefined : true))
  })

  it('a directory hub that works on a run leaves nothing of it', async () => {
    const test = await createImported(3)
    const [row] = await db.select({ username: accounts.username }).from(accounts).where(eq(accounts.id, test.accountId))
    const { reached, release } = (await breakDatabase(test)).hold(STATEMENT.members)
    await test.stub.start()
    const run = test.run()
    await reached()
    const { data } = await worker.call(opsApi.accountErase, { account: row!.username, confirm: 1 })
    expect(data).toMatchObject({ done: 1 })
    release()
    await run
    expect(await stored(test.stub)).toEqual([])
    expect(await findAccount(test.accountId)).toEqual(['account_erasures.account_id'])
  })

  it('an account’s hub that reads before its removal is delivered deletes itself, and no row counts as missing', async () => {
    const customer = await createCustomer()
    await askHealth(customer, { networks: [], since: 0 })
    await accountStub(customer).refresh()
    expect(await stored(accountStub(customer))).not.toEqual([])
    await db.batch([
      db.delete(ldapConfigs).where(eq(ldapConfigs.accountId, customer.accountId)),
      db.delete(accounts).where(eq(accounts.id, customer.accountId)),
      db
        .insert(hubOutbox)
        .values({ id: 'e', kind: 'account', hub: customer.accountHub, op: 'remove', dueAt: Date.now() + 3_600_000 }),
    ])
    await accountStub(customer).refresh()
    expect(await stored(accountStub(customer))).toEqual([])
    expect(await db.select().from(missingRows).where(eq(missingRows.name, customer.accountHub))).toEqual([])
  })
})
