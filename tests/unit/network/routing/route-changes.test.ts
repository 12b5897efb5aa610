import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PrefixRow } from '#contract/network/fields.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import type { DocumentMember, NetworkRows } from '#domain/network/compile/rows.ts'
import type { PointLink } from '#domain/network/members/pair-links.ts'
import { DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { effectiveRoutes } from '#domain/network/routing/effective-routes.ts'
import { type RouteDifference, routeChanges } from '#domain/network/routing/route-changes.ts'
import { memberWithLan } from '../members.ts'

const network = (members: readonly DocumentMember[], settings: Partial<NetworkSettings> = {}): NetworkRows => ({
  networkNumber: 'N1',
  ciphers: 'default',
  secret: '',
  settings: { ...DEFAULT_NETWORK_SETTINGS, ...settings },
  members,
})
const permit = (ip: string, mask: number): PrefixRow => ({ ip, mask, name: '', permission: 'permit', ge: null, le: 32 })
function compare(before: NetworkRows, after: NetworkRows): RouteDifference {
  const work = routeChanges(before, after)
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
const changes = (before: NetworkRows, after: NetworkRows) =>
  compare(before, after).changes.map((c) => `${c.effect} ${c.prefix} ${c.from} ${c.oldVia}>${c.newVia}`)

const MEMBERS = [
  memberWithLan(1, 'center'),
  memberWithLan(2, 'center'),
  memberWithLan(3, 'point'),
  memberWithLan(4, 'point'),
  memberWithLan(5, 'point'),
]

describe('network 2 · effective routes that a change takes away, brings or moves', () => {
  it('names each segment that a first prefix row blocks', () => {
    expect(changes(network(MEMBERS), network(MEMBERS, { prefix: [permit('10.5.0.0', 24)] }))).toEqual([
      'lost 10.1.0.0/24 R1 R1>',
      'lost 10.2.0.0/24 R2 R2>',
      'lost 10.3.0.0/24 R3 R1,R2>',
      'lost 10.4.0.0/24 R4 R1,R2>',
    ])
  })

  it('finds none where a last row permits the rest', () => {
    const prefix = [permit('10.5.0.0', 24), permit('0.0.0.0', 0)]
    expect(changes(network(MEMBERS), network(MEMBERS, { prefix }))).toEqual([])
  })

  it('names what comes back, and what takes another path', () => {
    expect(changes(network(MEMBERS, { prefix: [permit('10.0.0.0', 14)] }), network(MEMBERS))).toEqual([
      'gained 10.4.0.0/24 R4 >R1,R2',
      'gained 10.5.0.0/24 R5 >R1,R2',
    ])
    const routing = { type: 2, main: 2, secondary: 1 } as const
    expect(changes(network(MEMBERS), network(MEMBERS, { routing }))).toEqual([
      'moved 10.3.0.0/24 R3 R1,R2>R2',
      'moved 10.4.0.0/24 R4 R1,R2>R2',
      'moved 10.5.0.0/24 R5 R1,R2>R2',
    ])
  })

  it('names a segment behind a next hop that is no longer declared', () => {
    const via = MEMBERS.map((m) =>
      m.routerId === 4 ? { ...m, staticRoutes: [{ prefix: '10.9.0.0/16', via: '10.4.0.9' }] } : m,
    )
    expect(changes(network(via), network(MEMBERS))).toEqual(['lost 10.9.0.0/16 R4 R1,R2>'])
  })

  it('says when a network has more kinds of members than are compared', () => {
    const roles = ['center' as const, ...Array.from({ length: 250 }, () => 'point' as const)]
    const members = roles.map((role, i) => memberWithLan(i + 1, role))
    const prefix = [permit('10.5.0.0', 24)]
    const isPartial = (pointLinks: readonly PointLink[]) =>
      compare({ ...network(members), pointLinks }, { ...network(members, { prefix }), pointLinks }).isPartial
    const link = { gateway: '172.31.0.0', mask: 30, staticPort: null, port: 4000 } as PointLink
    expect(isPartial([])).toBe(false) // points with the same links are one kind
    const pairs = Array.from({ length: 125 }, (_, i) => ({ ...link, serverId: 2 * i + 2, clientId: 2 * i + 3 }))
    expect(isPartial(pairs)).toBe(true)
  })

  it('finds exactly the segments that any member lost, though it compares few members', () => {
    const rows = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(16, 24)).map(([n, mask]) => permit(`10.${n}.0.0`, mask)),
      { maxLength: 4 },
    )
    const kinds = fc.array(fc.constantFrom('center' as const, 'point' as const), { minLength: 2, maxLength: 9 })
    fc.assert(
      fc.property(kinds, rows, rows, (roles, old, now) => {
        const members = roles.map((role, i) => memberWithLan(i + 1, role))
        const [before, after] = [network(members, { prefix: old }), network(members, { prefix: now })]
        const reached = (at: NetworkRows, self: DocumentMember) =>
          new Set(effectiveRoutes(at, self).flatMap(({ state, prefix }) => (state === 'chosen' ? [prefix] : [])))
        const lost = members.flatMap((self) => [...reached(before, self)].filter((p) => !reached(after, self).has(p)))
        const found = compare(before, after).changes.filter(({ effect }) => effect === 'lost')
        expect(found.map(({ prefix }) => prefix)).toEqual([...new Set(lost)].toSorted())
      }),
    )
  })
})
