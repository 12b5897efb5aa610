import { describe, expect, it } from 'vitest'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import { compileDial } from '#domain/network/compile/dial.ts'
import { awaitedCenters } from '#domain/network/compile/reconnects.ts'
import { type StoredDocumentMember, hasNames, toNetworkRows, withoutNames } from '#domain/network/compile/rows.ts'

const member = (routerId: number, over: Partial<StoredDocumentMember> = {}): StoredDocumentMember => ({
  routerId,
  routerName: routerId === 1 ? 'C1' : `P${routerId}`,
  routerType: routerId === 9 ? 2 : 1,
  memberType: routerId === 1 ? 'center' : 'point',
  segmentIndex: routerId === 1 ? 1 : null,
  host: routerId + 1,
  remoteHost: `8.8.8.${routerId}`,
  probePort: 7000,
  vpn: 0,
  lans: '[]',
  staticRoutes: '[]',
  ...over,
})

type Center = Partial<StoredDocumentMember>
const rowsWith = (center: Center, vpn: 0 | 1 = 0, fixed: object | null = null) =>
  toNetworkRows(
    {
      number: 'N1',
      ciphers: 'default',
      secret: 'ab',
      settings: [],
      memberSettings:
        fixed === null ? [] : [{ routerId: 1, setting: 'fixed_port', value: JSON.stringify(fixed), revision: 1 }],
    },
    [member(1, { vpn, ...center }), member(2, { vpn }), member(9)],
  )
const compile = (...rows: Parameters<typeof rowsWith>) =>
  compileRouter('P2', [rowsWith(...rows)], () => 'ab'.repeat(16))
const linkOf = (...rows: Parameters<typeof rowsWith>) => compile(...rows).networks[0]!.links[0]!
const device = (...seen: string[]) => JSON.stringify({ flag: [], reported: [], seen })
const ALL: Center = { endpoints: '["vpn.a.cn","10.0.0.1"]', deviceEndpoints: device('8.8.8.1', '2400:3200::1') }
const HOSTS = ['vpn.a.cn', '10.0.0.1', '8.8.8.1', '2400:3200::1']

describe('hubs.md, Endpoints · documents', () => {
  it.each([0, 1] as const)('with one address are those of the release before, byte by byte (tunnels: %i)', (vpn) => {
    const before = canonicalJson(compile({}, vpn))
    expect(canonicalJson(compile({ deviceEndpoints: device('8.8.8.1') }, vpn))).toBe(before)
    expect(canonicalJson(compile({ endpoints: '["8.8.8.1"]' }, vpn))).toBe(before)
    expect(before).not.toContain('endpoints')
  })

  it('have all in their order: to dial with the port of the service, to probe with that of the probes', () => {
    const link = linkOf(ALL)
    const { port } = linkOf({}).remotes[0]!
    expect(link.remotes).toEqual(HOSTS.map((host) => ({ host, port })))
    expect(link.endpoints).toEqual(HOSTS.map((host) => ({ host, port: 7000 })))
    expect(link.endpoint).toEqual({ host: '10.0.0.1', port: 7000 })
  })

  it('probe inside a tunnel, whatever is dialled', () => {
    const link = linkOf(ALL, 1)
    expect(link.remotes.map(({ host }) => host)).toEqual(HOSTS)
    expect([link.endpoint, link.endpoints]).toEqual([{ host: link.remote_ip, port: 7000 }, undefined])
    const named = linkOf({ endpoints: '["vpn.a.cn"]', remoteHost: null }, 1)
    expect([named.remotes[0]?.host, named.endpoint?.port]).toEqual(['vpn.a.cn', 7000])
  })

  it('with names alone have no address to probe, and a list', () => {
    const link = linkOf({ endpoints: '["vpn.a.cn"]', remoteHost: null })
    expect([link.endpoint, link.endpoints]).toEqual([null, [{ host: 'vpn.a.cn', port: 7000 }]])
  })

  it('have the address of the setting alone where the account has chosen one there', () => {
    const none = { public_ip: null, public_port: null, static_port: null }
    const chosen = { public_ip: '8.8.4.4', public_port: 4500, static_port: 4500 }
    const fixed = { router_service: chosen, software_service: none }
    expect(linkOf(ALL, 0, fixed).remotes).toEqual([{ host: '8.8.4.4', port: 4500 }])
    const port = { router_service: { ...chosen, public_ip: null }, software_service: none }
    expect(linkOf(ALL, 0, port).remotes).toEqual(HOSTS.map((host) => ({ host, port: 4500 })))
  })

  it('leave out what is no host, and names where they are not taken', () => {
    expect(linkOf({ endpoints: '["no host","a.cn;b"]' }).remotes.map(({ host }) => host)).toEqual(['8.8.8.1'])
    const rows = rowsWith(ALL)
    expect([hasNames(rows), hasNames(withoutNames(rows))]).toEqual([true, false])
    const plain = compileRouter('P2', [withoutNames(rows)], () => 'ab'.repeat(16)).networks[0]!.links[0]!
    expect(plain.remotes.map(({ host }) => host)).toEqual(HOSTS.slice(1))
    const unnamed = rowsWith({ deviceEndpoints: device('8.8.8.1') })
    expect(withoutNames(unnamed)).toBe(unnamed)
    const only = withoutNames(rowsWith({ endpoints: '["vpn.a.cn"]', remoteHost: null }))
    expect(only.members[0]?.endpoint).toBeNull()
  })

  it('of software members have addresses alone', () => {
    expect(compileDial('P9', rowsWith(ALL)).servers[0]?.remotes.map(({ host }) => host)).toEqual(HOSTS.slice(1))
  })

  it('that gain an address wait for no centre', () => {
    expect(awaitedCenters(() => compile({}, 1), compile(ALL, 1)).size).toBe(0)
  })
})
