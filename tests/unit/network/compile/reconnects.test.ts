import { expect, it } from 'vitest'
import { type RouterDocument, routerDocument } from '#contract/device/document.ts'
import { awaitedCenters, reconnectsBetween } from '#domain/network/compile/reconnects.ts'
import { findOffenders } from '#tests/support/offenders.ts'

type Network = RouterDocument['networks'][number]
type Link = Network['links'][number]

const pem = (label: string, text: string) => `-----BEGIN ${label}-----\n${text}\n-----END ${label}-----\n`
const AUTHORITY = {
  id: 'ab'.repeat(16),
  ca: pem('CERTIFICATE', 'Y2E='),
  certificate: pem('CERTIFICATE', 'b25l'),
}
const link = (id: string, over: Partial<Link>): Partial<Link> => ({
  id: `N1:${id}`,
  peer: id.replace(/[^>]*>/, ''),
  endpoint: null,
  key: 'ab'.repeat(16),
  carrier: 'tunnel',
  ...over,
})

/** A centre of two points with a service for software members, that dials its twin centre and a node. */
const DOCUMENT = routerDocument.parse({
  router_name: 'A',
  authorities: [AUTHORITY],
  networks: [
    {
      network_number: 'N1',
      member_type: 'center',
      ciphers: 'default',
      addresses: [],
      software_segment: '10.9.0.0/24',
      members: [],
      links: [
        link('P1>A', { peer: 'P1', role: 'server', local_ip: '10.8.0.1', remote_ip: '10.8.0.3', mask: 24 }),
        link('P2>A', { peer: 'P2', role: 'server', local_ip: '10.8.0.1', remote_ip: '10.8.0.4', mask: 24 }),
        link('A>B', {
          role: 'client',
          kind: 'center',
          remotes: [{ host: '203.0.113.2', port: 4500 }],
          local_ip: '172.30.0.2',
          remote_ip: '172.30.0.1',
          mask: 30,
        }),
        link('B2>A', {
          peer: 'B2',
          role: 'server',
          kind: 'point',
          port: 4600,
          remotes: [{ host: '203.0.113.4', port: 4601 }],
          local_ip: '172.29.0.1',
          remote_ip: '172.29.0.2',
          mask: 30,
        }),
      ],
      servers: [
        {
          service: 'router',
          port: 2000,
          ip: '10.8.0.1',
          mask: 24,
          pool: null,
          accounts: [],
          routes: [],
          rate_mbps: null,
        },
        {
          service: 'software',
          port: 2001,
          ip: '10.9.0.1',
          mask: 24,
          pool: { first: '10.9.0.2', last: '10.9.0.254' },
          accounts: [{ id: 9, name: 'app', ip: '10.9.0.9', credential_version: 0 }],
          routes: ['10.1.0.0/24'],
          rate_mbps: null,
        },
      ],
      authority: AUTHORITY.id,
      control_key: 'ab'.repeat(256),
      revoked: pem('X509 CRL', 'bm9uZQ=='),
    },
  ],
})
const ALL = ['A>B', 'B2>A', 'P1>A', 'P2>A', 'software']

const change = (of: (network: Network) => Partial<Network>): RouterDocument => ({
  ...DOCUMENT,
  networks: DOCUMENT.networks.map((network) => ({ ...network, ...of(network) })),
})
const ofLink = (id: string, over: Partial<Link>) =>
  change(({ links }) => ({ links: links.map((one) => (one.id === `N1:${id}` ? { ...one, ...over } : one)) }))
const ofServer = (service: 'router' | 'software', over: Partial<Network['servers'][number]>) =>
  change(({ servers }) => ({ servers: servers.map((one) => (one.service === service ? { ...one, ...over } : one)) }))
const ofAuthority = (over: Partial<typeof AUTHORITY> | { certificate: null }) => ({
  ...DOCUMENT,
  authorities: [{ ...AUTHORITY, ...over }],
})

it('infra/docs/agent.md · tunnels restart with what they are made of, and with nothing else', async () => {
  const cases: readonly (readonly [string, RouterDocument, readonly string[]])[] = [
    ['nothing', DOCUMENT, []],
    ['ciphers', change(() => ({ ciphers: 'sm' })), ALL],
    ['control key', change(() => ({ control_key: 'cd'.repeat(256) })), ALL],
    ['authority', ofAuthority({ ca: pem('CERTIFICATE', 'b3RoZXI=') }), ALL],
    ['a first certificate', ofAuthority({ certificate: null }), ALL],
    ['a renewed certificate', ofAuthority({ certificate: pem('CERTIFICATE', 'dHdv') }), []],
    ['revocation list', change(() => ({ revoked: pem('X509 CRL', 'c29tZQ==') })), []],
    ['port of the service for routers', ofServer('router', { port: 3000 }), ['P1>A', 'P2>A']],
    ['segment of the service for routers', ofServer('router', { mask: 22 }), ['P1>A', 'P2>A']],
    ['rate of the service for routers', ofServer('router', { rate_mbps: 50 }), []],
    ['port of the service for software', ofServer('software', { port: 3001 }), ['software']],
    ['pool', ofServer('software', { pool: { first: '10.9.0.8', last: '10.9.0.9' } }), ['software']],
    ['accounts', ofServer('software', { accounts: [] }), []],
    ['routes of software members', ofServer('software', { routes: [] }), []],
    ['DNS', change(() => ({ dns: ['10.1.0.53'] })), []],
    ['inner address of a point', ofLink('P1>A', { remote_ip: '10.8.0.77' }), ['P1>A']],
    ['carrier, which the peer’s release decides', ofLink('P1>A', { carrier: 'probe' }), []],
    ['targets of a client', ofLink('A>B', { remotes: [{ host: '203.0.113.9', port: 4500 }] }), ['A>B']],
    [
      'target that cannot be dialled',
      ofLink('A>B', {
        remotes: [
          { host: '203.0.113.2', port: 4500 },
          { host: '::1', port: 1 },
        ],
      }),
      [],
    ],
    ['peer', ofLink('A>B', { peer: 'C' }), ['A>B']],
    ['address of a client, which its server assigns', ofLink('A>B', { local_ip: '172.30.0.6' }), []],
    ['kind and own address of a client', ofLink('A>B', { kind: 'access', local_ip: '172.30.0.6' }), ['A>B']],
    ['segment that is given up', ofLink('A>B', { mask: 32 }), ['A>B']],
    ['port of a link that both ends dial', ofLink('B2>A', { port: 4700 }), ['B2>A']],
    ['own address of a link that both ends dial', ofLink('B2>A', { local_ip: '172.29.0.5' }), ['B2>A']],
    ['address of its other end, which is in the segment', ofLink('B2>A', { remote_ip: '172.29.0.6' }), []],
    ['targets of its server end', ofLink('B2>A', { remotes: [{ host: '203.0.113.9', port: 4601 }] }), ['B2>A']],
    ['probe', ofLink('P1>A', { key: 'cd'.repeat(16), endpoint: { host: '10.8.0.3', port: 7000 } }), []],
    ['routing', ofLink('P1>A', { preference: 45, peer_prefixes: ['10.1.0.0/24'], peer_asn: 9, rate_mbps: 5 }), []],
    [
      'rows',
      change(({ routing }) => ({
        routing: { ...routing, rows: [{ permit: false, prefix: '10.0.0.0/8', ge: null, le: null }] },
      })),
      [],
    ],
    ['members', change(({ links }) => ({ links: links.slice(1), members: [] })), []],
    ['network', { ...DOCUMENT, networks: [] }, []],
  ]
  const offenders = await findOffenders(cases)((_, after, expected) => {
    const { links, software } = reconnectsBetween(DOCUMENT, after)
    const names = [...links.map((id) => id.replace('N1:', '')), ...software.map(() => 'software')]
    expect(names.toSorted()).toEqual(expected.toSorted())
  })
  expect(offenders).toEqual([])
})

it('infra/docs/hubs.md · a point waits for the centres of tunnels that are new or restart at both ends', async () => {
  const access = (id: string, over: Partial<Link> = {}): Link =>
    ({
      ...DOCUMENT.networks[0]!.links[0]!,
      id: `N1:P>${id}`,
      peer: id,
      role: 'client',
      remotes: [{ host: '203.0.113.2', port: 2000 }],
      ...over,
    }) as Link
  const point = (links: readonly Link[], over: Partial<Network> = {}): RouterDocument => ({
    ...DOCUMENT,
    networks: [{ ...DOCUMENT.networks[0]!, member_type: 'point', servers: [], links: [...links], ...over }],
  })
  const before = point([access('A'), access('B')])
  const cases: readonly (readonly [string, RouterDocument, readonly string[]])[] = [
    ['nothing', before, []],
    ['DNS', point([access('A'), access('B')], { dns: ['10.1.0.53'] }), []],
    ['a centre that goes', point([access('A')]), []],
    ['a new centre', point([access('A'), access('B'), access('C')]), ['C']],
    ['ciphers', point([access('A'), access('B')], { ciphers: 'sm' }), ['A', 'B']],
    ['inner address', point([access('A', { local_ip: '10.8.0.9' }), access('B')]), ['A']],
    ['port of a centre', point([access('A', { remotes: [{ host: '203.0.113.2', port: 2500 }] }), access('B')]), ['A']],
    ['address of a centre', point([access('A', { remotes: [{ host: '203.0.113.9', port: 2000 }] }), access('B')]), []],
    ['a centre that ceases to run tunnels', point([access('A', { carrier: 'probe' }), access('B')]), []],
    ['a tunnel to another point', point([access('A'), access('B'), access('P2', { kind: 'point' })]), []],
    ['a centre of its own document', { ...DOCUMENT, networks: [] }, []],
  ]
  const offenders = await findOffenders(cases)((_, after, expected) => {
    expect(awaitedCenters(() => before, after).get('N1') ?? []).toEqual(expected)
  })
  expect(offenders).toEqual([])
  expect(awaitedCenters(() => null, before).get('N1')).toEqual(['A', 'B'])
  const unread = () => {
    throw new Error('a document without such tunnels is not compared')
  }
  expect(awaitedCenters(unread, DOCUMENT).size).toBe(0)
})
