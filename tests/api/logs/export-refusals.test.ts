import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { LOG_EXPORT } from '#contract/logs/limits.ts'
import { logsApi } from '#contract/logs/index.ts'
import { attempts } from '#db/schema/accounts.ts'
import { connectionLogs } from '#db/schema/routers.ts'
import {
  createFleet,
  createMainAccount,
  createNetwork,
  createSubAccount,
  selectAudits,
} from '#tests/support/fixtures.ts'
import {
  LOGGED_AT as AT,
  LOGGED_RANGE as RANGE,
  createDials,
  createLogins,
  exportLog as exported,
} from '#tests/support/log-exports.ts'
import { db, refusal } from '#tests/support/test-worker.ts'

describe('directory 5 · logs/export: refusals', () => {
  it('nothing found stays on the page; nothing is audited', async () => {
    const main = await createMainAccount()
    expect(await main.call(logsApi.export, { type: 'connect' })).toMatchObject({
      ...refusal('EXPORT_EMPTY'),
      code: 422,
      msg: '数据为空，请重新筛选数据！',
    })
    expect(await selectAudits(main.accountId)).toEqual([])
  })

  it('more rows than it may hold are refused, not cut', async () => {
    const main = await createMainAccount()
    const fill = (from: number, to: number) =>
      db.run(sql`with recursive n (i) as (select ${from} union all select i + 1 from n where i + 1 < ${to})
        insert into software_login_logs (account_id, router_name, ok, ip, at)
        select ${main.accountId}, 'u', 1, '203.0.113.7', ${AT} from n`)
    await fill(0, LOG_EXPORT.rowsMax + 1)
    expect(await main.call(logsApi.export, { ...RANGE, type: 'software_login' })).toMatchObject({
      ...refusal('EXPORT_ROWS_MAX'),
      msg: '数据超过50000条，请缩小时间范围',
    })
    expect(await main.call(logsApi.softwareLogin, RANGE)).toMatchObject({ count: 10_000, capped: 1 })
    expect(await selectAudits(main.accountId)).toEqual([])
  })

  it('one at a time per account, whoever asks; one that failed holds up no other', async () => {
    const main = await createMainAccount()
    const other = await createMainAccount()
    const sub = await createSubAccount(main, {})
    for (const account of [main, other]) await createLogins(account, [{}])
    const key = `log_export:${main.accountId}`
    await db.insert(attempts).values({ key, count: 1, windowEnd: Date.now() + LOG_EXPORT.leaseMs })
    const running = {
      reason: 'EXPORT_RUNNING',
      code: 429,
      msg: `当前账号正在导出数据，请${LOG_EXPORT.leaseMs / 1000}秒后重试`,
    }
    expect(await main.call(logsApi.export, { ...RANGE, type: 'software_login' })).toMatchObject(running)
    expect(await sub.call(logsApi.export, { ...RANGE, type: 'online' })).toMatchObject(running)
    await exported(other, { type: 'software_login' })
    await db
      .update(attempts)
      .set({ windowEnd: Date.now() - 1 })
      .where(sql`key = ${key}`)
    await main.call(logsApi.export, { ...RANGE, type: 'connect' })
    await exported(main, { type: 'software_login' })
    expect(
      await db
        .select()
        .from(attempts)
        .where(sql`key = ${key}`),
    ).toEqual([])
  })

  it('of two at the same time one has the lease', async () => {
    const main = await createMainAccount()
    await createLogins(main, [{}])
    const input = { ...RANGE, type: 'software_login' } as const
    const answers = await Promise.all(Array.from({ length: 4 }, () => main.call(logsApi.export, input)))
    const codes = answers.map(({ code }) => code)
    expect(codes.filter((code) => code === 200).length).toBeGreaterThanOrEqual(1)
    expect(codes.filter((code) => code !== 200 && code !== 429)).toEqual([])
    expect((await selectAudits(main.accountId)).length).toBe(codes.filter((code) => code === 200).length)
  })

  it.each([
    ['software_login', false],
    ['audit', false],
    ['connect', true],
    ['online', true],
    ['pop_online', true],
  ] as const)('the right of %s is that of its list', async (type, isAllowed) => {
    const sub = await createSubAccount(await createMainAccount(), { flags: ['router:edit', 'network:edit'] })
    const answer = await sub.call(logsApi.export, { type })
    expect(answer).toMatchObject(refusal(isAllowed ? 'EXPORT_EMPTY' : 'PERMISSION_DENIED'))
  })

  it('a limited role exports its members and networks', async () => {
    const { main, routers } = await createFleet({ hardware: 2, software: 0 })
    const number = await createNetwork(main, [routers[0]!])
    const line = { accountId: main.accountId, epoch: 1, online: 1, remoteIp: '1.2.3.4', remotePort: 1, version: '1' }
    const at = Date.now() + 1_000
    await db
      .insert(connectionLogs)
      .values(routers.map(({ id, name }) => ({ ...line, routerId: id, routerName: name, at })))
    await createDials(main, [
      { networkNumber: number, startAt: at, endAt: null },
      { networkNumber: 'N2', startAt: at, endAt: null, routerName: 'foreign@qiming' },
    ])
    const limited = await createSubAccount(main, { networks: [number] })
    const range = { start_time: at - 1, end_time: at + 1 }
    expect((await exported(limited, { type: 'connect', ...range })).rows.slice(1).map((row) => row[1])).toEqual([
      routers[0]!.name,
    ])
    expect((await exported(limited, { type: 'online', ...range })).rows.slice(1).map((row) => row[0])).toEqual([
      'li@qiming',
    ])
  })
})
