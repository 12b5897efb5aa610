import { describe, expect, it } from 'vitest'
import { ALERT, RULE_DEFAULTS } from '#contract/monitor/alert.ts'
import type { LinkCause, NetworkSummary } from '#contract/kernel/health.ts'
import { NO_LINKS } from '#domain/health/link.ts'
import { NO_MEMBERS } from '#domain/health/member.ts'
import { suspicionConditions } from '#domain/monitor/conditions.ts'
import { type Condition, isAboutRouter, networkObject } from '#domain/monitor/state.ts'
import { alertTitle } from '#domain/monitor/text.ts'
import { Simulation, createFacts, settingsWith } from './simulation.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

const points = ['p1', 'p2', 'p3', 'p4']
const createRun = (over: Parameters<typeof settingsWith>[0] = {}) => {
  const facts = createFacts({ N1: { centers: ['c'], points }, N2: { centers: ['c', 'd'], points } })
  const halved = facts.networks.get('N2')!
  const networks = new Map(facts.networks).set('N2', { ...halved, health: { state: 'partial', single_center: 4 } })
  const run = new Simulation(settingsWith(over), { ...facts, networks })
  const tell = (condition: Partial<Condition>) =>
    run.observe([
      {
        rule: 'router_offline',
        object: 'c',
        label: 'c',
        networks: ['N1'],
        isBad: true,
        at: run.now,
        reason: '',
        ...condition,
      },
    ])
  return {
    run,
    tell,
    suspect: () => tell({ isSuspected: true, reason: '8 条链路同时中断' }),
    clear: () => tell({ isSuspected: true, isBad: false }),
  }
}
const notices = (run: Simulation) => run.notices.map(({ kind }) => kind)
const last = (run: Simulation) => run.records().at(-1)!

describe('a centre that its points do not reach', () => {
  it('is a critical alert as suspected within a minute, with its consequences', () => {
    const { run, suspect } = createRun()
    suspect()
    run.advance(40 * SECOND)
    expect(notices(run)).toEqual(['open'])
    expect(last(run)).toMatchObject({ object: 'c', severity: 'critical', isSuspected: true, endedAt: null })
    expect(alertTitle(last(run))).toBe('中心点疑似失联：c → N1疑似中断，另 1 个组网失去冗余（4 个成员）')
  })

  it('is confirmed by presence: the same alert with another name, and no second notice', () => {
    const { run, tell, suspect, clear } = createRun()
    suspect()
    run.advance(40 * SECOND)
    clear() // the network drops the cause as soon as presence is decided, and may tell it first
    tell({ startedAt: run.now - 75 * SECOND, reason: '超过75秒没有心跳' })
    run.advance(10 * MINUTE)
    expect(notices(run)).toEqual(['open'])
    expect(run.records()).toHaveLength(1)
    expect(last(run)).toMatchObject({ isSuspected: false, reason: '超过75秒没有心跳', startedAt: -35 * SECOND })
    expect(alertTitle(last(run))).toBe('中心点离线：c → N1中断，另 1 个组网失去冗余（4 个成员）')
    tell({ isBad: false })
    run.advance(MINUTE)
    expect(notices(run)).toEqual(['open', 'recovery'])
  })

  it('is closed where its links come back and presence says nothing', () => {
    const { run, tell, suspect, clear } = createRun()
    suspect()
    run.advance(40 * SECOND)
    tell({ isBad: false }) // a report of a device that is there all the time
    run.advance(MINUTE)
    expect(notices(run)).toEqual(['open'])
    clear()
    const at = run.now
    run.advance(ALERT.clearMs)
    expect(notices(run)).toEqual(['open', 'recovery'])
    expect(last(run)).toMatchObject({ endedAt: at })
    expect(run.state.pending.size + run.state.alerts.size).toBe(0)
  })

  it('stays one alert while its links flicker', () => {
    const { run, suspect, clear } = createRun()
    suspect()
    run.advance(40 * SECOND)
    for (let n = 0; n < 5; n++) {
      clear()
      run.advance(ALERT.clearMs / 2)
      suspect()
      run.advance(MINUTE)
    }
    expect(notices(run)).toEqual(['open'])
  })

  it('is none if that passes, if the rule was edited, or the member is not watched', () => {
    for (const over of [
      { rules: { router_offline: { ...RULE_DEFAULTS.router_offline, delayMinutes: 10 } } },
      { routers: ['p1'] },
    ]) {
      const { run, suspect } = createRun(over)
      suspect()
      run.advance(5 * MINUTE)
      expect(notices(run)).toEqual([])
    }
    const { run, suspect, clear } = createRun()
    suspect()
    run.advance(10 * SECOND)
    clear()
    run.advance(5 * MINUTE)
    expect(notices(run)).toEqual([])
  })
})

describe('a centre whose absence is decided', () => {
  it('is a critical alert within a minute of its last contact, its members one after their delay, in it', () => {
    const { run, tell } = createRun()
    tell({ startedAt: -15 * SECOND })
    for (const object of points) tell({ object, label: object })
    run.advance(45 * SECOND)
    expect(run.records()).toMatchObject([{ object: 'c', severity: 'critical', startedAt: -15 * SECOND }])
    run.advance(5 * MINUTE)
    expect(run.records()).toMatchObject([{ object: 'c', folded: 4 }])
    expect(notices(run)).toEqual(['open'])
  })

  it('keeps level and delay of a rule that was edited', () => {
    const edited = { ...RULE_DEFAULTS.router_offline, severity: 'notice' as const }
    const { run, tell } = createRun({ rules: { router_offline: edited } })
    tell({})
    run.advance(3 * MINUTE - 1)
    expect(notices(run)).toEqual([])
    run.advance(1)
    expect(last(run)).toMatchObject({ severity: 'notice' })
  })
})

const cause = (over: Partial<LinkCause> = {}): LinkCause => ({
  role: 'center',
  routerName: 'c',
  down: 1,
  oneSided: 5,
  members: 6,
  since: 7,
  isPartial: false,
  ...over,
})
const summary = (causes: readonly LinkCause[], checked: number): NetworkSummary => ({
  health: {
    state: 'partial',
    issues: 1,
    cause: '',
    since: null,
    centers: { up: 1, total: 1 },
    members: NO_MEMBERS,
    links: NO_LINKS,
    single_center: 0,
    config: { applied: 0, total: 0 },
  },
  problems: [],
  causes,
  checked: { c: checked },
})

describe('a network whose links fail, while each of its centres works elsewhere', () => {
  const failing = (run: Simulation, over: Partial<Condition> = {}) =>
    run.observe([
      {
        rule: 'router_offline',
        object: networkObject('N2'),
        label: 'N2',
        networks: ['N2'],
        isBad: true,
        isSuspected: true,
        at: run.now,
        reason: '8 条链路同时断开',
        ...over,
      },
    ])

  it('is a critical alert that says so, until the links come back', () => {
    const { run } = createRun()
    failing(run)
    run.advance(40 * SECOND)
    expect(last(run)).toMatchObject({ severity: 'critical', networks: ['N2'], reason: '8 条链路同时断开' })
    expect(alertTitle(last(run))).toBe('链路大面积异常：N2')
    expect(isAboutRouter(last(run))).toBe(false)
    failing(run, { isBad: false })
    run.advance(ALERT.clearMs)
    expect(notices(run)).toEqual(['open', 'recovery'])
  })

  it('gives its alert the name of the centre that presence finds away: no second notice', () => {
    const { run, tell } = createRun()
    failing(run)
    run.advance(40 * SECOND)
    failing(run, { isBad: false })
    tell({ object: 'd', label: 'd', networks: ['N2'], startedAt: run.now - 75 * SECOND, reason: '超过75秒没有心跳' })
    run.advance(5 * MINUTE)
    expect(run.records()).toHaveLength(1)
    expect(alertTitle(last(run))).toBe('中心点离线：d → N2失去冗余（4 个成员）')
    expect(notices(run)).toEqual(['open'])
  })

  it('is found in the summaries, unless a suspected centre, a site or its interruption explains it', () => {
    const { run } = createRun()
    const of = (...summaries: readonly NetworkSummary[]) =>
      suspicionConditions(
        run.state,
        summaries.map((one, n) => ({ number: `N${n + 1}`, summary: one })),
        9,
      ).map(({ object, reason }) => [object, reason])
    const whole = (causes: readonly LinkCause[], state: 'partial' | 'down' = 'partial') => {
      const found = summary(causes, 6)
      return { ...found, health: { ...found.health, state }, checked: { c: 6, '': 6 } }
    }
    expect(of(whole([cause()]), summary([], 40))).toEqual([['network/N1', '6 条链路同时中断']])
    expect(of(whole([cause({ role: 'network', routerName: '' })]))).toEqual([['network/N1', '6 条链路同时中断']])
    expect(of(whole([cause()]))).toEqual([['c', '6 条链路同时中断']])
    expect(of(whole([cause({ role: 'site', routerName: '203.0.113.7' })]))).toEqual([])
    expect(of(whole([cause({ role: 'network', routerName: '' })], 'down'))).toEqual([])
  })
})

it('suspects a centre by its links in all networks together; groups of links that failed together suspect nobody', () => {
  const { run } = createRun()
  const found = (...summaries: readonly NetworkSummary[]) =>
    suspicionConditions(
      run.state,
      summaries.map((one, n) => ({ number: `N${n + 1}`, summary: one })),
      9,
    )
  expect(found(summary([cause()], 6), summary([cause()], 6))).toEqual([
    {
      rule: 'router_offline',
      object: 'c',
      label: 'c',
      networks: ['N1', 'N2'],
      isBad: true,
      isSuspected: true,
      at: 7,
      reason: '12 条链路同时中断',
    },
  ])
  expect(found(summary([cause()], 6), summary([], 40))).toEqual([])
  expect(found(summary([cause({ isPartial: true })], 6))).toEqual([])
  expect(found(summary([cause({ role: 'point' })], 6))).toEqual([])
})
