import { describe, expect, it } from 'vitest'
import { ALERT, type AlertRule, RULE_DEFAULTS } from '#contract/monitor/alert.ts'
import { endedServices, serviceConditions } from '#domain/monitor/conditions.ts'
import { replayAlerts } from '#domain/monitor/history.ts'
import { applyChange, emptyAlerts } from '#domain/monitor/state.ts'
import { alertTitle, noticeTitle } from '#domain/monitor/text.ts'
import { Simulation, createFacts, settingsWith } from './simulation.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const kinds = (run: Simulation) => run.notices.map(({ kind, alert }) => `${kind} ${alert.object}`)

describe('account 3 · an alert opens when its condition has lasted for its delay', () => {
  it.each<[AlertRule, number]>([
    ['router_offline', 3 * MINUTE],
    ['pop_connect', MINUTE],
    ['config_failed', ALERT.gatherMs],
    ['flapping', ALERT.gatherMs],
  ])('%s', (rule, delay) => {
    const run = new Simulation()
    run.bad(rule, 'r1')
    run.advance(delay - 1)
    expect(run.notices).toEqual([])
    run.advance(1)
    expect(kinds(run)).toEqual(['open r1'])
    run.advance(HOUR)
    run.good(rule, 'r1')
    expect(kinds(run)).toEqual(['open r1', 'recovery r1'])
    expect(run.records()[0]).toMatchObject({ startedAt: 0, endedAt: delay + HOUR })
  })
  it('a condition that ends before the delay is no alert', () => {
    const run = new Simulation()
    run.bad('router_offline', 'r1')
    run.advance(3 * MINUTE - 1)
    run.good('router_offline', 'r1')
    run.advance(HOUR)
    expect(run.records()).toEqual([])
  })
  it('a condition that lasted long enough while the hub was away is reported as recovered, with its duration', () => {
    const run = new Simulation()
    run.bad('router_offline', 'r1')
    run.sleep(10 * MINUTE)
    run.good('router_offline', 'r1')
    run.advance(ALERT.gatherMs)
    expect(kinds(run)).toEqual(['recovery r1'])
    expect(run.records()[0]).toMatchObject({ startedAt: 0, endedAt: 10 * MINUTE })
  })
  it('a repeat of the same condition adds nothing', () => {
    const run = new Simulation()
    for (let i = 0; i < 5; i++) {
      run.bad('router_offline', 'r1')
      run.advance(5 * MINUTE)
    }
    expect(kinds(run)).toEqual(['open r1'])
  })
  it('one that is switched off, or of a member that was not chosen, is none', () => {
    const run = new Simulation(
      settingsWith({ routers: ['r2'], rules: { flapping: { ...RULE_DEFAULTS.flapping, on: false } } }),
    )
    run.bad('router_offline', 'r1')
    run.bad('flapping', 'r2')
    run.bad('router_offline', 'r2')
    run.advance(HOUR)
    expect(kinds(run)).toEqual(['open r2'])
  })
  it('only the end of a service is one while monitoring is off', () => {
    const run = new Simulation(settingsWith({ enable: false }))
    run.bad('router_offline', 'r1')
    run.bad('service_expired', '7:1')
    run.advance(HOUR)
    expect(kinds(run)).toEqual(['open 7:1'])
  })
})

describe('design 8 · a cause explains what follows from it', () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => `p${i}`)
  it('a centre that drops is one alert with a thousand members folded, in whatever order they are found', () => {
    const run = new Simulation(settingsWith({}), createFacts({ N1: { centers: ['c'], points: many(1_000) } }))
    for (const [i, point] of many(1_000).entries()) {
      run.bad('router_offline', point)
      if (i === 600) run.bad('router_offline', 'c')
      if (i % 100 === 0) run.advance(10_000)
    }
    run.advance(10 * MINUTE)
    expect(kinds(run)).toEqual(['open c'])
    expect(run.records()).toMatchObject([{ object: 'c', folded: 1_000, live: 1_000 }])
    for (const point of many(1_000)) run.good('router_offline', point)
    run.good('router_offline', 'c')
    run.advance(HOUR)
    expect(kinds(run)).toEqual(['open c', 'recovery c'])
  })
  it('a thousand without a common centre are one alert, which recovers with the last of them', () => {
    const run = new Simulation()
    for (const name of many(1_000)) run.bad('router_offline', name)
    run.advance(10 * MINUTE)
    expect(kinds(run)).toEqual(['open *'])
    for (const name of many(999)) run.good('router_offline', name)
    expect(kinds(run)).toEqual(['open *'])
    run.good('router_offline', 'p999')
    expect(kinds(run)).toEqual(['open *', 'recovery *'])
  })
  it.each([0, 3])(
    'with a delay of %s minutes, those whose leases end one after the other are one alert, too',
    (delay) => {
      const rule = { on: true, delayMinutes: delay, severity: 'warning' } as const
      const run = new Simulation(settingsWith({ rules: { router_offline: rule } }))
      for (const name of many(40)) {
        run.bad('router_offline', name)
        run.advance(700)
      }
      run.advance(10 * MINUTE)
      expect(kinds(run)).toEqual(['open *'])
      expect(run.records()).toMatchObject([{ folded: 40, openedAt: expect.any(Number) }])
      expect(run.records()[0]!.openedAt).toBeLessThanOrEqual(delay * MINUTE + ALERT.gatherMs + ALERT.spreadMs)
    },
  )
  it('counts members, keeps the absences of each, and says members and times apart', () => {
    const run = new Simulation()
    for (const name of many(6)) run.bad('router_offline', name)
    run.advance(3 * MINUTE + ALERT.gatherMs)
    const again = () => {
      run.good('router_offline', 'p0')
      run.advance(10_000)
      run.bad('router_offline', 'p0')
      run.advance(3 * MINUTE + ALERT.gatherMs)
    }
    again()
    expect(run.records()).toMatchObject([{ object: '*', folded: 6, times: 7, live: 6 }])
    for (const name of many(6)) run.good('router_offline', name)
    expect(run.notices.map((notice) => noticeTitle(notice))).toEqual(['6个成员离线', '已恢复：6个成员离线，共7次'])
    const child = run.children.findLast(({ object }) => object === 'p0')
    expect(child).toMatchObject({ times: 2, earlier: [{ startedAt: 0 }], endedAt: run.now })
    expect(child!.earlier![0]!.endedAt).toBeLessThan(child!.startedAt)
    expect([run.state.returned.size, run.state.children.size]).toEqual([0, 0])
  })
  it('a member that goes twice under its centre is one member of the centre’s alert', () => {
    const run = new Simulation(settingsWith({}), createFacts({ N1: { centers: ['c'], points: ['p0'] } }))
    for (const name of ['c', 'p0']) run.bad('router_offline', name)
    run.advance(3 * MINUTE + ALERT.gatherMs)
    run.good('router_offline', 'p0')
    run.advance(10_000)
    run.bad('router_offline', 'p0')
    run.advance(4 * MINUTE)
    expect(alertTitle(run.records()[0]!)).toBe('中心点离线：c → N1中断，1个成员随之离线，共2次')
  })
  it('members that go one after the other for hours are not held back by it', () => {
    const run = new Simulation(settingsWith({}))
    for (const name of many(100)) {
      run.bad('router_offline', name)
      run.advance(20_000)
    }
    const [first] = run.records()
    expect(first!.openedAt - first!.startedAt).toBeLessThanOrEqual(3 * MINUTE + ALERT.spreadMs)
  })
  it('a member that stays away after its centre has come back is an alert of its own', () => {
    const run = new Simulation(settingsWith({}), createFacts({ N1: { centers: ['c'], points: ['p0', 'p1'] } }))
    for (const name of ['c', 'p0', 'p1']) run.bad('router_offline', name)
    run.advance(5 * MINUTE)
    run.good('router_offline', 'c')
    run.advance(30_000)
    run.good('router_offline', 'p0')
    run.advance(ALERT.settleMs)
    expect(kinds(run)).toEqual(['open c', 'recovery c', 'open p1'])
    expect(run.records().find(({ object }) => object === 'p1')).toMatchObject({ startedAt: 0, endedAt: null })
  })
  it('a member that goes long after its centre is an alert of its own', () => {
    const run = new Simulation(settingsWith({}), createFacts({ N1: { centers: ['c'], points: ['p0'] } }))
    run.bad('router_offline', 'c')
    run.advance(HOUR)
    run.bad('router_offline', 'p0')
    run.advance(HOUR)
    expect(kinds(run)).toEqual(['open c', 'open p0'])
  })
  it('of two centres of each other the first is the cause', () => {
    const run = new Simulation(
      settingsWith({}),
      createFacts({ N1: { centers: ['a'], points: ['b'] }, N2: { centers: ['b'], points: ['a'] } }),
    )
    run.bad('router_offline', 'b')
    run.advance(1_000)
    run.bad('router_offline', 'a')
    run.advance(10 * MINUTE)
    expect(kinds(run)).toEqual(['open b'])
  })
})

describe('account 3 · the end of a service', () => {
  const at = 10 * MINUTE
  const term = (expireAt: number) => ({ id: 7, kind: 'center' as const, name: '中心点服务', expireAt })
  const expired = () => {
    const run = new Simulation(settingsWith({ enable: false, canEscalate: true }))
    run.sleep(at)
    run.observe(serviceConditions(run.state, { ended: [term(at)], known: [] }, run.now))
    run.advance(ALERT.gatherMs)
    return run
  }
  it('is open until the service is renewed: a critical alert with what stops', () => {
    const run = expired()
    expect(run.records()).toMatchObject([
      { severity: 'critical', endedAt: null, reason: '不能再新增超出数量的中心点，已有中心点不受影响' },
    ])
    run.advance(2 * HOUR)
    expect(endedServices(run.state)).toEqual([7])
    run.observe(serviceConditions(run.state, { ended: [], known: [term(at)] }, run.now))
    expect(run.state.alerts.size).toBe(1)
    run.observe(serviceConditions(run.state, { ended: [], known: [term(run.now + HOUR)] }, run.now))
    expect(run.records()).toMatchObject([{ startedAt: at, endedAt: run.now }])
    expect(run.notices.map(({ kind }) => kind)).toEqual(['open', 'escalation', 'recovery'])
  })
  it('ends when the service is removed, and at its next end is another alert', () => {
    const removed = expired()
    removed.observe(serviceConditions(removed.state, { ended: [], known: [] }, removed.now))
    expect(removed.state.alerts.size).toBe(0)
    const run = expired()
    run.advance(HOUR)
    const next = term(run.now - MINUTE)
    run.observe(serviceConditions(run.state, { ended: [next], known: [next] }, run.now))
    run.advance(ALERT.gatherMs)
    expect(run.records().map(({ object, endedAt }) => [object, endedAt === null])).toEqual([
      [`7:${at}`, false],
      [`7:${next.expireAt}`, true],
    ])
  })
  it('in the past stays open when another service ends', () => {
    const ended = [term(HOUR), { ...term(3 * HOUR), id: 8 }]
    const nothing = { since: 0, absences: {}, mutes: [], acknowledgements: [], moves: [] }
    const facts = { routers: new Map(), networks: new Map() }
    const past = { ...nothing, ended, facts, settings: settingsWith({}), now: 5 * HOUR }
    const steps = [...replayAlerts(emptyAlerts, past)]
    expect(endedServices(steps.reduce((state, { change }) => applyChange(state, change), emptyAlerts))).toEqual([7, 8])
    expect(steps.flatMap(({ change }) => change.notices.map(({ kind }) => kind))).toEqual(['open', 'open'])
  })
  it('is acknowledged like others, and reminds once a day', () => {
    const run = expired()
    run.advance(3 * 24 * HOUR)
    expect(run.notices.filter(({ kind }) => kind === 'reminder')).toHaveLength(3)
    run.acknowledge('demo01')
    run.advance(3 * 24 * HOUR)
    expect(run.notices.filter(({ kind }) => kind === 'reminder')).toHaveLength(3)
  })
  it('of several services at once is an alert each, open until its own service is renewed', () => {
    const ids = [1, 2, 3, 4, 5, 6]
    const terms = ids.map((id) => ({ ...term(at), id }))
    const run = new Simulation(settingsWith({ enable: false }))
    run.sleep(at)
    run.observe(serviceConditions(run.state, { ended: terms, known: [] }, run.now))
    run.advance(ALERT.gatherMs)
    expect(endedServices(run.state)).toEqual(ids)
    const known = terms.map((one) => (one.id === 3 ? { ...one, expireAt: run.now + HOUR } : one))
    for (let read = 0; read < 3; read++) {
      run.observe(serviceConditions(run.state, { ended: [], known }, run.now))
      run.advance(ALERT.settleMs + MINUTE)
    }
    expect(endedServices(run.state)).toEqual([1, 2, 4, 5, 6])
    expect(run.notices.filter(({ kind }) => kind === 'recovery')).toHaveLength(1)
    expect(run.records()).toHaveLength(6)
  })
})

describe('account 3 · reminders, acknowledgement, escalation, mute', () => {
  const opened = (settings = settingsWith({})) => {
    const run = new Simulation(settings)
    run.bad('router_offline', 'r1')
    run.advance(3 * MINUTE)
    return run
  }
  it('reminds every four hours while it is open', () => {
    const run = opened()
    run.advance(9 * HOUR)
    expect(kinds(run)).toEqual(['open r1', 'reminder r1', 'reminder r1'])
    run.good('router_offline', 'r1')
    run.advance(9 * HOUR)
    expect(kinds(run).at(-1)).toBe('recovery r1')
  })
  it('escalates after 15 minutes without an acknowledgement, once', () => {
    const run = opened(settingsWith({ canEscalate: true }))
    run.advance(15 * MINUTE - 1)
    expect(kinds(run)).toEqual(['open r1'])
    run.advance(1)
    run.advance(HOUR)
    expect(kinds(run)).toEqual(['open r1', 'escalation r1'])
  })
  it('an acknowledgement ends both; the first is kept', () => {
    const run = opened(settingsWith({ canEscalate: true }))
    run.acknowledge('demo01')
    run.acknowledge('other')
    run.advance(9 * HOUR)
    expect(kinds(run)).toEqual(['open r1'])
    expect(run.records()[0]).toMatchObject({ ackBy: 'demo01', ackAt: 3 * MINUTE })
    run.good('router_offline', 'r1')
    expect(kinds(run).at(-1)).toBe('recovery r1')
  })
  it.each(['router', 'all'] as const)('a mute of %s holds the notice back until its end', (kind) => {
    const target = kind === 'all' ? '' : 'r1'
    const run = opened(settingsWith({ mutes: [{ kind, target, until: HOUR }] }))
    expect(kinds(run)).toEqual([])
    expect(run.records()).toHaveLength(1)
    run.advance(HOUR)
    expect(kinds(run)).toEqual(['open r1'])
  })
  it('an alert that recovers while it is muted is not sent', () => {
    const run = opened(settingsWith({ mutes: [{ kind: 'router', target: 'r1', until: HOUR }] }))
    run.good('router_offline', 'r1')
    run.advance(2 * HOUR)
    expect(kinds(run)).toEqual([])
  })
  it('switching monitoring off ends open alerts without a notice', () => {
    const run = opened()
    run.change(settingsWith({ enable: false }))
    run.advance(9 * HOUR)
    expect(kinds(run)).toEqual(['open r1'])
    expect(run.records()[0]?.endedAt).toBe(3 * MINUTE)
  })
})
