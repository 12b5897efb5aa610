import { describe, expect, it } from 'vitest'
import type { TopologyCell } from '#pages/network/topology/layout/topology-types.ts'
import { nodeParts } from '#pages/network/topology/canvas/cell-parts.ts'
import { nodeStyle, nodeName } from '#pages/network/topology/node-style.ts'
import { fitName, fitText, SUB_PX, textWidth } from '#pages/network/topology/layout/text-fit.ts'
import { link, member } from '../member.ts'
import { type Network, network, painted } from './shapes.ts'

const cell = (id: string, over: Partial<TopologyCell> = {}): TopologyCell => ({
  id,
  kind: 'point',
  label: id,
  members: [id],
  isOpen: false,
  ...over,
})
const STATES = ['online', 'offline', 'flapping', 'reconnecting', 'unreadable', 'never', 'disabled'] as const

describe('a node', () => {
  it('differs for each state in colour, and in outline or mark', () => {
    const styles = STATES.map((state) => nodeStyle(cell('p0'), 156, painted(network(1, [state]))))
    expect(new Set(styles.map(({ className }) => className)).size).toBe(STATES.length)
    expect(new Set(styles.map(({ outline, mark }) => outline + mark)).size).toBe(STATES.length)
  })

  it.each([148, 156, 180, 208])('%i px wide, never cuts its address; the word yields', (width) => {
    for (const state of STATES) {
      const of = { members: [{ ...member('p0', { state }), vpn_ip: ['100.64.128.255'] }], links: [] }
      const { sub } = nodeStyle(cell('p0'), width, painted(of))
      expect(sub.endsWith('100.64.128.255')).toBe(true)
      expect(textWidth(sub, SUB_PX)).toBeLessThanOrEqual(width - 26 - 6)
    }
  })

  it('says a state that is not 在线 where it has room, and 单中心', () => {
    const sub = (of: Network) => nodeStyle(cell('p0'), 208, painted(of)).sub
    expect(sub(network(1, ['online']))).toBe('100.64.0.2')
    expect(sub(network(1, ['offline']))).toBe('离线 100.64.0.2')
    expect(sub(network(2, 1, 0, (_, c) => (c === 0 ? 'up' : 'down')))).toBe('单中心 100.64.0.2')
  })

  it.each([
    ['online', 156, ['100.64.0.7', '100.64.16.7'], '100.64.0.7 · …16.7'],
    ['online', 180, ['100.64.0.7', '100.64.16.7'], '100.64.0.7 · 100.64.16.7'],
    ['online', 180, ['100.64.0.7', '100.64.16.7', '100.64.32.7'], '100.64.0.7 +2'],
    ['online', 196, ['100.64.64.8', '100.64.96.18'], '100.64.64.8 · 100.64.96.18'],
    ['online', 180, ['100.64.64.18', '100.64.96.18'], '100.64.64.18 · …96.18'],
    ['online', 208, ['100.100.128.100', '100.101.128.100'], '100.100.128.100 · …128.100'],
    ['offline', 208, ['100.64.0.7', '100.64.16.7'], '离线 100.64.0.7 · 100.64.16.7'],
    ['offline', 180, ['100.64.0.7', '100.64.16.7'], '离线 100.64.0.7 +1'],
    ['offline', 156, ['100.100.128.100', '100.101.128.100'], '100.100.128.100 +1'],
    ['offline', 208, [], '离线'],
  ] as const)('%s, %i px wide, with %j shows %s', (state, width, vpn_ip, expected) => {
    const of = { members: [{ ...member('p0', { state }), vpn_ip: [...vpn_ip] }], links: [] }
    const { sub } = nodeStyle(cell('p0'), width, painted(of))
    expect(sub).toBe(expected)
    expect(textWidth(sub, SUB_PX)).toBeLessThanOrEqual(width - 26 - 6)
  })

  it('writes two addresses in one form in all nodes, whatever the length of each', () => {
    const hosts = [8, 18, 218]
    const members = hosts.map((host) => ({ ...member(`p${host}`), vpn_ip: [`100.64.64.${host}`, `100.64.96.${host}`] }))
    const subs = (width: number) =>
      hosts.map((host) => nodeStyle(cell(`p${host}`), width, painted({ members, links: [] })).sub)
    expect(subs(156)).toEqual(['100.64.64.8 +1', '100.64.64.18 +1', '100.64.64.218 +1'])
    expect(subs(196)).toEqual(['100.64.64.8 · …96.8', '100.64.64.18 · …96.18', '100.64.64.218 · …96.218'])
    expect(subs(216)).toEqual(hosts.map((host) => `100.64.64.${host} · 100.64.96.${host}`))
  })

  it('of a mesh has the addresses of its links; a name without a second line stands in the middle', () => {
    const members = [
      { ...member('p0'), vpn_ip: [] },
      { ...member('p1'), vpn_ip: [] },
      { ...member('p2'), vpn_ip: [] },
    ]
    const pair = { ...link('p0', 'p1'), kind: 'point' as const, vpn_ip: '172.30.0.1', center_vpn_ip: '172.30.0.2' }
    const styles = members.map(({ router_name }) =>
      nodeStyle(cell(router_name), 208, painted({ members, links: [pair] })),
    )
    expect(styles.map(({ sub }) => sub)).toEqual(['172.30.0.1', '172.30.0.2', ''])
    const titleY = styles.map(
      (style) => nodeParts(style).find((part) => part.className === 'nl-node-title')?.attributes['y'],
    )
    expect(titleY).toEqual([17, 17, 25])
    expect(nodeParts(styles[2]!).some((part) => part.className === 'nl-node-sub')).toBe(false)
  })

  it('names each POP node that it dials', () => {
    const pop = { ...link('p0', 'POP-1', 'down'), kind: 'pop' as const, center_router_name_note: '上海' }
    const of = { members: network(1, 1).members, links: [link('p0', 'c0'), pop] }
    expect(nodeName(cell('p0'), painted(of))).toBe('p0，普通点，在线，POP 上海 断开，c0 连通 100.64.0.2')
  })

  it('keeps the end of a name that it cuts: names that begin alike differ there', () => {
    const title = (label: string) => nodeStyle(cell('p0', { label }), 176, painted(network(1, 1))).title
    expect(title('HQ-Backbone-Router-East-10')).toMatch(/^HQ-Back.*…East-10$/)
    expect(title('华东大区第二事业部浦东新区张江高科技园区三号仓库')).toMatch(/^华东大区.*…三号仓库$/)
    expect(title('门店 17')).toBe('门店 17')
  })

  it('has a ring while one of its two ways is lost, and none with one centre', () => {
    const classOf = (of: Network) => nodeStyle(cell('p0'), 156, painted(of)).className
    expect(classOf(network(2, 1, 0, (_, c) => (c === 0 ? 'up' : 'down')))).toBe('nl-node-online nl-node-single')
    expect(classOf(network(2, 1))).toBe('nl-node-online')
    expect(classOf(network(1, 1))).toBe('nl-node-online')
  })

  it('of a software member that is not dialled in looks like no fault', () => {
    const style = nodeStyle(cell('s0', { kind: 'software' }), 156, painted(network(1, 0, 1)))
    expect(style.className).toBe('nl-node-away')
  })

  it('that stands for several says how many are abnormal, else how many are online', () => {
    const group = cell('fold:abnormal', { kind: 'softwareFold', members: ['p0', 'p1', 'p2'] })
    const sub = (of: Network) => nodeStyle(group, 180, painted(of)).sub
    expect(sub(network(1, 3))).toBe('3 个 · 在线 3')
    expect(sub(network(1, ['online', 'offline', 'never']))).toBe('3 个 · 异常 1')
  })

  it('has a name for screen readers with role, state, ways and addresses', () => {
    const of = network(2, 1, 0, (_, c) => (c === 0 ? 'up' : 'down'))
    expect(nodeName(cell('p0', { label: '北京分公司' }), painted(of))).toBe(
      '北京分公司，普通点，在线，单中心，c0 连通 100.64.0.2，c1 断开',
    )
    expect(nodeName(cell('p0'), painted(of, true))).toContain('最后已知状态')
  })
})

describe('texts', () => {
  it.each([
    ['分支', 40, '分支'],
    ['一二三四五六', 50, '一二三…'],
    ['HQ-Backbone-Router-East', 120, 'HQ-Backbone-R…'],
  ])('cuts %s at its end to %i px', (text, width, expected) => {
    const fitted = fitText(text, 12, width)
    expect(fitted).toBe(expected)
    expect(textWidth(fitted, 12)).toBeLessThanOrEqual(width)
  })

  it.each(['HQ-Backbone-Router-East-10', '一二三四五六七八九十一二三', 'iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii'])(
    'cuts %s in its middle, never wider than its room',
    (name) => {
      for (let width = 40; width < textWidth(name, 13); width += 7) {
        const fitted = fitName(name, 13, width)
        expect(textWidth(fitted, 13)).toBeLessThanOrEqual(width + 0.001)
        expect(fitted.endsWith(name.slice(-1))).toBe(true)
      }
    },
  )
})
