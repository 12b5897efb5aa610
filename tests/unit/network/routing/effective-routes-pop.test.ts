import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PrefixRow } from '#contract/network/fields.ts'
import type { MemberSettings } from '#contract/network/settings.ts'
import type { DocumentMember, NetworkRows, PopNode } from '#domain/network/compile/rows.ts'
import { effectiveRoutes } from '#domain/network/routing/effective-routes.ts'
import { DEFAULT_MEMBER_SETTINGS, DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { exchangeRoutes } from './document-routes.ts'
import { repetitions } from '#tests/support/depth.ts'
import { memberWithLan } from '../members.ts'

const NO_AREA = DEFAULT_MEMBER_SETTINGS.ov
const areas = (main: number | null, backup: number | null = null, priority = 3) => ({ main, backup, priority })
const memberWith = (n: number, memberType: 'center' | 'point', set: Partial<MemberSettings>): DocumentMember =>
  memberWithLan(n, memberType, { settings: { ...DEFAULT_MEMBER_SETTINGS, ...set } })
const member = (n: number, memberType: 'center' | 'point', ov: MemberSettings['ov'] = NO_AREA): DocumentMember =>
  memberWith(n, memberType, { ov })
const node = (n: number, areaId = n): PopNode => ({
  routerId: 90 + n,
  routerName: `POP-${n}`,
  areaId,
  segmentIndex: 100 + n,
  portIndex: n,
  bandwidth: 50,
  endpoint: null,
})
const network = (members: DocumentMember[], over: Partial<NetworkRows> = {}): NetworkRows => ({
  networkNumber: 'N1',
  ciphers: 'default',
  secret: 'ab',
  settings: DEFAULT_NETWORK_SETTINGS,
  members,
  popNodes: [node(1), node(2)],
  ...over,
})
const prefixes = (...rows: Partial<PrefixRow>[]) =>
  rows.map((row): PrefixRow => ({ ip: '10.0.0.0', mask: 8, name: '', permission: 'permit', ge: null, le: 32, ...row }))

/** `prefix from>via state` of the routes of one member whose prefix begins so. */
const seen = (rows: NetworkRows, n: number, prefix: string) =>
  effectiveRoutes(
    rows,
    rows.members.find((m) => m.routerId === n)!,
  )
    .map(
      ({ prefix: to, from, via, state, blockedBy }) =>
        `${to} ${from}>${via} ${state}${blockedBy === null ? '' : blockedBy}`,
    )
    .filter((text) => text.startsWith(prefix))

describe('network 2 · effective routes over POP nodes', () => {
  const MEMBERS = [
    member(1, 'center', areas(1)),
    member(3, 'point', areas(1, 2)),
    member(4, 'point', areas(2)),
    member(5, 'point'),
  ]

  it('with mode 1 the centre is preferred, with mode 2 the node of the main area', () => {
    const to4 = (mode: number) => seen(network(MEMBERS, { mode }), 3, '10.4')
    expect(to4(1)).toEqual(['10.4.0.0/24 R4>POP-1 standby', '10.4.0.0/24 R4>POP-2 standby', '10.4.0.0/24 R4>R1 chosen'])
    expect(to4(2)).toEqual(['10.4.0.0/24 R4>POP-1 chosen', '10.4.0.0/24 R4>POP-2 standby', '10.4.0.0/24 R4>R1 standby'])
  })

  it('a member that dials no node has the centre alone, and is reached over the centre that dials one', () => {
    expect(seen(network(MEMBERS), 5, '10.4')).toEqual(['10.4.0.0/24 R4>R1 chosen'])
    expect(seen(network(MEMBERS, { mode: 2 }), 4, '10.5')).toEqual([
      '10.5.0.0/24 R5>POP-2 chosen',
      '10.5.0.0/24 R5>R1 standby',
    ])
  })

  it('without a centre that dials one, nodes reach those that do', () => {
    const members = MEMBERS.map((m) => (m.routerId === 1 ? member(1, 'center') : m))
    expect(seen(network(members, { mode: 2 }), 4, '10.5')).toEqual(['10.5.0.0/24 R5>R1 chosen'])
    expect(seen(network(members, { mode: 2 }), 4, '10.3')).toEqual([
      '10.3.0.0/24 R3>POP-2 chosen',
      '10.3.0.0/24 R3>R1 standby',
    ])
  })

  it('a centre takes what comes over a node where that is preferred, and no way that leads back', () => {
    expect(seen(network(MEMBERS, { mode: 2 }), 1, '10.3')).toEqual([
      '10.3.0.0/24 R3>POP-1 chosen',
      '10.3.0.0/24 R3>R3 standby',
    ])
    expect(seen(network(MEMBERS), 1, '10.5')).toEqual(['10.5.0.0/24 R5>R5 chosen'])
  })

  it('software segments of nodes are reached over each, past the rows, which block LANs there as well', () => {
    const settings = { ...DEFAULT_NETWORK_SETTINGS, prefix: prefixes({ ip: '10.4.0.0', mask: 16, permission: 'deny' }) }
    const rows = network(MEMBERS, { settings })
    expect(seen(rows, 3, '100.76.176')).toEqual([
      '100.76.176.0/20 POP-1>POP-1 standby',
      '100.76.176.0/20 POP-1>POP-2 standby',
      '100.76.176.0/20 POP-1>R1 chosen',
    ])
    expect(seen(rows, 3, '10.4')).toEqual([
      '10.4.0.0/24 R4>POP-1 blocked1',
      '10.4.0.0/24 R4>POP-2 blocked1',
      '10.4.0.0/24 R4>R1 blocked1',
    ])
  })

  it('another centre’s software segment passes a centre by the rows unless the twin-centre link is on', () => {
    const members = [member(1, 'center', areas(1)), member(2, 'center', areas(1)), member(3, 'point')]
    const settings = { ...DEFAULT_NETWORK_SETTINGS, prefix: prefixes({}) }
    expect(seen(network(members, { settings }), 1, '100.64.80')).toEqual(['100.64.80.0/20 R2>POP-1 blocked0'])
    const center_link = { ...settings.center_link, enable: 1 as const, server: 1 }
    expect(seen(network(members, { settings: { ...settings, center_link } }), 1, '100.64.80')).toEqual([
      '100.64.80.0/20 R2>POP-1 chosen',
      '100.64.80.0/20 R2>R2 standby',
    ])
  })

  it('a member whose host has no place in the node’s part has no way over it', () => {
    const pop = { gateway: '10.200.0.0', mask: 28 }
    const settings = { ...DEFAULT_NETWORK_SETTINGS, ip_pool: { ...DEFAULT_NETWORK_SETTINGS.ip_pool, pop } }
    const members = [member(1, 'center'), member(2, 'point', areas(1)), member(8, 'point', areas(1))]
    expect(seen(network(members, { settings }), 2, '10.8')).toEqual(['10.8.0.0/24 R8>R1 chosen'])
    expect(seen(network(members, { settings }), 8, '10.2')).toEqual(['10.2.0.0/24 R2>R1 chosen'])
  })
})

const area = fc.constantFrom(null, 1, 2)
const ov = fc.record({ main: area, backup: area, priority: fc.integer({ min: 1, max: 5 }) })
const defaultRoute = fc.constantFrom<MemberSettings['default_route']>(
  { mode: 0, metric: null },
  { mode: 1, metric: 30 },
  { mode: 1, metric: 60 },
  { mode: 2, metric: null },
)
const settings = fc.record({ ov, default_route: defaultRoute })
const row = fc
  .record({
    place: fc.integer({ min: 0, max: 8 }),
    mask: fc.constantFrom(8, 13, 16, 24),
    permission: fc.constantFrom<PrefixRow['permission']>('permit', 'deny'),
    le: fc.constantFrom(24, 32),
  })
  .map(({ place, mask, permission, le }): PrefixRow => {
    return { ip: `10.${place}.0.0`, mask, name: '', permission, ge: null, le }
  })
const anyNetwork = fc
  .record({
    centers: fc.array(settings, { maxLength: 3 }),
    points: fc.array(settings, { minLength: 1, maxLength: 3 }),
    nodes: fc.array(fc.constantFrom(1, 2), { maxLength: 3 }),
    hasTwinLink: fc.boolean(),
    hasPointLink: fc.boolean(),
    main: fc.nat(3),
    mode: fc.constantFrom(1, 2),
    prefix: fc.array(row, { maxLength: 3 }),
    pop: fc.constantFrom(null, 16, 28),
  })
  .map(({ centers, points, nodes, ...set }): NetworkRows => {
    const members = [
      ...centers.map((one, i) => memberWith(i + 1, 'center', one)),
      ...points.map((one, i) => memberWith(centers.length + i + 1, 'point', one)),
    ]
    const [first, second] = members.slice(centers.length)
    const { ip_pool: pool, center_link: link } = DEFAULT_NETWORK_SETTINGS
    const linked = set.hasPointLink && first && second
    return network(members, {
      mode: set.mode,
      popNodes: nodes.map((areaId, i) => node(i + 1, areaId)),
      ...(linked && {
        pointLinks: [
          { serverId: first.routerId, clientId: second.routerId, gateway: '172.31.0.0', mask: 30, port: 24_000 },
        ],
      }),
      settings: {
        ...DEFAULT_NETWORK_SETTINGS,
        prefix: set.prefix,
        ip_pool: { ...pool, pop: set.pop === null ? null : { gateway: '10.200.0.0', mask: set.pop } },
        center_link: { ...link, enable: set.hasTwinLink ? 1 : 0, server: centers.length > 0 ? 1 : null },
        routing:
          set.main > 0 && set.main <= centers.length
            ? { type: 2, main: set.main, secondary: null }
            : { type: 1, main: null, secondary: null },
      },
    })
  })

describe('effective routes and compiled documents', () => {
  it('agree on what each member takes from whom, and on what carries traffic', () => {
    fc.assert(
      fc.property(anyNetwork, (rows) => {
        const learned = exchangeRoutes(rows)
        fc.pre(learned !== null)
        for (const self of rows.members) {
          const routes = effectiveRoutes(rows, self)
          const isShown = (key: string) => self.settings.default_route.mode === 2 || !key.startsWith('0.0.0.0/0 ')
          const toKeys = (states: readonly string[]) =>
            routes
              .filter(({ state }) => states.includes(state))
              .map(({ prefix, via }) => `${prefix} ${via}`)
              .toSorted()
          expect(toKeys(['chosen', 'standby'])).toEqual(learned.get(self.routerName)?.taken.filter(isShown))
          expect(toKeys(['chosen'])).toEqual(learned.get(self.routerName)?.chosen.filter(isShown))
        }
      }),
      { numRuns: repetitions(300) },
    )
  })
})

describe('centres whose main areas differ, with mode 2', () => {
  const rows = network([member(1, 'center', areas(1)), member(2, 'center', areas(2)), member(3, 'point', areas(1))], {
    mode: 2,
  })

  /** By name: over whom each router reaches the LAN of the point. */
  const outcome = (isReversed: boolean) =>
    Object.fromEntries(
      [...(exchangeRoutes(rows, isReversed) ?? [])].map(([name, { chosen }]) => [
        name,
        chosen.find((way) => way.startsWith('10.3.0.0/24 '))?.split(' ')[1],
      ]),
    )

  it('have two stable outcomes, by which of node and centre comes first; all reach the point in both', () => {
    const same = { 'POP-1': 'R3', R1: 'POP-1', R3: undefined }
    expect(outcome(false)).toEqual({ ...same, 'POP-2': 'POP-1', R2: 'POP-2' })
    expect(outcome(true)).toEqual({ ...same, 'POP-2': 'R2', R2: 'R3' })
  })

  it('are shown with the outcome that prefers POP, as the mode asks, with the direct link as standby', () => {
    expect(seen(rows, 2, '10.3')).toEqual(['10.3.0.0/24 R3>POP-2 chosen', '10.3.0.0/24 R3>R3 standby'])
  })
})
