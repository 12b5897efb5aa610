import { describe, expect, it } from 'vitest'
import { EMPTY_INBOX, type InboxFacts, inboxRows } from '#domain/health/inbox.ts'

const NOW = Date.parse('2026-11-28T00:00:00Z')
const DAY = 86_400_000
const rowsOf = (facts: Partial<InboxFacts>) =>
  inboxRows({ ...EMPTY_INBOX, ...facts }, NOW).map(({ kind, level, name, cause }) => [kind, level, name, cause])

describe('rows of the account that are no fault of a device or network', () => {
  it('are none while nothing waits', () => {
    expect(rowsOf({})).toEqual([])
  })

  it('name a directory that failed or asks, with its own words', () => {
    const failed = { state: 'failed', failure: '连接目录服务器超时', at: NOW } as const
    expect(rowsOf({ directory: failed })).toEqual([
      ['directory_failed', 'warn', 'LDAP目录', '读取失败，成员未更新：连接目录服务器超时'],
    ])
    expect(rowsOf({ directory: { ...failed, state: 'asking', failure: '' } })).toEqual([
      ['directory_asking', 'warn', 'LDAP目录', '同步等待确认'],
    ])
  })

  it('name each alert channel that takes nothing, in red', () => {
    const channels = [
      { channel: 'webhook', target: '', since: NOW, words: '机器人已被停用' },
      { channel: 'mail', target: 'a@b.cn', since: NOW, words: '' },
    ] as const
    expect(rowsOf({ channels })).toEqual([
      ['delivery_failed', 'bad', 'Webhook通知', '告警通知发送失败：机器人已被停用'],
      ['delivery_failed', 'bad', '邮件通知 a@b.cn', '告警通知发送失败'],
    ])
  })

  it('name services that are over, in red', () => {
    expect(rowsOf({ ended: [{ name: '席位', expireAt: NOW - 2 * DAY }] })).toEqual([
      ['service_over', 'bad', '席位', '已于 2026-11-26 到期'],
    ])
  })

  it('name SaaS devices within 30 days of their end, and red behind it', () => {
    const device = (expireAt: number) => ({ routerName: 'R1', label: '门店', expireAt })
    expect(rowsOf({ saas: [device(NOW + 31 * DAY)] })).toEqual([])
    expect(rowsOf({ saas: [device(NOW + 30 * DAY)] })).toEqual([
      ['saas_ending', 'warn', '门店', 'SaaS加速还有 30 天到期'],
    ])
    expect(rowsOf({ saas: [device(NOW - 2 * DAY)] })).toEqual([
      ['saas_over', 'bad', '门店', 'SaaS加速已于 2026-11-26 到期'],
    ])
  })

  it('name devices whose request is refused, in red, or whose certificate ends within the days of the warning', () => {
    const device = { routerName: 'R1', label: '门店', refusal: null, endsAt: null }
    const refusal = { reason: '签名不符', at: NOW }
    const certificates = [
      { ...device, refusal, endsAt: NOW + DAY },
      { ...device, endsAt: NOW + 14 * DAY },
      { ...device, endsAt: NOW - 2 * DAY },
    ]
    expect(rowsOf({ certificates })).toEqual([
      ['certificate_refused', 'bad', '门店', '证书申请无效：签名不符'],
      ['certificate_ending', 'warn', '门店', '证书还有 14 天到期'],
      ['certificate_ending', 'warn', '门店', '证书已于 2026-11-26 到期'],
    ])
    const ids = inboxRows({ ...EMPTY_INBOX, certificates }, NOW).map(({ id }) => id)
    expect(new Set(ids)).toEqual(new Set(['certificate R1']))
  })

  it('name expired contacts and answered tickets, with ids of their own', () => {
    const facts = {
      contacts: [{ uuid: 'u1', name: '张三', expiresAt: NOW - DAY }],
      tickets: [{ number: 'T1', title: '无法连接', answeredAt: NOW - DAY }],
    }
    expect(rowsOf(facts)).toEqual([
      ['contact_expired', 'warn', '联系人 张三', '授权已过期，收不到告警邮件'],
      ['ticket_answered', 'warn', '无法连接', '客服已回复工单，等待你的答复'],
    ])
    const ids = inboxRows({ ...EMPTY_INBOX, ...facts }, NOW).map(({ id }) => id)
    expect(ids).toEqual(['contact_expired u1', 'ticket_answered T1'])
  })
})
