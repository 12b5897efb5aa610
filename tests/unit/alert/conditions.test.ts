import { describe, expect, it } from 'vitest'
import type { StateMove } from '#contract/kernel/hubs.ts'
import type { ConfigState, PresenceState } from '#contract/kernel/protocol.ts'
import { popConditions, routerConditions } from '#domain/monitor/conditions.ts'
import { mutedUntil, quietUntil } from '#domain/monitor/settings.ts'
import { emptyAlerts } from '#domain/monitor/state.ts'
import { alertTitle, durationText, noticeTitle } from '#domain/monitor/text.ts'
import { Simulation, createFacts, settingsWith } from './simulation.ts'

const HOUR = 3_600_000

const change = (state: PresenceState, config: ConfigState = 'applied') => ({
  routerName: 'r1',
  seenIn: ['N1'],
  presence: { state, since: 100, last_seen: 90, reason: '' },
  config: { state: config, version: 1, applied_version: 1, reason: '', at: 50 },
})
const move = (from: PresenceState, to: PresenceState, at: number): StateMove => ({ from, to, at, reason: '' })
const isBad = (rule: string, ...args: Parameters<typeof routerConditions>) =>
  routerConditions(...args)
    .filter((one) => one.rule === rule)
    .map((one) => [one.isBad, one.at])

describe('design 8 · conditions after a change of a router', () => {
  it.each<[PresenceState, boolean, boolean]>([
    ['online', false, false],
    ['reconnecting', false, false],
    ['flapping', false, true],
    ['offline', true, false],
    ['never', false, false],
    ['disabled', false, false],
    ['unreadable', false, false],
  ])('%s', (state, offline, flapping) => {
    expect(isBad('router_offline', change(state), [], 200)).toEqual([[offline, 100]])
    expect(isBad('flapping', change(state), [], 200)).toEqual([[flapping, 100]])
  })
  it('each transition counts, the oldest first, so that an absence that is over is not lost', () => {
    const moves = [move('online', 'offline', 10), move('offline', 'online', 100)]
    expect(isBad('router_offline', change('online'), moves, 200)).toEqual([
      [true, 10],
      [false, 100],
      [false, 100],
    ])
  })
  it('上线 is the return of a member, not the end of its flapping or of a time in which its hub was silent', () => {
    expect(isBad('router_online', change('online'), [move('never', 'online', 100)], 200)).toEqual([[true, 100]])
    expect(isBad('router_online', change('online'), [move('flapping', 'online', 100)], 200)).toEqual([])
    expect(isBad('router_online', change('online'), [move('unreadable', 'online', 100)], 200)).toEqual([])
  })
  it.each<[ConfigState, readonly (readonly [boolean, number])[]]>([
    ['failed', [[true, 50]]],
    ['reverted', [[true, 50]]],
    ['unsynced', [[true, 50]]],
    ['applied', [[false, 50]]],
    ['none', [[false, 50]]],
    ['pushing', []],
    ['queued', []],
  ])('configuration %s', (config, expected) => {
    expect(isBad('config_failed', change('online', config), [], 200)).toEqual(expected)
  })
})

it('a POP node that is reached again is the end of its alert', () => {
  const problem = { node: 'POP1', members: 3, reason: '断开', since: 5 }
  const bad = popConditions(emptyAlerts, 'N1', [problem], 10)
  expect(bad).toMatchObject([{ object: 'N1/POP1', isBad: true, at: 5, networks: ['N1'] }])
  const run = new Simulation(settingsWith({}))
  run.bad('pop_connect', 'N1/POP1')
  run.bad('pop_connect', 'N2/POP1')
  expect(popConditions(run.state, 'N1', [], 10)).toMatchObject([{ object: 'N1/POP1', isBad: false }])
})

it('POP nodes of many networks that are reached again end the alert of them all', () => {
  const numbers = ['N1', 'N2', 'N3', 'N4', 'N5', 'N6']
  const run = new Simulation(settingsWith({}))
  for (const number of numbers) run.bad('pop_connect', `${number}/POP1`)
  run.advance(HOUR)
  expect(run.records()).toMatchObject([{ object: '*', folded: 6, live: 6 }])
  for (const number of numbers) run.observe(popConditions(run.state, number, [], run.now))
  expect(run.records()).toMatchObject([{ object: '*', live: 0, endedAt: run.now }])
  expect(run.notices.map((notice) => noticeTitle(notice))).toEqual(['6个POP连接断开', '已恢复：6个POP连接断开'])
})

it.each([
  ['POP1', 'N1 · POP节点上海（3个成员）'],
  ['POP2', 'N1 · POP节点（3个成员）'], // it left the network meanwhile
])('an alert about POP node %s names its area, never the node', (node, label) => {
  const run = new Simulation(settingsWith({}), createFacts({ N1: { centers: [], points: [] } }))
  for (const condition of popConditions(emptyAlerts, 'N1', [{ node, members: 3, reason: '断开', since: 0 }], 0))
    run.run({ type: 'condition', ...condition })
  run.advance(HOUR)
  expect([...run.alerts.values()].map((alert) => alert.label)).toEqual([label])
})

it('上线 is not sent where an alert reports the return', () => {
  const run = new Simulation(
    settingsWith({ rules: { router_online: { on: true, delayMinutes: 0, severity: 'notice' } } }),
  )
  run.bad('router_offline', 'r1')
  run.advance(10 * 60_000)
  run.bad('router_online', 'r1')
  run.good('router_offline', 'r1')
  run.bad('router_online', 'r2')
  run.advance(HOUR)
  expect(run.notices.map(({ kind, alert }) => `${kind} ${alert.rule} ${alert.object}`)).toEqual([
    'open router_offline r1',
    'recovery router_offline r1',
    'open router_online r2',
  ])
})

describe('account 3 · quiet hours, by the clock of the given offset', () => {
  const at = (hours: number) => hours * HOUR
  const night = { on: true, start: 22 * 60, end: 8 * 60 }
  const noon = { on: true, start: 12 * 60, end: 14 * 60 }
  it.each([
    [night, 21.9, null],
    [night, 22, 32],
    [night, 23.5, 32],
    [night, 0, 8],
    [night, 7.99, 8],
    [night, 8, null],
    [noon, 13, 14],
    [noon, 14, null],
    [{ ...night, on: false }, 23, null],
    [{ on: true, start: 60, end: 60 }, 1, null],
  ])('%o at %s h', (quiet, hour, end) => {
    expect(quietUntil(quiet, at(hour), 0)).toBe(end === null ? null : at(end))
  })
  it('in Asia/Shanghai', () => expect(quietUntil(night, at(15), at(8))).toBe(at(24)))
})

describe('account 3 · mutes', () => {
  const subject = { object: 'r1', label: '', networks: ['N1', 'N2'] }
  const muted = (mutes: Parameters<typeof settingsWith>[0]['mutes'], networks = subject.networks) =>
    mutedUntil(settingsWith({ mutes: mutes ?? [] }), { ...subject, networks }, 10)
  it.each([
    ['all', [{ kind: 'all' as const, target: '', until: 20 }], 20],
    ['the member', [{ kind: 'router' as const, target: 'r1', until: 20 }], 20],
    ['another member', [{ kind: 'router' as const, target: 'r2', until: 20 }], null],
    ['one that is over', [{ kind: 'all' as const, target: '', until: 10 }], null],
    ['one of its two networks', [{ kind: 'network' as const, target: 'N1', until: 20 }], null],
  ])('%s', (_, mutes, expected) => expect(muted(mutes)).toBe(expected))
  it('its only network', () => expect(muted([{ kind: 'network', target: 'N1', until: 20 }], ['N1'])).toBe(20))
  it('an alert of no network is muted by none', () =>
    expect(muted([{ kind: 'network', target: 'N1', until: 20 }], [])).toBeNull())
})

it.each([
  [{ rule: 'router_offline', object: 'r1', label: '北京', folded: 0 }, '成员离线：北京'],
  [{ rule: 'router_offline', object: 'c', label: '总部', folded: 3 }, '中心点离线：总部，3个成员随之离线'],
  [{ rule: 'flapping', object: '*', label: '', folded: 7 }, '7个成员抖动'],
] as const)('%o is called %s', (alert, title) => expect(alertTitle(alert)).toBe(title))

it.each([
  [0, '0秒'],
  [59_000, '59秒'],
  [66_000, '1分钟6秒'],
  [90 * 60_000, '1小时30分钟'],
  [50 * HOUR, '2天2小时'],
])('a duration of %i ms reads %s', (ms, text) => expect(durationText(ms)).toBe(text))
