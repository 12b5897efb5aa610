import { env } from 'cloudflare:test'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { ACCOUNT_TABLES } from '#db/schema/account-tables.ts'
import { accounts, attempts, auditLogs, outbox, sessions } from '#db/schema/accounts.ts'
import { pops, popNodes } from '#db/schema/pop.ts'
import { devices, removedDevices, routerStates, routers } from '#db/schema/routers.ts'
import { accountErasures, hubOutbox, missingRows } from '#db/schema/service.ts'
import { objectName } from '#domain/file/upload.ts'
import { continueErasures } from '#features/ops/customer-data/erasures.ts'
import { countAllRows, countRows, fillAccount, findAccount, findValue } from '#tests/support/account-rows.ts'
import { fakeHubs, noAnswer } from '#tests/support/fake-hubs.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { createTestWorker, call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

type Worker = Pick<ReturnType<typeof createTestWorker>, 'call'>

let place = 0
let accountId = 0
let account = ''
const usernameOf = (id: number) => `owner${id}`

beforeEach(async () => {
  place += 2
  accountId = await fillAccount(place)
  account = usernameOf(accountId)
  hubCalls.length = 0
})
afterEach(async () => {
  await db.delete(hubOutbox)
})

const erase = (over: { confirm?: 0 | 1; after?: number } = {}, { call: ask }: Worker = { call }) =>
  ask(opsApi.accountErase, { account, ...over })

/** Repeats the call as the command line does. */
async function eraseAll(worker?: Worker) {
  let answer = await erase({ confirm: 1 }, worker)
  while (answer.data?.next) answer = await erase({ confirm: 1, after: answer.data.next }, worker)
  return answer
}

const putObject = async (id: number) => {
  const [[key] = ['']] = await db.all<[string]>(sql`select key from files where account_id = ${id}`)
  await env.FILES.put(objectName(key), 'bytes')
  return objectName(key)
}
const hubsOf = async (id: number) =>
  (
    await db.all<[string]>(sql`
      select hub from accounts where id = ${id} union all select hub from routers where account_id = ${id}
      union all select hub from networks where account_id = ${id} union all select hub from ldap_hubs where account_id = ${id}`)
  ).map(([hub]) => hub)

describe('design 5 · account/erase · nothing is left', () => {
  it('a filled account has a row in every table, and after its erasure in none; another keeps all of its own', async () => {
    const other = await fillAccount(place + 1)
    const [before, all] = [await countRows(other), await countAllRows()]
    expect(Object.entries(await countRows(accountId)).filter(([, count]) => count === 0)).toEqual([])
    const [object, foreign] = [await putObject(accountId), await putObject(other)]
    const hubs = await hubsOf(accountId)
    expect(hubs).toHaveLength(4)
    expect((await eraseAll()).data).toMatchObject({ account_id: accountId, hubs_left: 0, done: 1, next: null })

    expect(Object.entries(await countRows(accountId)).filter(([, count]) => count > 0)).toEqual([])
    expect(await countRows(other)).toEqual(before)
    const own = new Set(ACCOUNT_TABLES.map(({ name }) => name))
    const left = Object.entries(await countAllRows()).filter(([name, count]) => count !== all[name])
    expect(left.filter(([name]) => !own.has(name)).map(([name]) => name)).toEqual([
      'account_erasures',
      'removed_devices',
    ])
    expect(left.filter(([name, count]) => own.has(name) && count !== (all[name] ?? 0) - 1)).toEqual([
      ['audit_logs', (all['audit_logs'] ?? 0) + 1], // one less of the customer, two of the operator
    ])
    expect(await findAccount(accountId)).toEqual(['account_erasures.account_id'])
    for (const text of [account, `NL1${accountId}`, `main:${accountId}`, ...hubs]) {
      const kept = text.startsWith('NL') ? ['devices.serial', 'removed_devices.serial'] : []
      expect([text, await findValue(text)]).toEqual([text, kept])
    }
    expect(await env.FILES.head(object)).toBeNull()
    expect(await env.FILES.head(foreign)).not.toBeNull()
    expect(hubCalls[0]).toMatchObject({ kind: 'account', method: 'refresh' }) // sessions and alerts end first
    const removed = hubCalls.filter(({ method }) => method === 'remove')
    expect(removed.map(({ hub }) => hub).toSorted()).toEqual(hubs.toSorted())
    expect(new Set(removed.map(({ kind }) => kind))).toEqual(new Set(['router', 'network', 'account', 'directory']))
  })

  it('keeps for the operator that it was done, when and by whom, without a name', async () => {
    await eraseAll()
    const [erasure] = (await call(opsApi.accountErasures, {})).data
    expect(erasure).toEqual({
      account_id: accountId,
      started_at: expect.any(Number),
      started_by: 'operator',
      finished_at: expect.any(Number),
      hubs_left: 0,
    })
    const audit = await db
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.target, String(accountId)))
    expect(audit.map(({ accountId: log, actorKind, action }) => [log, actorKind, action])).toEqual([
      [0, 'operator', 'account/erase'],
      [0, 'system', 'account/erase'],
    ])
    expect(JSON.stringify(audit)).not.toContain(account)
  })

  it('its device goes back to stock, and learns of its removal when it connects', async () => {
    await eraseAll()
    const serial = `NL1${accountId}`
    expect(await db.select().from(devices).where(eq(devices.serial, serial))).toHaveLength(1)
    expect(await db.select().from(removedDevices).where(eq(removedDevices.serial, serial))).toMatchObject([
      { publicKey: `key${accountId}` },
    ])
  })

  it('counters, records of missing rows and the local outbox go by their names', async () => {
    const [hub = ''] = await hubsOf(accountId)
    const end = Date.now() + 60_000
    const keys = [`login:main:${accountId}`, `login:main:${accountId}:10.0.0.1`, `dial:${accountId}:li:10.0.0.1`]
    const kept = [`login:main:${accountId}0`, `login:main:${accountId}0:10.0.0.1`, `dial:${accountId}0`, `login:x`]
    await db.insert(attempts).values([...keys, ...kept].map((key) => ({ key, count: 1, windowEnd: end })))
    await db.insert(missingRows).values({ name: hub, kind: 'account', firstAt: 1, lastAt: 1 })
    const mail = { kind: 'mail', uniqid: '', code: '', subject: '', body: '', at: 1 } as const
    await db.insert(outbox).values([`u${accountId}@a.cn`, 'z@z.cn'].map((recipient) => ({ ...mail, recipient })))
    await eraseAll()
    const left = (await db.select().from(attempts)).map(({ key }) => key)
    expect(left).toEqual(expect.arrayContaining(kept))
    expect(left.filter((key) => keys.includes(key))).toEqual([])
    expect(await db.select().from(missingRows)).toEqual([])
    expect((await db.select().from(outbox)).map(({ recipient }) => recipient)).toEqual(['z@z.cn'])
    await db.delete(attempts)
    await db.delete(outbox)
  })

  it('more rows than a portion go in several', async () => {
    await db.run(sql`
      insert into connection_logs (account_id, router_name, epoch, online, remote_ip, remote_port, version, at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
      select ${accountId}, 'NL1', i, 1, '10.0.0.1', 1, '1', i from n`)
    expect((await eraseAll()).data).toMatchObject({ done: 1 })
    expect(await findAccount(accountId)).toEqual(['account_erasures.account_id'])
  })
})

describe('design 5 · account/erase · refusals', () => {
  it('an account that is enabled, or whose devices are online, needs the confirmation', async () => {
    await db.update(routerStates).set({ presence: 'online' }).where(eq(routerStates.routerId, accountId))
    expect(await erase()).toMatchObject(refusal('ACCOUNT_IN_USE', { online: 1 }))
    await call(opsApi.setAccountStatus, { account, status: 0 })
    expect(await erase()).toMatchObject(refusal('ACCOUNT_IN_USE', { online: 1 }))
    expect(await countRows(accountId)).toMatchObject({ accounts: 1, routers: 1 })
    await db.update(routerStates).set({ presence: 'offline' }).where(eq(routerStates.routerId, accountId))
    expect(await erase()).toMatchObject({ code: 200, data: { done: 1 } })
  })

  it('an account of POP nodes is not erased: they carry the networks of others', async () => {
    const [pop] = await db
      .insert(pops)
      .values({ name: `区${accountId}`, createdAt: 1 })
      .returning({ id: pops.id })
    await db.insert(popNodes).values({ popId: pop!.id, routerId: accountId, createdAt: 1 })
    expect(await erase({ confirm: 1 })).toMatchObject(refusal('ACCOUNT_HAS_NODES'))
    expect(await db.select().from(routers).where(eq(routers.id, accountId))).toHaveLength(1)
  })

  it('an unknown account, and an unknown erasure', async () => {
    account = 'nobody99'
    expect(await erase({ confirm: 1 })).toMatchObject(refusal('ACCOUNT_NOT_FOUND'))
    expect(await erase({ confirm: 1, after: 77 })).toMatchObject(refusal('ERASURE_NOT_FOUND'))
  })
})

describe('design 5 · account/erase · no row comes back', () => {
  it('sessions end first, and the operator finds the account no more', async () => {
    const main = await createMainAccount()
    const hub = { 'account.remove': noAnswer, 'router.remove': noAnswer }
    const worker = createTestWorker({ hubs: fakeHubs(hub).hubs })
    account = main.username
    const answer = await erase({ confirm: 1 }, worker)
    expect(answer.data).toMatchObject({ done: 0, hubs_left: 1 })
    expect(await db.select().from(sessions).where(eq(sessions.accountId, main.accountId))).toEqual([])
    expect(await call(opsApi.setAccountStatus, { account, status: 1 })).toMatchObject(refusal('ACCOUNT_NOT_FOUND'))
  })

  it('while it is under way, operator’s calls do not find it, and its hub has no alerts to send', async () => {
    await createTestWorker({ lostAt: { trip: 3, is: 'before' } }).call(opsApi.accountErase, { account, confirm: 1 })
    const [row] = await db.select({ status: accounts.status }).from(accounts).where(eq(accounts.id, accountId))
    expect(row).toEqual({ status: 0 })
    expect(await countRows(accountId)).toMatchObject({ accounts: 1, routers: 1, monitor_settings: 0, webhooks: 0 })
    expect(await call(opsApi.setAccountStatus, { account, status: 1 })).toMatchObject(refusal('ACCOUNT_NOT_FOUND'))
    expect(await eraseAll()).toMatchObject({ data: { done: 1 } })
  })

  it('a call, hub or job that was under way writes nothing any more', async () => {
    const main = await createMainAccount()
    account = main.username
    const lost = main.accountId
    await eraseAll()
    const log = {
      actorKind: 'main',
      actorName: 'x',
      module: 'm',
      action: 'a',
      target: 't',
      message: 'm',
      ip: '',
    } as const
    await db.insert(auditLogs).values({ ...log, accountId: lost, requestId: '', at: 1 })
    await db.run(sql`insert into connection_logs (account_id, router_name, epoch, online, remote_ip, remote_port, version, at)
      values (${lost}, 'x', 1, 1, '', 1, '', 1)`)
    await db.run(sql`insert into codes (purpose, target, account_id, answer, ip, sent_at, expires_at)
      values ('p', 't', ${lost}, '', '', 1, 1)`)
    await expect(
      db.run(
        sql`insert into messages (account_id, event_id, type, title, content, created_at) values (${lost}, 'late', 't', 't', 'c', 1)`,
      ),
    ).rejects.toThrow('Failed query')
    expect(await findAccount(lost)).toEqual(['account_erasures.account_id'])
  })

  it('its names are free again, and its number is no other account’s', async () => {
    const [row] = await db.select().from(accounts).where(eq(accounts.id, accountId))
    await eraseAll()
    const again = await call(opsApi.createAccount, {
      username: account,
      nickname: '再次开通',
      password: 'Weilai26',
      phone: row!.phone,
      email: row!.email,
    })
    expect(again).toMatchObject({ code: 200 })
    expect(again.data.account_id).toBeGreaterThan(accountId)
    await db.delete(accounts).where(eq(accounts.id, again.data.account_id))
  })
})

describe('design 5 · account/erase · interrupted', () => {
  it('at any round trip, before or after its commit, it goes on when it is repeated', async () => {
    let trip = 1
    for (let isOver = false; !isOver;) {
      accountId = await fillAccount((place += 1))
      account = usernameOf(accountId)
      trip += 1
      const is = trip % 2 === 0 ? 'before' : 'committed'
      isOver = (await erase({ confirm: 1 }, createTestWorker({ lostAt: { trip, is } }))).code === 200
      const named = await db.select().from(accounts).where(eq(accounts.id, accountId))
      const rest = await erase({ confirm: 1, ...(named.length === 0 && { after: accountId }) })
      const left = await findAccount(accountId)
      expect([trip, rest.data?.done, left]).toEqual([trip, 1, ['account_erasures.account_id']])
    }
    expect(trip).toBeGreaterThan(15)
  })

  it('by a hub that does not answer, it waits for it, and the cron ends it', async () => {
    const away = fakeHubs({ 'router.remove': noAnswer, 'directory.remove': noAnswer })
    const worker = createTestWorker({ hubs: away.hubs })
    const answer = await eraseAll(worker)
    expect(answer.data).toMatchObject({ done: 0, hubs_left: 2, next: null })
    const open = async () =>
      (await call(opsApi.accountErasures, {})).data.find(({ account_id }) => account_id === accountId)
    expect(await open()).toMatchObject({ finished_at: null, hubs_left: 2 })
    const { hubs, calls } = fakeHubs()
    await continueErasures({ db, hubs, files: env.FILES, now: Date.now(), runId: 'r' })
    expect(calls.map(({ kind, method }) => `${kind} ${method}`).toSorted()).toEqual([
      'directory remove',
      'router remove',
    ])
    expect(await open()).toMatchObject({ finished_at: expect.any(Number), hubs_left: 0 })
    expect(await db.select().from(accountErasures).where(eq(accountErasures.accountId, accountId))).toMatchObject([
      { directoryHub: null },
    ])
  })
})
