import { describe, expect, it } from 'vitest'
import type { Severity } from '#contract/monitor/alert.ts'
import { expandNotice } from '#domain/monitor/delivery.ts'
import type { Alert, Notice } from '#domain/monitor/state.ts'

const ALERT: Alert = {
  id: 'a1',
  rule: 'router_offline',
  severity: 'warning',
  object: 'r1',
  label: '北京',
  networks: ['N1'],
  startedAt: 0,
  openedAt: 5,
  endedAt: null,
  reason: '',
  folded: 0,
  live: 0,
  ackBy: null,
  ackAt: null,
  isNotified: true,
  noticeAt: null,
  remindAt: null,
  escalateAt: null,
}
const [NOW, QUIET_END] = [1_000, 9_000]
const mail = (address: string, unsent = '') => ({ address, unsent })
const expand = (kind: Notice['kind'], alert: Partial<Alert> = {}, quietUntil: number | null = null) =>
  expandNotice(
    { kind, at: NOW, alert: { ...ALERT, ...alert }, children: [] },
    {
      accountId: 1,
      recipients: {
        mails: [mail('a@b.cn'), mail('c@b.cn', '联系人邮箱未验证'), mail('a@b.cn')],
        escalation: [mail('d@b.cn')],
        hasWebhook: true,
      },
      quietUntil,
      now: NOW,
      timeText: String,
    },
  )
const channels = (...args: Parameters<typeof expand>) =>
  expand(...args).map(({ channel, target, state }) => [channel, target, state].filter(Boolean).join(' '))

describe('account 3 · who gets a notice', () => {
  it.each<[Notice['kind'], readonly string[]]>([
    ['open', ['site pending', 'mail a@b.cn pending', 'mail c@b.cn unsent', 'webhook pending']],
    ['recovery', ['site pending', 'mail a@b.cn pending', 'mail c@b.cn unsent', 'webhook pending']],
    ['reminder', ['mail a@b.cn pending', 'mail c@b.cn unsent', 'webhook pending']],
    ['escalation', ['mail d@b.cn pending']],
  ])('%s', (kind, expected) => expect(channels(kind)).toEqual(expected))

  it('the site message of a service that ends is that of the cron', () => {
    expect(channels('open', { rule: 'service_expired' })).not.toContain('site pending')
  })

  it('every delivery has an event id of its own, which the same notice has again', () => {
    const ids = expand('open').map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(expand('open').map(({ id }) => id)).toEqual(ids)
  })
})

describe('account 3 · quiet hours', () => {
  const nextAt = (severity: Severity) =>
    Object.fromEntries(expand('open', { severity }, QUIET_END).map(({ channel, nextAt: at }) => [channel, at]))
  it.each<Severity>(['notice', 'warning'])(
    '%s: mail and webhook wait for their end, site messages do not',
    (severity) => {
      expect(nextAt(severity)).toEqual({ site: NOW, mail: QUIET_END, webhook: QUIET_END })
    },
  )
  it('严重 passes', () => {
    expect(nextAt('critical')).toEqual({ site: NOW, mail: NOW, webhook: NOW })
  })
})
