import { describe, expect, it } from 'vitest'
import { type SettingDiff, toDiffs, toMembersDiff, valuesAt } from '#domain/network/history/history.ts'
import { DEFAULT_MEMBER_SETTINGS, DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { type ShownSetting, changeWords } from '#domain/network/history/setting-words.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const names = { member: (id: number) => `成员${id}`, area: (id: number) => `区域${id}` }
const { center_link, routing, ip_pool } = DEFAULT_NETWORK_SETTINGS
const { gateway, pool, fixed_port, default_route, ov } = DEFAULT_MEMBER_SETTINGS
const segment = (ip: string) => ({ gateway: ip, mask: 24 })
const ports = { public_ip: '203.0.113.9', public_port: 3000, static_port: 2000 }
const row = (ip: string, over = {}) =>
  ({ ip, mask: 24, name: '', permission: 'permit', ge: null, le: 32, ...over }) as const
const link = { serverId: 1, clientId: 2, gateway: '172.31.0.0', mask: 30, staticPort: null, port: 5000 }

describe('a difference in words', () => {
  it('each setting says what was and what is', async () => {
    const offenders = await findOffenders([
      ['name', '总部', '分部', '总部', '分部'],
      ['ciphers', 'default', 'sm', '默认（AES）', '国密（SM4）'],
      ['fr', { mode: 1, frId: null }, { mode: 2, frId: 3 }, '未设置', 'POP优先'],
      ['routing', routing, { type: 2, main: 1, secondary: 2 }, '双主负载均衡', '主备路由，主 成员1，备 成员2'],
      [
        'center_link',
        center_link,
        { enable: 1, server: 1, gateway: '172.31.255.0', mask: 30, ports },
        '关闭',
        '开启，服务端 成员1，网段 172.31.255.0/30，端口 2000（公网 203.0.113.9:3000）',
      ],
      ['ip_pool', ip_pool, { ...ip_pool, pop: segment('10.9.0.0') }, '未设置', 'POP硬件 10.9.0.0/24'],
      [
        'gateway',
        gateway,
        { router: segment('10.8.0.0'), software: null },
        '硬件 默认，软件 默认',
        '硬件 10.8.0.0/24，软件 默认',
      ],
      [
        'pool',
        pool,
        { router: { start: '10.8.0.9', end: '10.8.0.20' }, software: null },
        '硬件 全部，软件 全部',
        '硬件 10.8.0.9-10.8.0.20，软件 全部',
      ],
      [
        'fixed_port',
        fixed_port,
        { ...fixed_port, router_service: { ...ports, public_ip: null } },
        '硬件 默认，软件 默认',
        '硬件 2000，软件 默认',
      ],
      ['default_route', default_route, { mode: 1, metric: 60 }, '关闭', '通告，优先级 2'],
      ['quagga', { enable: 0 }, { enable: 1 }, '关闭', '开启'],
      ['ov', ov, { main: 4, backup: null, priority: 2 }, '未设置', '主 区域4，备 —，优先级 2'],
      ['software_mode', { mode: 1 }, { mode: 3 }, '默认', '优先POP'],
      ['dns', [], ['10.0.0.1', '10.0.0.2'], '未设置', '10.0.0.1、10.0.0.2'],
      [
        'prefix',
        [row('10.1.0.0')],
        [row('10.1.0.0', { permission: 'deny', ge: 25, le: 30 })],
        '10.1.0.0/24',
        '拒绝 10.1.0.0/24 ge 25 le 30',
      ],
      ['point_links', [], [link], '未设置', '成员1 ↔ 成员2 172.31.0.0/30 端口 5000'],
    ] as const)((setting, before, after, old, next) => {
      expect(changeWords(setting as ShownSetting, before as never, after as never, names)).toEqual({ old, new: next })
    })
    expect(offenders).toEqual([])
  })

  it('of a long list names what went and what came', () => {
    const many = Array.from({ length: 9 }, (_, i) => row(`10.${i}.0.0`))
    const words = changeWords('prefix', many, [...many.slice(1), row('10.99.0.0')], names)
    expect(words).toEqual({ old: '移除 10.0.0.0/24', new: '新增 10.99.0.0/24' })
    expect(changeWords('prefix', [], many, names).new).toMatch(/10\.0\.0\.0\/24.* 等 9 条$/)
    expect(changeWords('prefix', many, many.toReversed(), names).new).toBe('9 条，顺序已调整')
  })

  it('of a member names it; of many their number', () => {
    const turned = (ids: readonly number[]) =>
      toDiffs(
        'quagga',
        ids.map((routerId) => ({ routerId, before: { enable: 0 }, after: { enable: 1 } }) as const),
        names,
      )
    expect(turned([7])[0]?.words).toEqual({ title: '成员7 · 动态路由', old: '关闭', new: '开启' })
    const both = turned([7, 8])
    expect(both.map(({ words }) => words?.title)).toEqual(['动态路由（2 个成员）', undefined])
    expect(both.map(({ router_id: id }) => id)).toEqual([7, 8])
  })

  it('of members says who came, went and changed roles', () => {
    const member = (routerId: number, memberType: 'center' | 'point' = 'point') =>
      ({ routerId, routerName: `r${routerId}`, note: routerId === 2 ? '门店' : '', memberType }) as never
    const diff = toMembersDiff([member(1, 'center'), member(2), member(3)], [member(1), member(3, 'center'), member(4)])
    expect(diff?.words).toEqual({
      title: '成员',
      old: '3 个',
      new: '3 个：新增 r4；移除 门店；改为中心点 r3；改为普通点 r1',
    })
    expect(toMembersDiff([member(1)], [member(1)])).toBeNull()
  })
})

describe('values right after a version', () => {
  const diff = (setting: SettingDiff['setting'], before: unknown, after: unknown, router_id: number | null = null) => ({
    setting,
    router_id,
    before,
    after,
  })
  const versions = [
    { version: 1, at: 10, changes: [] },
    { version: 2, at: 20, changes: [diff('dns', [], ['a']), diff('quagga', 0, 1, 7)] },
    { version: 3, at: 30, changes: [diff('dns', ['a'], ['b']), diff('members', null, null)] },
    { version: 4, at: 40, changes: [diff('name', 'x', 'y'), diff('quagga', 1, 0, 7)] },
  ]

  it.each([
    [4, {}],
    [3, { name: 'x', 'quagga 7': 1 }],
    [2, { name: 'x', 'quagga 7': 1, dns: ['a'] }],
    [1, { name: 'x', 'quagga 7': 0, dns: [] }],
  ])('%d', (version, expected) => {
    const values = valuesAt(versions.toReversed(), version)
    const keyOf = ({ setting, routerId }: (typeof values)[number]) => (routerId ? `${setting} ${routerId}` : setting)
    expect(Object.fromEntries(values.map((one) => [keyOf(one), one.value]))).toEqual(expected)
  })

  it('each with the time of the first change behind it', () => {
    expect(valuesAt(versions, 2).map(({ setting, at }) => [setting, at])).toEqual([
      ['dns', 30],
      ['name', 40],
      ['quagga', 40],
    ])
  })

  it('of two members that had one id after each other, or of one that had two', () => {
    const named = (id: number, uid: string, before: number) => ({
      ...diff('quagga', before, 9, id),
      uids: { [id]: uid },
    })
    const later = [
      { version: 2, at: 20, changes: [named(7, 'a', 1)] },
      { version: 3, at: 30, changes: [named(7, 'b', 2), named(8, 'a', 3)] },
    ]
    expect(valuesAt(later, 1).map(({ routerId, value }) => [routerId, value])).toEqual([
      [7, 1],
      [7, 2],
    ])
  })
})
