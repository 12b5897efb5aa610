import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignAddresses } from '#domain/network/addresses/addresses.ts'
import { freeHosts, HOSTS, hostRanges } from '#domain/network/addresses/hosts.ts'
import { SUBNET_INDEXES, reservedSubnetIndexes } from '#domain/network/addresses/segments.ts'
import { createMember } from './members.ts'

const center = (n: number, segmentIndex: number | null = null, host: number | null = null) =>
  createMember({ routerName: `C${n}`, routerId: n, memberType: 'center', segmentIndex, host })
const point = (n: number, host: number | null = null, lans: string[] = []) =>
  createMember({ routerName: `P${n}`, routerId: n, host, lans })
const software = (n: number, host: number | null = null) =>
  createMember({ routerName: `S${n}`, routerId: n, routerType: 2, host })
const taken = (usedIndexes: number[], neighborSegments: string[] = [], reported: string[] = []) => ({
  usedIndexes,
  neighborSegments,
  reported,
  ports: [] as number[],
})
const toAddresses = (result: ReturnType<typeof assignAddresses>) =>
  result.members.map(({ routerId, host, segmentIndex }) => [routerId, host, segmentIndex])

describe('network 2 · addresses of a network’s members', () => {
  it('are the smallest free ones; remaining members keep theirs', () => {
    const before = [center(1, 0, 2), point(2, 4)]
    const after = [center(1, 0, 2), point(2, 4), point(3), center(4), point(5)]
    expect(toAddresses(assignAddresses(before, after, taken([0, 1])))).toEqual([
      [1, 2, 0],
      [2, 4, null],
      [3, 3, null],
      [4, 5, 2],
      [5, 6, null],
    ])
  })

  it('are free again when their owner leaves or turns into a point', () => {
    const before = [center(1, 0, 2), center(2, 1, 3), point(3, 4)]
    const after = [center(1, 0, 2), { ...point(2), host: 3 }, center(4)]
    expect(toAddresses(assignAddresses(before, after, taken([0, 1])))).toEqual([
      [1, 2, 0],
      [2, 3, null],
      [4, 4, 1],
    ])
  })

  it('keep off the LANs of the network', () => {
    const after = [center(1), point(2, null, ['100.64.4.1/24'])]
    expect(toAddresses(assignAddresses([], after, taken([])))[0]).toEqual([1, 2, 1])
  })

  it('keep off what its routers learn in other networks, and off every report while there is a choice', () => {
    const wan = { ...center(1), wans: ['100.64.40.1/30'] }
    expect(toAddresses(assignAddresses([], [wan], taken([0], ['100.64.70.0/24'], ['100.64.96.1/24'])))).toEqual([
      [1, 2, 4],
    ])
    expect(toAddresses(assignAddresses([], [center(1)], taken([0], [], ['100.64.0.1/10'])))).toEqual([[1, 2, 1]])
    expect(assignAddresses([], [center(1)], taken([0], ['100.64.0.1/10'])).refused).not.toBeNull()
  })

  it('of one more member are those that it gets in an edit, and none where the segment is full', () => {
    const hosts = fc.uniqueArray(fc.integer({ min: HOSTS.first, max: HOSTS.first + 8 }), { maxLength: 8 })
    const check = fc.property(hosts, fc.boolean(), (used, isSoftware) => {
      const before = used.map((host, n) => point(n, isSoftware ? HOSTS.first + HOSTS.last - host : host))
      const added = isSoftware ? software(99) : point(99)
      const { members } = assignAddresses(before, [...before, added], taken([]))
      const known = before.map(({ host }) => host!)
      expect(freeHosts(added.routerType, new Set(known), hostRanges([])).next().value).toBe(members.at(-1)!.host)
    })
    fc.assert(check)
    const all = Array.from({ length: HOSTS.last - HOSTS.first + 1 }, (_, n) => HOSTS.first + n)
    for (const type of [1, 2] as const)
      expect(freeHosts(type, new Set(all), hostRanges([])).next().value).toBeUndefined()
  })

  it('of software members are the largest: they take no host number of the hardware segment', () => {
    const before = [center(1, 0, 2), software(2, 4094), point(3, 3)]
    const after = [center(1, 0, 2), software(2, 4094), point(3, 3), software(4), point(5), software(6)]
    expect(toAddresses(assignAddresses(before, after, taken([0]))).map(([, host]) => host)).toEqual([
      2, 4094, 3, 4093, 4, 4092,
    ])
  })

  it('are refused where no subnet index is left', () => {
    const used = Array.from({ length: SUBNET_INDEXES }, (_, n) => n)
    expect(assignAddresses([], [center(1)], taken(used)).refused).toMatchObject({ key: 'SEGMENTS_USED_UP' })
    expect(assignAddresses([center(1, 7, 2)], [center(1, 7, 2), point(2)], taken(used)).refused).toBeNull()
  })

  it('are unique: hosts in the network, subnet indexes in the account', () => {
    const kinds = fc.array(fc.constantFrom('none', 'center', 'point'), { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(kinds, kinds, fc.uniqueArray(fc.nat(9)), (first, second, foreign) => {
        const listOf = (kind: string[]) =>
          kind.flatMap((k, n) => (k === 'none' ? [] : [k === 'center' ? center(n + 1) : point(n + 1)]))
        const before = assignAddresses([], listOf(first), taken(foreign)).members
        const own = before.flatMap((m) => (m.segmentIndex === null ? [] : [m.segmentIndex]))
        const after = assignAddresses(before, listOf(second), taken([...foreign, ...own])).members
        const hosts = after.map((m) => m.host)
        const indexes = after.flatMap((m) => (m.segmentIndex === null ? [] : [m.segmentIndex]))
        expect(new Set(hosts).size).toBe(hosts.length)
        expect(Math.min(...hosts, HOSTS.last)).toBeGreaterThanOrEqual(HOSTS.first)
        expect(new Set([...indexes, ...foreign]).size).toBe(indexes.length + foreign.length)
        for (const m of after) {
          const old = before.find(({ routerId }) => routerId === m.routerId)
          expect(m.host).toBe(old?.host ?? m.host)
          expect(m.segmentIndex).toBe(old?.memberType === m.memberType ? old.segmentIndex : m.segmentIndex)
          expect(m.memberType === 'center').toBe(m.segmentIndex !== null)
        }
      }),
    )
  })

  it('an index that a LAN covers is reserved', () => expect(reservedSubnetIndexes(['100.64.32.9/29'])).toEqual([1]))
})
