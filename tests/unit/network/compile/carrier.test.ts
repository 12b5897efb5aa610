import { describe, expect, it } from 'vitest'
import { compileRouter } from '#domain/network/compile/compile.ts'
import { type StoredDocumentMember, type StoredPopNode, toNetworkRows } from '#domain/network/compile/rows.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const member = (routerId: number, memberType: 'center' | 'point', over: Partial<StoredDocumentMember> = {}) => ({
  routerId,
  routerName: `${memberType === 'center' ? 'C' : 'P'}${routerId}`,
  routerType: 1 as const,
  memberType,
  segmentIndex: memberType === 'center' ? routerId : null,
  host: routerId + 1,
  remoteHost: `203.0.113.${routerId}`,
  probePort: 7000 + routerId,
  lans: '[]',
  staticRoutes: '[]',
  ...over,
})
const node = (over: Partial<StoredPopNode> = {}): StoredPopNode => ({
  routerId: 90,
  routerName: 'N90',
  areaId: 1,
  segmentIndex: 100,
  portIndex: 0,
  bandwidth: 50,
  remoteHost: '198.51.100.1',
  probePort: 7090,
  ...over,
})
const TWIN = {
  enable: 1,
  server: 1,
  gateway: '',
  mask: 30,
  ports: { public_ip: null, public_port: null, static_port: null },
}
const LINKS = [{ serverId: 3, clientId: 4, gateway: '172.29.1.0', mask: 30, port: 24_001 }]

const MUTUAL = LINKS.map((link) => ({ ...link, clientPort: 24_009 }))

/** Two centres with a twin-centre link without a segment, two points with a link, a node; `vpn` by router id. */
const rowsWith = (
  vpn: Readonly<Record<number, number | null>>,
  over: Partial<StoredDocumentMember> = {},
  pointLinks: typeof LINKS = LINKS,
) =>
  toNetworkRows(
    {
      number: 'N1',
      ciphers: 'default',
      secret: 'ab',
      settings: [{ setting: 'center_link', value: JSON.stringify(TWIN), revision: 1 }],
      memberSettings: [
        { routerId: 3, setting: 'ov', value: JSON.stringify({ main: 1, backup: null, priority: 3 }), revision: 1 },
      ],
      pointLinks,
      popNodes: [node({ vpn: vpn[90] ?? null })],
    },
    [member(1, 'center', over), member(2, 'center'), member(3, 'point'), member(4, 'point')].map((m) => ({
      ...m,
      vpn: vpn[m.routerId] ?? null,
    })),
  )
const compile = (name: string, rows: ReturnType<typeof rowsWith>) =>
  compileRouter(name, [rows], () => 'ab'.repeat(16)).networks[0]!
const linkOf = (name: string, peer: string, rows: ReturnType<typeof rowsWith>) =>
  compile(name, rows).links.find((link) => link.peer === peer)!

describe('infra/docs/agent.md · carrier of a link', () => {
  it('is tunnel where both ends run tunnels, of every kind of link', async () => {
    const pairs = [
      ['P4', 'C1', 4, 1],
      ['C2', 'C1', 2, 1],
      ['P4', 'P3', 4, 3],
      ['P3', 'N90', 3, 90],
    ] as const
    const flags = [
      [1, 1, 'tunnel'],
      [1, 0, 'probe'],
      [0, 1, 'probe'],
      [null, 1, 'probe'],
      [null, null, 'probe'],
    ] as const
    const cases = pairs.flatMap(([client, server, one, other]) =>
      flags.map(
        ([a, b, carrier]) =>
          [
            `${client} ${a} ${server} ${b}`,
            { client, server, rows: rowsWith({ [one]: a, [other]: b }), carrier },
          ] as const,
      ),
    )
    const offenders = await findOffenders(cases)((_, { client, server, rows, carrier }) => {
      const [own, other] = [linkOf(client, server, rows), linkOf(server, client, rows)]
      expect([own.carrier, other.carrier]).toEqual([carrier, carrier])
      expect(own.endpoint?.host).toBe(carrier === 'tunnel' ? own.remote_ip : own.remotes[0]?.host)
      expect(other.endpoint).toBeNull()
    })
    expect(offenders).toEqual([])
  })

  it('leads the probe to the inner address and the port at which the peer answers, once that is known', () => {
    const both = { 1: 1, 4: 1 }
    expect(linkOf('P4', 'C1', rowsWith(both)).endpoint).toEqual({ host: '100.64.32.1', port: 7001 })
    expect(linkOf('P4', 'C1', rowsWith(both, { remoteHost: null })).endpoint).toBeNull()
    expect(linkOf('P4', 'C1', rowsWith(both, { probePort: 0 })).endpoint).toBeNull()
  })

  it('makes both ends of a point link dial each other, where both run tunnels', () => {
    const ends = (rows: ReturnType<typeof rowsWith>) =>
      [linkOf('P3', 'P4', rows), linkOf('P4', 'P3', rows)].map(({ role, port, remotes }) => ({ role, port, remotes }))
    const toClient = [{ host: '203.0.113.3', port: 24_001 }]
    expect(ends(rowsWith({ 3: 1, 4: 1 }, {}, MUTUAL))).toEqual([
      { role: 'server', port: 24_001, remotes: [{ host: '203.0.113.4', port: 24_009 }] },
      { role: 'client', port: 24_009, remotes: toClient },
    ])
    const before = [
      { role: 'server', port: 24_001, remotes: [] },
      { role: 'client', port: null, remotes: toClient },
    ]
    expect(ends(rowsWith({ 3: 1 }, {}, MUTUAL))).toEqual(before)
    expect(ends(rowsWith({ 3: 1, 4: 1 }))).toEqual(before)
  })

  it('leads the probe of a twin-centre link without a segment to the other centre’s address as a server', () => {
    const rows = rowsWith({ 1: 1, 2: 1 })
    const link = linkOf('C2', 'C1', rows)
    expect(link).toMatchObject({ kind: 'center', mask: 32, carrier: 'tunnel' })
    expect(link.endpoint).toEqual({ host: compile('C1', rows).addresses[0]?.ip, port: 7001 })
  })
})

describe('network 7 · a disabled router that runs tunnels', () => {
  const disabled = rowsWith({ 1: 1 }, { status: 0 })
  it('is in no other document: no link, address, member or file of it', () => {
    for (const name of ['C2', 'P3', 'P4', 'N90']) {
      expect(JSON.stringify(compile(name, disabled))).not.toContain('C1')
    }
    expect(compile('P4', disabled).routing.paths).toBe(1)
  })
  it('has a document of its own as before', () => {
    expect(compile('C1', disabled)).toEqual(compile('C1', rowsWith({ 1: 1 })))
  })
  it('without tunnels stays in all documents, so that a release pushes nothing', () => {
    const before = rowsWith({}, {})
    const after = rowsWith({}, { status: 0 })
    for (const name of ['C1', 'C2', 'P3', 'P4', 'N90']) expect(compile(name, after)).toEqual(compile(name, before))
  })
})
