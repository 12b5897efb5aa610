import { describe, expect, it } from 'vitest'
import { changesText, toAuditRow, toFieldChanges } from '../../../worker/domain/logs/audit-difference.ts'

describe('directory 6 · differences of an audit row in words', () => {
  it.each([
    ['a text', { note: '旧' }, { note: '新' }, '备注：旧 → 新'],
    ['an empty one', { note: '' }, { note: '新' }, '备注：（空） → 新'],
    ['what is new', null, { network_name: '华东' }, '网络名称：华东'],
    ['what is gone', { network_name: '华东' }, null, '网络名称：华东 → 已移除'],
    ['what is the same', { note: '甲', status: 1 }, { note: '甲', status: 0 }, '状态：1 → 0'],
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
