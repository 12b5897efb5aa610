import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  NODE_SIZE,
  layoutTopology,
  SOFTWARE_GROUP,
  type Topology,
} from '../../../web/features/network/topology/layout.ts'
import { nodeStyle, clip, edgeClass, edgeState } from '../../../web/features/network/topology/styles.ts'
import { onlyAbnormal, toTopologyShape } from '../../../web/features/network/topology/shape.ts'
import type { Member } from '../../../web/features/network/projection.ts'
import { link, member } from './member.ts'

const closed = { open: new Set<string>() }
const network = (centers: number, points: number, software = 0) => {
  const members = [
    ...Array.from({ length: centers }, (_, i) => member(`c${i}`, { role: 'center' })),
    ...Array.from({ length: points }, (_, i) => member(`p${i}`)),
    ...Array.from({ length: software }, (_, i) => member(`s${i}`, { type: 2, state: 'offline' })),
  ]
  const links = Array.from({ length: points }, (_, i) =>
    Array.from({ length: centers }, (_unused, c) => link(`p${i}`, `c${c}`)),
  ).flat()
  return { members, links }
}
const shape = (centers: number, points: number, software = 0, pop = '') => {
  const { members, links } = network(centers, points, software)
  return toTopologyShape(members, links, pop)
}
const overlaps = ({ nodes }: Topology) =>
  nodes.some((a, i) =>
    nodes.slice(i + 1).some((b) => Math.abs(a.x - b.x) < NODE_SIZE.width && Math.abs(a.y - b.y) < NODE_SIZE.height),
  )

describe('the layout', () => {
  it('is the same whatever the order of rows', () => {
    const one = shape(2, 30, 5, 'POP')
    fc.assert(
      fc.property(fc.shuffledSubarray([...one.members], { minLength: one.members.length }), (members) => {
        expect(layoutTopology({ ...one, members }, closed).nodes).toEqual(layoutTopology(one, closed).nodes)
      }),
      { numRuns: 20 },
    )
  })

  it('has no overlapping nodes, and all of them inside its bounds', () => {
    fc.assert(
      fc.property(fc.nat(4), fc.nat(260), fc.nat(260), fc.boolean(), (centers, points, software, isOpen) => {
        const ids = [SOFTWARE_GROUP, 'group:point:0', 'group:software:1']
        const drawn = layoutTopology(shape(centers, points, software, 'POP'), { open: new Set(isOpen ? ids : []) })
        expect(overlaps(drawn)).toBe(false)
        for (const { x, y } of drawn.nodes) {
          expect(x >= 0 && y >= 0 && x + NODE_SIZE.width <= drawn.width && y + NODE_SIZE.height <= drawn.height).toBe(
            true,
          )
        }
      }),
      { numRuns: 40 },
    )
  })

  it('has its columns in order, and none for what is not there', () => {
    expect(layoutTopology(shape(1, 1, 1, 'POP'), closed).titles.map(({ label }) => label)).toEqual([
      'POP',
      '中心点',
      '普通点',
      '软件成员',
    ])
    expect(layoutTopology(shape(1, 0), closed).titles.map(({ label }) => label)).toEqual(['中心点'])
  })

  it('sorts by number in the name', () => {
    const { nodes } = layoutTopology(shape(0, 12), closed)
    expect(nodes.map(({ id }) => id).slice(0, 4)).toEqual(['p0', 'p1', 'p2', 'p3'])
    expect(nodes.at(-1)?.id).toBe('p11')
  })

  it('folds software members until they are opened', () => {
    const collapsed = layoutTopology(shape(1, 1, 30), closed)
    expect(collapsed.nodes.filter(({ kind }) => kind === 'software')).toHaveLength(0)
    expect(collapsed.nodes.find(({ kind }) => kind === 'collapsedGroup')?.members).toHaveLength(30)
    const open = layoutTopology(shape(1, 1, 30), { open: new Set([SOFTWARE_GROUP]) })
    expect(open.nodes.filter(({ kind }) => kind === 'software')).toHaveLength(30)
  })

  it.each([
    [200, 0, 200],
    [201, 5, 0],
    [1_998, 40, 0],
  ])('%i points: %i groups and %i single nodes', (points, groups, singles) => {
    const { nodes, edges } = layoutTopology(shape(2, points), closed)
    expect(nodes.filter(({ kind }) => kind === 'group')).toHaveLength(groups)
    expect(nodes.filter(({ kind }) => kind === 'point')).toHaveLength(singles)
    expect(edges).toHaveLength((groups || singles) * 2)
    expect(edges.flatMap((edge) => edge.links)).toHaveLength(points * 2)
  })

  it('names a group by its first and last member, and what their numbers share only once', () => {
    const labels = (texts: readonly string[]) => {
      const members = texts.map((label, i) => ({
        name: `p${i}`,
        label,
        role: 'point' as const,
        routerType: 1 as const,
      }))
      const { nodes } = layoutTopology({ popName: '', members, links: [] }, { ...closed, groupAbove: 1, groupSize: 2 })
      return nodes.map(({ label }) => label)
    }
    expect(labels(['门店 8', '门店 10', '门店 11', '门店 12'])).toEqual(['门店 8 – 10', '门店 11 – 12'])
    expect(labels(['北京店', '北京2店', '7', '9'])).toEqual(['7 – 9', '北京2店 – 北京店'])
  })

  it('an open group shows its members with their own edges, the rest stays bundled', () => {
    const { nodes, edges } = layoutTopology(shape(2, 210), { open: new Set(['group:point:1']) })
    expect(nodes.filter(({ kind }) => kind === 'point')).toHaveLength(50)
    expect(edges).toHaveLength(50 * 2 + 4 * 2)
    expect(new Set(edges.map(({ id }) => id)).size).toBe(edges.length)
  })
})

describe('applied', () => {
  const createEdge = (ids: string[]) => ({ ...layoutTopology(shape(1, 1), closed).edges[0]!, links: ids })
  const links = [
    link('a', 'c', 'up'),
    link('b', 'c', 'one_sided'),
    link('d', 'c', 'down'),
    link('e', 'c', 'unknown'),
    link('f', 'c', 'never'),
  ]
  const linksById = new Map(links.map((one) => [one.id, one]))
  it.each([
    [['a>c'], 'up'],
    [['b>c', 'e>c'], 'one_sided'],
    [['b>c', 'd>c', 'e>c'], 'down'],
    [['a>c', 'd>c'], 'mixed'],
    [['a>c', 'b>c', 'e>c'], 'mixed'],
    [['gone>c'], 'unknown'],
    [['f>c'], 'never'],
    [['a>c', 'f>c'], 'up'],
    [['d>c', 'f>c'], 'down'],
    [[], null],
  ])('a bundle %j is %j: as bad as its worst, unless some of it is up', (ids, expected) => {
    expect(edgeState(createEdge(ids), linksById)).toBe(expected)
  })

  it('is grey while the channel is down', () => {
    expect(edgeClass(createEdge(['d>c']), linksById, true)).toBe('nl-edge nl-edge-unknown')
    const node = layoutTopology(shape(0, 1), closed).nodes[0]!
    const membersByName = new Map<string, Member>([['p0', member('p0')]])
    expect(nodeStyle(node, membersByName, true).className).toBe('nl-node-stale')
  })

  it('online, offline and flapping differ in colour, outline or mark', () => {
    const node = layoutTopology(shape(0, 1), closed).nodes[0]!
    const applied = (['online', 'offline', 'flapping', 'reconnecting', 'never', 'disabled'] as const).map((state) => {
      const { className, outline, mark } = nodeStyle(node, new Map([['p0', member('p0', { state })]]), false)
      return { className, drawn: outline + mark }
    })
    expect(new Set(applied.map(({ className }) => className)).size).toBe(6)
    expect(new Set(applied.map(({ drawn }) => drawn)).size).toBe(6)
  })

  it.each([
    ['分支', 10, '分支'],
    ['一二三四五六', 4, '一二三四…'],
    ['abcdefgh', 3, 'abcde…'],
  ])('cuts %s to %i', (text, max, expected) => {
    expect(clip(text, max)).toBe(expected)
  })
})

describe('只看异常', () => {
  it('keeps what is in trouble with its centres, no software member that merely is not dialled in, and nobody who never came', () => {
    const members = [
      member('c1', { role: 'center' }),
      member('c2', { role: 'center' }),
      member('well'),
      member('away', { state: 'offline' }),
      member('stuck', { config: 'failed' }),
      member('soft', { type: 2, state: 'offline' }),
      member('fresh', { state: 'never' }),
    ]
    const shown = onlyAbnormal({
      members,
      links: [link('well', 'c2'), link('away', 'c1', 'down'), link('fresh', 'c2', 'never')],
    })
    expect(shown.members.map(({ router_name }) => router_name)).toEqual(['c1', 'away', 'stuck'])
    expect(shown.links.map(({ id }) => id)).toEqual(['away>c1'])
  })
})
