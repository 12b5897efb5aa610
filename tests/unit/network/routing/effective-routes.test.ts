import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PrefixRow } from '#contract/network/fields.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import type { DocumentMember, NetworkRows } from '#domain/network/compile/rows.ts'
import { effectiveRoutes, routesTo } from '#domain/network/routing/effective-routes.ts'
import { blockedSegments, blockingRow } from '#domain/network/routing/prefix-rows.ts'
import { DEFAULT_MEMBER_SETTINGS, DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { memberRows, memberWithLan } from '../members.ts'

const defaultRoute = (mode: 0 | 1 | 2, metric: 30 | 60 | null = null) => ({
  settings: { ...DEFAULT_MEMBER_SETTINGS, default_route: { mode, metric } },
})
const network = (members: DocumentMember[], settings: Partial<NetworkSettings> = {}): NetworkRows => ({
  networkNumber: 'N1',
  ciphers: 'default',
  secret: '',
  settings: { ...DEFAULT_NETWORK_SETTINGS, ...settings },
  members,
})
const row = (ip: string, mask: number, over: Partial<PrefixRow> = {}): PrefixRow => ({
  ip,
  mask,
  name: '',
  permission: 'permit',
  ge: null,
  le: 32,
  ...over,
})
const TWIN = [
  memberWithLan(1, 'center'),
  memberWithLan(2, 'center'),
  memberWithLan(3, 'point'),
  memberWithLan(4, 'point'),
]
/** `prefix from>via state` of the routes of one member. */
const seen = (rows: NetworkRows, n: number) =>
  effectiveRoutes(
    rows,
    rows.members.find((m) => m.routerId === n)!,
  ).map(
    ({ prefix, from, via, state, blockedBy }) =>
      `${prefix} ${from}>${via} ${state}${blockedBy === null ? '' : blockedBy}`,
  )
const toLan = (rows: NetworkRows, n: number, prefix: string) => seen(rows, n).filter((text) => text.startsWith(prefix))

describe('network 2 · effective routes', () => {
  it('a point reaches another over both centres, which share the load', () => {
    expect(toLan(network(TWIN), 3, '10.4')).toEqual(['10.4.0.0/24 R4>R1 chosen', '10.4.0.0/24 R4>R2 chosen'])
  })

  it('with a main router the other is standby; a centre’s own LAN has one way', () => {
    const rows = network(TWIN, { routing: { type: 2, main: 2, secondary: 1 } })
    expect(toLan(rows, 3, '10.4')).toEqual(['10.4.0.0/24 R4>R1 standby', '10.4.0.0/24 R4>R2 chosen'])
    expect(toLan(rows, 3, '10.1')).toEqual(['10.1.0.0/24 R1>R1 chosen'])
  })

  it('of three centres the secondary router takes over before the third one', () => {
    const members = [...TWIN, memberWithLan(5, 'center')]
    const rows = network(members, { routing: { type: 2, main: 2, secondary: 5 } })
    const routes = effectiveRoutes(rows, members[2]!).filter(({ prefix }) => prefix === '10.4.0.0/24')
    expect(Object.fromEntries(routes.map(({ via, state, rank }) => [via, `${state} ${rank}`]))).toEqual({
      R2: 'chosen 1',
      R5: 'standby 2',
      R1: 'standby 3',
    })
  })

  it('a centre reaches its points directly, and the other centre over the twin link alone', () => {
    expect(seen(network(TWIN), 1)).toEqual(['10.3.0.0/24 R3>R3 chosen', '10.4.0.0/24 R4>R4 chosen'])
    const center_link = { ...DEFAULT_NETWORK_SETTINGS.center_link, enable: 1 as const, server: 1 }
    expect(toLan(network(TWIN, { center_link }), 1, '10.2')).toEqual(['10.2.0.0/24 R2>R2 chosen'])
    expect(toLan(network(TWIN, { center_link }), 1, '10.4')).toEqual([
      '10.4.0.0/24 R4>R2 standby',
      '10.4.0.0/24 R4>R4 chosen',
    ])
  })

  it('a point reaches the other end of a point link over it, before any centre; its rows count there, too', () => {
    const points = [memberWithLan(3, 'point'), memberWithLan(4, 'point'), memberWithLan(5, 'point')]
    const pointLinks = [{ serverId: 4, clientId: 3, gateway: '172.31.0.0', mask: 30, port: 24_000 }]
    expect(seen({ ...network(points), pointLinks }, 3)).toEqual(['10.4.0.0/24 R4>R4 chosen'])
    expect(seen({ ...network(points), pointLinks }, 5)).toEqual([])
    const hub = { ...network([memberWithLan(1, 'center'), ...points]), pointLinks }
    expect(toLan(hub, 4, '10.3')).toEqual(['10.3.0.0/24 R3>R1 standby', '10.3.0.0/24 R3>R3 chosen'])
    const prefix = [row('10.5.0.0', 16)]
    expect(seen({ ...network(points, { prefix }), pointLinks }, 3)).toEqual(['10.4.0.0/24 R4>R4 blocked0'])
  })

  it('the first row that matches decides, and behind the last one everything is denied', () => {
    const prefix = [row('10.3.0.0', 16, { permission: 'deny' }), row('10.0.0.0', 14)]
    const rows = network(TWIN, { prefix })
    expect(toLan(rows, 4, '10.3')).toEqual(['10.3.0.0/24 R3>R1 blocked1', '10.3.0.0/24 R3>R2 blocked1'])
    expect(toLan(rows, 4, '10.2')).toEqual(['10.2.0.0/24 R2>R2 chosen'])
    expect(toLan(rows, 3, '10.4')).toEqual(['10.4.0.0/24 R4>R1 blocked0', '10.4.0.0/24 R4>R2 blocked0'])
    expect(toLan(rows, 3, '100.')).toHaveLength(2) // software segments pass
  })

  it.each<[string, PrefixRow[], string, number | null]>([
    ['no rows', [], '10.0.0.0/24', null],
    ['a shorter prefix', [row('10.0.0.0', 24)], '10.0.0.0/16', 0],
    ['ge', [row('10.0.0.0', 8, { ge: 24 })], '10.0.0.0/16', 0],
    ['le', [row('10.0.0.0', 8, { le: 16 })], '10.0.0.0/24', 0],
    ['within ge and le', [row('10.0.0.0', 8, { ge: 16, le: 24 })], '10.9.0.0/20', null],
    ['a last row for the rest', [row('10.0.0.0', 8), row('0.0.0.0', 0)], '172.16.0.0/24', null],
  ])('%s', (_, rows, prefix, expected) => expect(blockingRow(rows, prefix)).toBe(expected))

  it('segments that rows block are counted once each', () => {
    const declared = ['10.1.0.0/24', '172.16.0.0/24', '172.16.0.0/24']
    expect(blockedSegments([row('10.0.0.0', 8)], declared)).toEqual(['172.16.0.0/24'])
    expect(blockedSegments([], declared)).toEqual([])
  })

  it('a member that receives default routes takes the one of the lowest metric, past the rows', () => {
    const members = [
      memberWithLan(1, 'center'),
      memberWithLan(2, 'center', defaultRoute(1, 60)),
      memberWithLan(3, 'point', defaultRoute(2)),
      memberWithLan(4, 'point', defaultRoute(1, 30)),
      memberWithLan(5, 'point'),
    ]
    const rows = network(members, { prefix: [row('10.0.0.0', 8)] })
    expect(toLan(rows, 3, '0.0.0.0/0')).toEqual(['0.0.0.0/0 R4>R1 chosen', '0.0.0.0/0 R2>R2 standby'])
    expect(toLan(rows, 5, '0.0.0.0/0')).toEqual([])
  })

  it('a member that advertises one passes no other on, however low its metric is', () => {
    const members = [
      memberWithLan(1, 'center', defaultRoute(1, 60)),
      memberWithLan(3, 'point', defaultRoute(2)),
      memberWithLan(4, 'point', defaultRoute(1, 30)),
    ]
    expect(toLan(network(members), 3, '0.0.0.0/0')).toEqual(['0.0.0.0/0 R1>R1 chosen'])
  })

  it('of equal metric the shorter way decides, and no preference: neither of the main router nor of a link', () => {
    const over = (one: DocumentMember, other: DocumentMember) => [
      one,
      other,
      memberWithLan(3, 'point', defaultRoute(2)),
      memberWithLan(4, 'point', defaultRoute(1, 30)),
    ]
    const routing = { type: 2, main: 2, secondary: 1 } as const
    const [first, second] = [memberWithLan(1, 'center'), memberWithLan(2, 'center')]
    const rows = network(over(first, second), { routing })
    expect(toLan(rows, 3, '0.0.0.0/0')).toEqual(['0.0.0.0/0 R4>R1 chosen', '0.0.0.0/0 R4>R2 standby'])
    const own = network(over(memberWithLan(1, 'center', defaultRoute(1, 30)), second), { routing })
    expect(toLan(own, 3, '0.0.0.0/0')).toEqual(['0.0.0.0/0 R1>R1 chosen', '0.0.0.0/0 R4>R2 standby'])
    const shared = network(over(first, second))
    expect(toLan(shared, 3, '0.0.0.0/0')).toEqual(['0.0.0.0/0 R4>R1 chosen', '0.0.0.0/0 R4>R2 chosen'])
  })

  it('to an address the longest prefix stands first', () => {
    const members = [
      memberWithLan(1, 'center', { ...defaultRoute(1, 30), lans: ['10.1.0.0/16', '10.1.2.0/24'] }),
      memberWithLan(3, 'point', defaultRoute(2)),
    ]
    const routes = effectiveRoutes(network(members), members[1]!)
    expect(routesTo(routes, '10.1.2.3').map(({ prefix }) => prefix)).toEqual([
      '10.1.2.0/24',
      '10.1.0.0/16',
      '0.0.0.0/0',
    ])
    expect(routesTo(routes, '10.1.2')).toEqual([])
  })

  it('of each prefix that is not blocked everywhere at least one way is chosen, and none leads back', () => {
    fc.assert(
      fc.property(memberRows, fc.boolean(), (members, isMain) => {
        const own = members.map((m, i) => ({ ...m, lans: [`10.${i}.0.0/24`] }))
        const main = own.find((m) => m.memberType === 'center')?.routerId ?? null
        const rows = network(own, isMain ? { routing: { type: 2, main, secondary: null } } : {})
        for (const self of own.filter((m) => m.routerType === 1)) {
          const routes = effectiveRoutes(rows, self)
          const chosen = new Set(routes.filter(({ state }) => state === 'chosen').map(({ prefix }) => prefix))
          expect([...new Set(routes.map(({ prefix }) => prefix))].filter((prefix) => !chosen.has(prefix))).toEqual([])
          expect(routes.filter(({ from, via }) => from === self.routerName || via === self.routerName)).toEqual([])
        }
      }),
    )
  })
})
