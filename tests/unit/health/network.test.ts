import { describe, expect, it } from 'vitest'
import {
  CONFIG_STATES,
  type ConfigState,
  type LinkState,
  PRESENCE_STATES,
  type PresenceState,
} from '#contract/kernel/protocol.ts'
import { toLinkState } from '#domain/health/link.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { configIn } from '#domain/router/refused-networks.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const T0 = 1_800_000_000_000
const member = (
  router_name: string,
  state: PresenceState = 'online',
  over: { role?: 'center' | 'point'; type?: 1 | 2; config?: ConfigState; seen?: number; site?: string } = {},
) => ({
  router_name,
  router_type: over.type ?? 1,
  member_type: over.role ?? (router_name.startsWith('c') ? ('center' as const) : ('point' as const)),
  presence: { state, since: T0, last_seen: over.seen ?? T0, reason: '' },
  config: { state: over.config ?? 'applied', version: 1, applied_version: 1, reason: '', at: T0 },
  site: over.site ?? null,
})
type Member = ReturnType<typeof member>

/** Links as the hub evaluates them: both ends report each other wherever they are there, unless given. */
function linksOf(members: readonly Member[], given: Readonly<Record<string, LinkState>> = {}) {
  const centers = members.filter(({ member_type }) => member_type === 'center')
  const points = members.filter(({ member_type, router_type }) => member_type === 'point' && router_type === 1)
  return centers.flatMap((center) =>
    points.map((point) => {
      const end = ({ router_name: name, presence }: Member) => ({ name, presence: presence.state, up: true })
      const evaluated = toLinkState(end(point), end(center))
      const state = given[`${point.router_name}>${center.router_name}`] ?? evaluated.state
      const names = { router_name: point.router_name, center_router_name: center.router_name }
      const reason =
        state === evaluated.state ? evaluated.reason : toLinkState({ ...end(point), up: null }, end(center)).reason
      return { ...names, state, reason, since: T0 }
    }),
  )
}
const evaluate = (members: readonly Member[], given: Readonly<Record<string, LinkState>> = {}) =>
  evaluateNetwork(members, linksOf(members, given))
const sentence = (members: readonly Member[], given: Readonly<Record<string, LinkState>> = {}) => {
  const { health } = evaluate(members, given)
  return [health.state, health.issues, health.cause]
}

describe('health of a network', () => {
  const points = [member('p1'), member('p2')]
  it('each case has its sentence', async () => {
    const offenders = await findOffenders<[string, Member[], Record<string, LinkState>, unknown[]]>([
      ['all well', [member('c1'), member('c2'), ...points], {}, ['ok', 0, '']],
      ['the only centre offline', [member('c1', 'offline'), ...points], {}, ['down', 1, '中心点离线']],
      [
        'both centres offline',
        [member('c1', 'offline'), member('c2', 'offline'), ...points],
        {},
        ['down', 1, '两个中心点均离线'],
      ],
      [
        'both centres and the points offline: the points are folded',
        [member('c1', 'offline'), member('c2', 'offline'), member('p1', 'offline')],
        {},
        ['down', 1, '两个中心点均离线'],
      ],
      [
        'one centre offline and the other never came',
        [member('c1', 'offline'), member('c2', 'never'), ...points],
        {},
        ['down', 1, '中心点离线'],
      ],
      ['one centre offline', [member('c1'), member('c2', 'offline'), ...points], {}, ['partial', 1, '1 个中心点离线']],
      ['a point offline', [member('c1'), member('c2'), member('p1', 'offline')], {}, ['partial', 1, '1 个成员离线']],
      ['a point flapping', [member('c1'), member('p1', 'flapping')], {}, ['partial', 1, '1 个成员抖动']],
      [
        'a point unreadable, and its configuration with it',
        [member('c1'), member('p1', 'unreadable', { config: 'failed' })],
        {},
        ['partial', 1, '1 个成员状态未知'],
      ],
      [
        'the only centre unreadable: nobody knows',
        [member('c1', 'unreadable'), ...points],
        {},
        ['partial', 1, '1 个成员状态未知'],
      ],
      ['a link down', [member('c1'), ...points], { 'p1>c1': 'down' }, ['partial', 1, '1 条链路断开']],
      ['a link one-sided', [member('c1'), ...points], { 'p1>c1': 'one_sided' }, ['partial', 1, '1 条链路单边']],
      [
        'all links of a centre one-sided: it is suspected, and not its points',
        [member('c1'), member('c2'), ...points, member('p3')],
        { 'p1>c1': 'one_sided', 'p2>c1': 'one_sided', 'p3>c1': 'down' },
        ['partial', 1, '1 个中心点疑似失联（3 条链路）'],
      ],
      [
        'most links of a network between many ends',
        [member('c1'), member('c2'), member('p1'), member('p2')],
        { 'p1>c1': 'down', 'p1>c2': 'down', 'p2>c1': 'down' },
        ['partial', 1, '1 处链路大面积异常（3 条链路）'],
      ],
      [
        'a configuration failed',
        [member('c1'), member('p1', 'online', { config: 'failed' })],
        {},
        ['partial', 1, '1 个成员配置异常'],
      ],
      [
        'one centre disabled: each point lost its second path, and no other row says why',
        [member('c1'), member('c2', 'disabled'), ...points],
        {},
        ['partial', 2, '2 个成员单中心'],
      ],
      [
        'several causes, the worst first',
        [member('c1'), member('c2', 'offline'), member('p1', 'offline'), member('p2'), member('p3', 'flapping')],
        { 'p2>c1': 'down' },
        ['partial', 4, '1 个中心点离线，1 个成员离线，1 个成员抖动，1 条链路断开'],
      ],
      ['only reconnecting', [member('c1', 'reconnecting'), member('p1', 'reconnecting')], {}, ['ok', 0, '']],
      ['points that never came', [member('c1'), member('p1', 'never'), member('p2', 'never')], {}, ['ok', 0, '']],
      ['one of two points disabled', [member('c1'), member('p1', 'disabled'), member('p2')], {}, ['ok', 0, '']],
      [
        'all points disabled: no link is up',
        [member('c1'), member('p1', 'disabled')],
        {},
        ['unknown', 0, '链路状态未知，成员已停用（1）'],
      ],
      [
        'no link has a report',
        [member('c1'), member('p1')],
        { 'p1>c1': 'unknown' },
        ['unknown', 0, '链路状态未知，等待设备上报（1）'],
      ],
      [
        'most links have no report',
        [member('c1'), ...points, member('p3')],
        { 'p1>c1': 'unknown', 'p2>c1': 'unknown' },
        ['unknown', 0, '链路状态未知，等待设备上报（2）'],
      ],
      [
        'few links have no report: they are beginning',
        [member('c1'), ...points, member('p3')],
        { 'p1>c1': 'unknown' },
        ['ok', 0, ''],
      ],
      [
        'a link down beside unknown ones',
        [member('c1'), ...points, member('p3')],
        { 'p1>c1': 'unknown', 'p2>c1': 'unknown', 'p3>c1': 'down' },
        ['partial', 1, '1 条链路断开'],
      ],
      [
        'no centre, nobody there',
        [member('p1', 'disabled'), member('p2', 'never')],
        {},
        ['unknown', 0, '没有成员在线'],
      ],
      ['software members that are away', [member('c1'), member('s1', 'offline', { type: 2 })], {}, ['ok', 0, '']],
      [
        'centres that never came',
        [member('c1', 'never'), member('c2', 'never'), ...points],
        {},
        ['never', 0, '中心点从未上线'],
      ],
      ['no member', [], {}, ['never', 0, '没有成员']],
      [
        'no centre, and nobody ever came',
        [member('p1', 'never'), member('p2', 'never')],
        {},
        ['never', 0, '成员从未上线'],
      ],
      ['no centre, one of two away', [member('p1'), member('p2', 'offline')], {}, ['partial', 1, '1 个成员离线']],
      ['all centres disabled', [member('c1', 'disabled'), ...points], {}, ['down', 1, '中心点已停用']],
    ])((_, members, given, expected) => expect(sentence(members, given)).toEqual(expected))
    expect(offenders).toEqual([])
  })

  it('a network that is withdrawn from all documents carries nothing, whoever is there', () => {
    const members = [member('c1'), member('c2', 'offline'), member('p1', 'online', { config: 'failed' })]
    const { health, problems, affected } = evaluateNetwork(members, [], { isWithdrawn: true })
    expect([health.state, health.issues, health.cause, health.since]).toEqual([
      'down',
      1,
      '组网已停用，设备配置已移除',
      null,
    ])
    expect(problems).toEqual([])
    expect([...affected.abnormal]).toEqual(['c2', 'p1']) // their own faults, which it does not explain
  })

  const pairs = PRESENCE_STATES.flatMap((a) =>
    PRESENCE_STATES.flatMap((b) => PRESENCE_STATES.map((p) => [a, b, p] as const)),
  )
  it('every combination of two centres and a point follows the rules', async () => {
    const offenders = await findOffenders(pairs)((a, b, p) => {
      const members = [member('c1', a), member('c2', b), member('p1', p)]
      const { health, problems } = evaluate(members)
      const opened = [a, b].filter((state) => state !== 'never')
      const isAway = (state: PresenceState) => state === 'offline' || state === 'disabled'
      expect(health.state === 'never').toBe(opened.length === 0)
      expect(health.state === 'down').toBe(opened.length > 0 && opened.every(isAway))
      expect(health.cause === '').toBe(health.state === 'ok')
      expect(health.issues === 0).toBe(['ok', 'never', 'unknown'].includes(health.state))
      expect(health.state === 'ok' && p !== 'never' && health.links.up === 0).toBe(false)
      expect(Object.values(health.members).reduce((x, y) => x + y)).toBe(3)
      expect(Object.values(health.links).reduce((x, y) => x + y)).toBe(2)
      expect(health.state === 'down' && problems.length > 0).toBe(false)
      const isHere = (state: PresenceState) => ['online', 'reconnecting', 'flapping'].includes(state)
      expect(health.single_center).toBe(isOne(a, b) && isHere(p) ? 1 : 0)
      function isOne(x: PresenceState, y: PresenceState) {
        return [x, y].filter(isAway).length === 1 && [x, y].filter(isHere).length === 1
      }
    })
    expect(offenders).toEqual([])
  })

  it('every combination of two centres and a point: the members that are affected stand behind the numbers', async () => {
    const offenders = await findOffenders(pairs)((a, b, p) => {
      const members = [member('c1', a), member('c2', b), member('p1', p)]
      const { health, affected } = evaluate(members)
      const { abnormal, singleCenter } = affected
      expect(singleCenter.size).toBe(health.single_center)
      const isEvaluated = health.state === 'ok' || health.state === 'partial' // otherwise the centres alone decide
      expect(abnormal.size).toBe(isEvaluated ? health.issues : abnormal.size)
    })
    expect(offenders).toEqual([])
  })

  it('affected are all points with a faulty link, however many, and not those that an absent centre explains', () => {
    const many = Array.from({ length: 80 }, (_, n) => member(`p${n}`))
    const downOf = (points: readonly Member[]) =>
      Object.fromEntries(points.map((point) => [`${point.router_name}>c1`, 'down' as const]))
    const both = [member('c1'), member('c2'), ...many]
    const down = downOf(many)
    expect(evaluate(both, downOf(many.slice(40))).affected.abnormal.size).toBe(40)
    expect([...evaluate(both, down).affected.abnormal]).toEqual(['c1'])
    const dialled = member('s', 'offline', { type: 2 }) // a software member dials on demand
    const away = [member('c1'), member('c2', 'offline'), dialled, ...many]
    expect([...evaluate(away).affected.abnormal]).toEqual(['c2'])
  })

  it('a configuration counts as applied or not, over every state; one that has none is not counted', () => {
    const members = CONFIG_STATES.map((config, n) => member(n === 0 ? 'c' : `p${n}`, 'online', { config }))
    expect(evaluate(members).health.config).toEqual({ applied: 1, total: CONFIG_STATES.length - 1 })
  })

  it('90 routers that never came show no red', () => {
    const never = Array.from({ length: 90 }, (_, n) => member(`p-never-${n}`, 'never', { config: 'queued' }))
    const { health } = evaluate([member('c1'), member('c2'), member('p1'), ...never])
    expect(health).toMatchObject({
      state: 'ok',
      issues: 0,
      links: { up: 2, down: 0, never: 180 },
      members: { never: 90 },
      config: { applied: 3, total: 3 },
    })
  })

  it('a centre that never came is not one that is lacking', () => {
    const centersOf = (...members: Member[]) => evaluate(members).health.centers
    expect(centersOf(member('c1'), member('c2', 'never'))).toEqual({ up: 1, total: 1 })
    expect(centersOf(member('c1'), member('c2', 'disabled'))).toEqual({ up: 1, total: 2 })
    expect(centersOf(member('c1', 'never'))).toEqual({ up: 0, total: 0 })
  })

  it('a link names its member and centre, and that it leaves one path', () => {
    const { problems } = evaluate([member('c1'), member('c2'), member('p1')], { 'p1>c2': 'down' })
    expect(problems).toMatchObject([
      { kind: 'link_down', routerName: 'p1', centerRouterName: 'c2', isSingleCenter: true, since: T0 },
    ])
  })

  it('a suspected centre is a cause with its numbers, and its links are no problems of their own', () => {
    const points = Array.from({ length: 60 }, (_, n) => member(`p${n}`))
    const bad = Object.fromEntries(points.slice(1).map((p) => [`${p.router_name}>c1`, 'one_sided' as const]))
    const { causes, problems, checked, health } = evaluate([member('c1'), member('c2'), ...points], {
      ...bad,
      'p0>c2': 'down',
    })
    expect(causes).toEqual([
      { role: 'center', routerName: 'c1', down: 0, oneSided: 59, members: 59, since: T0, isPartial: false },
    ])
    expect(problems).toMatchObject([{ kind: 'link_down', routerName: 'p0', centerRouterName: 'c2' }])
    expect(checked).toEqual({ c1: 60, c2: 60, p0: 2, '': 120 })
    expect([health.issues, health.single_center]).toEqual([2, 60])
  })

  it('links of one end that failed together are one group, and stay problems in the sentence', () => {
    const points = Array.from({ length: 10 }, (_, n) => member(`p${n}`))
    const bad = Object.fromEntries(points.slice(0, 4).map((p) => [`${p.router_name}>c1`, 'down' as const]))
    const { causes, problems, health, affected } = evaluate([member('c1'), ...points], bad)
    expect(causes).toMatchObject([{ role: 'center', routerName: 'c1', down: 4, isPartial: true }])
    expect([problems, health.cause, affected.abnormal.size]).toEqual([[], '4 条链路断开', 4])
  })

  it('devices behind one public address are one cause, although they are most of what each centre reaches', () => {
    const site = '203.0.113.7'
    const behind = ['p1', 'p2', 'p3'].map((name) => member(name, 'online', { site }))
    const all = [member('c1'), member('c2'), ...behind, member('p4', 'online', { site: '203.0.113.8' })]
    const lost = (names: readonly string[]) =>
      Object.fromEntries(
        names.flatMap((name) => ['c1', 'c2'].map((center) => [`${name}>${center}`, 'one_sided' as const])),
      )
    const { causes, health, affected } = evaluate(all, lost(['p1', 'p2', 'p3']))
    expect(causes).toMatchObject([
      { role: 'site', routerName: site, oneSided: 6, members: 3, names: ['p1', 'p2', 'p3'], isPartial: false },
    ])
    expect([health.cause, health.issues]).toEqual(['1 处公网地址疑似失联（6 条链路）', 1])
    expect([...affected.suspected]).toEqual(['p1', 'p2', 'p3'])
    const few = evaluate([...all, member('p5'), member('p6')], lost(['p1', 'p2']))
    expect(few.causes).toEqual([])
  })

  it('a lost centre is not taken for the site of its points, nor of itself', () => {
    const site = '203.0.113.7'
    const points = Array.from({ length: 6 }, (_, n) => member(`p${n}`, 'online', n < 3 ? { site } : {}))
    const bad = Object.fromEntries(points.map((p) => [`${p.router_name}>c1`, 'down' as const]))
    for (const centers of [
      [member('c1'), member('c2')],
      [member('c1', 'online', { site }), member('c2')],
      [member('c1', 'online', { site })],
    ])
      expect(evaluate([...centers, ...points], bad).causes.map(({ role }) => role)).toEqual(['center'])
  })

  it('says since when devices were last seen: the last centre of an interruption, the oldest cause otherwise', () => {
    const since = (...members: Member[]) => evaluate(members).health.since
    expect(since(member('c1', 'offline', { seen: 5 }), member('c2', 'offline', { seen: 9 }))).toBe(9)
    expect(since(member('c1'), member('p1', 'offline', { seen: 7 }), member('p2', 'offline', { seen: 3 }))).toBe(3)
    expect(since(member('c1'))).toBeNull()
  })

  it('looks at each member and link a fixed number of times, however many there are', () => {
    const readsOf = (points: number) => {
      let reads = 0
      const count = <T extends object>(item: T): T =>
        new Proxy(item, { get: (of, key) => (reads++, Reflect.get(of, key)) })
      const members = [member('c1'), ...Array.from({ length: points }, (_, n) => member(`p${n}`))]
      const links = linksOf(members)
      evaluateNetwork(members.map(count), links.map(count))
      return reads
    }
    expect(readsOf(2_000)).toBeLessThan(2.1 * readsOf(1_000))
  })
})

describe('a node that refuses the configuration of a network', () => {
  const config = { state: 'failed', version: 1, applied_version: 1, at: T0 } as const
  const node = (reason: string, state: PresenceState = 'online') => ({
    ...member('n1', state),
    member_type: 'pop' as const,
    config: { ...config, reason },
  })
  const members = [member('c1'), member('p1')]
  const healthWith = (one: ReturnType<typeof node>) => {
    const { health } = evaluateNetwork([...members, one], linksOf(members))
    return [health.state, health.issues, health.cause]
  }

  it('makes it 部分异常 with the reason, while it is there', () => {
    const refused = configIn('N1', { ...config, state: 'applied', reason: '' }, [
      { number: 'N1', reason: '端口已被占用' },
    ])
    expect(healthWith(node(refused.reason))).toEqual(['partial', 1, '1 个POP节点拒绝了配置：端口已被占用'])
    expect(healthWith(node(refused.reason, 'offline'))).toEqual(['ok', 0, ''])
  })

  it('that fails as a whole is the operator’s trouble, and other networks have none', () => {
    expect(healthWith(node('磁盘已满'))).toEqual(['ok', 0, ''])
    const applied = { ...config, state: 'applied', reason: '' } as const
    expect(configIn('N2', applied, [{ number: 'N1', reason: 'x' }])).toBe(applied)
  })
})

describe('a network whose members prefer POP nodes', () => {
  const node = (state: PresenceState = 'online') => ({ ...member('n1', state), member_type: 'pop' as const })
  const popLink = (name: string, state: LinkState) => ({
    router_name: name,
    center_router_name: 'n1',
    kind: 'pop' as const,
    state,
    reason: '',
    since: T0,
  })
  const lost = [member('c1', 'offline', { seen: T0 - 9 }), member('p1'), member('p2')]
  const sentenceOf = (members: readonly Member[], states: readonly LinkState[], isPopFirst = true) => {
    const links = [...linksOf(members), ...states.map((state, n) => popLink(`p${n + 1}`, state))]
    const { health } = evaluateNetwork([...members, node()], links, { isPopFirst })
    return [health.state, health.issues, health.cause]
  }

  it('is not interrupted while they reach a node', async () => {
    const offenders = await findOffenders<[string, LinkState[], unknown[]]>([
      ['all', ['up', 'up'], ['partial', 1, '中心点离线，POP 路径可用']],
      ['one waits for its report', ['up', 'unknown'], ['partial', 1, '中心点离线，POP 路径可用']],
      [
        'one has no node, or none that it reaches',
        ['up'],
        ['partial', 1, '中心点离线，POP 路径可用，但 1 个成员没有可用的POP链路'],
      ],
      ['none', ['down', 'down'], ['down', 1, '中心点离线']],
      ['nobody knows', ['unknown', 'unknown'], ['down', 1, '中心点离线']],
      ['no links', [], ['down', 1, '中心点离线']],
    ])((_, states, expected) => expect(sentenceOf(lost, states)).toEqual(expected))
    expect(offenders).toEqual([])
  })

  it('is interrupted where they prefer centres, and names other troubles behind the path', () => {
    expect(sentenceOf(lost, ['up', 'up'], false)).toEqual(['down', 1, '中心点离线'])
    expect(sentenceOf([...lost, member('p3', 'offline')], ['up', 'up'])).toEqual([
      'partial',
      2,
      '中心点离线，POP 路径可用，1 个成员离线',
    ])
  })
})

describe('a network whose POP node is offline', () => {
  const node = (name: string, area?: string, state: PresenceState = 'offline') => ({
    ...member(name, state),
    member_type: 'pop' as const,
    ...(area !== undefined && { area }),
  })
  const popLink = (name: string, to: string) => {
    const ends = [name, to].map(
      (end) => ({ name: end, presence: end === to ? 'offline' : 'online', up: true }) as const,
    )
    return {
      router_name: name,
      center_router_name: to,
      kind: 'pop' as const,
      ...toLinkState(ends[0]!, ends[1]!, 'pop'),
    }
  }
  const sentenceOf = (
    members: readonly Member[],
    nodes: readonly ReturnType<typeof node>[],
    facts: Parameters<typeof evaluateNetwork>[2] = {},
  ) => {
    const points = members.filter(({ router_name, presence }) => router_name > 'p' && presence.state === 'online')
    const toNodes = points.flatMap((p) => nodes.map((n) => ({ ...popLink(p.router_name, n.router_name), since: T0 })))
    const { health, affected } = evaluateNetwork([...members, ...nodes], [...linksOf(members), ...toNodes], facts)
    return [health.state, health.issues, health.cause, affected.abnormal.size]
  }
  const east = node('n1', '华东')
  const well = [member('c1'), member('p1'), member('p2')]
  const name = '1 个POP节点离线（华东）'

  it('is never well, and names the area', async () => {
    const offenders = await findOffenders<[string, unknown[], unknown[]]>([
      ['all else well', sentenceOf(well, [east]), ['partial', 1, name, 0]],
      ['without a name', sentenceOf(well, [node('n1')]), ['partial', 1, '1 个POP节点离线', 0]],
      [
        'two nodes of two areas',
        sentenceOf(well, [east, node('n2', '华南')]),
        ['partial', 2, '2 个POP节点离线（华东、华南）', 0],
      ],
      ['two of one area', sentenceOf(well, [east, node('n2', '华东')]), ['partial', 2, '2 个POP节点离线（华东）', 0]],
      [
        'beside a member',
        sentenceOf([...well, member('p3', 'offline')], [east]),
        ['partial', 2, `${name}，1 个成员离线`, 1],
      ],
      ['the centre never came', sentenceOf([member('c1', 'never'), member('p1')], [east]), ['partial', 1, name, 0]],
      [
        'the centre is lost, too',
        sentenceOf([member('c1', 'offline'), member('p1')], [east]),
        ['down', 1, '中心点离线', 1],
      ],
      ['withdrawn', sentenceOf(well, [east], { isWithdrawn: true }), ['down', 1, '组网已停用，设备配置已移除', 0]],
      ['nobody uses it', sentenceOf([member('c1'), member('p1', 'never')], [east]), ['ok', 0, '', 0]],
    ])((_, shown, expected) => expect(shown).toEqual(expected))
    expect(offenders).toEqual([])
  })

  it('says since when, as the row does', () => {
    const links = [...linksOf(well), { ...popLink('p1', 'n1'), since: T0 - 5 }]
    const { health, pops } = evaluateNetwork([...well, east], links)
    expect([health.since, pops[0]?.since]).toEqual([T0 - 5, T0 - 5])
  })
})
