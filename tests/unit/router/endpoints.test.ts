import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#contract/device/limits.ts'
import { endpointsForm, isEndpointHost } from '#contract/router/endpoints.ts'
import {
  deviceEndpoints,
  firstSeen,
  listEndpoints,
  seeAddress,
  settleAddress,
  settlesAt,
  toEndpoints,
  tunnelAddress,
} from '#domain/router/endpoints.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const T0 = 1_800_000_000_000
const A = '8.8.8.1'
const B = '8.8.8.2'
const V6 = '2400:3200::1'
const NONE = { flag: [], reported: [], seen: [] }

describe('hubs.md, Endpoints · hosts', () => {
  it('are addresses of other hosts and names, without a port', async () => {
    const offenders = await findOffenders([
      ['203.0.113.10', true],
      ['10.0.0.1', true],
      ['2400:3200::1', true],
      ['fd00::1', true],
      ['vpn.example.com', true],
      ['a-b.c1.lan', true],
      ['xn--fiq228c.cn', true],
      ['127.0.0.1', false],
      ['0.0.0.0', false],
      ['224.0.0.1', false],
      ['255.255.255.255', false],
      ['::1', false],
      ['::', false],
      ['::ffff:10.0.0.1', false],
      ['fe80::1', false],
      ['ff02::1', false],
      ['203.0.113.10:1194', false],
      ['[2400:3200::1]', false],
      ['localhost', false],
      ['VPN.example.com', false],
      ['vpn.example.com.', false],
      ['vpn_1.example.com', false],
      ['203.0.113', false],
      ['0x7f.1', false],
      ['-a.cn', false],
      ['a.cn\nremote b', false],
      [`${'a.'.repeat(126)}cn`, false],
      ['', false],
    ])((text, isOne) => expect(isEndpointHost(text)).toBe(isOne))
    expect(offenders).toEqual([])
  })

  it('of the form are cleaned, of a limited number, and different', () => {
    const parse = (...hosts: string[]) => endpointsForm.safeParse({ endpoints: hosts.map((host) => ({ host })) })
    expect(parse(' VPN.Example.com ', '２０３.0.113.10').data?.endpoints).toEqual([
      { host: 'vpn.example.com' },
      { host: '203.0.113.10' },
    ])
    const sentence = (...hosts: string[]) => parse(...hosts).error?.issues[0]?.message
    expect(sentence(A, A)).toBe('接入地址不能重复')
    expect(parse('', '').error?.issues.map(({ message }) => message)).not.toContain('接入地址不能重复')
    expect(sentence(...['1', '2', '3', '4', '5'].map((n) => `a${n}.cn`))).toBe('接入地址最多添加4个')
    expect(sentence('203.0.113.10:1194')).toBe('请输入正确的IP地址或域名，不含端口')
    expect(sentence('')).toBe('请输入IP地址或域名')
  })
})

describe('hubs.md, Endpoints · order', () => {
  it('is that of the account, the command line, the WAN, IPv4 and IPv6 as seen, each address once', () => {
    const device = { flag: ['vpn.a.cn', A], reported: [B, V6], seen: [A, '2400:3200:0::1'] }
    expect(listEndpoints(['8.8.8.9'], device)).toEqual([
      { host: '8.8.8.9', source: 'chosen' },
      { host: 'vpn.a.cn', source: 'flag' },
      { host: A, source: 'flag' },
      { host: B, source: 'reported' },
      { host: V6, source: 'reported' },
    ])
    const many = Array.from({ length: 20 }, (_, n) => `8.8.4.${n + 1}`)
    expect(listEndpoints([], { ...NONE, reported: many })).toHaveLength(ENDPOINTS.listMax)
  })

  it('of a row that its hub has not saved is the seen address alone', () => {
    const row = { endpoints: '[]', deviceEndpoints: null, remoteHost: A }
    expect(toEndpoints(row)).toEqual([{ host: A, source: 'seen' }])
    expect(toEndpoints({ ...row, remoteHost: null })).toEqual([])
    expect(toEndpoints({ ...row, remoteHost: '' })).toEqual([])
    expect(toEndpoints({ ...row, endpoints: '["vpn.a.cn"]' }).map(({ host }) => host)).toEqual(['vpn.a.cn', A])
    const deviceEndpoints = JSON.stringify({ ...NONE, reported: [B], seen: [V6] })
    expect(toEndpoints({ ...row, deviceEndpoints }).map(({ host }) => host)).toEqual([B, V6])
  })

  it('takes public addresses of a WAN that is up, and valid ones of the command line', () => {
    const port = { interface: 'eth0', interface_uuid: '', protocol: 'dhcp', mask: 24, mac: '', mtu: 1500 } as const
    const interfaces = [
      { ...port, role: 'wan', up: true, ip: A, ip6: V6 },
      { ...port, role: 'wan', up: true, ip: '100.64.3.4', ip6: 'fd00::1' },
      { ...port, role: 'wan', up: false, ip: '8.8.8.3' },
      { ...port, role: 'lan', up: true, ip: '8.8.8.4' },
    ] as const
    const device = { remoteHost: B, interfaces, endpoints: ['vpn.a.cn', 'no host', '127.0.0.1'], seen: firstSeen(B) }
    expect(deviceEndpoints(device)).toEqual({ flag: ['vpn.a.cn'], reported: [A, V6], seen: [B] })
    const { seen: _, ...earlier } = device
    expect(deviceEndpoints(earlier)).toEqual({ ...NONE, seen: [B] })
  })

  it('gives tunnels an IPv4 address where there is one', () => {
    expect(tunnelAddress(A, { ...NONE, seen: [B] })).toBe(A)
    expect(tunnelAddress(V6, { ...NONE, seen: [B, V6] })).toBe(B)
    expect(tunnelAddress(V6, { ...NONE, seen: [V6], reported: [B] })).toBe(B)
    expect(tunnelAddress(V6, { ...NONE, seen: [V6] })).toBe(V6)
    expect(tunnelAddress('', { ...NONE, seen: [A] })).toBe(A)
    expect(tunnelAddress('', NONE)).toBe('')
  })
})

describe('hubs.md, Endpoints · seen', () => {
  /** Connections from these addresses, a minute apart, and the addresses that count after them. */
  const after = (...hosts: readonly string[]) => {
    const seen = hosts.reduce((state, host, n) => seeAddress(state, host, T0 + n * 60_000), firstSeen(''))
    return [seen.v4, seen.v6, seen.next?.host ?? null]
  }

  it.each([
    [[], ['', '', null]],
    [[A], [A, '', null]],
    [[V6], ['', V6, null]],
    [
      [A, B],
      [A, '', B],
    ],
    [
      [A, V6],
      [A, '', V6],
    ],
    [
      [A, B, A],
      [A, '', null],
    ],
    [
      [A, B, ''],
      [A, '', null],
    ],
    [
      ['', A],
      [A, '', null],
    ],
  ])('of connections from %j: %j', (hosts, expected) => expect(after(...hosts)).toEqual(expected))

  it('moves once another address has stood for ten minutes, counted from its first connection in a row', () => {
    const moved = seeAddress(seeAddress(firstSeen(A), B, T0), B, T0 + 300_000)
    expect(settlesAt(moved)).toBe(T0 + 600_000)
    expect(settleAddress(moved, T0 + 599_999)).toBe(moved)
    expect(settleAddress(moved, T0 + 600_000)).toEqual({ v4: B, v6: '', next: null })
    const second = seeAddress(firstSeen(A), V6, T0)
    expect(settleAddress(second, T0 + 600_000)).toEqual({ v4: A, v6: V6, next: null })
    expect([settlesAt(firstSeen(A)), settleAddress(firstSeen(A), T0)]).toEqual([null, firstSeen(A)])
  })
})
