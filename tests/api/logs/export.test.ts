import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { LOG_EXPORT } from '#contract/logs/limits.ts'
import { auditLogs } from '#db/schema/accounts.ts'
import { connectionLogs } from '#db/schema/routers.ts'
import { createMainAccount, selectAudits } from '#tests/support/fixtures.ts'
import { LOGGED_AT as AT, createDials, createLogins, exportLog as exported } from '#tests/support/log-exports.ts'
import { db } from '#tests/support/test-worker.ts'

describe('directory 7 · logs/export', () => {
  it('software_login: a workbook of text cells, with times of Shanghai', async () => {
    const main = await createMainAccount()
    const device = { os: 'ios', version: '1.4', sysBrand: 'Apple', sysModel: 'iPhone', sysVersion: '19' }
    await createLogins(main, [device, { ok: 0, reason: '密码错误', at: AT - 1_000 }])
    const { msg, name, sheets, rows, types } = await exported(main, { type: 'software_login' })
    expect(name).toMatch(/^登录记录_\d{14}\.xlsx$/)
    expect([msg, ...sheets]).toEqual(['导出成功', '登录记录'])
    expect(rows).toEqual([
      [
        '登录时间',
        '成员',
        '备注',
        '结果',
        '失败原因',
        'IP',
        '操作系统',
        '客户端版本',
        '设备品牌',
        '设备型号',
        '系统版本',
      ],
      ['2026-03-10 23:59:58', 'li@qiming', '', '成功', '', '203.0.113.7', 'ios', '1.4', 'Apple', 'iPhone', '19'],
      ['2026-03-10 23:59:57', 'li@qiming', '', '失败', '密码错误', '203.0.113.7', '', '', '', '', ''],
    ])
    expect(types).toEqual(['s'])
  })

  it('connect', async () => {
    const main = await createMainAccount()
    const line = { accountId: main.accountId, routerName: 'NL-1', epoch: 1, remoteIp: '203.0.113.5', remotePort: 443 }
    await db.insert(connectionLogs).values([
      { ...line, online: 1, version: '2.1', at: AT },
      { ...line, online: 0, version: '2.1', at: AT + 1_000, reason: '心跳超时' },
    ])
    const { rows, types } = await exported(main, { type: 'connect' })
    expect(rows).toEqual([
      ['时间', '成员', '备注', '事件', '原因', '公网地址', '端口', '版本'],
      ['2026-03-10 23:59:59', 'NL-1', '', '下线', '心跳超时', '203.0.113.5', '443', '2.1'],
      ['2026-03-10 23:59:58', 'NL-1', '', '上线', '', '203.0.113.5', '443', '2.1'],
    ])
    expect(types).toEqual(['s'])
  })

  it('online and pop_online: apart, also what lasted into the range; what still lasts has no end', async () => {
    const main = await createMainAccount()
    await createDials(main, [
      { endAt: AT + 93_784_000, orig: '203.0.113.9', vpnIp: '100.64.16.9' },
      { startAt: AT - 400_000_000, endAt: null, routerName: 'early@qiming' },
      { startAt: AT - 400_000_000, endAt: AT - 300_000_000, routerName: 'over@qiming' },
      { mode: 'pop', popName: '华东资源', area: '上海', endAt: AT + 1_000 },
    ])
    const { rows } = await exported(main, { type: 'online' })
    expect(rows[0]).toEqual([
      '成员',
      '备注',
      '组网编号',
      '组网名称',
      '对端成员',
      '对端备注',
      '来源地址',
      'VPN地址',
      '开始时间',
      '结束时间',
      '在线时长',
    ])
    expect(rows.slice(1).map((row) => [row[0], row[9], row[10]])).toEqual([
      ['li@qiming', '2026-03-12 02:03:02', '26:03:04'],
      ['early@qiming', '', expect.stringMatching(/^\d{3,}:\d\d:\d\d$/)],
    ])
    const pop = await exported(main, { type: 'pop_online' })
    expect(pop.name).toMatch(/^POP拨号记录_/)
    expect(pop.rows).toEqual([
      ['成员', '备注', 'POP资源', '区域', '来源地址', 'VPN地址', '开始时间', '结束时间', '在线时长'],
      ['li@qiming', '', '华东资源', '上海', '', '', '2026-03-10 23:59:58', '2026-03-10 23:59:59', '00:00:01'],
    ])
  })

  it('audit: with the differences', async () => {
    const main = await createMainAccount()
    const row = { accountId: main.accountId, actorKind: 'ram' as const, actorName: 'ops@boss', module: 'router' }
    await db.insert(auditLogs).values({
      ...row,
      action: 'note',
      target: 'NL-1',
      message: '修改备注',
      before: JSON.stringify({ note: '旧', same: 1 }),
      after: JSON.stringify({ note: '新', same: 1, members: ['甲', '乙'] }),
      ip: '203.0.113.5',
      requestId: 'r1',
      at: AT,
    })
    const { rows } = await exported(main, { type: 'audit', actor_kind: 'ram' })
    expect(rows).toEqual([
      ['操作时间', '操作人类型', '操作人', '模块', '操作', '对象', '说明', '变更内容', 'IP', '请求编号'],
      [
        '2026-03-10 23:59:58',
        '子账号',
        'ops@boss',
        '成员',
        '修改',
        'NL-1',
        '修改备注',
        '备注：旧 → 新\n成员：甲、乙',
        '203.0.113.5',
        'r1',
      ],
    ])
  })

  it('has the filters of its list', async () => {
    const main = await createMainAccount()
    await createLogins(main, [
      {},
      { routerName: 'wang@qiming' },
      { routerName: 'wang@qiming', at: AT - 100 * 86_400_000 },
    ])
    expect((await exported(main, { type: 'software_login', search: 'wang' })).rows).toHaveLength(2)
    expect((await exported(main, { type: 'software_login', router_name: 'li@qiming' })).rows).toHaveLength(2)
  })

  it('formulas, control characters and cells beyond Excel are harmless', async () => {
    const main = await createMainAccount()
    const texts = ['=1+1', '@SUM(A1)', '+1', '-1', '\t=1', `a\u0000b\u0008c`, '𠮷'.repeat(20_000), '_x0041_', '<b>&"']
    await createLogins(
      main,
      texts.map((reason, n) => ({ ok: 0 as const, reason, at: AT - n })),
    )
    const { rows, formulas, types } = await exported(main, { type: 'software_login' })
    expect(formulas).toEqual([])
    expect(types).toEqual(['s'])
    const cells = rows.slice(1).map((row) => row[4])
    expect(cells.toSpliced(6, 1)).toEqual(['=1+1', '@SUM(A1)', '+1', '-1', '\t=1', 'abc', '_x0041_', '<b>&"'])
    expect(cells[6]!.length).toBeLessThanOrEqual(32_767)
    expect(cells[6]).toBe('𠮷'.repeat(16_383))
  })

  it('a difference beyond a cell says that it is cut', async () => {
    const main = await createMainAccount()
    const after = JSON.stringify({ content: '长'.repeat(40_000) })
    const row = {
      accountId: main.accountId,
      actorKind: 'main' as const,
      actorName: 'boss',
      module: 'network',
      action: 'a',
    }
    await db.insert(auditLogs).values({ ...row, target: 'N1', message: 'm', after, ip: '', requestId: 'r', at: AT })
    const [, [, , , , , , , text] = []] = (await exported(main, { type: 'audit' })).rows
    expect(text).toHaveLength(32_767)
    expect(text).toMatch(/…（内容过长，已截断）$/)
  })

  it('reads portion by portion and leaves none out, with rows of one moment', async () => {
    const main = await createMainAccount()
    const count = 2 * LOG_EXPORT.portion + 7
    await db.run(sql`with recursive n (i) as (select 0 union all select i + 1 from n where i + 1 < ${count})
      insert into software_login_logs (account_id, router_name, ok, ip, at)
      select ${main.accountId}, 'u' || i, 1, '203.0.113.7', ${AT} - i / 300 from n`)
    const { rows } = await exported(main, { type: 'software_login' })
    expect(new Set(rows.slice(1).map((row) => row[1])).size).toBe(count)
    expect(rows).toHaveLength(count + 1)
    const times = rows.slice(1).map((row) => row[0]!)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('each is audited, with its filters and how many rows left', async () => {
    const main = await createMainAccount()
    await createLogins(main, [{}, {}])
    const { name } = await exported(main, { type: 'software_login', search: 'li' })
    const [row] = await selectAudits(main.accountId)
    expect(row).toMatchObject({ module: 'logs', action: 'export', target: name, message: '导出登录记录2条' })
    expect(JSON.parse(row!.after!)).toEqual({
      rows: 2,
      start_time: '2026-03-10 00:00:00',
      end_time: '2026-03-10 23:59:59',
      search: 'li',
    })
  })
})
