import { describe, expect, it } from 'vitest'
import { changesText, toAuditRow, toFieldChanges } from '#domain/logs/audit-difference.ts'

describe('directory 6 · differences of an audit row in words', () => {
  it.each([
    ['a text', { note: '旧' }, { note: '新' }, '备注：旧 → 新'],
    ['an empty one', { note: '' }, { note: '新' }, '备注：（空） → 新'],
    ['what is new', null, { network_name: '华东' }, '网络名称：华东'],
    ['what is gone', { network_name: '华东' }, null, '网络名称：华东 → 已移除'],
    ['what is the same', { note: '甲', status: 1 }, { note: '甲', status: 0 }, '状态：启用 → 停用'],
    ['lists', { dns: ['1.1.1.1'] }, { dns: ['1.1.1.1', '2.2.2.2'] }, 'DNS地址：1.1.1.1 → 1.1.1.1、2.2.2.2'],
    ['yes and no', { enabled: true }, { enabled: false }, '启用：是 → 否'],
    ['times', { expiresAt: 1_790_000_000_000 }, { expiresAt: null }, '到期时间：2026-09-21 22:13:20 → （空）'],
    ['numbers that are no time', { rows: 1_790_000_000_000 }, { rows: 2 }, '条数：1790000000000 → 2'],
    ['what lies deeper', { inner: [{ ip: '10.0.0.0' }] }, { inner: [] }, 'inner：[{"ip":"10.0.0.0"}] → （空）'],
    ['several', { a: 1, b: 1 }, { a: 2, b: 2 }, 'a：1 → 2\nb：1 → 2'],
    ['nothing', null, null, ''],
  ])('%s', (_, before, after, text) => {
    expect(changesText(before, after)).toBe(text)
  })

  it.each([
    ['router', 'update_status', { status: 1 }, { status: 0 }, '状态：启用 → 停用'],
    ['ldap', 'sync_mode', { sync_mode: 1 }, { sync_mode: 2 }, '同步方式：手动 → 自动'],
    ['ldap', 'save', null, { mode: 'private', security: 'ldaps' }, '方式：内网\n加密方式：LDAPS'],
    ['ram_role', 'edit', { flags: ['router:edit'] }, { flags: ['monitor:create'] }, '权限：成员编辑 → 监控启动'],
    ['network', 'software_mode', { mode: 1 }, { mode: 3 }, '方式：默认 → 优先POP'],
    ['network', 'fr', { mode: 1 }, { mode: 2 }, '方式：中心点优先 → POP优先'],
    ['network', 'ciphers', { ncp_ciphers: 'default' }, { ncp_ciphers: 'sm' }, '加密算法：默认（AES） → 国密（SM4）'],
    ['network', 'ticket_cancel', { network_ticket_status: 2 }, { network_ticket_status: 4 }, '状态：处理中 → 已取消'],
    ['auth_source', 'create', null, { type: 'wechat', name: '总部' }, '类型：企业微信\n名称：总部'],
    ['network', 'quagga', { enable: 0 }, { enable: 1 }, '开关：关闭 → 开启'],
    ['router', 'edit', { status: 7 }, { status: 'constructor' }, '状态：7 → constructor'],
  ])('codes have the words of their call: %s/%s', (module, action, before, after, text) => {
    expect(changesText(before, after, { module, action })).toBe(text)
  })

  it('names of objects are fields, not the prototype’s', () => {
    expect(toFieldChanges({}, JSON.parse('{"__proto__": "x", "constructor": "y"}')).map(({ field }) => field)).toEqual([
      '__proto__',
      'constructor',
    ])
  })

  it('sides are read from what is stored', () => {
    expect(toAuditRow({ before: 'null', after: '{"note":"新"}' })).toEqual({ before: null, after: { note: '新' } })
    expect(toAuditRow({ before: null, after: null })).toEqual({ before: null, after: null })
  })
})
