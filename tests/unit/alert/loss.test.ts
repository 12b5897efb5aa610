import { describe, expect, it } from 'vitest'
import { ALERT } from '#contract/monitor/alert.ts'
import { type Condition, isAboutRouter, siteObject } from '#domain/monitor/state.ts'
import { isWatched } from '#domain/monitor/settings.ts'
import { alertTitle } from '#domain/monitor/text.ts'
import { Simulation, createFacts, settingsWith } from './simulation.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

const points = ['p1', 'p2', 'p3', 'p4']
const NETWORKS = {
  门店网: { centers: ['甲', '乙'], points },
  办公网: { centers: ['甲', '乙'], points },
  研发网: { centers: ['乙'], points },
}
type Health = 'ok' | 'partial' | 'down'

/** A run whose networks have the health that the test gives. */
const createRun = () => {
  const facts = createFacts(NETWORKS)
  let healths = new Map<string, { state: Health; single_center: number }>()
  const run = new Simulation(settingsWith({}), facts)
  const setHealth = (of: Readonly<Partial<Record<keyof typeof NETWORKS, readonly [Health, number]>>>) => {
    healths = new Map(Object.entries(of).map(([number, [state, single_center]]) => [number, { state, single_center }]))
    const networks = new Map(
      [...facts.networks].map(([number, network]) => {
        const health = healths.get(number)
        return [number, { ...network, ...(health && { health }) }]
      }),
    )
    run.facts = { ...facts, networks }
    run.run({ type: 'health', healths })
  }
  const lose = (object: string, over: Partial<Condition> = {}) =>
    run.observe([
      { rule: 'router_offline', object, label: object, networks: [], isBad: true, at: run.now, reason: '', ...over },
    ])
  return { run, setHealth, lose }
}
const notices = (run: Simulation) => run.notices.map(({ kind }) => kind)
const titles = (run: Simulation) => run.records().map((record) => alertTitle(record))

describe('an alert about a lost centre says what the row of its cause says', () => {
  it('names the centres that interrupt networks together, and all of these networks', () => {
    const { run, lose, setHealth } = createRun()
    for (const center of ['乙', '甲']) lose(center)
    setHealth({ 门店网: ['down', 0], 办公网: ['down', 0], 研发网: ['down', 0] })
    for (const point of points) lose(point)
    run.advance(5 * MINUTE)
    expect(titles(run)).toEqual(['中心点离线：乙、甲 → 3 个组网中断，4个成员随之离线'])
    expect(notices(run)).toEqual(['open'])
  })

  it('names them while they are suspected', () => {
    const { run, lose, setHealth } = createRun()
    setHealth({ 门店网: ['partial', 0], 办公网: ['partial', 0], 研发网: ['partial', 0] })
    for (const center of ['乙', '甲']) lose(center, { isSuspected: true })
    run.advance(MINUTE)
    expect(titles(run)).toEqual(['中心点疑似失联：乙、甲 → 3 个组网疑似中断'])
    for (const center of ['乙', '甲']) lose(center)
    setHealth({ 门店网: ['down', 0], 办公网: ['down', 0], 研发网: ['down', 0] })
    expect(titles(run)).toEqual(['中心点离线：乙、甲 → 3 个组网中断'])
    expect(notices(run)).toEqual(['open'])
  })

  it('follows the health of its networks without a notice', () => {
    const { run, lose, setHealth } = createRun()
    setHealth({ 门店网: ['partial', 2], 办公网: ['partial', 1], 研发网: ['ok', 0] })
    lose('甲')
    run.advance(MINUTE)
    expect(titles(run)).toEqual(['中心点离线：甲 → 2 个组网失去冗余（3 个成员）'])
    setHealth({ 门店网: ['partial', 4], 办公网: ['partial', 4], 研发网: ['ok', 0] })
    expect(titles(run)).toEqual(['中心点离线：甲 → 2 个组网失去冗余（8 个成员）'])
    setHealth({ 门店网: ['partial', 4], 办公网: ['ok', 0], 研发网: ['ok', 0] })
    expect(titles(run)).toEqual(['中心点离线：甲 → 门店网失去冗余（4 个成员）'])
    expect(notices(run)).toEqual(['open'])
  })

  it('is sent once more where the second centre goes, because networks are interrupted only now', () => {
    const { run, lose, setHealth } = createRun()
    setHealth({ 门店网: ['partial', 4], 办公网: ['partial', 4] })
    lose('甲')
    run.advance(2 * MINUTE)
    lose('乙')
    setHealth({ 门店网: ['down', 0], 办公网: ['down', 0], 研发网: ['down', 0] })
    run.advance(2 * MINUTE)
    expect(titles(run)).toEqual(['中心点离线：甲、乙 → 3 个组网中断'])
    expect(notices(run)).toEqual(['open', 'reminder'])
    run.observe([{ ...condition('乙'), isBad: false, at: run.now }])
    setHealth({ 门店网: ['partial', 4], 办公网: ['partial', 4], 研发网: ['ok', 0] })
    expect(titles(run)).toEqual(['中心点离线：甲 → 2 个组网失去冗余（8 个成员），1个成员随之离线'])
  })

  it('of many members names the networks that a centre among them interrupts, and is sent once more', () => {
    const { run, lose, setHealth } = createRun()
    const many = Array.from({ length: ALERT.manyMin }, (_, n) => `r${n}`)
    for (const object of many) lose(object)
    run.advance(5 * MINUTE)
    expect(titles(run)).toEqual([`${many.length}个成员离线`])
    lose('乙')
    setHealth({ 研发网: ['down', 0] })
    run.advance(MINUTE)
    expect(titles(run)).toEqual([`${many.length + 1}个成员离线 → 研发网中断`])
    expect(notices(run)).toEqual(['open', 'reminder'])
  })
})

describe('members behind one public address that go together', () => {
  const site = '203.0.113.7'
  const behind = ['p1', 'p2', 'p3']
  const createSite = (names: readonly string[] = behind) => {
    const { run, lose } = createRun()
    const { routers } = run.facts
    const get = (name: string) => ({ note: '', networks: [], ...(names.includes(name) && { site }) })
    run.facts = { ...run.facts, routers: { ...routers, has: () => true, get } as typeof routers }
    return { run, lose }
  }

  it('are one alert that names the address, as their row does, and ends with the last of them', () => {
    const { run, lose } = createSite()
    for (const [n, object] of behind.entries()) lose(object, { startedAt: n * 9 * SECOND })
    run.advance(5 * MINUTE)
    expect(titles(run)).toEqual(['3个成员离线，都在公网地址 203.0.113.7 之后'])
    expect(isAboutRouter(run.records()[0]!)).toBe(false)
    for (const object of behind) run.observe([{ ...condition(object), isBad: false, at: run.now }])
    expect(notices(run)).toEqual(['open', 'recovery'])
  })

  it('are alerts of their own where they are two, or went at other times', () => {
    for (const [names, gapS] of [
      [behind.slice(0, 2), 9],
      [behind, 30],
    ] as const) {
      const { run, lose } = createSite(names)
      for (const [n, object] of behind.entries()) lose(object, { startedAt: n * gapS * SECOND })
      run.advance(5 * MINUTE)
      expect(titles(run).toSorted()).toEqual(behind.map((object) => `成员离线：${object}`))
    }
  })

  it('are watched by a choice of members that has them', () => {
    expect(isWatched(settingsWith({ routers: behind }), 'router_offline', siteObject(site))).toBe(true)
  })
})

const condition = (object: string) =>
  ({ rule: 'router_offline', object, label: object, networks: [] as readonly string[], reason: '' }) as const
