import { describe, expect, it } from 'vitest'
import { ATTENTION_KINDS } from '#contract/kernel/health.ts'
import { CONFIG_STATES, PRESENCE_STATES } from '#contract/kernel/protocol.ts'
import type { AttentionFacts } from '#domain/health/attention.ts'
import { POP_AWAY } from '#domain/health/link.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import {
  NOW,
  DAY,
  member,
  health,
  network,
  rows,
  kinds,
  inNetwork,
  link,
  away,
  suspicion,
} from './attention-fixture.ts'

const pop = (expireAt: number, lapsed = 0) => ({ name: '骨干接入', expireAt, lapsed })

describe('需要关注', () => {
  it('is empty where all is well, never came, was disabled or reconnects', () => {
    const quiet = (['online', 'reconnecting', 'never', 'disabled'] as const).map((state) => member(state, state))
    const software = member('app', 'offline', { routerType: 2 })
    expect(
      rows({ members: [...quiet, software], networks: [network('N1'), network('N2', { health: health('never') })] }),
    ).toEqual([])
  })

  it('lists every kind in the order of its severity', () => {
    const facts: Partial<AttentionFacts> = {
      quotas: [{ name: '组网成员席位', used: 96, total: 100 }],
      services: [{ name: '软件成员', expireAt: NOW + 20 * DAY }],
      members: [
        member('old', 'online', { unsupported: ['ciphers:sm'] }),
        member('unsynced', 'online', { c: 'unsynced' }),
        member('reverted', 'online', { c: 'reverted' }),
        member('failed', 'online', { c: 'failed' }),
        member('silent', 'unreadable'),
        member('flap', 'flapping'),
        ...[1, 2, 3].map((n) => away(`site${n}`, 600 + n, { remoteHost: '203.0.113.7' })),
        away('gone', 100, inNetwork('point')),
        away('c2', 200, inNetwork('center')),
        member('p1', 'online', inNetwork('point')),
      ],
      networks: [
        network('N1', {
          problems: [link('single_center'), link('link_one_sided'), link('link_down')],
          overlaps: [{ a: '甲', segment_a: '10.0.0.1/24', b: '乙', segment_b: '10.0.0.2/24' }],
        }),
        network('N2', { health: health('down', '两个中心点均离线') }),
        network('N3', { isSuspended: true }),
        network('N4', { pop: pop(NOW - 1), pops: [{ node: 'x', members: 2, reason: POP_AWAY, since: NOW }] }),
        network('N6', { causes: [suspicion({ routerName: 'c6' })], checked: { c6: 20, '': 20 } }),
        network('N7', { causes: [suspicion({ routerName: 'c7', isPartial: true })], checked: { c7: 99, '': 99 } }),
        network('N5', { pop: pop(NOW + DAY) }),
      ],
      inbox: {
        directory: { state: 'failed' as const, failure: '', at: NOW },
        ended: [{ name: '席位', expireAt: NOW }],
        channels: [{ channel: 'webhook' as const, target: '', since: NOW, words: '' }],
        contacts: [{ uuid: 'u', name: '张三', expiresAt: NOW }],
        saas: [NOW, NOW + DAY].map((expireAt) => ({ routerName: `s${expireAt}`, label: '店', expireAt })),
        certificates: [{ reason: '签名不符', at: NOW }, null].map((refusal) => ({
          routerName: 'v',
          label: '店',
          refusal,
          endsAt: NOW,
        })),
        tickets: [{ number: 'T1', title: '工单', answeredAt: NOW }],
      },
    }
    const alone = ['fleet_offline', 'directory_asking'] // in place of others
    const all = ATTENTION_KINDS.filter((kind) => !alone.includes(kind))
    expect(rows(facts).map(({ kind }) => kind)).toEqual(all)
    const fleet = Array.from({ length: 9 }, (_, n) => away(`f${n}`, n))
    expect(kinds({ members: fleet })).toEqual([['fleet_offline', '9 台硬件']])
  })

  it('a device has at most one row, in each presence and configuration', async () => {
    const offenders = await findOffenders(
      PRESENCE_STATES.flatMap((state) => CONFIG_STATES.map((config) => [state, config] as const)),
    )((state, config) => {
      const found = kinds({ members: [member('r', state, { c: config })] })
      const expected =
        state === 'offline'
          ? 'member_offline'
          : state === 'flapping'
            ? 'member_flapping'
            : state === 'unreadable'
              ? 'member_unreadable'
              : { failed: 'config_failed', reverted: 'config_reverted', unsynced: 'config_unsynced' }[config as string]
      expect(found).toEqual(expected === undefined ? [] : [[expected, '名r']])
    })
    expect(offenders).toEqual([])
  })

  it.each(CONFIG_STATES)('a device too old for a setting says that, whatever its configuration: %s', (config) => {
    const old = member('r', 'online', { c: config, unsupported: ['ciphers:sm'] })
    const isRefused = ['failed', 'reverted', 'unsynced'].includes(config)
    expect(rows({ members: [old] })).toMatchObject([
      {
        kind: 'setting_unsupported',
        level: 'warn',
        cause: '设备版本过旧，不支持国密（SM4）',
        since: isRefused ? old.config.at : null,
      },
    ])
  })

  it('one that is away, or may not be there, is too old for nothing', () => {
    const unsupported = ['ciphers:sm'] as const
    expect(kinds({ members: [member('gone', 'offline', { unsupported })] })).toEqual([['member_offline', '名gone']])
    for (const state of ['never', 'disabled'] as const)
      expect(kinds({ members: [member('r', state, { unsupported })] })).toEqual([])
  })

  it('an interrupted network hides who is away with it, and says how many; not what it does not explain', () => {
    const members = [
      away('c1', 300, inNetwork('center')),
      away('c2', 400, inNetwork('center')),
      away('p1', 500, inNetwork('point')),
      member('p2', 'flapping', inNetwork('point')),
      member('p4', 'online', { ...inNetwork('point'), c: 'failed' }),
      member('app', 'offline', { ...inNetwork('point'), routerType: 2 }),
      member('p3', 'online', inNetwork('point')),
      away('both', 800, { networks: [...inNetwork('point').networks, { number: 'N2', memberType: 'point' }] }),
      away('free', 600),
    ]
    const networks = [
      network('N1', { health: health('down', '两个中心点均离线'), problems: [link('link_down')] }),
      network('N2'),
    ]
    const found = rows({ members, networks })
    expect(found.map(({ kind, name, folded }) => [kind, name, folded])).toEqual([
      ['network_down', '名c2、名c1', 1], // in the order in which they were lost
      ['member_offline', '名both', 0],
      ['member_offline', '名free', 0],
      ['member_flapping', '名p2', 0],
      ['config_failed', '名p4', 0],
    ])
    expect(found[0]).toMatchObject({
      level: 'bad',
      cause: '离线 → 网N1中断',
      since: NOW - 300_000,
      target: { type: 'router', router_name: 'c2' },
    })
  })

  it('a lost centre takes in the network that it interrupts, and says who has lost redundancy', () => {
    const serves = ['N1', 'N2', 'N3'].map((number) => ({ number, memberType: 'center' as const }))
    const halved = { ...health('partial', '1 个中心点离线'), single_center: 19 }
    const networks = [
      network('N1', { name: '研发专网', health: health('down', '中心点离线') }),
      network('N2', { health: halved }),
      network('N3', { health: halved }),
    ]
    const found = rows({ members: [away('c1', 60, { label: '苏州灾备机房', networks: serves })], networks })
    expect(found.map(({ kind, name, cause }) => [kind, `${name}${cause}`])).toEqual([
      ['network_down', '苏州灾备机房离线 → 研发专网中断，另 2 个组网失去冗余（38 个成员）'],
    ])
    const other = rows({ members: [away('c1', 60, { networks: serves })], networks: networks.slice(1) })
    expect(other.map(({ kind, cause }) => [kind, cause])).toEqual([
      ['center_offline', '离线 → 2 个组网失去冗余（38 个成员）'],
    ])
  })

  it('all devices away within seconds are one row, with the networks that they interrupt', () => {
    const fleet = Array.from({ length: 40 }, (_, n) =>
      away(`r${n}`, 100 + (n % 8), inNetwork(n === 0 ? 'center' : 'point')),
    )
    const networks = [network('N1', { health: health('down', '中心点离线') })]
    const found = rows({ members: fleet, networks })
    expect(found.map(({ kind, name, cause }) => [kind, `${name}${cause}`])).toEqual([
      ['fleet_offline', '40 台硬件在 7 秒内同时离线，可能是服务端或出口线路 → 网N1中断'],
    ])
    const slow = Array.from({ length: 40 }, (_, n) => away(`r${n}`, 100 + 20 * n))
    expect(rows({ members: slow }).map(({ kind }) => kind)).toEqual(Array(40).fill('member_offline'))
  })

  it('devices without a close vanish at one moment if their last heartbeats are one interval apart', () => {
    const silent = (n: number) =>
      member(`r${n}`, 'offline', {
        presence: { state: 'offline', since: NOW - 1_000, last_seen: NOW - 76_000 - 3_000 * n, reason: '' },
      })
    expect(kinds({ members: Array.from({ length: 10 }, (_, n) => silent(n)) })).toEqual([
      ['fleet_offline', '10 台硬件'],
    ])
  })

  it.each([
    ['203.0.113.7', '203.0.113.7', 1],
    ['2001:db8:1:2::7', '2001:db8:1:2::8', 1],
    ['203.0.113.7', '203.0.113.8', 3],
    ['192.168.1.1', '192.168.1.1', 3],
  ])('three devices away behind %s and %s: %i rows', (a, b, count) => {
    const others = Array.from({ length: 9 }, (_, n) => member(`o${n}`, 'online'))
    const site = [
      away('r1', 60, { remoteHost: a }),
      away('r2', 61, { remoteHost: b }),
      away('r3', 62, { remoteHost: a }),
    ]
    const found = rows({ members: [...site, ...others] })
    expect(found).toHaveLength(count)
    const kind = count === 1 ? 'site_offline' : 'member_offline'
    expect(new Set(found.map((one) => one.kind))).toEqual(new Set([kind]))
  })

  it('a suspected centre is one row over all its networks', () => {
    const serves = ['N1', 'N2', 'N3'].map((number) => ({ number, memberType: 'center' as const }))
    const presence = { state: 'online', since: NOW - DAY, last_seen: NOW, reason: '' } as const
    const members = [
      member('c1', 'online', { networks: serves, presence }),
      member('p1', 'online', { networks: [{ number: 'N3', memberType: 'point' }] }),
      member('c2', 'online', { networks: serves.slice(0, 2) }),
    ]
    const halved = { ...health('partial'), single_center: 20 }
    const problem = { ...link('link_one_sided'), centerRouterName: 'c1' }
    const networks = [
      network('N1', { health: halved, causes: [suspicion()], checked: { c1: 20, c2: 20, '': 40 } }),
      network('N2', { health: halved, causes: [suspicion()], checked: { c1: 20, c2: 20, '': 40 } }),
      network('N3', { health: health('partial'), problems: [problem], checked: { c1: 1, p1: 1, '': 1 } }),
    ]
    const found = rows({ members, networks })
    expect(found).toEqual([
      {
        id: 'outage c1',
        kind: 'suspected',
        level: 'bad',
        target: {
          type: 'router',
          network_number: null,
          router_name: 'c1',
          center_router_name: null,
          ticket_number: null,
        },
        name: '名c1',
        cause: '疑似失联：41 条链路同时单边 → 网N3疑似中断，另 2 个组网失去冗余（40 个成员）',
        since: NOW - 5_000,
        until: null,
        folded: 0,
        handled: null,
      },
    ])
  })

  it('presence confirms a suspicion: the row of the absence takes its place', () => {
    const gone = away('c1', 76, inNetwork('center'))
    const summary = { causes: [suspicion()], checked: { c1: 20, '': 40 } }
    const found = kinds({ members: [gone], networks: [network('N1', summary)] })
    expect(found).toEqual([['center_offline', '名c1']])
  })

  it('links of a device that has just come back are awaited, and suspect nobody', () => {
    const presence = { state: 'online', since: NOW - 9_000, last_seen: NOW, reason: '' } as const
    const back = member('c1', 'online', { ...inNetwork('center'), presence })
    const found = rows({ members: [back], networks: [network('N1', { causes: [suspicion()], checked: { c1: 20 } })] })
    expect(found).toMatchObject([{ kind: 'suspected', level: 'warn', cause: '刚恢复在线：20 条链路尚未连通' }])
    const still = member('c1', 'online', { ...inNetwork('center'), presence: { ...presence, since: NOW - 31_000 } })
    const failed = { causes: [suspicion({ since: NOW - 25_000 })], checked: { c1: 20 } }
    expect(rows({ members: [still], networks: [network('N1', failed)] })).toMatchObject([
      { level: 'bad', cause: '疑似失联：20 条链路同时单边 → 网N1疑似中断' },
    ])
  })

  it('an object that works in its other networks is not the cause: the network is, or the links that failed together', () => {
    const c1 = member('c1', 'online', {
      networks: ['N1', 'N2'].map((number) => ({ number, memberType: 'center' as const })),
      presence: { state: 'online', since: NOW - DAY, last_seen: NOW, reason: '' },
    })
    const well = network('N2', { checked: { c1: 40, '': 40 } })
    const whole = network('N1', { causes: [suspicion()], checked: { c1: 20, '': 20 } })
    expect(rows({ members: [c1], networks: [whole, well] })).toMatchObject([
      { kind: 'suspected', name: '网N1', cause: '链路大面积异常：20 条链路同时单边' },
    ])
    const part = network('N1', { causes: [suspicion()], checked: { c1: 30, '': 99 } })
    expect(rows({ members: [c1], networks: [part, well] })).toMatchObject([
      { kind: 'links_together', level: 'warn', name: '名c1', cause: '20 条链路同时单边' },
    ])
  })

  it('two centres that interrupt a network only together share a row; a hub of the release before sends problems alone', () => {
    const presence = { state: 'online', since: NOW - DAY, last_seen: NOW, reason: '' } as const
    const points = Array.from({ length: 5 }, (_, n) => member(`p${n}`, 'online', inNetwork('point')))
    const centers = ['c1', 'c2'].map((name) => member(name, 'online', { ...inNetwork('center'), presence }))
    const problems = points.flatMap(({ routerName }) =>
      ['c1', 'c2'].map((centerRouterName) => ({ ...link('link_one_sided'), routerName, centerRouterName })),
    )
    expect(rows({ members: [...points, ...centers], networks: [network('N1', { problems })] })).toMatchObject([
      { kind: 'suspected', name: '名c1、名c2', cause: '疑似失联：10 条链路同时单边 → 网N1疑似中断' },
    ])
    expect(
      kinds({ members: [...points, ...centers], networks: [network('N1', { problems: problems.slice(0, 2) })] }),
    ).toEqual([
      ['link_one_sided', '名p0'],
      ['link_one_sided', '名p0'],
    ])
  })

  it('a POP node that is away is one row by its area, over all networks that it carries', () => {
    const pops = [{ node: 'node7', members: 3, reason: POP_AWAY, since: NOW - 9 }]
    const areas = new Map([['node7', '华东']])
    const found = rows({ networks: ['N1', 'N2'].map((number) => network(number, { pops, areas })) })
    expect(found).toMatchObject([
      {
        kind: 'pop_offline',
        name: 'POP节点（华东）',
        cause: '离线 → 2 个组网的POP接入中断（6 个成员）',
        since: NOW - 9,
      },
    ])
    const reached = { ...pops[0]!, reason: '两端均收不到对方的探测' }
    expect(rows({ networks: [network('N1', { pops: [reached] })] })).toEqual([])
  })

  it('a withdrawn network is one row, and explains no device that is away', () => {
    const dead = health('down', '组网已停用，设备配置已移除')
    const withdrawn = { health: dead, isSuspended: true, suspendedAt: NOW, isWithdrawn: true }
    const found = rows({
      members: [member('c1', 'offline', inNetwork('center'))],
      networks: [network('N1', withdrawn)],
    })
    expect(found.map(({ kind, cause, folded }) => [kind, cause, folded])).toEqual([
      ['network_suspended', '成员配额不足，组网已停用，设备配置已移除', 0],
      ['member_offline', '设备离线', 0],
    ])
  })

  it('a centre hides its links: its row counts those of the points that ever came', () => {
    const members = [
      member('c1', 'offline', inNetwork('center')),
      member('p1', 'online', inNetwork('point')),
      member('p2', 'online', inNetwork('point')),
      member('p3', 'never', inNetwork('point')),
      member('app', 'online', { ...inNetwork('point'), routerType: 2 }),
    ]
    expect(rows({ members, networks: [network('N1')] })).toMatchObject([
      { kind: 'center_offline', name: '名c1', folded: 2 },
    ])
  })

  it('a link is named by both ends, with 单中心 as its consequence', () => {
    const members = [member('p1', 'online', inNetwork('point')), member('c1', 'online', inNetwork('center'))]
    const [found] = rows({ members, networks: [network('N1', { problems: [link('link_down', true)] })] })
    expect(found).toEqual({
      id: 'link N1/p1/c1',
      kind: 'link_down',
      level: 'bad',
      target: { type: 'link', network_number: 'N1', router_name: 'p1', center_router_name: 'c1', ticket_number: null },
      name: '名p1',
      cause: '到“名c1”的链路断开：两端均收不到对方的探测，单中心',
      since: NOW - 5,
      until: null,
      folded: 1,
      handled: null,
    })
  })

  it('within one kind the oldest comes first', () => {
    const at = (name: string, since: number | null) =>
      member(name, 'offline', { presence: { state: 'offline', since, last_seen: since, reason: '' } })
    const found = rows({ members: [at('new', NOW - 1), at('unknown', null), at('old', NOW - 9)] })
    expect(found.map(({ name }) => name)).toEqual(['名old', '名new', '名unknown'])
  })

  it('an offline device says when it was last seen, not when that was decided', () => {
    const presence = { state: 'offline', since: NOW - 1_000, last_seen: NOW - 16_000, reason: '连接中断' } as const
    expect(rows({ members: [member('r', 'offline', { presence })] })).toMatchObject([
      { since: NOW - 16_000, cause: '设备离线：连接中断' },
    ])
  })

  it.each([
    [96, 100, true],
    [95, 100, false],
    [20, 20, true],
    [19, 20, false],
    [3, 2, true],
    [0, 0, false],
  ])('a quota of which %i of %i are used: %s', (used, total, isListed) => {
    expect(rows({ quotas: [{ name: 'q', used, total }] })).toHaveLength(isListed ? 1 : 0)
  })

  it.each([
    [NOW + 30 * DAY, '还有 30 天到期'],
    [NOW + 1, '还有 1 天到期'],
    [NOW + 30 * DAY + 1, null],
    [NOW, null],
  ])('a service that ends at %i: %s', (expireAt, cause) => {
    const found = rows({ services: [{ name: 's', expireAt }] })
    expect(found.map((one) => [one.cause, one.until])).toEqual(cause === null ? [] : [[cause, expireAt]])
  })

  it.each([
    ['ends today', pop(NOW + 1), ['pop_ending', 'warn', 'POP资源“骨干接入”还有 1 天到期', null, NOW + 1]],
    [
      'ends in 30 days',
      pop(NOW + 30 * DAY),
      ['pop_ending', 'warn', 'POP资源“骨干接入”还有 30 天到期', null, NOW + 30 * DAY],
    ],
    ['ends later', pop(NOW + 30 * DAY + 1), null],
    ['ends now', pop(NOW), ['pop_expired', 'bad', 'POP资源“骨干接入”已过期', NOW, null]],
    ['is over', pop(NOW - 9 * DAY, 1), ['pop_expired', 'bad', 'POP资源“骨干接入”已过期', NOW - 9 * DAY, null]],
    ['has lapsed before its end', pop(NOW + DAY, 1), ['pop_expired', 'bad', 'POP资源“骨干接入”已过期', null, null]],
  ])('a network whose POP resource %s', (_, resource, expected) => {
    const found = rows({ networks: [network('N1', { pop: resource })] })
    expect(found.map(({ kind, level, cause, since, until }) => [kind, level, cause, since, until])).toEqual(
      expected === null ? [] : [expected],
    )
    for (const { target, name } of found)
      expect([target.type, target.network_number, name]).toEqual(['network', 'N1', '网N1'])
  })

  it('each network of a POP resource has a row', () => {
    const networks = ['N1', 'N2'].map((number) => network(number, { pop: pop(NOW - 1) }))
    expect(kinds({ networks })).toEqual([
      ['pop_expired', '网N1'],
      ['pop_expired', '网N2'],
    ])
  })

  it('an overlap has one row however many networks it is in', () => {
    const overlap = { a: '甲', segment_a: '10.0.0.1/24', b: '乙', segment_b: '10.0.0.2/24' }
    const turned = { a: '乙', segment_a: '10.0.0.2/24', b: '甲', segment_b: '10.0.0.1/24' }
    const networks = [network('N1', { overlaps: [overlap] }), network('N2', { overlaps: [overlap, turned] })]
    expect(kinds({ networks })).toEqual([['overlap', '甲 ↔ 乙']])
  })

  it('each overlap of a network has a row', () => {
    const overlaps = ['甲', '丙'].map((a) => ({ a, segment_a: '10.0.0.1/24', b: '乙', segment_b: '10.0.0.2/24' }))
    const found = kinds({ networks: [network('N1', { overlaps })] })
    expect(found.toSorted()).toEqual([
      ['overlap', '丙 ↔ 乙'],
      ['overlap', '甲 ↔ 乙'],
    ])
  })
})
