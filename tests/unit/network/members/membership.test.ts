import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Neighbor } from '#domain/network/addresses/member-segments.ts'
import {
  type Member,
  diffMembers,
  checkMembers,
  membersOfPlan,
  networkLevel,
} from '#domain/network/members/membership.ts'
import { createMember } from '../members.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const center = (n: number, over: Partial<Member> = {}) =>
  createMember({ routerName: `C${n}`, routerId: 100 + n, memberType: 'center', ...over })
const point = (n: number, over: Partial<Member> = {}) => createMember({ routerName: `P${n}`, routerId: n, ...over })
const quota = { members: 10, membersUsed: 0, centers: 2 }

describe('network 5 · rules of a network’s members', () => {
  const c1 = center(1, { segmentIndex: 0 })
  const twins = [c1, point(1, { lans: ['10.0.0.1/24'] }), point(2, { lans: ['10.0.0.2/24'] })]
  const rows: readonly [string, Member[], Member[], Partial<typeof quota> & { suspended?: boolean }, string | null][] =
    [
      ['a centre alone', [], [c1], {}, null],
      ['centre and points', [], [c1, point(1), point(2)], {}, null],
      ['nobody', [], [], {}, 'NETWORK_MEMBERS_REQUIRED'],
      ['points without a centre', [], [point(1)], {}, 'NETWORK_CENTER_REQUIRED'],
      ['a software centre', [], [center(1, { routerType: 2 })], {}, 'SOFTWARE_CENTER_FORBIDDEN'],
      ['software points', [], [c1, point(1, { routerType: 2 })], {}, null],
      ['as many centres as bought', [], [c1, center(2)], {}, null],
      ['one centre too many', [], [c1, center(2), center(3)], {}, 'CENTER_LIMIT_REACHED'],
      ['as many members as bought', [], [c1, point(1)], { members: 5, membersUsed: 3 }, null],
      ['one member too many', [], [c1, point(1)], { members: 4, membersUsed: 3 }, 'MEMBER_LIMIT_REACHED'],
      ['an exchange at the limit', [c1, point(1)], [c1, point(2)], { members: 2, membersUsed: 2 }, null],
      ['an exchange over it', [c1, point(1)], [c1, point(2)], { members: 1, membersUsed: 2 }, 'MEMBER_LIMIT_REACHED'],
      ['fewer, still over it', [c1, point(1), point(2)], [c1, point(1)], { members: 0, membersUsed: 3 }, null],
      ['fewer while suspended', [c1, point(1)], [c1], { suspended: true }, null],
      ['nothing new while suspended', [c1], [c1], { suspended: true }, null],
      ['more while suspended', [c1], [c1, point(1)], { suspended: true }, 'NETWORK_SUSPENDED'],
      [
        'a turn while suspended',
        [c1, point(1)],
        [c1, center(0, { routerId: 1 })],
        { suspended: true },
        'NETWORK_SUSPENDED',
      ],
      ['fewer centres, still over', [c1, center(2), center(3)], [c1, center(2)], { centers: 1 }, null],
      ['one in eight networks', [], [c1, point(1, { networkCount: NETWORK.perRouter })], {}, 'MEMBER_NETWORKS_FULL'],
      [
        'the same LAN twice',
        [],
        [c1, point(1, { lans: ['10.0.0.1/24'] }), point(2, { lans: ['10.0.0.2/24'] })],
        {},
        'SEGMENT_CONFLICT',
      ],
      ['a LAN inside a centre’s segment', [c1], [c1, point(1, { lans: ['100.64.5.0/24'] })], {}, 'SEGMENT_CONFLICT'],
      ['two LANs of one member', [], [c1, point(1, { lans: ['10.0.0.1/24', '10.0.0.2/24'] })], {}, null],
      ['one more where two LANs already overlap', twins, [...twins, point(3, { lans: ['10.9.0.1/24'] })], {}, null],
      ['a third with that LAN', twins, [...twins, point(3, { lans: ['10.0.0.3/24'] })], {}, 'SEGMENT_CONFLICT'],
      [
        'one of the two made a centre',
        twins,
        [c1, center(0, { routerId: 1, routerName: 'P1', lans: ['10.0.0.1/24'] }), point(2, { lans: ['10.0.0.2/24'] })],
        {},
        'SEGMENT_CONFLICT',
      ],
      ['somebody else made a centre', [...twins, point(4)], [...twins, center(0, { routerId: 4 })], {}, null],
      [
        'one that leaves where LANs already conflict',
        [c1, point(1, { lans: ['10.0.0.1/24'] }), point(2, { lans: ['10.0.0.2/24'] }), point(3)],
        [c1, point(1, { lans: ['10.0.0.1/24'] }), point(2, { lans: ['10.0.0.2/24'] })],
        {},
        null,
      ],
    ]
  it('each change is allowed or refused with its reason', async () => {
    const offenders = await findOffenders(rows)((_, before, after, { suspended = false, ...over }, expected) => {
      expect(checkMembers(before, after, { ...quota, ...over }, suspended)?.key ?? null).toBe(expected)
    })
    expect(offenders).toEqual([])
  })
})

describe('design 12 · other networks of a member', () => {
  const beside = (network: string, routerName: string, ...lans: string[]): Neighbor => ({
    routerName,
    note: '',
    networkNumber: network,
    networkName: network,
    lans,
    segmentIndex: null,
    isHidden: false,
  })
  const shop = point(2, { lans: ['10.0.0.2/24'] })
  const leaving = point(9, { lans: ['10.0.0.9/24'] })
  const [far, other] = [beside('N2', 'X1', '10.0.0.9/24'), beside('N3', 'X2', '10.9.0.0/16')]
  const check = (before: Member[], after: Member[], neighbors: Neighbor[]) =>
    checkMembers(before, after, quota, false, neighbors)

  it.each<[string, Member[], Member[], Neighbor[], boolean]>([
    [
      'a router that brings them meets a present member',
      [center(1), shop],
      [center(1), shop, point(3)],
      [beside('N2', 'P3'), far],
      true,
    ],
    [
      'a present router is in it, and the new member is another',
      [center(1), shop],
      [center(1), shop, point(3)],
      [beside('N2', 'P2'), far, other],
      false,
    ],
    [
      'the overlap stood before',
      [center(1), point(3), shop],
      [center(1), point(3), shop, point(4)],
      [beside('N2', 'P3'), far],
      false,
    ],
    [
      'the router that is in it leaves meanwhile',
      [center(1), point(3)],
      [center(1), shop],
      [beside('N2', 'P3'), far],
      false,
    ],
    [
      'the other owner leaves and is met through that network still',
      [center(1), point(3), shop, leaving],
      [center(1), point(3), shop, point(4)],
      [beside('N2', 'P3'), beside('N2', 'P9', '10.0.0.9/24')],
      false,
    ],
    ['no member is in that network', [center(1)], [center(1), shop], [far], false],
  ])('%s: refused %s', (_, before, after, neighbors, isRefused) => {
    expect(check(before, after, neighbors)?.key).toBe(isRefused ? 'SEGMENT_CONFLICT' : undefined)
  })
})

describe('network 7 · a plan', () => {
  const known = [center(1), point(1, { note: '上海' })]
  it('names who is chosen twice', () => {
    expect(membersOfPlan({ center: ['C1'], point: ['P1', 'P1'] }, known).refused).toMatchObject({
      key: 'MEMBER_TWICE',
      params: { name: '上海' },
    })
    expect(membersOfPlan({ center: ['C1'], point: ['C1'] }, known).refused).toMatchObject({ key: 'MEMBER_TWICE' })
  })
  it('accepts only routers in the caller’s scope', () => {
    expect(membersOfPlan({ center: ['C1'], point: ['P2'] }, known).refused).toMatchObject({ key: 'ROUTER_NOT_FOUND' })
  })
  it('gives each its kind, whatever it was', () => {
    const { members } = membersOfPlan({ center: ['P1'], point: ['C1'] }, known)
    expect(members.map((m) => [m.routerName, m.memberType])).toEqual([
      ['P1', 'center'],
      ['C1', 'point'],
    ])
  })
})

describe('network 7 · the change between two lists', () => {
  const list = fc
    .uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 12 }), isCenter: fc.boolean() }), {
      selector: ({ id }) => id,
    })
    .map((items) => items.map(({ id, isCenter }) => point(id, { memberType: isCenter ? 'center' : 'point' })))

  it('leads from one to the other, and changes no other member', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        const { added, removed, promoted, demoted } = diffMembers(before, after)
        const result = new Map(before.map((m) => [m.routerId, m.memberType]))
        for (const m of removed) expect(result.delete(m.routerId)).toBe(true)
        for (const m of promoted) expect(result.get(m.routerId)).toBe('point')
        for (const m of demoted) expect(result.get(m.routerId)).toBe('center')
        for (const m of added) expect(result.has(m.routerId)).toBe(false)
        for (const m of [...added, ...promoted, ...demoted]) result.set(m.routerId, m.memberType)
        expect(new Map([...result].toSorted())).toEqual(
          new Map(after.map((m) => [m.routerId, m.memberType] as const).toSorted()),
        )
      }),
    )
  })

  it('removals are not checked against limits', () => {
    fc.assert(
      fc.property(list, fc.boolean(), (before, suspended) => {
        fc.pre(before.some((m) => m.memberType === 'center'))
        const keep = before.filter((m, i) => m.memberType === 'center' || i % 2 === 0)
        expect(checkMembers(before, keep, { members: 0, membersUsed: 99, centers: 0 }, suspended)).toBeNull()
      }),
    )
  })
})

it.each([
  [0, 1],
  [NETWORK.basicMembers, 1],
  [NETWORK.basicMembers + 1, 2],
])('network 2 · %i members are service level %i', (members, level) => expect(networkLevel(members)).toBe(level))
