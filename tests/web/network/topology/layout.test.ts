import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PRESENCE_STATES } from '#contract/kernel/protocol.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { SOFTWARE_FOLD } from '#pages/network/topology/layout/cells.ts'
import { mapParts } from '#pages/network/topology/canvas/map-parts.ts'
import { memberAt, rectInMap } from '#pages/network/topology/layout/density-map.ts'
import { GAP_MAX, NODE_HEIGHT_PX, NODE_WIDTH_PX, PADDING_PX, SCALE } from '#pages/network/topology/layout/grid.ts'
import { layoutTopology } from '#pages/network/topology/layout/layout.ts'
import type { Topology } from '#pages/network/topology/layout/topology-types.ts'
import { lookPath, MAP_LOOKS, mapLook } from '#pages/network/topology/map-look.ts'
import { member } from '../member.ts'
import { layout, type Network, network, painted, toShape, VIEWPORT } from './shapes.ts'

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
        const ids = [SOFTWARE_FOLD, 'fold:abnormal', 'fold:ok']
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

describe('a large network', () => {
  /** Every so many points one is offline. */
  const withAway = (points: number, each: number) =>
    network(
      2,
      Array.from({ length: points }, (_, i) => (i % each === each - 1 ? ('offline' as const) : ('online' as const))),
    )

  it.each([
    [200, 200, false],
    [201, 0, true],
    [1_998, 0, true],
  ])('of %i healthy points: %i single nodes, a density map: %s', (points, singles, hasMap) => {
    const drawn = layout(network(2, points), { viewport: { width: 4_000, height: 4_000 } })
    expect(namesOf(drawn, 'point')).toHaveLength(singles)
    expect(drawn.map !== null).toBe(hasMap)
  })

  it('has nodes for the abnormal points, then one block for the healthy, and all points in the map by name', () => {
    const drawn = layout(withAway(1_998, 222))
    const abnormal = Array.from({ length: 9 }, (_, i) => `p${(i + 1) * 222 - 1}`)
    expect(namesOf(drawn, 'point')).toEqual(abnormal)
    expect(drawn.nodes.filter(({ kind }) => kind === 'fold').map(({ label }) => label)).toEqual(['＋1,989 正常'])
    expect(drawn.map?.names).toHaveLength(1_998)
    expect(drawn.map?.names.slice(9, 12)).toEqual(['p9', 'p10', 'p11'])
  })

  it('of 2,000 members fits the window of 1440 × 900, however many are abnormal', () => {
    for (const each of [1, 2, 50, 2_001]) {
      const drawn = layout(withAway(1_998, each))
      expect(drawn.width).toBeLessThanOrEqual(VIEWPORT.width - 2 * PADDING_PX)
      expect(drawn.height).toBeLessThanOrEqual(VIEWPORT.height - 2 * PADDING_PX)
    }
  })

  it('keeps abnormal points beyond the rows above the map in a block, which opens below the map', () => {
    const closed = layout(withAway(1_998, 2))
    const block = closed.nodes.find(({ id }) => id === 'fold:abnormal')
    expect(namesOf(closed, 'point').length + (block?.members.length ?? 0)).toBe(999)
    const open = layout(withAway(1_998, 2), { open: new Set(['fold:abnormal']) })
    expect(namesOf(open, 'point')).toHaveLength(999)
    const after = placesOf(open)
    for (const [id, place] of placesOf(closed)) expect(after.get(id)).toBe(place)
    expect(open.map).toEqual(closed.map)
    expect(overlaps(open)).toBe(false)
  })

  it('selecting a member of the map moves nothing', () => {
    const of = withAway(1_998, 50)
    expect(layout(of, { pinned: new Set(['p1000']) })).toEqual(layout(of))
  })

  it('finds each member at the place of its cell, and nobody beside the cells', () => {
    const map = layout(network(2, 300)).map!
    for (const name of map.names) {
      const { x, y } = rectInMap(map, name)!
      expect(memberAt(map, { x: x + 1, y: y + 11 })).toBe(name)
    }
    expect(memberAt(map, { x: map.x - 1, y: map.y })).toBeNull()
    expect(memberAt(map, { x: map.x + map.width, y: map.y })).toBeNull()
    expect(memberAt(map, { x: map.x + map.width - 1, y: map.y + map.height - 1 })).toBeNull()
    expect(rectInMap(map, 'c0')).toBeNull()
  })
})

describe('the density map', () => {
  const looks = (of: Network) => of.members.map((one) => mapLook(one, painted(of)))

  it('has a shape of its own for each look, and a look for each state', () => {
    expect(new Set(MAP_LOOKS.map((look) => lookPath(look, 0, 0))).size).toBe(MAP_LOOKS.length)
    expect(looks(network(0, PRESENCE_STATES))).toEqual(
      PRESENCE_STATES.map(
        (state) =>
          ({
            online: 'ok',
            reconnecting: 'pending',
            unreadable: 'pending',
            flapping: 'fault',
            offline: 'offline',
            never: 'never',
            disabled: 'disabled',
          })[state],
      ),
    )
    expect(looks(network(2, 1, 0, (_, c) => (c === 0 ? 'up' : 'down'))).at(-1)).toBe('fault')
    const lost = network(2, 1, 0, (_, c) => (c === 0 ? 'up' : 'unknown'))
    const members = lost.members.map((one) =>
      one.router_name === 'c1' ? member('c1', { role: 'center', state: 'offline' }) : one,
    )
    expect(looks({ ...lost, members }).at(-1)).toBe('single')
  })

  it('is a handful of elements for 2,000 members, with those that a filter dims apart', () => {
    const map = layout(network(2, 1_998)).map!
    const parts = mapParts(map, {
      look: (name) => (name === 'p7' ? 'offline' : 'ok'),
      isDimmed: (name) => name !== 'p7',
      isMarked: (name) => name === 'p7',
    })
    expect(parts.map(({ className }) => className)).toEqual([
      'nl-map-hit',
      'nl-map nl-map-ok nl-map-dimmed',
      'nl-map nl-map-offline',
      'nl-map-mark',
    ])
    expect(String(parts[1]?.attributes['d']).split('M')).toHaveLength(1_998)
  })
})
