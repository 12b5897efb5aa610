import { describe, expect, it } from 'vitest'
import type { LinkState } from '#contract/kernel/protocol.ts'
import { edgeClass, edgeTooltip, isDrawn, trunkStyle } from '#pages/network/topology/canvas/edge-style.ts'
import type { BundleState } from '#pages/network/topology/layout/ports.ts'
import { createEdges, createTrunks } from '#pages/network/topology/layout/edges.ts'
import { legendItems } from '#pages/network/topology/legend.tsx'
import { isCenterAway } from '#pages/network/topology/drawing-data.ts'
import { nodeStyle } from '#pages/network/topology/node-style.ts'
import { link, member } from '../member.ts'
import { layout, linksById, network, type Network, painted, toShape } from './shapes.ts'

const NO_FLAGS = { isDimmed: false, isFocused: false }
const edgesOf = (of: Network) => createEdges(layout(of), toShape(of).links)
const trunksOf = (of: Network) => createTrunks(layout(of), toShape(of).links)
const drawnOf = (of: Network, ...focused: string[]) =>
  edgesOf(of)
    .filter((edge) =>
      isDrawn(edge, linksById(of), {
        painted: painted(of),
        focused: new Set(focused),
        isCrowd: layout(of).map !== null,
      }),
    )
    .map(({ id }) => id.replace('edge:', ''))

describe('single lines', () => {
  const of = network(2, 6, 0, (p, c) => (p === 1 && c === 1 ? 'down' : p === 2 && c === 0 ? 'one_sided' : 'up'))

  it('are drawn for what is abnormal alone', () => {
    expect(drawnOf(of)).toEqual(['p1>c1', 'p2>c0'])
    expect(drawnOf(network(2, 40))).toEqual([])
  })

  it('are not drawn to a suspected centre, which its node and the ports name, unless it is pointed at', () => {
    const frozen = network(2, 6, 0, (p, c) => (c === 1 ? 'one_sided' : p === 2 ? 'down' : 'up'))
    expect(painted(frozen).affected.suspected).toEqual(new Set(['c1']))
    expect(drawnOf(frozen)).toEqual(['p2>c0'])
    expect(drawnOf(frozen, 'c1')).toHaveLength(6 + 1)
    expect(drawnOf(frozen, 'p4')).toEqual(['p2>c0', 'p4>c0', 'p4>c1'])
  })

  it('and for the node, the centre or the line that is hovered or selected', () => {
    expect(drawnOf(of, 'p5')).toEqual(['p1>c1', 'p2>c0', 'p5>c0', 'p5>c1'])
    expect(drawnOf(of, 'c0')).toHaveLength(6 + 1)
    expect(drawnOf(of, 'edge:p4>c1')).toContain('p4>c1')
  })

  it('between two centres or two others are drawn whatever their state, and thicken no trunk', () => {
    const twin = { ...link('c1', 'c0'), kind: 'center' as const }
    const pair = { ...link('p3', 'p2'), kind: 'point' as const }
    const paired = { ...network(2, 6), links: [...network(2, 6).links, twin, pair] }
    expect(drawnOf(paired)).toEqual(['c1>c0', 'p3>p2'])
    expect(trunksOf(paired).map(({ links }) => links.length)).toEqual([6, 6])
    const nodes = new Map(layout(paired).nodes.map((node) => [node.id, node]))
    const line = edgesOf(paired).find(({ id }) => id === 'edge:c1>c0')
    expect(line?.lane?.every(({ x }) => x < nodes.get('c0')!.x)).toBe(true)
    const column = { members: network(0, 3).members, links: [{ ...link('p2', 'p0'), kind: 'point' as const }] }
    const [apart] = edgesOf(column)
    expect(apart?.lane?.every(({ x }) => x > apart.from.x)).toBe(true) // beside p1, which is no end of it
    const alone = { members: network(0, 3).members, links: [{ ...link('p1', 'p0'), kind: 'point' as const }] }
    expect(drawnOf(alone)).toEqual(['p1>p0'])
  })

  it('to POP nodes stand behind a trunk of each, which is drawn beside the centres', () => {
    const pop = (client: string, node: string, state: LinkState = 'up') => ({
      ...link(client, node, state),
      kind: 'pop' as const,
      center_router_name_note: node === 'n3' ? '广州' : '上海',
    })
    const base = network(2, 6)
    const links = [pop('p0', 'n1'), pop('p0', 'n2'), pop('p1', 'n1', 'down'), pop('p2', 'n3'), pop('c0', 'n1')]
    const of = { ...base, links: [...base.links, ...links] }
    const { nodes } = layout(of)
    const pops = nodes.filter(({ kind }) => kind === 'pop')
    expect(pops.map(({ id, label }) => [id, label])).toEqual([
      ['n1', '上海 1'],
      ['n2', '上海 2'],
      ['n3', '广州'],
    ])
    const centers = nodes.filter(({ kind }) => kind === 'center')
    expect(new Set([...pops, ...centers].map(({ x }) => x)).size).toBe(1)
    expect(drawnOf(of)).toEqual(['p1>n1', 'c0>n1'])
    expect(drawnOf(of, 'n3')).toContain('p2>n3')
    const trunks = trunksOf(of).map(({ center, links: ids }) => [center, ids.length])
    expect(Object.fromEntries(trunks)).toEqual({ n1: 2, n2: 1, n3: 1, c0: 6, c1: 6 })
    expect(nodeStyle(pops[0]!, 180, painted(of)).sub).toBe('POP节点 链路 2/3')
  })

  it('never lead to a point that is away, hovered or not: its node and its ports say it', () => {
    const of = network(2, ['online', 'offline', 'never', 'disabled', 'unreadable', 'flapping'], 0, () => 'down')
    const online = ['p0>c0', 'p0>c1', 'p4>c0', 'p4>c1', 'p5>c0', 'p5>c1']
    expect(drawnOf(of)).toEqual(online)
    expect(drawnOf(of, 'p1', 'p2', 'p3', 'c0', 'c1')).toEqual(online)
    const mesh = { members: network(0, ['online', 'offline', 'online']).members }
    const links = [link('p0', 'p1', 'down'), link('p2', 'p1', 'down'), link('p2', 'p0', 'down')]
    expect(drawnOf({ ...mesh, links: links.map((one) => ({ ...one, kind: 'point' as const })) })).toEqual(['p2>p0'])
  })

  it('of an absent centre are not drawn: the centre says it', () => {
    expect(drawnOf(network(2, 9, 0, (_, c) => (c === 1 ? 'unknown' : 'up')))).toEqual([])
  })

  it('of a large network are drawn only on hover or selection: ports show the faults', () => {
    const many = network(2, 210, 0, (p, c) => (p < 3 && c === 1 ? 'down' : 'up'))
    expect(drawnOf(many)).toEqual([])
    expect(drawnOf(many, 'p1')).toEqual(['p1>c0', 'p1>c1'])
    expect(edgesOf(many)).toHaveLength(3 * 2)
  })

  it('carry their state in a class, and say dimmed and focused', () => {
    const edge = { links: ['p1>c1'] }
    expect(edgeClass(edge, linksById(of), NO_FLAGS)).toBe('nl-edge nl-edge-down')
    expect(edgeClass(edge, linksById(of), { isDimmed: true, isFocused: true })).toBe(
      'nl-edge nl-edge-down nl-faded nl-edge-focused',
    )
    expect(edgeTooltip({ links: ['p1>c1', 'p2>c0', 'p3>c0'] }, linksById(of))).toBe('连通 1 · 断开 1 · 单边 1')
  })
})

describe('trunks', () => {
  it.each<[string, (point: number) => LinkState, string, BundleState, number]>([
    ['all up', () => 'up', '8/8', 'up', 7],
    ['some down', (p) => (p < 2 ? 'down' : 'up'), '6/8', 'mixed', 5.8],
    ['all down', () => 'down', '0/8', 'down', 2],
    ['an absent centre', () => 'unknown', '未知 8', 'unknown', 2],
    ['some down, most unknown', (p) => (p < 2 ? 'down' : 'unknown'), '0/8（未知 6）', 'mixed', 2],
    ['one up, most unknown', (p) => (p < 1 ? 'up' : 'unknown'), '1/8（未知 7）', 'unknown', 2.6],
    ['some that never came', (p) => (p < 3 ? 'never' : 'up'), '5/5', 'up', 7],
    ['all of which never came', () => 'never', '未开通', 'never', 2],
  ])('%s', (_, toState, label, state, widthPx) => {
    const of = network(1, 8, 0, toState)
    const [trunk] = trunksOf(of)
    const style = trunkStyle(trunk!, linksById(of), NO_FLAGS)
    expect(style.label).toBe(label)
    expect(style.className).toContain(`nl-edge-${state}`)
    expect(style.widthPx).toBeCloseTo(widthPx, 0)
  })

  it('of an absent centre are the loud ones, with its node; its points lose a port and have no ring', () => {
    const lost = network(2, 6, 0, (p, c) => (c === 1 ? 'unknown' : p === 3 ? 'down' : 'up'))
    const members = lost.members.map((one) =>
      one.router_name === 'c1' ? member('c1', { role: 'center', state: 'offline' }) : one,
    )
    const of = { ...lost, members }
    const classes = trunksOf(of).map((trunk) => {
      const isCause = isCenterAway(painted(of), trunk.center)
      return trunkStyle(trunk, linksById(of), { ...NO_FLAGS, isCause }).className.includes('nl-edge-cause')
    })
    expect(classes).toEqual([false, true])
    const styles = new Map(layout(of).nodes.map((node) => [node.id, nodeStyle(node, 208, painted(of))]))
    expect(styles.get('c1')?.className).toContain('nl-node-cause')
    expect([...styles.values()].filter(({ className }) => className.includes('nl-node-single'))).toEqual([])
    expect(styles.get('p0')?.sub).toBe('单中心 100.64.0.2')
    expect(styles.get('p0')?.ports.idle).not.toBe('')
  })

  it.each([
    ['that is suspected: its points have no ring, but one with another fault has', 'online', 'down', ['p0']],
    [
      'that was switched off: all points are ringed, for no node says it',
      'disabled',
      'unknown',
      ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'],
    ],
  ] as const)('of a centre %s', (_, presence, state, expected) => {
    const of = network(3, 6, 0, (p, c) => (c === 1 ? state : p === 0 && c === 2 ? 'down' : c === 2 ? 'never' : 'up'))
    const members = of.members.map((one) =>
      one.router_name === 'c1' ? member('c1', { role: 'center', state: presence }) : one,
    )
    const { ringed } = painted({ ...of, members })
    expect([...ringed].toSorted()).toEqual(expected)
  })

  it('are one for each centre, and none without points', () => {
    expect(trunksOf(network(3, 40)).map(({ center }) => center)).toEqual(['c0', 'c1', 'c2'])
    expect(trunksOf(network(2, 0, 4))).toEqual([])
  })
})

it('a healthy roll-out with 90 routers that never came shows no red and no amber', () => {
  const states = Array.from({ length: 100 }, (_, i) => (i < 90 ? ('never' as const) : ('online' as const)))
  const of = network(2, states)
  for (const open of [new Set<string>(), new Set(['fold:never', 'fold:ok'])]) {
    const drawn = layout(of, { open })
    const nodes = drawn.nodes.map((node) => nodeStyle(node, drawn.nodeWidth, painted(of)))
    const lines = createEdges(drawn, toShape(of).links).filter((edge) =>
      isDrawn(edge, linksById(of), { painted: painted(of), focused: new Set(), isCrowd: false }),
    )
    const trunks = trunksOf(of).map((trunk) => trunkStyle(trunk, linksById(of), NO_FLAGS))
    expect(lines).toEqual([])
    expect(nodes.map(({ ports }) => ports.down + ports.half).join('')).toBe('')
    const classes = [...nodes, ...trunks].map(({ className }) => className).join(' ')
    expect(classes).not.toMatch(/offline|flapping|partial|single|down|mixed|one_sided/)
    expect(trunks.map(({ label }) => label)).toEqual(['10/10', '10/10'])
  }
  expect(legendItems(of.links, { ringed: 0 }).map(({ word }) => word)).toEqual(['链路连通', '链路未开通'])
})

describe('the legend', () => {
  it('names the states that are there, those of one shape together, and no colours', () => {
    const links = (['up', 'down', 'one_sided', 'unknown', 'never'] as const).map((state) => link(state, 'c', state))
    const words = legendItems(links, { ringed: 1 }).map(({ word }) => word)
    expect(words).toEqual(['链路连通', '链路断开', '链路单边', '部分异常', '链路未知、未开通', '单中心'])
    expect(words.join('')).not.toMatch(/[红绿橙灰黄]/)
    const crowd = legendItems(links, { ringed: 1, looks: ['ok', 'offline'] }).map(({ word }) => word)
    expect(crowd.slice(-2)).toEqual(['正常', '离线'])
    expect(legendItems([], { ringed: 0 })).toEqual([])
  })
})
