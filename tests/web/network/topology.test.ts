import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BOX, layoutTopology, SOFTWARE_FOLD, type Topology } from '../../../web/features/network/topology/layout.ts'
import { boxLook, clip, wireClass, wireState } from '../../../web/features/network/topology/looks.ts'
import { onlyAbnormal, shapeOf } from '../../../web/features/network/topology/shape.ts'
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
  return shapeOf(members, links, pop)
}
const overlaps = ({ boxes }: Topology) =>
  boxes.some((a, i) =>
    boxes.slice(i + 1).some((b) => Math.abs(a.x - b.x) < BOX.width && Math.abs(a.y - b.y) < BOX.height),
  )

describe('the layout', () => {
  it('is the same whatever the order of rows', () => {
    const one = shape(2, 30, 5, 'POP')
    fc.assert(
      fc.property(fc.shuffledSubarray([...one.members], { minLength: one.members.length }), (members) => {
        expect(layoutTopology({ ...one, members }, closed).boxes).toEqual(layoutTopology(one, closed).boxes)
      }),
      { numRuns: 20 },
    )
  })

  it('never puts one box over another, and all of them inside', () => {
    fc.assert(
      fc.property(fc.nat(4), fc.nat(260), fc.nat(260), fc.boolean(), (centers, points, software, isOpen) => {
        const ids = [SOFTWARE_FOLD, 'group:point:0', 'group:software:1']
        const drawn = layoutTopology(shape(centers, points, software, 'POP'), { open: new Set(isOpen ? ids : []) })
        expect(overlaps(drawn)).toBe(false)
        for (const { x, y } of drawn.boxes) {
          expect(x >= 0 && y >= 0 && x + BOX.width <= drawn.width && y + BOX.height <= drawn.height).toBe(true)
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
    const { boxes } = layoutTopology(shape(0, 12), closed)
    expect(boxes.map(({ id }) => id).slice(0, 4)).toEqual(['p0', 'p1', 'p2', 'p3'])
    expect(boxes.at(-1)?.id).toBe('p11')
  })

  it('folds software members until they are opened', () => {
    const folded = layoutTopology(shape(1, 1, 30), closed)
    expect(folded.boxes.filter(({ kind }) => kind === 'software')).toHaveLength(0)
    expect(folded.boxes.find(({ kind }) => kind === 'fold')?.members).toHaveLength(30)
    const open = layoutTopology(shape(1, 1, 30), { open: new Set([SOFTWARE_FOLD]) })
    expect(open.boxes.filter(({ kind }) => kind === 'software')).toHaveLength(30)
  })

  it.each([
    [200, 0, 200],
    [201, 5, 0],
    [1_998, 40, 0],
  ])('%i points: %i groups and %i single boxes', (points, groups, singles) => {
    const { boxes, wires } = layoutTopology(shape(2, points), closed)
    expect(boxes.filter(({ kind }) => kind === 'group')).toHaveLength(groups)
    expect(boxes.filter(({ kind }) => kind === 'point')).toHaveLength(singles)
    expect(wires).toHaveLength((groups || singles) * 2)
    expect(wires.flatMap((wire) => wire.links)).toHaveLength(points * 2)
  })

  it('names a group by its first and last member, and what their numbers share only once', () => {
    const labels = (texts: readonly string[]) => {
      const members = texts.map((label, i) => ({
        name: `p${i}`,
        label,
        role: 'point' as const,
        routerType: 1 as const,
      }))
      const { boxes } = layoutTopology({ popName: '', members, links: [] }, { ...closed, groupAbove: 1, groupSize: 2 })
      return boxes.map(({ label }) => label)
    }
    expect(labels(['门店 8', '门店 10', '门店 11', '门店 12'])).toEqual(['门店 8 – 10', '门店 11 – 12'])
    expect(labels(['北京店', '北京2店', '7', '9'])).toEqual(['7 – 9', '北京2店 – 北京店'])
  })

  it('an open group shows its members with their own wires, the rest stays bundled', () => {
    const { boxes, wires } = layoutTopology(shape(2, 210), { open: new Set(['group:point:1']) })
    expect(boxes.filter(({ kind }) => kind === 'point')).toHaveLength(50)
    expect(wires).toHaveLength(50 * 2 + 4 * 2)
    expect(new Set(wires.map(({ id }) => id)).size).toBe(wires.length)
  })
})

describe('looks', () => {
  const wireOf = (ids: string[]) => ({ ...layoutTopology(shape(1, 1), closed).wires[0]!, links: ids })
  const links = [link('a', 'c', 'up'), link('b', 'c', 'one_sided'), link('d', 'c', 'down'), link('e', 'c', 'unknown')]
  const linkOf = new Map(links.map((one) => [one.id, one]))
  it.each([
    [['a>c'], 'up'],
    [['b>c', 'e>c'], 'one_sided'],
    [['b>c', 'd>c', 'e>c'], 'down'],
    [['a>c', 'd>c'], 'mixed'],
    [['a>c', 'b>c', 'e>c'], 'mixed'],
    [['gone>c'], 'unknown'],
    [[], null],
  ])('a bundle %j is %j: as bad as its worst, unless some of it is up', (ids, expected) => {
    expect(wireState(wireOf(ids), linkOf)).toBe(expected)
  })

  it('is grey while the channel is down', () => {
    expect(wireClass(wireOf(['d>c']), linkOf, true)).toBe('nl-wire nl-wire-unknown')
    const box = layoutTopology(shape(0, 1), closed).boxes[0]!
    const memberOf = new Map<string, Member>([['p0', member('p0')]])
    expect(boxLook(box, memberOf, true).className).toBe('nl-box-stale')
  })

  it('online, offline and flapping differ in colour, outline or mark', () => {
    const box = layoutTopology(shape(0, 1), closed).boxes[0]!
    const looks = (['online', 'offline', 'flapping', 'reconnecting', 'never', 'disabled'] as const).map((state) => {
      const { className, outline, mark } = boxLook(box, new Map([['p0', member('p0', { state })]]), false)
      return { className, drawn: outline + mark }
    })
    expect(new Set(looks.map(({ className }) => className)).size).toBe(6)
    expect(new Set(looks.map(({ drawn }) => drawn)).size).toBe(6)
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
  it('keeps what is in trouble with its centres, and no software member that merely is not dialled in', () => {
    const members = [
      member('c1', { role: 'center' }),
      member('c2', { role: 'center' }),
      member('well'),
      member('away', { state: 'offline' }),
      member('stuck', { config: 'failed' }),
      member('soft', { type: 2, state: 'offline' }),
    ]
    const shown = onlyAbnormal({ members, links: [link('well', 'c2'), link('away', 'c1', 'down')] })
    expect(shown.members.map(({ router_name }) => router_name)).toEqual(['c1', 'away', 'stuck'])
    expect(shown.links.map(({ id }) => id)).toEqual(['away>c1'])
  })
})
