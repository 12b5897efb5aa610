import { describe, expect, it } from 'vitest'
import { LOG_RANGE_MS } from '../../../worker/contract/limits.ts'
import { logsApi } from '../../../worker/contract/logs.ts'
import { dialLogs, softwareLoginLogs } from '../../../worker/db/schema/clients.ts'
import { createMainAccount, createSubAccount, unique } from '../../support/fixtures.ts'
import { db, refusal } from '../../support/test-worker.ts'

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
        router_name: 'li@qiming',
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
