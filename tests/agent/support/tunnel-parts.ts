import { type SentDocument, routerDocument } from '#contract/device/document.ts'
import { KEY } from './documents.ts'
import { ASN_FIRST } from '#contract/network/limits.ts'

/** Parts of documents as the hub sends them: two centres A and B, points, a POP node. */
export type SentNetwork = SentDocument['networks'][number]
export type SentLink = SentNetwork['links'][number]
export type Routing = NonNullable<SentNetwork['routing']>

export const PASS: Routing = {
  paths: 1,
  announce: 'declared',
  rows: [],
  system: [],
  default: { mode: 'off', metric: null },
}
export const ROWS: Routing['rows'] = [
  { permit: false, prefix: '10.13.0.128/25', ge: null, le: 32 },
  { permit: true, prefix: '10.8.0.0/13', ge: 24, le: 26 },
  { permit: true, prefix: '192.168.0.0/16', ge: null, le: null },
]

const link = (over: Partial<SentLink> & Pick<SentLink, 'id' | 'peer' | 'role'>): SentLink => ({
  endpoint: null,
  key: KEY,
  kind: 'access',
  carrier: 'tunnel',
  mask: 20,
  preference: 40,
  ...over,
})

/** The link of the n-th point to centre A (100.64.0.0/20) or B (100.64.32.0/20), from both ends. */
export const access = (number: string, point: number, center: 'A' | 'B') => {
  const base = center === 'A' ? '100.64.0' : '100.64.32'
  const id = `${number}:NL-P${point}>NL-${center}`
  return {
    client: link({
      id,
      peer: `NL-${center}`,
      role: 'client',
      remotes: [{ host: center === 'A' ? '203.0.113.10' : '203.0.113.20', port: 20_000 }],
      local_ip: `${base}.${20 + point}`,
      remote_ip: `${base}.1`,
      peer_asn: ASN_FIRST + (center === 'A' ? 1 : 2),
    }),
    server: link({
      id,
      peer: `NL-P${point}`,
      role: 'server',
      local_ip: `${base}.1`,
      remote_ip: `${base}.${20 + point}`,
      peer_asn: ASN_FIRST + 20 + point,
      peer_prefixes: [`10.13.${point}.0/24`],
    }),
  }
}

export const network = (over: Partial<SentNetwork>): SentNetwork => ({
  network_number: 'N1',
  member_type: 'point',
  ciphers: 'default',
  addresses: [],
  software_segment: null,
  members: [],
  links: [],
  routing: PASS,
  ...over,
})

export const members = (...names: string[]): SentNetwork['members'] =>
  names.map((name) => ({ router_name: name, member_type: /^NL-[AB]$/.test(name) ? 'center' : 'point' }))

export const pointNetwork = (over: Partial<SentNetwork> = {}, links = [access('N1', 1, 'A').client]): SentNetwork =>
  network({ members: members('NL-A', 'NL-P1'), links, routing: { ...PASS, system: ['100.64.16.0/20'] }, ...over })

export const SERVICES: NonNullable<SentNetwork['servers']> = [
  {
    service: 'router',
    port: 20_000,
    ip: '100.64.0.1',
    mask: 20,
    pool: null,
    accounts: [],
    routes: [],
    rate_mbps: null,
  },
  {
    service: 'software',
    port: 20_001,
    ip: '100.64.16.1',
    mask: 20,
    pool: { first: '100.64.16.2', last: '100.64.31.254' },
    accounts: [{ id: 9, name: 'a.b@qiming', ip: '100.64.16.9' }],
    routes: ['10.12.0.0/24', '10.13.1.0/24', '10.13.2.0/24'],
    rate_mbps: null,
  },
]

export const centerNetwork = (over: Partial<SentNetwork> = {}): SentNetwork =>
  network({
    member_type: 'center',
    software_segment: '100.64.16.0/20',
    members: members('NL-A', 'NL-P1', 'NL-P2', 'a.b@qiming'),
    links: [access('N1', 1, 'A').server, access('N1', 2, 'A').server],
    servers: SERVICES,
    routing: { ...PASS, system: ['100.64.16.0/20'] },
    ...over,
  })

export const device = (
  name: string,
  id: number,
  lan: string,
  networks: SentNetwork[],
  over: Partial<SentDocument> = {},
) =>
  routerDocument.parse({
    router_name: name,
    networks,
    asn: ASN_FIRST + id,
    lans: [{ segment: lan, via: null }],
    ...over,
  })

export const point = (...networks: SentNetwork[]) => device('NL-P1', 21, '10.13.1.0/24', networks)
export const center = (...networks: SentNetwork[]) => device('NL-A', 1, '10.12.0.0/24', networks)

export const twin = (end: 'server' | 'client'): SentLink =>
  link({
    id: 'N1:NL-B>NL-A',
    peer: end === 'server' ? 'NL-B' : 'NL-A',
    role: end,
    kind: 'center',
    remotes: end === 'client' ? [{ host: '203.0.113.10', port: 20_002 }] : [],
    port: end === 'server' ? 20_002 : null,
    local_ip: end === 'server' ? '100.127.0.1' : '100.127.0.2',
    remote_ip: end === 'server' ? '100.127.0.2' : '100.127.0.1',
    mask: 30,
    peer_asn: ASN_FIRST + (end === 'server' ? 2 : 1),
    preference: 20,
  })

/** Without a segment: under the addresses that the centres have in their hardware segments. */
export const unnumbered = (end: 'server' | 'client'): SentLink => ({
  ...twin(end),
  local_ip: end === 'server' ? '100.64.0.1' : '100.64.32.1',
  remote_ip: end === 'server' ? '100.64.32.1' : '100.64.0.1',
  mask: 32,
})

export const pair = (end: 'server' | 'client'): SentLink =>
  link({
    id: 'N1:NL-P2>NL-P1',
    peer: end === 'server' ? 'NL-P2' : 'NL-P1',
    role: end,
    kind: 'point',
    remotes: [end === 'client' ? { host: '203.0.113.31', port: 24_000 } : { host: '203.0.113.32', port: 24_001 }],
    port: end === 'server' ? 24_000 : 24_001,
    local_ip: end === 'server' ? '100.127.1.1' : '100.127.1.2',
    remote_ip: end === 'server' ? '100.127.1.2' : '100.127.1.1',
    mask: 30,
    peer_asn: ASN_FIRST + (end === 'server' ? 22 : 21),
    peer_prefixes: [end === 'server' ? '10.13.2.0/24' : '10.13.1.0/24'],
    preference: 60,
  })

export const pop = (node: number, preference: number): SentLink =>
  link({
    id: `N1:NL-P1>POP-${node}`,
    peer: `POP-${node}`,
    role: 'client',
    kind: 'pop',
    remotes: [{ host: `198.51.100.${node}`, port: 21_000 }],
    local_ip: `100.65.${16 * node}.21`,
    remote_ip: `100.65.${16 * node}.1`,
    peer_asn: ASN_FIRST + 900 + node,
    preference,
    rate_mbps: 50,
  })

export const popNetwork = (number: string, port: number): SentNetwork => {
  const base = '100.65.16'
  return network({
    network_number: number,
    member_type: 'pop',
    isolated: true,
    members: members('NL-A', 'NL-P1'),
    servers: [
      { ...SERVICES[0]!, port, ip: `${base}.1`, rate_mbps: 100 },
      { ...SERVICES[1]!, port: port + 1, ip: '100.65.128.1', pool: null, accounts: [], routes: ['10.13.1.0/24'] },
    ],
    links: [
      ...(['NL-A', 'NL-P1'] as const).map((peer, index) =>
        link({
          id: `${number}:${peer}>POP-1`,
          peer,
          role: 'server',
          kind: 'pop',
          local_ip: `${base}.1`,
          remote_ip: `${base}.${20 + index}`,
          peer_asn: ASN_FIRST + (index === 0 ? 1 : 21),
          peer_prefixes: index === 0 ? null : ['10.13.1.0/24'],
          preference: 50,
        }),
      ),
      link({
        id: `${number}:POP-1>POP-2`,
        peer: 'POP-2',
        role: 'client',
        kind: 'backbone',
        remotes: [{ host: '198.51.100.2', port: port + 2 }],
        local_ip: `${base}.1`,
        remote_ip: '100.65.32.1',
        mask: 32,
        peer_asn: ASN_FIRST + 902,
        preference: 20,
        rate_mbps: 100,
      }),
      link({
        id: `${number}:POP-3>POP-1`,
        peer: 'POP-3',
        role: 'server',
        kind: 'backbone',
        port: port + 4,
        local_ip: `${base}.1`,
        remote_ip: '100.65.48.1',
        mask: 32,
        peer_asn: ASN_FIRST + 903,
        preference: 20,
        rate_mbps: 100,
      }),
    ],
    routing: { ...PASS, system: ['100.65.128.0/20'] },
  })
}

/** A second network of `NL-A`, in which it is a point of the centre `NL-B`. */
export const secondNetwork = (over: Partial<SentNetwork>, ofLink: Partial<SentLink> = {}): SentNetwork =>
  network({
    network_number: 'N2',
    members: members('NL-A', 'NL-B'),
    links: [
      link({
        id: 'N2:NL-A>NL-B',
        peer: 'NL-B',
        role: 'client',
        remotes: [{ host: '203.0.113.20', port: 20_004 }],
        local_ip: '100.64.64.7',
        remote_ip: '100.64.64.1',
        peer_asn: ASN_FIRST + 2,
        ...ofLink,
      }),
    ],
    ...over,
  })

export const routed = (routing: Partial<Routing>): Partial<SentNetwork> => ({
  routing: { ...PASS, system: ['100.64.16.0/20'], ...routing },
})
export const twoCenters = (main: number) => [
  { ...access('N1', 1, 'A').client, preference: main },
  access('N1', 1, 'B').client,
]
export const withTwoCenters = { members: members('NL-A', 'NL-B', 'NL-P1') }
export const dynamicPoint = [{ ...access('N1', 1, 'A').server, peer_prefixes: null }, access('N1', 2, 'A').server]
