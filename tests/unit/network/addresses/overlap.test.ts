import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import {
  HIDDEN_OWNER,
  type LocatedSegment,
  type OwnedSegment,
  type SegmentKind,
  checkSegments,
  findOverlaps,
  isOverlap,
  locate,
  overlapPairs,
} from '#domain/network/addresses/overlap.ts'
import { ipText } from '#contract/kernel/ipv4.ts'
import { parseRange } from '#domain/network/addresses/segments.ts'

const segment = fc.tuple(fc.nat(2 ** 32 - 1), fc.nat(32)).map(([ip, mask]) => `${ipText(ip)}/${mask}`)
/** From a small part of the address space, so that overlaps happen. */
const crowded = fc
  .tuple(fc.nat(2 ** 10), fc.integer({ min: 22, max: 32 }))
  .map(([n, mask]) => `10.0.${n >> 8}.${n & 255}/${mask}`)
const overlap = (a: string, b: string): boolean => {
  const [x, y] = [parseRange(a)!, parseRange(b)!]
  return x.first <= y.last && y.first <= x.last
}
const owned = (
  routerName: string,
  text: string,
  over: Partial<OwnedSegment> & { kind?: SegmentKind } = {},
): OwnedSegment => ({ routerName, label: routerName, segment: text, kind: 'inner', ...over })

describe('design 12 · segments that meet in a network', () => {
  it('names both owners by their label, and the networks that their interfaces are in', () => {
    const found = checkSegments([
      owned('SN-1', '192.168.1.1/24', { label: '总部' }),
      owned('SN-2', '192.168.2.1/24', { label: '上海' }),
      owned('SN-3', '192.168.2.200/25', { label: '杭州' }),
    ])
    expect(found).toEqual({
      key: 'SEGMENT_CONFLICT',
      params: { a: '上海', segment_a: '192.168.2.0/24', b: '杭州', segment_b: '192.168.2.128/25' },
    })
  })

  it('two members with the same note still conflict', () => {
    const label = '门店'
    expect(
      checkSegments([owned('SN-1', '10.0.0.0/8', { label }), owned('SN-2', '10.1.0.0/16', { label })]),
    ).not.toBeNull()
  })

  it.each<[SegmentKind, SegmentKind, boolean]>([
    ['inner', 'inner', true],
    ['inner', 'wan', true],
    ['wan', 'inner', true],
    ['inner', 'outer', true],
    ['outer', 'inner', true],
    ['wan', 'wan', false],
    ['wan', 'outer', false],
    ['outer', 'outer', false],
  ])('%s against %s: %s', (one, other, clashes) => {
    const both = [owned('a', '10.0.0.0/16', { kind: one }), owned('b', '10.0.5.0/24', { kind: other })]
    expect(findOverlaps(both)).toHaveLength(clashes ? 1 : 0)
    expect(findOverlaps(both.map((s) => ({ ...s, routerName: 'a' })))).toEqual([])
  })

  it('lists all overlaps, each once, up to a limit', () => {
    const pairs = (count: number) =>
      Array.from({ length: count }, (_, n) => [owned(`a${n}`, `10.0.${n}.1/24`), owned(`b${n}`, `10.0.${n}.2/25`)])
    expect(findOverlaps(pairs(2).flat()).map(({ a, b }) => [a, b])).toEqual([
      ['a0', 'b0'],
      ['a1', 'b1'],
    ])
    const hidden = { kind: 'outer', isHidden: true } as const
    const behind = ['x', 'y'].map((name) => owned(name, '10.0.0.9/32', hidden))
    expect(findOverlaps([owned('a', '10.0.0.1/24'), ...behind])).toHaveLength(1) // one line could not tell them apart
    expect(findOverlaps(pairs(200).flat())).toHaveLength(HEALTH.overlapsMax)
  })

  it('finds a conflict exactly when two owners overlap where it counts, and a true one, in any order', () => {
    const list = fc.array(
      fc.tuple(
        fc.constantFrom('a', 'b', 'c'),
        fc.oneof(crowded, segment),
        fc.constantFrom<SegmentKind>('inner', 'wan', 'outer'),
      ),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(list, (rows) => {
        const segments = rows.map(([name, text, kind]) => owned(name, text, { kind }))
        const clash = segments.some((x) =>
          segments.some((y) => x.routerName !== y.routerName && x.kind === 'inner' && overlap(x.segment, y.segment)),
        )
        const found = checkSegments(segments)
        expect(checkSegments(segments.toReversed()) !== null).toBe(clash)
        const named = [found?.params['segment_a'], found?.params['segment_b']].map(String)
        const isTrue = found !== null && found.params['a'] !== found.params['b'] && overlap(named[0]!, named[1]!)
        expect(isTrue).toBe(clash)
      }),
      { numRuns: 1000 },
    )
  })

  it('yields counted pairs that name each segment of one, and no more pairs than segments', () => {
    const rows = fc.array(
      fc.tuple(
        fc.constantFrom('a', 'b', 'c'),
        crowded,
        fc.constantFrom<SegmentKind>('inner', 'wan', 'outer'),
        fc.boolean(),
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(rows, (list) => {
        const segments = locate(list.map(([name, text, kind]) => owned(name, text, { kind })))
        const counted = new Set(segments.filter((_, n) => list[n]![3]))
        const isCounted = (one: OwnedSegment) => counted.has(one as LocatedSegment)
        const expected = segments.filter((one) =>
          segments.some((other) => isOverlap(one, other) && (isCounted(one) || isCounted(other))),
        )
        const pairs = [...overlapPairs(segments, isCounted)] as [LocatedSegment, LocatedSegment][]
        expect(pairs.filter(([one, other]) => !isOverlap(one, other) || !(isCounted(one) || isCounted(other)))).toEqual(
          [],
        )
        expect(new Set(pairs.flat())).toEqual(new Set(expected))
        expect(pairs.length).toBeLessThanOrEqual(expected.length)
      }),
      { numRuns: 1000 },
    )
  })

  it('counts only pairs of which one segment is counted', () => {
    const lans = ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24'].map((text, n) => owned(`R${n}`, text))
    expect(checkSegments(lans, ({ routerName }) => routerName === 'R9')).toBeNull()
    expect(checkSegments(lans, ({ routerName }) => routerName === 'R2')?.params).toMatchObject({ b: 'R2' })
  })

  it('of an owner who may not be shown names neither name nor segment', () => {
    const hidden = owned('SN-9', '10.0.0.0/16', { kind: 'outer', isHidden: true })
    for (const shown of ['10.0.5.0/24', '10.0.0.0/8']) {
      const found = checkSegments([owned('SN-1', shown), hidden])
      expect(found?.key).toBe('SEGMENT_CONFLICT_HIDDEN')
      expect(found?.params).toEqual({ a: 'SN-1', segment_a: shown, b: HIDDEN_OWNER, segment_b: '' })
      expect(findOverlaps([hidden, owned('SN-1', shown)])[0]?.routers).toEqual(['SN-1'])
    }
  })

  it('passes over what is no segment', () => {
    expect(checkSegments([owned('a', 'fe80::1/64'), owned('b', 'fe80::1/64'), owned('c', '')])).toBeNull()
  })

  it.each<[string, SegmentKind, (n: number) => boolean]>([
    ['a LAN', 'inner', () => true],
    ['a LAN that none of them brings', 'inner', () => false],
    ['a LAN that every other one brings', 'inner', (n) => n % 2 === 0],
    ['a WAN subnet', 'wan', () => true],
  ])('looks at each segment a fixed number of times where thousands share %s', (_, kind, isCounted) => {
    const workOf = (size: number) => {
      let reads = 0
      const segments = locate(Array.from({ length: size }, (__, n) => owned(`${n}`, '192.168.1.2/24', { kind })))
      const observed = segments.map((s) => new Proxy(s, { get: (of, key) => (reads++, Reflect.get(of, key)) }))
      const pairs = [...overlapPairs(observed, ({ routerName }) => isCounted(Number(routerName)))]
      expect(pairs.length).toBeLessThanOrEqual(size)
      return reads
    }
    expect(workOf(2_000)).toBeLessThan(2.1 * workOf(1_000))
  })
})
