import { describe, expect, it } from 'vitest'
import { routerDocument } from '#contract/device/document.ts'
import { ASN_FIRST } from '#contract/network/limits.ts'
import { compileRouter } from '#domain/network/compile/compile.ts'
import { type StoredDocumentMember, toNetworkRows } from '#domain/network/compile/rows.ts'

const NOW = { remoteHost: null, probePort: null, staticRoutes: '[]' }
const CENTER: StoredDocumentMember = {
  ...NOW,
  routerId: 1,
  routerName: 'C1',
  routerType: 1,
  memberType: 'center',
  segmentIndex: 3,
  host: 2,
  remoteHost: '203.0.113.9',
  probePort: 7000,
  lans: '["10.1.0.1/24"]',
}
const POINT: StoredDocumentMember = {
  ...NOW,
  routerId: 2,
  routerName: 'P1',
  routerType: 1,
  memberType: 'point',
  segmentIndex: null,
  host: 5,
  lans: '["10.2.0.1/24","0.0.0.0/0"]',
}
const APP: StoredDocumentMember = {
  ...NOW,
  routerId: 3,
  routerName: 'a.b@qiming',
  routerType: 2,
  memberType: 'point',
  segmentIndex: null,
  host: 4094,
  lans: null,
}
const MEMBERS = [CENTER, POINT, APP]
const row = (setting: string, value: unknown) => ({ setting, value: JSON.stringify(value), revision: 1 })
const ofMember = (routerId: number, setting: string, value: unknown) => ({ ...row(setting, value), routerId })

interface Settings {
  readonly network?: readonly ReturnType<typeof row>[]
  readonly member?: readonly ReturnType<typeof ofMember>[]
  readonly members?: readonly StoredDocumentMember[]
}
function compile(name: string, { network = [], member = [], members = MEMBERS }: Settings = {}) {
  const stored = { number: 'N1', ciphers: 'default' as const, secret: 'ab', settings: network, memberSettings: member }
  const document = compileRouter(name, [toNetworkRows(stored, members)], () => 'ab'.repeat(16))
  return { ...document, network: document.networks[0]! }
}

describe('design 8 · a document of protocol 2 without any setting', () => {
  it('names the device, what it declares and no default route that a device reports as its LAN', () => {
    expect(compile('P1')).toMatchObject({ asn: ASN_FIRST + 2, lans: [{ segment: '10.2.0.0/24', via: null }] })
  })
  it('gives a centre both services, on ports of its own', () => {
    expect(compile('C1').network.servers).toEqual([
      expect.objectContaining({ service: 'router', port: 20_012, ip: '100.64.96.1', mask: 20, pool: null }),
      {
        service: 'software',
        port: 20_013,
        ip: '100.64.112.1',
        mask: 20,
        pool: { first: '100.64.112.2', last: '100.64.127.254' },
        accounts: [{ id: 3, name: 'a.b@qiming', ip: '100.64.127.254', credential_version: 0 }],
        routes: ['10.1.0.0/24', '10.2.0.0/24'],
        rate_mbps: null,
      },
    ])
    expect(compile('P1').network.servers).toEqual([])
  })
  it('pushes no segment to software that the prefix rows block, but always the centre’s own LAN', () => {
    const second = { ...POINT, routerId: 4, routerName: 'P2', host: 6, lans: '["10.3.0.1/24"]' }
    const rows = [{ ip: '10.2.0.0', mask: 24, name: '', permission: 'permit', ge: null, le: 32 }]
    const members = [...MEMBERS, second]
    const routes = (network: ReturnType<typeof row>[]) => compile('C1', { members, network }).network.servers[1]?.routes
    expect(routes([])).toEqual(['10.1.0.0/24', '10.2.0.0/24', '10.3.0.0/24'])
    expect(routes([row('prefix', rows)])).toEqual(['10.1.0.0/24', '10.2.0.0/24'])
  })
  it('gives the secondary router of three centres a rank between the main and the third', () => {
    const center = (n: number) => ({ ...CENTER, routerId: n, routerName: `C${n}`, segmentIndex: n, host: n })
    const members = [CENTER, center(8), center(9), POINT]
    const network = [row('routing', { type: 2, main: 8, secondary: 1 })]
    const ranks = (name: string) =>
      compile(name, { members, network }).network.links.map(({ peer, preference }) => [peer, preference])
    expect(Object.fromEntries(ranks('P1'))).toEqual({ C8: 45, C1: 42, C9: 40 })
    expect(['C8', 'C1', 'C9'].map((name) => ranks(name))).toEqual([[['P1', 45]], [['P1', 42]], [['P1', 40]]])
  })
  it('counts the changes of a software member’s password at its centre, and at no point', () => {
    const members = [CENTER, POINT, { ...APP, credentialVersion: 2 }]
    const [, software] = compile('C1', { members }).network.servers
    expect(software?.accounts).toMatchObject([{ name: 'a.b@qiming', credential_version: 2 }])
    expect(compile('P1', { members })).toEqual(compile('P1'))
  })
  it('says how a point dials its centre, and to the centre what the point declares', () => {
    const base = { kind: 'access', carrier: 'probe', port: null, mask: 20, preference: 40, rate_mbps: null }
    expect(compile('P1').network.links[0]).toMatchObject({
      ...base,
      remotes: [{ host: '203.0.113.9', port: 20_012 }],
      local_ip: '100.64.96.5',
      remote_ip: '100.64.96.1',
      peer_asn: ASN_FIRST + 1,
      peer_prefixes: null,
    })
    expect(compile('C1').network.links[0]).toMatchObject({
      ...base,
      remotes: [],
      local_ip: '100.64.96.1',
      remote_ip: '100.64.96.5',
      peer_asn: ASN_FIRST + 2,
      peer_prefixes: ['10.2.0.0/24'],
    })
  })
  it('passes what is declared', () => {
    const routing = { paths: 1, announce: 'declared', rows: [], default: { mode: 'off', metric: null } }
    expect(compile('P1').network).toMatchObject({ routing: { ...routing, system: ['100.64.112.0/20'] }, dns: [] })
    expect(compile('C1').network.routing).toMatchObject({ ...routing, system: ['100.64.112.0/20'] })
  })
})

describe('design 8 · a setting reaches the documents that it concerns', () => {
  const ROWS = [{ ip: '10.8.0.0', mask: 13, permission: 'permit', ge: 24, le: 26 }]
  it.each<[string, Settings, Record<string, object>]>([
    [
      'prefix rows stand at centres',
      { network: [row('prefix', ROWS)] },
      {
        C1: { routing: { rows: [{ permit: true, prefix: '10.8.0.0/13', ge: 24, le: 26 }] } },
        P1: { routing: { rows: [] } },
      },
    ],
    [
      'DNS at every device',
      { network: [row('dns', ['10.0.0.53'])] },
      { C1: { dns: ['10.0.0.53'] }, P1: { dns: ['10.0.0.53'] } },
    ],
    [
      'a default route at its member alone',
      { member: [ofMember(2, 'default_route', { mode: 1, metric: 60 })] },
      {
        P1: { routing: { default: { mode: 'advertise', metric: 60 } } },
        C1: { routing: { default: { mode: 'off', metric: null } } },
      },
    ],
    [
      'a fixed port at the centre and where it is dialled',
      {
        member: [
          ofMember(1, 'fixed_port', {
            router_service: { public_ip: '198.51.100.7', public_port: 30_000, static_port: 4000 },
          }),
        ],
      },
      {
        C1: { servers: [{ port: 4000 }, { port: 20_013 }] },
        P1: { links: [{ remotes: [{ host: '198.51.100.7', port: 30_000 }] }] },
      },
    ],
    [
      'a chosen segment at both ends',
      { member: [ofMember(1, 'gateway', { router: { gateway: '10.99.0.0', mask: 24 }, software: null })] },
      {
        C1: { addresses: [{ segment: '10.99.0.0/24', ip: '10.99.0.1' }], software_segment: '100.64.112.0/20' },
        P1: { addresses: [{ segment: '10.99.0.0/24', ip: '10.99.0.5' }], links: [{ mask: 24 }] },
      },
    ],
    [
      'a dynamic point at both ends',
      { member: [ofMember(2, 'quagga', { enable: 1 })] },
      { P1: { routing: { announce: 'connected' } }, C1: { links: [{ peer_prefixes: null }] } },
    ],
    [
      'the main router of routing type 2 at both ends',
      { network: [row('routing', { type: 2, main: 1, secondary: null })] },
      { P1: { links: [{ preference: 45 }] }, C1: { links: [{ preference: 45 }] } },
    ],
  ])('%s', (_, settings, expected) => {
    for (const [name, part] of Object.entries(expected)) expect(compile(name, settings).network).toMatchObject(part)
  })

  it('two centres share the load of a point, unless one is the main router', () => {
    const members = [...MEMBERS, { ...CENTER, routerId: 9, routerName: 'C2', segmentIndex: 4, host: 9 }]
    expect(compile('P1', { members }).network.routing.paths).toBe(2)
    const network = [row('routing', { type: 2, main: 1, secondary: 9 })]
    expect(compile('P1', { members, network }).network.routing.paths).toBe(1)
  })
  it('a row that no schema knows is a fault, not a default', () => {
    expect(() => compile('P1', { network: [row('dns', ['no address'])] })).toThrow('DNS')
  })
})

describe('design 8 · a document of protocol 1', () => {
  it('is read with what its missing fields meant', () => {
    const { network, ...document } = compile('P1')
    const { isolated, servers, routing, dns, ...old } = network
    const [link] = old.links
    const sent = {
      router_name: document.router_name,
      networks: [
        {
          ...old,
          links: [{ id: link!.id, peer: link!.peer, role: link!.role, endpoint: link!.endpoint, key: link!.key }],
        },
      ],
    }
    expect(routerDocument.parse(sent)).toMatchObject({
      asn: 0,
      lans: [],
      networks: [
        {
          isolated,
          servers: [],
          routing: { paths: 1, announce: 'declared', rows: [], system: [], default: { mode: 'off', metric: null } },
          dns: [],
          links: [{ kind: 'access', carrier: 'probe', remotes: [] }],
        },
      ],
    })
    expect([servers, dns]).toEqual([[], []])
    expect(routing.paths).toBe(1)
  })
})
