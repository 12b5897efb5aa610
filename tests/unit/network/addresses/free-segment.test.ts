import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextFreeSegment } from '#domain/network/addresses/free-segment.ts'
import { ipText } from '#contract/kernel/ipv4.ts'
import { defaultSegments, parseRange } from '#domain/network/addresses/segments.ts'

describe('network 5 · the next free segment', () => {
  it.each<[string, string[], string | null]>([
    ['192.168.1.1/24', [], '192.168.2.0/24'],
    ['192.168.1.0/24', ['192.168.2.0/23', '192.168.4.77/32'], '192.168.5.0/24'],
    ['192.168.255.0/24', [], '192.168.0.0/24'],
    ['192.168.1.0/24', ['192.168.0.0/16'], '10.0.0.0/24'],
    ['192.168.0.0/16', ['10.0.0.0/8'], '172.16.0.0/16'],
    ['10.68.0.1/24', ['10.68.1.9/24', '10.68.2.0/30'], '10.68.3.0/24'],
    ['172.31.0.0/16', ['172.16.0.0/16'], '172.17.0.0/16'],
    ['100.64.5.0/24', ['10.0.0.0/16'], '10.1.0.0/24'],
    ['8.8.8.0/30', [], '10.0.0.0/30'],
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
    for (const segment of pool) expect(nextFreeSegment(segment, pool)).toBe('10.0.0.0/20')
  })
})
