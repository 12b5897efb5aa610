import { describe, expect, it } from 'vitest'
import { ASN_FIRST } from '#contract/network/limits.ts'
import { checkDocument } from '#infra/agent/config/check-document.ts'
import { checkTunnels } from '#infra/agent/drivers/render/check-tunnels.ts'
import { NO_TARGET } from '#infra/agent/drivers/render/target.ts'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import { type StoredDocumentMember, type StoredPopNode, toNetworkRows } from '#domain/network/compile/rows.ts'
import { usedSettings } from '#domain/network/compile/device-settings.ts'
import { compileDial } from '#domain/network/compile/dial.ts'
import { checkPopHosts } from '#domain/network/pop/pool.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const member = (routerId: number, over: Partial<StoredDocumentMember> = {}): StoredDocumentMember => ({
  routerId,
  routerName: `R${routerId}`,
  routerType: 1,
  memberType: 'point',
  segmentIndex: null,
  host: routerId + 1,
  remoteHost: null,
  probePort: null,
  lans: `["10.${routerId}.0.1/24"]`,
  staticRoutes: '[]',
  ...over,
})
const node = (n: number, over: Partial<StoredPopNode> = {}): StoredPopNode => ({
  routerId: 90 + n,
  routerName: `POP-${n}`,
  areaId: n,
  segmentIndex: 100 + n,
  portIndex: n,
  bandwidth: 50 * n,
  remoteHost: `198.51.100.${n}`,
  probePort: 7000,
  ...over,
})
const MEMBERS = [
  member(1, { memberType: 'center', segmentIndex: 3, remoteHost: '203.0.113.9', probePort: 7000 }),
  member(2),
  member(3),
  member(4, { routerName: 'app@qiming', routerType: 2, host: 4094, lans: null }),
]
const row = (setting: string, value: unknown) => ({ setting, value: JSON.stringify(value), revision: 1 })
const area = (routerId: number, main: number | null, backup: number | null = null, priority = 3) => ({
  ...row('ov', { main, backup, priority }),
  routerId,
})
const AREAS = [area(2, 1, 2), area(4, 2)]

interface StoredNetwork {
  readonly members?: readonly StoredDocumentMember[]
  readonly nodes?: readonly StoredPopNode[]
  readonly network?: readonly ReturnType<typeof row>[]
  readonly member?: readonly (ReturnType<typeof row> & { readonly routerId: number })[]
  readonly mode?: number
  readonly ciphers?: 'default' | 'sm'
}
function toRows({
  members = MEMBERS,
  nodes = [node(1), node(2)],
  network = [],
  member: own = AREAS,
  ...rest
}: StoredNetwork) {
  const { mode = 1, ciphers = 'default' as const } = rest
  const stored = { number: 'N1', secret: 'ab', settings: network, memberSettings: own, popNodes: nodes, mode, ciphers }
  return toNetworkRows(stored, members)
}
const compile = (name: string, given: StoredNetwork = {}) => {
  const document = compileRouter(name, [toRows(given)], () => 'ab'.repeat(16))
  return { document, network: document.networks[0]! }
}
const NAMES = ['R1', 'R2', 'R3', 'POP-1', 'POP-2']
const linksOf = (name: string, given: StoredNetwork = {}) =>
  compile(name, given).network.links.filter((l) => l.kind !== 'access')

describe('network 2 · a network with a POP resource', () => {
  it('members dial the nodes of their main and backup area, the main one first', () => {
    expect(linksOf('R2')).toMatchObject([
      {
        id: 'N1:R2>POP-1',
        peer: 'POP-1',
        role: 'client',
        kind: 'pop',
        remotes: [{ host: '198.51.100.1', port: 20_064 }],
        local_ip: '100.76.160.3',
        remote_ip: '100.76.160.1',
        mask: 20,
        peer_asn: ASN_FIRST + 91,
        peer_prefixes: null,
        preference: 32,
        rate_mbps: 50,
      },
      { peer: 'POP-2', preference: 22, rate_mbps: 100 },
    ])
    expect(linksOf('R3')).toEqual([])
    expect(linksOf('R1')).toEqual([])
  })

  it('a node has the network alone in a table of its own, with both services at the rate of its area', () => {
    const { network, document } = compile('POP-1')
    expect(document).toMatchObject({ asn: ASN_FIRST + 91, lans: [] })
    expect(network).toMatchObject({
      member_type: 'pop',
      isolated: true,
      members: [{ router_name: 'R2', member_type: 'point' }],
      servers: [
        { service: 'router', port: 20_064, ip: '100.76.160.1', mask: 20, rate_mbps: 50 },
        { service: 'software', port: 20_065, accounts: [], routes: ['10.2.0.0/24'], rate_mbps: 50 },
      ],
      routing: { system: ['100.64.112.0/20', '100.76.176.0/20', '100.76.208.0/20'], default: { mode: 'off' } },
    })
    expect(compile('POP-2').network.servers[1]?.accounts).toMatchObject([
      { id: 4, name: 'app@qiming', ip: '100.76.223.254' },
    ])
  })

  it('both ends of a link agree', () => {
    const [client] = linksOf('R2')
    const server = linksOf('POP-1').find(({ peer }) => peer === 'R2')
    expect(server).toMatchObject({
      id: client!.id,
      role: 'server',
      kind: 'pop',
      remotes: [],
      local_ip: client!.remote_ip,
      remote_ip: client!.local_ip,
      preference: client!.preference,
      peer_prefixes: ['10.2.0.0/24'],
    })
  })

  it('nodes of one resource reach each other', () => {
    const [server, client] = [linksOf('POP-1'), linksOf('POP-2')].map((links) =>
      links.find(({ kind }) => kind === 'backbone'),
    )
    expect(server).toMatchObject({ peer: 'POP-2', role: 'server', port: 20_067, mask: 32, preference: 20 })
    expect(client).toMatchObject({
      peer: 'POP-1',
      role: 'client',
      remotes: [{ host: '198.51.100.1', port: 20_067 }],
      local_ip: server!.remote_ip,
      remote_ip: server!.local_ip,
    })
    expect([server!.rate_mbps, client!.rate_mbps]).toEqual([50, 100]) // what each sends: of its own area
  })

  it('a centre that dials a node hands on what lies behind it, software segments of nodes pass there', () => {
    const given = { member: [area(1, 1)] }
    expect(compile('POP-1', given).network).toMatchObject({
      members: [{ router_name: 'R1', member_type: 'center' }],
      servers: [{}, { routes: ['10.1.0.0/24', '10.2.0.0/24', '10.3.0.0/24'] }],
    })
    expect(linksOf('POP-1', given).find(({ peer }) => peer === 'R1')?.peer_prefixes).toBeNull()
    expect(compile('R1', given).network.routing.system).toContain('100.76.176.0/20')
  })

  it('the range chosen for POP is shared by the nodes in equal parts, and holds its members or is refused', () => {
    const pool = (mask: number) => ({
      network: [
        row('ip_pool', {
          gateway: '',
          mask: 20,
          pop: { gateway: '10.200.0.0', mask },
          pop_software: { gateway: '10.201.0.0', mask },
        }),
      ],
    })
    expect(['POP-1', 'POP-2'].map((name) => compile(name, pool(16)).network.addresses)).toMatchObject([
      [{ segment: '10.200.0.0/17', ip: '10.200.0.1' }],
      [{ segment: '10.200.128.0/17', ip: '10.200.128.1' }],
    ])
    expect(linksOf('R2', pool(16))).toMatchObject([{ local_ip: '10.200.0.3', mask: 17 }, { local_ip: '10.200.128.3' }])
    expect(checkPopHosts(toRows({}), toRows(pool(16)))).toBeNull()
    expect(checkPopHosts(toRows({}), toRows(pool(24)))).toMatchObject({
      key: 'POP_POOL_TOO_SMALL',
      params: { nodes: 2, name: 'app@qiming' },
    })
    expect(checkPopHosts(toRows(pool(24)), toRows({ ...pool(24), mode: 2 }))).toBeNull()
    expect(compile('POP-2', pool(24)).network.servers[1]?.accounts).toEqual([])
  })

  const pop_software = { gateway: '10.201.0.0', mask: 24 }
  it.each<[string, StoredNetwork]>([
    ['one area', {}],
    ['main and backup area', { member: [area(4, 2, 1)] }],
    ['no area', { member: [] }],
    ['segments that were chosen', { network: [row('ip_pool', { gateway: '', mask: 20, pop: null, pop_software })] }],
    [
      'a host that has no place',
      { network: [row('ip_pool', { gateway: '', mask: 20, pop: null, pop_software })], member: [area(4, 1)] },
    ],
  ])('a software member dials the nodes that have an account for it: %s', (_, given) => {
    const accounts = ['POP-1', 'POP-2'].flatMap((name) => {
      const { ip: gateway, mask, port, accounts: all } = compile(name, given).network.servers[1]!
      return all.map(({ ip }) => ({ router_name: name, gateway, mask, port, ip }))
    })
    const { servers } = compileDial('app@qiming', toRows(given))
    const dialled = servers.flatMap(({ kind, router_name, gateway, segment, remotes, ip }) =>
      kind === 'pop' ? [{ router_name, gateway, mask: Number(segment.split('/')[1]), port: remotes[0]?.port, ip }] : [],
    )
    expect(dialled.toSorted((a, b) => (a.router_name < b.router_name ? -1 : 1))).toEqual(accounts)
  })

  it.each([
    [1, 1, ['R1', 'POP-2', 'POP-1']],
    [1, 2, ['POP-2', 'POP-1', 'R1']],
    [2, 2, ['R1', 'POP-2', 'POP-1']],
    [3, 1, ['POP-2', 'POP-1', 'R1']],
  ])('with dial mode %i in a network of mode %i a software member dials %j', (own, mode, names) => {
    const given = { mode, member: [area(4, 2, 1), { ...row('software_mode', { mode: own }), routerId: 4 }] }
    expect(compileDial('app@qiming', toRows(given)).servers.map(({ router_name }) => router_name)).toEqual(names)
  })

  it('needs a device that carries POP links, at both ends', () => {
    expect(NAMES.map((name) => usedSettings(compile(name).document).includes('links:pop'))).toEqual([
      false,
      true,
      false,
      true,
      true,
    ])
  })

  it.each(NAMES)('files can be made of the document of %s', (name) => {
    const { document } = compile(name, { member: [...AREAS, area(1, 1, 2)] })
    expect(checkDocument(document)).toBeNull()
    expect(checkTunnels(document, NO_TARGET)).toBeNull()
  })
})

describe('a setting moves the documents that it concerns', () => {
  const prefix = [{ ip: '10.8.0.0', mask: 13, name: '', permission: 'permit', ge: null, le: 32 }]
  const segment = (gateway: string) => ({ gateway, mask: 16 })
  const cases: readonly (readonly [string, StoredNetwork, readonly string[]])[] = [
    ['mode', { mode: 2 }, ['R2', 'POP-1', 'POP-2']],
    ['an area more', { member: [...AREAS, area(3, 2)] }, ['R3', 'POP-1', 'POP-2']],
    ['a backup area less', { member: [area(2, 1), area(4, 2)] }, ['R2', 'POP-2']],
    ['priority', { member: [area(2, 1, 2, 1), area(4, 2)] }, ['R2', 'POP-1', 'POP-2']],
    ['an area of software', { member: [area(2, 1, 2), area(4, 1)] }, ['POP-1', 'POP-2']],
    ['prefix rows', { network: [row('prefix', prefix)] }, ['R1', 'POP-1', 'POP-2']],
    ['ciphers', { ciphers: 'sm' }, NAMES],
    ['DNS', { network: [row('dns', ['10.0.0.53'])] }, NAMES],
    [
      'segment of POP',
      { network: [row('ip_pool', { gateway: '', mask: 20, pop: segment('10.200.0.0'), pop_software: null })] },
      ['R2', 'POP-1', 'POP-2'],
    ],
    [
      'segment of POP software',
      { network: [row('ip_pool', { gateway: '', mask: 20, pop: null, pop_software: segment('10.201.0.0') })] },
      ['R1', 'R2', 'POP-1', 'POP-2'],
    ],
    ['bandwidth', { nodes: [node(1, { bandwidth: 10 }), node(2)] }, ['R2', 'POP-1']],
    ['endpoint of a node', { nodes: [node(1, { remoteHost: '198.51.100.9' }), node(2)] }, ['R2', 'POP-2']],
    [
      'LAN of a member',
      { members: MEMBERS.map((m) => (m.routerId === 2 ? { ...m, lans: '["10.22.0.1/24"]' } : m)) },
      ['R1', 'R2', 'POP-1', 'POP-2'],
    ],
    [
      'LAN of a member without area',
      { members: MEMBERS.map((m) => (m.routerId === 3 ? { ...m, lans: '["10.33.0.1/24"]' } : m)) },
      ['R1', 'R3'],
    ],
  ]
  it('each setting moves the documents of its members', async () => {
    const offenders = await findOffenders(cases)((_, given, moved) => {
      const text = (name: string, of: StoredNetwork) => canonicalJson(compile(name, of).document)
      expect(NAMES.filter((name) => text(name, given) !== text(name, {}))).toEqual(moved)
    })
    expect(offenders).toEqual([])
  })
})
