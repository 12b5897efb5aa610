import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ipNumber, ipText } from '#contract/kernel/ipv4.ts'
import {
  SUBNET_INDEXES,
  defaultSegments,
  hostAddress,
  parseRange,
  reservedSubnetIndexes,
  nextFreeSegment,
} from '#domain/network/addresses/segments.ts'

const address = fc.nat(2 ** 32 - 1)
const overlap = (a: string, b: string): boolean => {
  const [x, y] = [parseRange(a)!, parseRange(b)!]
  return x.first <= y.last && y.first <= x.last
}

describe('network 5 · addresses', () => {
  it.each([
    ['0.0.0.0', 0],
    ['10.0.0.1', 167_772_161],
    ['255.255.255.255', 4_294_967_295],
    ['256.0.0.1', null],
    ['1.2.3', null],
    ['1.2.3.4.5', null],
    ['01.2.3.4', null],
    ['1.2.3.-4', null],
    ['1.2.3.4 ', null],
    ['fe80::1', null],
    ['', null],
  ])('%s is %s', (text, value) => expect(ipNumber(text)).toBe(value))

  it('text and number round-trip', () => {
    fc.assert(fc.property(address, (value) => void expect(ipNumber(ipText(value))).toBe(value)))
  })

  it.each([
    ['192.168.1.77/24', '192.168.1.0', '192.168.1.255'],
    ['10.1.2.3/32', '10.1.2.3', '10.1.2.3'],
    ['8.8.8.8/0', '0.0.0.0', '255.255.255.255'],
  ])('%s reaches from %s to %s', (text, first, last) => {
    const range = parseRange(text)!
    expect([ipText(range.first), ipText(range.last)]).toEqual([first, last])
  })

  it.each(['10.0.0.0', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/1e1', '/24', 'fe80::1/64'])(
    '%s is not a segment',
    (text) => expect(parseRange(text)).toBeNull(),
  )
})

describe('design 12 · default segments', () => {
  it('are 1,024 disjoint blocks of /20 in 100.64.0.0/10', () => {
    const all = Array.from({ length: SUBNET_INDEXES }, (_, i) => Object.values<string>(defaultSegments(i))).flat()
    const sorted = all.map((text) => parseRange(text)!).toSorted((a, b) => a.first - b.first)
    expect(ipText(sorted[0]!.first)).toBe('100.64.0.0')
    expect(ipText(sorted.at(-1)!.last)).toBe('100.127.255.255')
    expect(sorted.map((range) => range.last - range.first + 1)).toEqual(sorted.map(() => 4096))
    expect(sorted.slice(1).map((range) => range.first)).toEqual(sorted.slice(0, -1).map((range) => range.last + 1))
  })

  it('hold each host they number', () => {
    const { hardware } = defaultSegments(3)
    expect(hostAddress(hardware, 1)).toBe('100.64.96.1')
    expect(hostAddress(hardware, 4094)).toBe('100.64.111.254')
  })

  it('an index is reserved exactly when one of its segments overlaps a LAN', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc
            .tuple(fc.integer({ min: 0x643f0000, max: 0x6480ffff }), fc.integer({ min: 8, max: 32 }))
            .map(([ip, mask]) => `${ipText(ip)}/${mask}`),
          { maxLength: 4 },
        ),
        (lans) => {
          const expected = Array.from({ length: SUBNET_INDEXES }, (_, i) => i).filter((i) =>
            Object.values<string>(defaultSegments(i)).some((own) => lans.some((lan) => overlap(own, lan))),
          )
          expect(reservedSubnetIndexes(lans)).toEqual(expected)
        },
      ),
      { numRuns: 50 },
    ))
})

describe('network 5 · the next free segment', () => {
  it.each<[string, string[], string | null]>([
    // Segments that home routers use are proposed only when nothing else is left.
    ['192.168.1.1/24', [], '10.1.0.0/24'],
    ['192.168.1.0/24', ['10.0.0.0/8', '172.16.0.0/12'], '192.168.2.0/24'],
    ['192.168.1.0/24', ['10.0.0.0/8', '172.16.0.0/12', '192.168.2.0/23', '192.168.4.77/32'], '192.168.5.0/24'],
    ['192.168.255.0/24', ['10.0.0.0/8', '172.16.0.0/12'], '192.168.0.0/24'],
    ['192.168.1.0/24', ['10.1.0.0/16'], '10.2.0.0/24'],
    ['10.10.9.0/24', [], '10.10.11.0/24'],
    ['192.168.0.0/16', ['10.0.0.0/8'], '172.19.0.0/16'],
    ['10.68.0.1/24', ['10.68.1.9/24', '10.68.2.0/30'], '10.68.3.0/24'],
    ['172.31.0.0/16', ['172.16.0.0/16'], '172.19.0.0/16'],
    ['100.64.5.0/24', ['10.0.0.0/16'], '10.1.0.0/24'],
    ['8.8.8.0/30', [], '10.1.0.0/30'],
    ['10.0.0.0/8', [], null],
    ['192.168.1.0/24', ['0.0.0.0/0'], null],
    ['fe80::1/64', [], null],
  ])('behind %s with %j taken is %s', (segment, taken, expected) => {
    expect(nextFreeSegment(segment, taken)).toBe(expected)
  })

  it('is aligned, private, of the same size, and overlaps nothing; null only where nothing is left', () => {
    const crowded = fc
      .tuple(fc.nat(2 ** 16 - 1), fc.integer({ min: 16, max: 26 }))
      .map(([n, mask]) => `192.168.${n >> 8}.${n & 255}/${mask}`)
    const closed = ['10.0.0.0/8', '172.16.0.0/12']
    fc.assert(
      fc.property(crowded, fc.array(crowded, { maxLength: 12 }), (own, taken) => {
        const found = nextFreeSegment(own, [...taken, ...closed])
        const [range, used] = [parseRange(own)!, [...taken, own].map((text) => parseRange(text)!)]
        const isFree = (first: number) =>
          used.every((block) => block.last < first || first + (range.last - range.first) < block.first)
        const size = range.last - range.first + 1
        const home = parseRange('192.168.0.0/16')!
        const all = Array.from({ length: 2 ** 16 / size }, (_, n) => home.first + n * size).filter(isFree)
        const next = all.find((first) => first > range.last) ?? all[0]
        expect(found).toBe(next === undefined ? null : `${ipText(next)}/${own.split('/')[1]}`)
      }),
    )
  })

  it('is never a default segment', () => {
    const pool = Object.values(defaultSegments(0))
    for (const segment of pool) expect(nextFreeSegment(segment, pool)).toBe('10.1.0.0/20')
  })
})
