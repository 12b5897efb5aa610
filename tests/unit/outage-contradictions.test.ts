import { describe, expect, it } from 'vitest'
import { findContradictions, listLasting } from '#infra/bench/outages/contradictions.ts'
import type { Sample } from '#infra/bench/outages/sample.ts'
import { row } from '#domain/health/attention-facts.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const T0 = 1_800_000_000_000
const router = (note: string, state: 'online' | 'offline' = 'online') => ({
  note,
  name: `NL${note}`,
  presence: { state, since: T0, last_seen: T0, reason: '' },
})
const verdict = (state: 'ok' | 'partial' | 'down', cause = '') => ({ state, issues: state === 'ok' ? 0 : 1, cause })
const network = (name: string, overview = verdict('ok'), list = overview, page: typeof overview | null = overview) => ({
  name,
  overview,
  list,
  page,
})
const alert = (title: string, router_name = '', rule: Sample['alerts'][number]['rule'] = 'router_offline') => ({
  alert_id: title,
  rule,
  severity: 'critical' as const,
  title,
  router_name,
  network_number: '',
  reason: '',
  start_time: T0,
  end_time: null,
  folded: 0,
  times: 0,
  ack_by: '',
  ack_time: null,
})
const sample = (over: Partial<Sample> = {}, at = 0): Sample => ({
  at,
  status: {
    hardware_offline: (over.routers ?? []).filter(({ presence }) => presence.state === 'offline').length,
  } as Sample['status'],
  rows: [],
  networks: [],
  routers: [],
  alerts: [],
  alertCount: 0,
  ...over,
})
const CENTER = { type: 'router', router_name: 'NL甲' } as const
const down = row('network_down', CENTER, { name: '甲', cause: '离线 → 研发网中断，另 2 个组网失去冗余（9 个成员）' })
const suspected = row('suspected', CENTER, { name: '甲', cause: '疑似失联：9 条链路同时单边 → 研发网疑似中断' })
const site = row(
  'site_offline',
  { type: 'members' },
  { name: '3 台硬件', cause: '同时离线，都在公网地址 203.0.113.7 之后' },
)
const popRow = (which: string) =>
  row('pop_offline', { type: 'network' }, { name: 'POP', cause: `离线 → ${which}的POP接入中断（3 个成员）` })
const lostPop = verdict('partial', '1 个POP节点离线（华东）')
const lost = { routers: [router('甲', 'offline')], networks: [network('研发网', verdict('down', '中心点离线'))] }
const title = '中心点离线：甲 → 研发网中断，另 2 个组网失去冗余（9 个成员）'
const textsOf = (one: Sample) => findContradictions(one).map(({ text }) => text)

describe('contradictions of one sample', () => {
  it('are none where pages, rows and alerts say the same', async () => {
    const offenders = await findOffenders<[string, Partial<Sample>]>([
      ['all well', { networks: [network('研发网')], routers: [router('甲')] }],
      ['a lost centre', { ...lost, rows: [down], alerts: [alert(title, 'NL甲')] }],
      ['with members', { ...lost, rows: [down], alerts: [alert(`${title}，3个成员随之离线`, 'NL甲')] }],
      [
        'a suspected one',
        {
          routers: [router('甲')],
          networks: [network('研发网', verdict('partial', '1 个中心点疑似失联（9 条链路）'))],
          rows: [suspected],
          alerts: [alert('中心点疑似失联：甲 → 研发网疑似中断', 'NL甲')],
        },
      ],
      ['a site', { rows: [site], alerts: [alert('3个成员离线，都在公网地址 203.0.113.7 之后')] }],
      [
        'POP access',
        {
          networks: [network('研发网', lostPop)],
          rows: [popRow('研发网')],
        },
      ],
    ])((_, over) => expect(textsOf(sample(over))).toEqual([]))
    expect(offenders).toEqual([])
  })

  it('are found', async () => {
    const offenders = await findOffenders<[string, Partial<Sample>, RegExp]>([
      ['list and overview', { networks: [network('甲网', verdict('ok'), verdict('down'))] }, /^甲网: ok .*down/],
      [
        'page and overview',
        { networks: [network('甲网', verdict('ok'), verdict('ok'), verdict('down'))] },
        /^甲网: ok/,
      ],
      [
        'offline',
        { routers: [router('乙', 'offline')], status: { hardware_offline: 0 } as Sample['status'] },
        /^offline/,
      ],
      ['a row about a device that is there', { ...lost, routers: [router('甲')], rows: [down] }, /list online$/],
      ['a suspicion that is decided', { routers: [router('甲', 'offline')], rows: [suspected] }, /list offline$/],
      ['an outage without a row', { networks: [network('研发网', verdict('down'))] }, /^interrupted networks/],
      ['an alert without a row', { routers: [router('甲')], alerts: [alert(title, 'NL甲')] }, /without a row$/],
      ['a row without an alert', { ...lost, rows: [down] }, /without an alert$/],
      [
        'other consequences',
        { ...lost, rows: [down], alerts: [alert('中心点离线：甲', 'NL甲')] },
        /^alert “中心点离线：甲”/,
      ],
      [
        'a dead POP node of a network that is well',
        { networks: [network('研发网'), network('生产网', lostPop)], rows: [popRow('研发网')] },
        /^row “POP – .*研发网: ok/,
      ],
      [
        'one of two that it carries',
        { networks: [network('研发网', lostPop)], rows: [popRow('2 个组网')] },
        /^row “POP/,
      ],
      ['a dead POP node without a row', { networks: [network('研发网', lostPop)] }, /^network 研发网.*without a row$/],
      ['a directory', { alerts: [alert('目录同步异常：连续失败', '', 'directory_sync')] }, /without a row$/],
    ])((_, over, pattern) => expect(textsOf(sample(over))).toContainEqual(expect.stringMatching(pattern)))
    expect(offenders).toEqual([])
  })
})

it('contradictions count once they last longer than pages, or alerts, need to agree', () => {
  const wrong = { networks: [network('甲网', verdict('ok'), verdict('down'))] }
  const run = (until: number) => Array.from({ length: until + 1 }, (_, at) => sample(at < 3 ? {} : wrong, at))
  expect(listLasting(run(9))).toEqual([])
  expect(listLasting(run(10))).toEqual(['from 3 s on: 甲网: ok (0) | down (1) | ok (0)'])
  const broken = run(20).map((one) => (one.at === 8 || one.at === 14 ? sample({}, one.at) : one))
  expect(listLasting(broken)).toEqual([])
})
