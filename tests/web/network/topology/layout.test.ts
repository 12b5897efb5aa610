import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PRESENCE_STATES } from '#contract/kernel/protocol.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { rangeText, SOFTWARE_FOLD } from '#pages/network/topology/layout/cells.ts'
import { GAP_MAX, NODE_HEIGHT_PX, NODE_WIDTH_PX, PADDING_PX, SCALE } from '#pages/network/topology/layout/grid.ts'
import { layoutTopology } from '#pages/network/topology/layout/layout.ts'
import type { Topology } from '#pages/network/topology/layout/topology-types.ts'
import { member } from '../member.ts'
import { layout, network, toShape, VIEWPORT } from './shapes.ts'

const SMALL = { width: 700, height: 420 }
const namesOf = ({ nodes }: Topology, kind: string) => nodes.filter((one) => one.kind === kind).map(({ id }) => id)
/** At which the whole drawing is in sight. */
const scaleOf = ({ width, height }: Topology): number =>
  Math.min(SCALE.fitMax, (VIEWPORT.width - 2 * PADDING_PX) / width, (VIEWPORT.height - 2 * PADDING_PX) / height)
const placesOf = ({ nodes }: Topology) => new Map(nodes.map(({ id, x, y }) => [id, `${x} ${y}`]))
const overlaps = ({ nodes, nodeWidth }: Topology) =>
  nodes.some((a, i) =>
    nodes.slice(i + 1).some((b) => Math.abs(a.x - b.x) < nodeWidth && Math.abs(a.y - b.y) < NODE_HEIGHT_PX),
  )
const arbitraryStates = fc.array(fc.constantFrom(...PRESENCE_STATES), { minLength: 1, maxLength: 120 })

describe('the layout', () => {
  it('is the same whatever the order of rows', () => {
    const one = toShape(network(2, 30, 5), 'POP')
    const options = { viewport: VIEWPORT, open: new Set<string>(), pinned: new Set<string>() }
    fc.assert(
      fc.property(fc.shuffledSubarray([...one.members], { minLength: one.members.length }), (members) => {
        expect(layoutTopology({ ...one, members }, options)).toEqual(layoutTopology(one, options))
      }),
      { numRuns: 20 },
    )
  })

  it('has no overlapping nodes, and all of them inside its bounds', () => {
    const sizes = [fc.nat(6), fc.nat(260), fc.nat(260)] as const
    const window = fc.record({
      width: fc.integer({ min: 300, max: 2_000 }),
      height: fc.integer({ min: 200, max: 1_400 }),
    })
    fc.assert(
      fc.property(...sizes, fc.boolean(), window, (centers, points, software, isOpen, viewport) => {
        const ids = [SOFTWARE_FOLD, 'group:0', 'fold:ok']
        const drawn = layout(network(centers, points, software), { viewport, open: new Set(isOpen ? ids : []) }, 'POP')
        expect(overlaps(drawn)).toBe(false)
        for (const { x, y } of drawn.nodes)
          expect(x >= 0 && y >= 0 && x + drawn.nodeWidth <= drawn.width && y + NODE_HEIGHT_PX <= drawn.height).toBe(
            true,
          )
      }),
      { numRuns: 40 },
    )
  })

  it('shows 38 points without scrolling at scale 1 in the window of 1440 × 900', () => {
    const drawn = layout(network(2, 38, 5), {}, 'POP')
    expect(namesOf(drawn, 'point')).toHaveLength(38)
    expect(drawn.width).toBeLessThanOrEqual(VIEWPORT.width - 2 * PADDING_PX)
    expect(drawn.height).toBeLessThanOrEqual(VIEWPORT.height - 2 * PADDING_PX)
    expect(drawn.nodeWidth).toBeGreaterThanOrEqual(NODE_WIDTH_PX.min)
  })

  it.each([
    [2, 1],
    [5, 2],
    [10, 2],
    [38, 5],
  ])('draws %i points in columns that fill the window, unless their texts would get large: %i', (points, columns) => {
    const drawn = layout(network(2, points, 5))
    const grid = drawn.nodes.filter(({ kind }) => kind === 'point')
    expect(new Set(grid.map(({ x }) => x)).size).toBe(columns)
    const scale = scaleOf(drawn)
    expect(scale).toBeGreaterThanOrEqual(1)
    const share = Math.max((drawn.width * scale) / VIEWPORT.width, (drawn.height * scale) / VIEWPORT.height)
    expect(scale === SCALE.fitMax || share > 0.8).toBe(true)
    expect(SCALE.fitMax).toBeLessThanOrEqual(1.15) // names of 15 px
  })

  it('few points stand side by side with the centres, the middles of both at one height', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 38 }), (centers, points) => {
        const { nodes } = layout(network(centers, points))
        const middleOf = (kind: string) => {
          const at = nodes.filter((one) => one.kind === kind).map(({ y }) => y)
          return (Math.min(...at) + Math.max(...at)) / 2
        }
        expect(Math.abs(middleOf('center') - middleOf('point'))).toBeLessThanOrEqual(1)
      }),
      { numRuns: 40 },
    )
  })

  it('room that is left widens the gaps, without a smaller scale', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 38 }), (points) => {
        const drawn = layout(network(2, points))
        const rows = [...new Set(drawn.nodes.filter(({ kind }) => kind === 'point').map(({ y }) => y))]
        for (const [i, y] of rows.slice(1).entries())
          expect(y - (rows[i] ?? 0) - NODE_HEIGHT_PX).toBeLessThanOrEqual(GAP_MAX.row)
        expect(scaleOf(drawn)).toBeGreaterThanOrEqual(1)
        expect(scaleOf(drawn)).toBeLessThanOrEqual(SCALE.fitMax)
      }),
    )
  })

  it('sorts by number in the name, along the rows', () => {
    const ids = namesOf(layout(network(0, 12)), 'point')
    expect(ids.slice(0, 3)).toEqual(['p0', 'p1', 'p2'])
    expect(ids.at(-1)).toBe('p11')
  })

  it('has the abnormal points first, then the others, both by name', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PRESENCE_STATES), { minLength: 1, maxLength: 38 }), (states) => {
        const of = network(2, states)
        const { abnormal } = evaluateNetwork(of.members, of.links).affected
        const names = states.map((_, i) => `p${i}`)
        const expected = [...names.filter((name) => abnormal.has(name)), ...names.filter((name) => !abnormal.has(name))]
        expect(namesOf(layout(of), 'point')).toEqual(expected)
      }),
      { numRuns: 30 },
    )
  })

  it('moves nothing when a state changes while the order is held', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PRESENCE_STATES), { minLength: 1, maxLength: 38 }), (states) => {
        const held = layout(network(2, states), {}, '', new Set())
        expect(held.nodes).toEqual(layout(network(2, states.length)).nodes)
      }),
      { numRuns: 30 },
    )
  })
})

describe('folding', () => {
  it('draws or folds each point once, and folds none that is abnormal', () => {
    fc.assert(
      fc.property(arbitraryStates, (states) => {
        const of = network(2, states)
        const { nodes } = layout(of, { viewport: SMALL })
        const points = nodes.filter(({ kind }) => kind === 'point').map(({ id }) => id)
        const folded = nodes.filter(({ kind }) => kind === 'fold').flatMap(({ members }) => members)
        expect([...points, ...folded].toSorted()).toEqual(states.map((_, i) => `p${i}`).toSorted())
        const { abnormal } = evaluateNetwork(of.members, of.links).affected
        expect(folded.filter((name) => abnormal.has(name))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('fits the window unless the abnormal ones alone do not', () => {
    fc.assert(
      fc.property(arbitraryStates, (states) => {
        const of = network(2, states)
        const drawn = layout(of, { viewport: SMALL })
        const kept = evaluateNetwork(of.members, of.links).affected.abnormal.size
        const isHigher = drawn.height > SMALL.height - 2 * PADDING_PX
        expect(isHigher && kept < 8).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('counts who is well, who never came and who is disabled apart', () => {
    const states = [
      ...Array.from({ length: 26 }, () => 'online' as const),
      ...Array.from({ length: 20 }, () => 'never' as const),
      ...Array.from({ length: 3 }, () => 'disabled' as const),
    ]
    const { nodes } = layout(network(2, states), { viewport: SMALL })
    const labels = nodes.filter(({ kind }) => kind === 'fold').map(({ label }) => label)
    expect(labels.map((label) => label.replace(/\d+/, 'n'))).toEqual(['＋n 正常', '＋n 从未上线', '＋n 已停用'])
  })

  it('an absent centre leaves no wall of abnormal points: those with one way left fold as 单中心', () => {
    const of = network(2, 60, 0, (_, c) => (c === 1 ? 'unknown' : 'up'))
    const members = of.members.map((one) =>
      one.router_name === 'c1' ? member('c1', { role: 'center', state: 'offline' }) : one,
    )
    const { nodes } = layout({ ...of, members }, { viewport: SMALL })
    expect(nodes.find(({ kind }) => kind === 'fold')?.label).toMatch(/^＋\d+ 单中心$/)
  })

  it('a member that falls ill beyond the first names appears first, or while the order is held in its place', () => {
    const well = layout(network(2, 60), { viewport: SMALL })
    const states = Array.from({ length: 60 }, (_, i) => (i === 50 ? ('offline' as const) : ('online' as const)))
    const ill = layout(network(2, states), { viewport: SMALL }, '', new Set())
    expect(namesOf(layout(network(2, states), { viewport: SMALL }), 'point')[0]).toBe('p50')
    expect(namesOf(well, 'point')).not.toContain('p50')
    expect(namesOf(ill, 'point')).toContain('p50')
    const [before, after] = [placesOf(well), placesOf(ill)]
    for (const name of namesOf(ill, 'point').slice(0, -1)) expect(after.get(name)).toBe(before.get(name))
  })

  it('an opened fold draws all of its members and can be folded again; a pinned member is drawn alone', () => {
    const opened = layout(network(2, 60), { viewport: SMALL, open: new Set(['fold:ok']) })
    expect(namesOf(opened, 'point')).toHaveLength(60)
    expect(opened.nodes.find(({ id }) => id === 'fold:ok')?.isOpen).toBe(true)
    expect(namesOf(layout(network(2, 60), { viewport: SMALL, pinned: new Set(['p55']) }), 'point')).toContain('p55')
  })

  it('software members are one node until it is opened; that moves nothing else', () => {
    const closed = layout(network(2, 12, 30))
    expect(namesOf(closed, 'software')).toHaveLength(0)
    expect(closed.nodes.find(({ kind }) => kind === 'softwareFold')?.members).toHaveLength(30)
    const open = layout(network(2, 12, 30), { open: new Set([SOFTWARE_FOLD]) })
    expect(namesOf(open, 'software')).toHaveLength(30)
    const after = placesOf(open)
    for (const [id, place] of placesOf(closed)) expect(after.get(id)).toBe(place)
    expect(open.width).toBeLessThanOrEqual(VIEWPORT.width - 2 * PADDING_PX)
  })
})

describe('ranges of names', () => {
  it.each([
    [200, 0, 200],
    [201, 5, 0],
    [1_998, 40, 0],
  ])('%i points: %i ranges and %i single nodes', (points, groups, singles) => {
    const drawn = layout(network(2, points), { viewport: { width: 4_000, height: 4_000 } })
    expect(namesOf(drawn, 'group')).toHaveLength(groups)
    expect(namesOf(drawn, 'point')).toHaveLength(singles)
  })

  it.each([
    [3, 3],
    [200, 200],
    [201, 0],
  ])('with %i abnormal points, draws %i of them beside the ranges', (abnormal, drawn) => {
    const states = Array.from({ length: 300 }, (_, i) => (i < abnormal ? ('offline' as const) : ('online' as const)))
    expect(namesOf(layout(network(1, states)), 'point')).toHaveLength(drawn)
  })

  it('an open range shows its members', () => {
    const drawn = layout(network(2, 210), { open: new Set(['group:1']) })
    expect(namesOf(drawn, 'point')).toHaveLength(50)
  })

  it.each([
    ['门店 8', '门店 10', '门店 8 – 10'],
    ['7', '9', '7 – 9'],
    ['北京2店', '北京店', '北京2店 – 北京店'],
  ])('names %s to %s: %s', (first, last, expected) => {
    expect(rangeText(first, last)).toBe(expected)
  })
})
