import { expect, it } from 'vitest'
import {
  ALERT_RULES,
  type AlertRule,
  RULE_DEFAULTS,
  STATUS_WORD,
  alertDurationMs,
  alertStatus,
} from '#contract/monitor/alert.ts'
import { timeText } from '#contract/kernel/time.ts'
import { expandNotice } from '#domain/monitor/delivery.ts'
import { noticeLines, noticeTitle } from '#domain/monitor/text.ts'
import { Simulation, settingsWith } from './simulation.ts'

const HOUR = 3_600_000
const recipients = { mails: [{ address: 'a@b.cn', unsent: '' }], escalation: [], hasWebhook: true }

/** A condition of each kind that begins, is an alert, and ends after an hour, with every rule on. */
function observe(rule: AlertRule, objects: readonly string[]) {
  const rules = { [rule]: { ...RULE_DEFAULTS[rule], on: true } }
  const run = new Simulation(settingsWith({ rules }))
  for (const object of objects) run.bad(rule, object)
  run.advance(HOUR)
  const open = run.records().map((alert) => STATUS_WORD[alertStatus(alert, false)])
  run.acknowledge('demo01')
  const acknowledged = run.records().map((alert) => STATUS_WORD[alertStatus(alert, alert.ackBy !== null)])
  for (const object of objects) run.good(rule, object)
  const context = { accountId: 1, recipients, quietUntil: null, now: run.now, timeText }
  return {
    words: [
      open,
      acknowledged,
      run.records().map((alert) => STATUS_WORD[alertStatus(alert, alert.ackBy !== null)]),
    ].map((words) => [...new Set(words)].join()),
    durations: [...new Set(run.records().map(alertDurationMs))],
    children: run.children.map(({ startedAt, endedAt }) => endedAt === startedAt),
    deliveries: run.notices.flatMap((notice) => expandNotice(notice, context)),
  }
}

const LASTING = { words: ['未恢复', '已确认', '已恢复'], durations: [HOUR] }
const MOMENT = { words: ['事件', '事件', '事件'], durations: [null] }
const EXPECTED: Readonly<Record<AlertRule, typeof LASTING | typeof MOMENT>> = {
  router_online: MOMENT,
  router_offline: LASTING,
  service_expired: LASTING,
  pop_connect: LASTING,
  flapping: LASTING,
  config_failed: LASTING,
  directory_sync: LASTING,
}
const MANY = ['1:1', '2:1', '3:1', '4:1', '5:1', '6:1']

it.each(ALERT_RULES.flatMap((rule) => [[rule, ['1:1']] as const, [rule, MANY] as const]))(
  'account 3 · the record, mail, site message and webhook of %s about %j agree on its state and duration',
  (rule, objects) => {
    const { words, durations, deliveries, children } = observe(rule, objects)
    expect({ words, durations }).toEqual(EXPECTED[rule])
    const isEvent = EXPECTED[rule] === MOMENT
    const ends = deliveries.filter(({ title, lines, event }) =>
      /已恢复|恢复时间|持续时间|\.recovered/u.test([title, ...lines, event].join('\n')),
    )
    expect(new Set(ends.map(({ channel }) => channel)).size > 0).toBe(!isEvent)
    expect(children.filter((endsAsItBegins) => endsAsItBegins !== isEvent)).toEqual([])
  },
)

it('a condition that ends as it begins is an event in every text, too', () => {
  const run = new Simulation()
  run.bad('config_failed', 'r1')
  run.good('config_failed', 'r1')
  run.advance(HOUR)
  expect(run.records().map((alert) => alertStatus(alert, false))).toEqual(['event'])
  expect(run.notices.map((notice) => noticeTitle(notice))).toEqual(['配置异常：r1'])
  expect(run.notices.flatMap((notice) => noticeLines(notice, timeText)).join()).not.toMatch(/恢复时间|持续时间/u)
})

it('an open alert whose end is reported with a time before its beginning has recovered now', () => {
  const run = new Simulation()
  run.bad('config_failed', 'r1')
  run.advance(HOUR)
  run.good('config_failed', 'r1', 0)
  expect(run.records().map(alertDurationMs)).toEqual([HOUR])
})

it('members that come back together, and again, are an event each time', () => {
  const rules = { router_online: { ...RULE_DEFAULTS.router_online, on: true } }
  const run = new Simulation(settingsWith({ rules }))
  for (let time = 0; time < 2; time++) {
    for (const object of MANY) run.bad('router_online', object)
    run.advance(HOUR)
  }
  expect(run.records().map((alert) => [alert.object, alertStatus(alert, false)])).toEqual([
    ['*', 'event'],
    ['*', 'event'],
  ])
  expect(run.state.children.size).toBe(0)
})
