import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { logsApi } from '#contract/logs/index.ts'
import { LOG_RANGE_MS } from '#contract/logs/limits.ts'
import { routerApi } from '#contract/router/index.ts'
import { dialLogs, softwareLoginLogs } from '#db/schema/clients.ts'
import { type TestMember, clientLogin, createClients } from '#tests/support/clients.ts'
import { createMainAccount, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { insertRouter } from '#tests/support/rows.ts'
import { db, refusal } from '#tests/support/test-worker.ts'

const HOUR_MS = 3_600_000

async function createLogins(
  accountId: number,
  rows: readonly (Partial<typeof softwareLoginLogs.$inferInsert> & { routerName: string })[],
) {
  const row = { accountId, ok: 1 as const, ip: '203.0.113.7', at: Date.now() - HOUR_MS }
  await db.insert(softwareLoginLogs).values(rows.map((over) => ({ ...row, ...over })))
}

async function createDials(accountId: number, rows: readonly Partial<typeof dialLogs.$inferInsert>[]) {
  const now = Date.now()
  await db.insert(dialLogs).values(
    rows.map((over) => ({
      accountId,
      key: unique('k'),
      mode: 'p2p' as const,
      networkNumber: 'N1',
      routerName: 'li@qiming',
      linkRouterName: 'NL-1',
      startAt: now - HOUR_MS,
      endAt: now,
      ...over,
    })),
  )
}

describe('network 3 · logs/software_login', () => {
  it('answers the fields of a sign-in, newest first, of one member, by page', async () => {
    const main = await createMainAccount()
    const at = Date.now() - HOUR_MS
    const device = { os: 'ios', version: '1.4', sysBrand: 'Apple', sysModel: 'iPhone', sysVersion: '19' }
    await createLogins(main.accountId, [
      { routerName: 'li@qiming', at, ...device },
      { routerName: 'wang@qiming', at: at + 1, ok: 0, reason: '密码错误' },
    ])
    await createLogins((await createMainAccount()).accountId, [{ routerName: 'li@qiming' }])
    const all = await main.call(logsApi.softwareLogin, {})
    expect(all).toMatchObject({ code: 200, trips: 1, count: 2 })
    expect(all.data.map(({ router_name, success, reason }) => [router_name, success, reason])).toEqual([
      ['wang@qiming', 0, '密码错误'],
      ['li@qiming', 1, ''],
    ])
    expect((await main.call(logsApi.softwareLogin, { router_name: 'LI@qiming' })).data).toEqual([
      {
        log_id: expect.any(Number),
        router_name: 'li@qiming',
        note: '',
        present_name: '',
        router_type: null,
        ip: '203.0.113.7',
        os: 'ios',
        version: '1.4',
        sys_brand: 'Apple',
        sys_model: 'iPhone',
        sys_version: '19',
        success: 1,
        reason: '',
        create_time: at,
      },
    ])
    expect(await main.call(logsApi.softwareLogin, { search: 'wang' })).toMatchObject({ count: 1 })
    expect((await main.call(logsApi.softwareLogin, { page: 2 })).data).toEqual([])
  })

  it('of a member are found by its present name after a new suffix, and shown under the name of then', async () => {
    const [{ main, name, local }, { name: other }] = (await createClients(2)) as [TestMember, TestMember]
    await clientLogin(name)
    await clientLogin(other)
    const sign = unique('n').slice(0, 12)
    expect(await main.call(accountApi.editSign, { sign })).toMatchObject({ code: 200 })
    const renamed = `${local}@${sign}`
    await clientLogin(renamed)
    const namesFor = async (filter: { router_name?: string; search?: string }) =>
      (await main.call(logsApi.softwareLogin, filter)).data.map(({ router_name }) => router_name)
    expect(await namesFor({ router_name: renamed })).toEqual([renamed, name])
    expect(await namesFor({ search: renamed })).toEqual([renamed, name])
    expect(await namesFor({ router_name: name })).toEqual([name])
    // Another member whose id comes again has none of the records of before.
    await main.call(routerApi.delete, { router_name: renamed })
    expect(await namesFor({ router_name: renamed })).toEqual([renamed])
    const [again] = await db.select().from(softwareLoginLogs).where(eq(softwareLoginLogs.routerName, renamed))
    const row = { accountId: main.accountId, name: `heir@${sign}`, routerType: 2 as const, password: '' }
    await insertRouter({ ...row, id: again!.routerId!, createdAt: Date.now() + 1 })
    expect(await namesFor({ router_name: row.name })).toEqual([])
    expect(await namesFor({ search: row.name })).toEqual([])
  })

  it('network 9: the last 7 days, unless a range is given', async () => {
    const main = await createMainAccount()
    const old = Date.now() - LOG_RANGE_MS - HOUR_MS
    await createLogins(main.accountId, [{ routerName: 'li@qiming', at: old }])
    expect(await main.call(logsApi.softwareLogin, {})).toMatchObject({ count: 0 })
    expect(await main.call(logsApi.softwareLogin, { start_time: old })).toMatchObject({ count: 1 })
    expect(await main.call(logsApi.softwareLogin, { start_time: old - 2, end_time: old - 1 })).toMatchObject({
      count: 0,
    })
    expect(await main.call(logsApi.softwareLogin, { end_time: String(old) })).toMatchObject({ count: 1 })
  })

  it('network 6: is for the main account only', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main, { flags: ['router:edit'] })
    expect(await sub.call(logsApi.softwareLogin, {})).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})

describe('network 3 · logs/online', () => {
  it('and usage of a member are found by its present name after a new suffix', async () => {
    const [{ main, id, name, local }] = (await createClients()) as [TestMember]
    const sign = unique('n').slice(0, 12)
    const now = Date.now()
    await createDials(main.accountId, [{ routerId: id, routerName: name, startAt: now + 1, endAt: now + 2, tx: 5 }])
    await main.call(accountApi.editSign, { sign })
    const renamed = `${local}@${sign}`
    await createDials(main.accountId, [{ routerId: id, routerName: renamed, startAt: now + 3, endAt: now + 4, tx: 7 }])
    const range = { start_time: '2020-01-01', end_time: '2099-01-01' }
    const { data } = await main.call(logsApi.online, { ...range, router_name: renamed })
    expect(data.map(({ router_name }) => router_name)).toEqual([renamed, name])
    expect(await main.call(logsApi.online, { ...range, search: renamed })).toMatchObject({ count: 2 })
    const usage = await main.call(routerApi.usage, range)
    expect(usage).toMatchObject({ count: 1, data: [{ name: renamed, download_flow_sum: 12 }] })
    const own = await main.call(routerApi.usage, { ...range, router_name: renamed })
    expect(own).toMatchObject({ data: [{ download_flow_sum: 12 }] })
  })

  it('answers dials p2p and pop apart, with how long they lasted', async () => {
    const main = await createMainAccount()
    const startAt = Date.now() - 2 * HOUR_MS
    await createDials(main.accountId, [
      { startAt, endAt: startAt + 90_000, orig: '203.0.113.9', vpnIp: '100.64.16.9' },
      { mode: 'pop', popName: '华东资源', area: '上海', linkRouterName: 'POP-1', startAt, endAt: null },
    ])
    expect(await main.call(logsApi.online, {})).toMatchObject({
      count: 1,
      trips: 1,
      data: [
        {
          router_name: 'li@qiming',
          network_number: 'N1',
          link_router_name: 'NL-1',
          orig: '203.0.113.9',
          vpn_ip: '100.64.16.9',
          start_time: startAt,
          end_time: startAt + 90_000,
          online_time: 90,
        },
      ],
    })
    const pop = await main.call(logsApi.online, { mode: 'pop', router_name: 'li@qiming', search: '华东' })
    expect(pop).toMatchObject({ count: 1, data: [{ pop_name: '华东资源', area: '上海', end_time: null }] })
    expect(pop.data[0]!.online_time).toBeGreaterThanOrEqual(7_200)
    expect(await main.call(logsApi.online, { router_name: 'other@qiming' })).toMatchObject({ count: 0 })
  })

  it('network 6: a role limited to networks sees dials into these', async () => {
    const main = await createMainAccount()
    await createDials(main.accountId, [{}, { networkNumber: 'N2' }])
    const limited = await createSubAccount(main, { networks: ['N2'] })
    expect(await limited.call(logsApi.online, {})).toMatchObject({ count: 1, data: [{ network_number: 'N2' }] })
  })
})
