import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { interfaceInfo } from '#contract/kernel/protocol.ts'
import { declaredLan } from '#infra/agent/machine/declared-lan.ts'
import { parseIpAddr } from '#infra/agent/machine/ip-addr.ts'
import { linuxMachine, parseDefaultRoute, parseNetDev } from '#infra/agent/machine/linux.ts'

const NET_DEV = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:    3193      29    0    0    0     0          0         0     3193      29    0    0    0     0       0          0
  eth0: 682534250   16826    0    0    0     0          0         0  1079913    9383    0    0    0     0       0          0
ppp0:12 1 0 0 0 0 0 0 34 1 0 0 0 0 0 0
wlp2s0.100: 9007199254740991 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0
`

describe('/proc/net/dev', () => {
  it('gives received and sent bytes, with or without a space after the colon', () => {
    expect(parseNetDev(NET_DEV)).toEqual({
      eth0: { rx: 682534250, tx: 1079913 },
      ppp0: { rx: 12, tx: 34 },
      'wlp2s0.100': { rx: 9007199254740991, tx: 0 },
    })
  })

  it.each(['', 'garbage\n', ' eth0:\n', ' eth0: x y\n', ' eth0: 1 2 3\n'])('gives nothing for %j', (text) => {
    expect(parseNetDev(text)).toEqual({})
  })
})

describe('/proc/net/route', () => {
  const row = (...columns: string[]) => columns.join('\t')
  const head = row('Iface', 'Destination', 'Gateway', 'Flags', 'RefCnt', 'Use', 'Metric', 'Mask')

  it('finds the default route with the lowest metric that is up', () => {
    const text = [
      head,
      row('lan0', '000200C0', '00000000', '0001', '0', '0', '0', '00FFFFFF'),
      row('lte0', '00000000', '010200C0', '0003', '0', '0', '700', '00000000'),
      row('eth1', '00000000', '010200C0', '0003', '0', '0', '100', '00000000'),
      row('dead', '00000000', '010200C0', '0002', '0', '0', '1', '00000000'),
      row('tun0', '00000000', '010200C0', '0003', '0', '0', '0', '00000080'), // 0/1, half of everything
    ].join('\n')
    expect(parseDefaultRoute(text)).toBe('eth1')
  })

  it('is null without a default route', () => {
    expect(parseDefaultRoute(head)).toBeNull()
    expect(parseDefaultRoute('')).toBeNull()
  })
})

describe('ip -j -d addr show', () => {
  const link = (over: object) => ({
    ifname: 'eth0',
    flags: ['BROADCAST', 'UP', 'LOWER_UP'],
    mtu: 1500,
    operstate: 'UP',
    link_type: 'ether',
    address: '02:fc:00:00:00:01',
    addr_info: [{ family: 'inet', local: '192.0.2.2', prefixlen: 24, scope: 'global' }],
    ...over,
  })
  const parse = (...links: object[]) => parseIpAddr(JSON.stringify(links), 'eth0')

  it('names the lasting IPv6 address beside the IPv4 address', () => {
    const ipv6 = (local: string, over: object = {}) => ({
      family: 'inet6',
      local,
      prefixlen: 64,
      scope: 'global',
      ...over,
    })
    const [ipv4] = link({}).addr_info
    const of = (...addr_info: object[]) => parse(link({ addr_info })).map(({ ip, ip6 }) => [ip, ip6])
    const brief = [ipv6('2400::1', { temporary: true }), ipv6('2400::2', { deprecated: true })]
    expect(of(ipv4!, ...brief, ipv6('2400::3'), ipv6('2400::4'))).toEqual([['192.0.2.2', '2400::3']])
    expect(of(ipv4!, ...brief, ipv6('fe80::1', { scope: 'link' }))).toEqual([['192.0.2.2', undefined]])
    expect(of(ipv6('2400::3'))).toEqual([['2400::3', undefined]])
  })

  it('assigns roles wan, lan and tunnel, and omits loopback and virtual devices', () => {
    const found = parse(
      link({ ifname: 'lo', flags: ['LOOPBACK', 'UP'] }),
      {},
      link({}),
      link({ ifname: 'br-lan', linkinfo: { info_kind: 'bridge' } }),
      link({
        ifname: 'tun0',
        linkinfo: { info_kind: 'tun' },
        link_type: 'none',
        address: undefined,
        operstate: 'UNKNOWN',
      }),
      link({ ifname: 'ifb0', linkinfo: { info_kind: 'ifb' } }),
    )
    expect(found.map((i) => [i.interface, i.role, i.up, i.mac])).toEqual([
      ['eth0', 'wan', true, '02:fc:00:00:00:01'],
      ['br-lan', 'lan', true, '02:fc:00:00:00:01'],
      ['tun0', 'tunnel', true, ''],
    ])
  })

  it.each([
    [{ addr_info: [] }, { ip: '', mask: 0, protocol: 'static' }],
    [{ operstate: 'DOWN' }, { up: false }],
    [{ flags: ['BROADCAST'] }, { up: false }],
    [
      { addr_info: [{ family: 'inet', local: '10.0.0.9', prefixlen: 8, scope: 'global', dynamic: true }] },
      { protocol: 'dhcp' },
    ],
    [
      { ifname: 'ppp0', addr_info: [{ family: 'inet', local: '10.0.0.9', prefixlen: 32, scope: 'global' }] },
      { protocol: 'pppoe' },
    ],
    [
      {
        addr_info: [
          { family: 'inet6', local: 'fe80::1', prefixlen: 64, scope: 'link' },
          { family: 'inet6', local: 'fd00::2', prefixlen: 64, scope: 'global' },
        ],
      },
      { ip: 'fd00::2', mask: 64 },
    ],
  ])('%j', (over, expected) => {
    expect(parse(link(over))[0]).toMatchObject(expected)
  })

  it('gives each port a stable, unique id', () => {
    const [a] = parse(link({ mtu: 1400 }))
    const [b] = parse(link({}))
    const [c] = parse(link({ ifname: 'eth1' }))
    expect(a!.interface_uuid).toBe(b!.interface_uuid)
    expect(a!.interface_uuid).not.toBe(c!.interface_uuid)
  })
})

describe('a declared segment', () => {
  it.each([
    ['lan0=10.13.0.0/24', '10.13.0.1', 24],
    ['lan0=10.13.0.254/24', '10.13.0.254', 24],
    ['lan0=10.13.0.7/32', '10.13.0.7', 32],
  ])('%s', (text, ip, mask) => {
    const lan = declaredLan(text)
    expect(lan).toMatchObject({ ip, mask, role: 'lan', interface_uuid: 'declared-lan0' })
    expect(interfaceInfo.safeParse(lan).success).toBe(true)
  })

  it.each(['lan0', 'lan0=10.13.0.0', 'lan0=10.13.0.0/33', '=10.13.0.0/24', 'a name=10.13.0.0/24', 'lan0=010.1.1.0/24'])(
    'refuses %s',
    (text) => {
      expect(() => declaredLan(text)).toThrow('--lan')
    },
  )
})

describe('this machine', () => {
  it('has interfaces the protocol accepts, counters that count them, and omits loopback', async () => {
    const machine = await linuxMachine([declaredLan('lan77=10.77.0.0/24')])
    const interfaces = await machine.interfaces()
    for (const info of interfaces) expect(interfaceInfo.parse(info)).toEqual(info)
    const names = interfaces.map((i) => i.interface)
    expect(names).toContain('lan77')
    expect(names).not.toContain('lo')
    const wan = parseDefaultRoute(readFileSync('/proc/net/route', 'utf8'))
    expect(interfaces.filter((i) => i.role === 'wan').map((i) => i.interface)).toEqual(wan === null ? [] : [wan])
    const counters = await machine.counters()
    expect(Object.keys(counters).toSorted()).toEqual(names.filter((n) => n !== 'lan77').toSorted())
    expect(machine.bootId).toMatch(/^[0-9a-f-]{36}$/)
    expect(await machine.fingerprint()).toBe(await machine.fingerprint())
  })
})
