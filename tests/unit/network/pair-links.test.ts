import { describe, expect, it } from 'vitest'
import { ASN_FIRST } from '#contract/network/limits.ts'
import { compileRouter } from '#domain/network/compile/compile.ts'
import { type PointLinkRow, type StoredDocumentMember, toNetworkRows } from '#domain/network/compile/rows.ts'
import { movedDocuments } from '#domain/network/history/setting-change.ts'

const member = (routerId: number, memberType: 'center' | 'point', over: Partial<StoredDocumentMember> = {}) => ({
  routerId,
  routerName: `${memberType === 'center' ? 'C' : 'P'}${routerId}`,
  routerType: 1 as const,
  memberType,
  segmentIndex: memberType === 'center' ? routerId : null,
  host: routerId + 1,
  remoteHost: `203.0.113.${routerId}`,
  probePort: 7000,
  lans: `["10.${routerId}.0.1/24"]`,
  staticRoutes: '[]',
  ...over,
})
const TWINS = [member(1, 'center'), member(2, 'center'), member(3, 'point')]
const POINTS = [member(3, 'point'), member(4, 'point'), member(5, 'point')]
const NO_PORTS = { public_ip: null, public_port: null, static_port: null }
const twin = (over = {}) => ({ enable: 1, server: 1, gateway: '172.31.0.0', mask: 30, ports: NO_PORTS, ...over })
const row = (setting: string, value: unknown) => ({ setting, value: JSON.stringify(value), revision: 1 })
const rows = (
  members: readonly StoredDocumentMember[],
  settings: readonly ReturnType<typeof row>[] = [],
  pointLinks: readonly PointLinkRow[] = [],
) =>
  toNetworkRows({ number: 'N1', ciphers: 'default', secret: 'ab', settings, memberSettings: [], pointLinks }, members)
const compile = (name: string, network: ReturnType<typeof rows>) =>
  compileRouter(name, [network], () => 'ab'.repeat(16)).networks[0]!
const moved = (before: ReturnType<typeof rows>, after: ReturnType<typeof rows>) =>
  [...movedDocuments(before, after)]
    .flat()
    .map(({ routerId }) => routerId)
    .toSorted()

describe('network 2 · the twin-centre link in documents', () => {
  const on = rows(TWINS, [row('center_link', twin())])
  it('moves both centres and no point', () => {
    expect(moved(rows(TWINS), on)).toEqual([1, 2])
    expect(moved(on, rows(TWINS, [row('center_link', twin({ enable: 0 }))]))).toEqual([1, 2])
  })
  it('its server answers on a port of its own, the other centre dials it', () => {
    const base = { id: 'N1:C2>C1', kind: 'center', mask: 30, preference: 20, peer_prefixes: null }
    expect(compile('C1', on).links.at(-1)).toMatchObject({
      ...base,
      role: 'server',
      peer: 'C2',
      port: 20_006,
      remotes: [],
      endpoint: null,
      local_ip: '172.31.0.1',
      remote_ip: '172.31.0.2',
      peer_asn: ASN_FIRST + 2,
    })
    expect(compile('C2', on).links.at(-1)).toMatchObject({
      ...base,
      role: 'client',
      peer: 'C1',
      port: null,
      remotes: [{ host: '203.0.113.1', port: 20_006 }],
      endpoint: { host: '203.0.113.1', port: 7000 },
      local_ip: '172.31.0.2',
      remote_ip: '172.31.0.1',
    })
  })
  it('is dialled at the public address, and needs no segment then', () => {
    const ports = { public_ip: '198.51.100.7', public_port: 5000, static_port: 6000 }
    const network = rows(TWINS, [row('center_link', twin({ gateway: '', ports }))])
    expect(compile('C2', network).links.at(-1)).toMatchObject({
      remotes: [{ host: '198.51.100.7', port: 5000 }],
      local_ip: '100.64.64.1',
      remote_ip: '100.64.32.1',
      mask: 32,
    })
    expect(compile('C1', network).links.at(-1)).toMatchObject({ port: 6000 })
  })
  it('each centre passes the other one’s software segment, and tells clients what lies behind it', () => {
    const { routing, servers } = compile('C1', on)
    expect(routing.system).toEqual(['100.64.48.0/20', '100.64.80.0/20'])
    expect(servers[1]?.routes).toEqual(['10.1.0.0/24', '10.2.0.0/24', '10.3.0.0/24'])
    expect(compile('C1', rows(TWINS)).servers[1]?.routes).toEqual(['10.1.0.0/24', '10.3.0.0/24'])
  })
  it.each([
    ['of three centres', rows([...TWINS, member(6, 'center')], [row('center_link', twin())])],
    ['of a server that is no centre any more', rows(TWINS, [row('center_link', twin({ server: 3 }))])],
    ['that is off', rows(TWINS, [row('center_link', twin({ enable: 0 }))])],
  ])('is in no document %s', (_, network) => {
    for (const name of ['C1', 'C2', 'P3'])
      expect(compile(name, network).links.filter(({ kind }) => kind === 'center')).toEqual([])
  })
})

describe('network 2 · point links in documents', () => {
  const LINK: PointLinkRow = { serverId: 3, clientId: 4, gateway: '172.31.1.0', mask: 30, port: 24_000 }
  const linked = rows(POINTS, [], [LINK])
  it('move their two ends alone', () => {
    expect(moved(rows(POINTS), linked)).toEqual([3, 4])
    expect(moved(linked, rows(POINTS, [], [{ ...LINK, port: 24_001 }]))).toEqual([3, 4])
  })
  it('say to each end what the other declares', () => {
    const base = { id: 'N1:P4>P3', kind: 'point', mask: 30, preference: 60 }
    expect(compile('P3', linked).links).toMatchObject([
      { ...base, role: 'server', peer: 'P4', port: 24_000, local_ip: '172.31.1.1', peer_prefixes: ['10.4.0.0/24'] },
    ])
    expect(compile('P4', linked).links).toMatchObject([
      {
        ...base,
        role: 'client',
        peer: 'P3',
        remotes: [{ host: '203.0.113.3', port: 24_000 }],
        local_ip: '172.31.1.2',
        peer_prefixes: ['10.3.0.0/24'],
      },
    ])
    expect(compile('P5', linked).links).toEqual([])
  })
  it('prefix rows stand at both ends only in a network without centres', () => {
    const ROWS = [{ ip: '10.8.0.0', mask: 13, name: '', permission: 'permit', ge: null, le: 32 }]
    const network = rows(POINTS, [row('prefix', ROWS)], [LINK])
    const counts = ['P3', 'P4', 'P5'].map((name) => compile(name, network).routing.rows.length)
    expect(counts).toEqual([1, 1, 0])
  })
  it('a point compiles the same from the few rows that its hub reads', () => {
    const few = rows([POINTS[0]!, POINTS[1]!], [], [LINK])
    expect(compile('P3', few)).toEqual(compile('P3', linked))
  })
})
