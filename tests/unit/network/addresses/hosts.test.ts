import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignAddresses } from '#domain/network/addresses/addresses.ts'
import { freeHosts, packHosts, parkHosts, HOSTS, hostRanges, checkCapacity } from '#domain/network/addresses/hosts.ts'
import { fitHosts } from '#domain/network/addresses/chosen-segments.ts'
import { nodeHosts } from '#domain/network/pop/pool.ts'
import { createMember } from '../members.ts'

const small = { router: { gateway: '10.9.0.0', mask: 24 }, software: null }
const center = (gateway?: object, pool?: object) =>
  ({
    ...createMember({ routerName: 'C1', memberType: 'center', segmentIndex: 0 }),
    host: 2,
    ...(gateway && { gateway }),
    ...(pool && { pool }),
  }) as ReturnType<typeof createMember> & { host: number }
const member = (routerId: number, host: number, routerType: 1 | 2 = 1) => ({
  ...createMember({ routerName: `R${routerId}`, routerId, routerType }),
  host,
})

describe('network 5 · hosts that fit into the segments of all centres', () => {
  it('are those of a /20 by default, and fewer in a smaller segment or pool', () => {
    expect(hostRanges([center()])).toEqual({ 1: HOSTS, 2: HOSTS })
    expect(hostRanges([center(small)])).toEqual({ 1: { first: 2, last: 254 }, 2: HOSTS })
    expect(hostRanges([center({ ...small, router: { gateway: '10.8.0.0', mask: 16 } })])[1]).toEqual(HOSTS)
    const pool = { router: { start: '10.9.0.100', end: '10.9.0.120' }, software: null }
    expect(hostRanges([center(small, pool), { ...center(), routerId: 2 }])[1]).toEqual({ first: 100, last: 120 })
  })

  it('are given to new members; the refusal names both numbers where none is left', () => {
    const pool = { router: { start: '10.9.0.100', end: '10.9.0.101' }, software: null }
    const before = [{ ...center(small, pool), host: 101 }]
    const taken = { usedIndexes: [0], neighborSegments: [], reported: [], ports: [] }
    const one = createMember({ routerName: 'R5' })
    expect(assignAddresses(before, [...before, one], taken).members.at(-1)?.host).toBe(100)
    const two = createMember({ routerName: 'R6' })
    expect(assignAddresses(before, [...before, one, two], taken).refused).toEqual({
      key: 'POOL_TOO_SMALL',
      params: { hosts: 2, members: 3 },
      field: 'point',
    })
  })

  const range = fc
    .tuple(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 2, max: 30 }))
    .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }))
  const members = fc
    .uniqueArray(fc.integer({ min: 2, max: 40 }), { maxLength: 30 })
    .chain((hosts) =>
      fc
        .array(fc.constantFrom<1 | 2>(1, 2), { minLength: hosts.length, maxLength: hosts.length })
        .map((types) => hosts.map((host, n) => member(n + 1, host, types[n]))),
    )

  it('are packed so that each fits and none is twice, whenever the ranges can hold them', () => {
    fc.assert(
      fc.property(fc.record({ 1: range, 2: range }), members, (ranges, all) => {
        const moves = packHosts(all, ranges)
        expect(moves === null).toBe(checkCapacity(ranges, all) !== null)
        if (moves === null) return
        const moved = new Map(moves.map(({ routerId, host }) => [routerId, host]))
        const after = all.map((m) => ({ ...m, host: moved.get(m.routerId) ?? m.host }))
        expect(new Set(after.map(({ host }) => host)).size).toBe(all.length)
        for (const { routerType, host } of after) {
          expect(host).toBeGreaterThanOrEqual(ranges[routerType].first)
          expect(host).toBeLessThanOrEqual(ranges[routerType].last)
        }
        for (const { routerId, host } of moves) expect(all.find((m) => m.routerId === routerId)?.host).not.toBe(host)
      }),
    )
  })

  it('wait at spare numbers while members change places', () => {
    fc.assert(
      fc.property(fc.record({ 1: range, 2: range }), members, (ranges, all) => {
        const moves = packHosts(all, ranges) ?? []
        const held = new Map(all.map(({ routerId, host }) => [routerId, host]))
        for (const step of [parkHosts(moves, all), moves]) {
          for (const { routerId, host } of step) {
            expect([...held.values()]).not.toContain(host)
            held.set(routerId, host)
          }
        }
      }),
    )
  })

  it('move only once the person has said so; the refusal says how many devices get new addresses', () => {
    const all = [center(small), member(3, 254), member(4, 255), member(5, 4000), member(6, 4094, 2)]
    expect(fitHosts(all, false, 'mask')).toEqual({ hosts: [], refused: { key: 'HOSTS_OUTSIDE', params: { count: 2 } } })
    const { hosts, refused } = fitHosts(all, true, 'mask')
    expect(refused).toBeNull()
    expect(hosts).toEqual([
      { routerId: 4, host: 3 },
      { routerId: 5, host: 4 },
    ])
  })

  it('a mask that cannot hold the members is refused with both numbers, packed or not', () => {
    const all = [center(small), ...Array.from({ length: 253 }, (_, n) => member(n + 10, n + 3))]
    const refused = { key: 'MASK_TOO_SMALL', params: { hosts: 253, members: 254 }, field: 'mask' }
    expect(fitHosts(all, true, 'mask').refused).toEqual(refused)
    expect(fitHosts(all, false, 'mask').refused).toEqual(refused)
    expect(fitHosts(all.slice(0, -1), true, 'mask').refused).toBeNull()
  })
})

describe('network 5 · hosts that have a place at every POP node', () => {
  const pool = (mask: number) => ({
    gateway: '',
    mask: 20,
    pop: { gateway: '10.200.0.0', mask },
    pop_software: { gateway: '10.201.0.0', mask },
  })

  it('are those of equal parts of what was chosen, and all without nodes or by default', () => {
    expect(nodeHosts(pool(24), 2)[1]).toEqual({ first: 2, last: 126 })
    expect(nodeHosts(pool(24), 3)[2]).toEqual({ first: 2, last: 62 })
    expect(nodeHosts({ ...pool(24), pop: null }, 2)[1]).toEqual(HOSTS)
    expect(nodeHosts(pool(24), 0)).toEqual({ 1: HOSTS, 2: HOSTS })
  })

  it('are preferred for new members, as long as there are some', () => {
    const ranges = hostRanges([center()])
    expect(freeHosts(2, new Set([]), ranges, nodeHosts(pool(24), 2)).next().value).toBe(126)
    expect(freeHosts(1, new Set([]), ranges, nodeHosts(pool(24), 2)).next().value).toBe(2)
    const full = Array.from({ length: 125 }, (_, n) => n + 2)
    expect(freeHosts(2, new Set(full), ranges, nodeHosts(pool(24), 2)).next().value).toBe(4094)
    const taken = { usedIndexes: [0], neighborSegments: [], reported: [], ports: [], nodeHosts: nodeHosts(pool(24), 2) }
    const before = [center()]
    const app = createMember({ routerName: 'A7', routerType: 2 })
    expect(assignAddresses(before, [...before, app], taken).members.at(-1)?.host).toBe(126)
  })

  it('are given to members that dial one when hosts are packed; who dials none stays', () => {
    const all = [center(), member(3, 200), member(4, 300), member(6, 4094, 2), member(7, 126, 2)]
    const nodes = { hosts: nodeHosts(pool(24), 2), isDialling: (id: number) => id === 3 || id === 6 }
    expect(fitHosts(all, false, 'mask', nodes).refused).toEqual({ key: 'HOSTS_OUTSIDE', params: { count: 2 } })
    expect(fitHosts(all, true, 'mask', nodes)).toEqual({
      hosts: [
        { routerId: 3, host: 3 },
        { routerId: 6, host: 125 },
      ],
      refused: null,
    })
  })

  it('hosts are packed by the centres alone where a part cannot hold all that dial its node', () => {
    const all = [center(small), ...Array.from({ length: 20 }, (_, n) => member(n + 10, n + 250))]
    const nodes = { hosts: nodeHosts(pool(28), 1), isDialling: () => true }
    expect(fitHosts(all, true, 'mask', nodes)).toEqual(fitHosts(all, true, 'mask'))
  })
})
