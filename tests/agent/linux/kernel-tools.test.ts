import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { missingTools } from '#infra/local/network-tools.ts'
import { Namespaces, type ToolHost, ip, runInside } from '../support/namespaces.ts'
import { CASES } from '../support/tunnel-documents.ts'
import { hasNamespaces } from './support/real-tools.ts'

/** The tools of the driver on a real kernel, in network namespaces of their own. */
const missing = missingTools()
const canRun = missing.length === 0 && hasNamespaces
if (!canRun) console.log(`skipped: tools of the driver (${missing.join(', ') || 'root and network namespaces'} needed)`)

const POINT = CASES['point']!
const RECEIVER = CASES['default-route-receive-point']!
const CENTER = CASES['center']!

describe.skipIf(!canRun)('tools of the driver', () => {
  let folder: string
  let spaces: Namespaces
  let router: string
  let host: ToolHost
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nl-tools-'))
    spaces = new Namespaces()
    router = spaces.add('r')
    host = spaces.openHost(router, join(folder, 'r'))
  })
  afterEach(async () => {
    spaces.remove()
    await rm(folder, { recursive: true, force: true })
  })

  /** A LAN host, an internet with a page behind the WAN, and the far end of a tunnel. */
  function addNeighbors(): { lan: string; wan: string; tunnel: string } {
    const [lan, wan, tunnel] = [spaces.add('l'), spaces.add('w'), spaces.add('t')]
    spaces.connect([router, 'lan0', '10.13.1.1/24'], [lan, 'eth0', '10.13.1.2/24'])
    spaces.connect([router, 'wan0', '203.0.113.2/24'], [wan, 'eth0', '203.0.113.1/24'])
    spaces.connect([router, 'ov1c1', '100.64.0.21/20'], [tunnel, 'ov1r', '100.64.0.1/20'])
    ip('-n', lan, 'route', 'add', 'default', 'via', '10.13.1.1')
    ip('-n', router, 'route', 'add', 'default', 'via', '203.0.113.1')
    for (const space of [wan, tunnel]) ip('-n', space, 'addr', 'add', '198.51.100.80/32', 'dev', 'lo')
    ip('-n', wan, 'route', 'add', '10.13.1.0/24', 'via', '203.0.113.2')
    ip('-n', tunnel, 'route', 'add', '10.13.1.0/24', 'via', '100.64.0.21')
    return { lan, wan, tunnel }
  }
  const without = (document: RouterDocument): RouterDocument => ({ ...document, networks: [] })
  const rulesOf = (space: string) => ip('-n', space, 'rule', 'show')

  it('policy rules: a LAN host takes the default of the tunnel, the router and its outer packets take the WAN', async () => {
    const { lan, wan, tunnel } = addNeighbors()
    const main = ip('-n', router, 'route', 'show')
    expect(await host.apply(RECEIVER, ['ip'])).toMatchObject({ unsettled: [], steps: [{ tool: 'ip', phase: 'rules' }] })
    ip('-n', router, 'route', 'add', 'default', 'via', '100.64.0.1', 'table', '200')
    const sourceOf = (...from: readonly string[]) => {
      const seen = [wan, tunnel].map((space) => () => runInside(space, 'cat', '/proc/net/snmp').split('\n')[3])
      const before = seen.map((read) => read())
      runInside(from[0]!, 'ping', '-c', '1', '-W', '2', ...from.slice(1), '198.51.100.80')
      return seen.map((read, index) => (read() === before[index] ? '' : ['wan', 'tunnel'][index])).join('')
    }
    expect([sourceOf(lan), sourceOf(router), sourceOf(router, '-m', '100')]).toEqual(['tunnel', 'wan', 'wan'])
    // without an advertiser the LAN takes the WAN
    ip('-n', router, 'route', 'del', 'default', 'table', '200')
    expect(sourceOf(lan)).toBe('wan')
    expect(ip('-n', router, 'route', 'show')).toBe(main)

    await host.apply(POINT, ['ip'])
    ip('-n', router, 'route', 'add', 'default', 'via', '100.64.0.1', 'table', '200')
    expect(sourceOf(lan)).toBe('wan') // it does not receive defaults
  })

  it('policy rules: everything goes with the tunnels, and settings of the kernel return', async () => {
    addNeighbors()
    const setting = (name: string) => runInside(router, 'cat', `/proc/sys/net/ipv4/${name}`).trim()
    runInside(router, 'sysctl', '-qw', 'net.ipv4.conf.lan0.rp_filter=1', 'net.ipv4.conf.ov1c1.rp_filter=1')
    runInside(router, 'sysctl', '-qw', 'net.ipv4.conf.wan0.rp_filter=1', 'net.ipv4.ip_forward=0')
    const before = [rulesOf(router), ip('-n', router, '-4', 'route', 'show', 'table', 'all')]
    await host.apply(CASES['static-lan-routes-point']!, ['ip'])
    expect(ip('-n', router, 'route', 'show', 'table', '200').trim()).toBe(
      '10.40.0.0/16 via 10.13.1.9 dev lan0 proto 110',
    )
    const names = ['ip_forward', 'fib_multipath_hash_policy', 'conf/lan0/rp_filter', 'conf/ov1c1/rp_filter']
    expect([...names, 'conf/wan0/rp_filter'].map(setting)).toEqual(['1', '1', '2', '2', '1'])
    // what a killed zebra left
    ip('-n', router, 'route', 'add', '10.99.0.0/16', 'via', '100.64.0.1', 'table', '200', 'proto', 'bgp')
    expect(await host.apply(null, ['ip'])).toMatchObject({ unsettled: [] })
    expect(names.map(setting)).toEqual(['0', '0', '1', '2']) // the tunnel's own goes with it
    expect([rulesOf(router), ip('-n', router, '-4', 'route', 'show', 'table', 'all')]).toEqual(before)
  })

  it('settings of the kernel: a centre answers ARP of a point for the inner address of another', async () => {
    addNeighbors()
    const point = spaces.add('p')
    spaces.connect([router, 'ov2r', '100.64.64.1/20'], [point, 'ov2c1', '100.64.64.4/20'])
    const findOther = () => {
      runInside(point, 'ping', '-c', '1', '-W', '1', '100.64.64.5')
      return ip('-n', point, 'neigh', 'show', '100.64.64.5')
    }
    await host.apply(CASES['static-lan-routes-point']!, ['ip'])
    expect(findOther()).toContain('lladdr')
    runInside(router, 'sysctl', '-qw', 'net.ipv4.conf.ov2r.proxy_arp_pvlan=0')
    ip('-n', point, 'neigh', 'flush', 'all')
    expect(findOther()).not.toContain('lladdr')
    expect(await host.apply(CASES['static-lan-routes-point']!, ['ip'])).toMatchObject({ unsettled: [] })
    ip('-n', point, 'neigh', 'flush', 'all')
    expect(findOther()).toContain('lladdr')
  })

  it('policy rules: a static route waits for its LAN, and rules that somebody removed return', async () => {
    addNeighbors()
    ip('-n', router, 'link', 'set', 'lan0', 'down')
    expect(await host.apply(CASES['static-lan-routes-point']!, ['ip'])).toMatchObject({ unsettled: [] })
    ip('-n', router, 'link', 'set', 'lan0', 'up')
    ip('-n', router, 'rule', 'del', 'pref', '200')
    expect(await host.apply(CASES['static-lan-routes-point']!, ['ip'])).toMatchObject({ unsettled: [] })
    expect(ip('-n', router, 'route', 'show', 'table', '200')).toContain('10.40.0.0/16 via 10.13.1.9')
    expect(rulesOf(router)).toContain('200:	from all lookup main suppress_prefixlength 0')
  })

  it('policy rules: a rule of somebody else in our range is a refusal with its priority', async () => {
    ip('-n', router, 'rule', 'add', 'pref', '220', 'from', '10.1.0.0/16', 'lookup', '7')
    const before = rulesOf(router)
    expect(await host.apply(POINT, ['ip'])).toEqual({
      failure: { reason: '配置校验失败：策略路由优先级220已被本设备的其他程序占用' },
    })
    expect(rulesOf(router)).toBe(before)
  })

  it('packet filter: the table is replaced as a whole, repaired, and removed; other tables stay', async () => {
    const nft = (...args: string[]) => runInside(router, 'nft', ...args)
    nft('add table inet other; add chain inet other c { type filter hook forward priority 0; policy drop; }')
    expect(await host.apply(CENTER, ['nft'])).toMatchObject({
      unsettled: [],
      steps: [{ tool: 'nft', phase: 'filter' }],
    })
    const whole = nft('-s', 'list', 'table', 'inet', 'netloom')
    expect(await host.apply(CENTER, ['nft'])).toEqual({ steps: [], unsettled: [] })
    const other = nft('-s', 'list', 'table', 'inet', 'other')
    for (const damage of ['flush chain inet netloom tunnel_input', 'add rule inet netloom input accept']) {
      nft(damage)
      expect((await host.apply(CENTER, ['nft'])).steps).toHaveLength(1)
      expect(nft('-s', 'list', 'table', 'inet', 'netloom')).toBe(whole)
    }
    expect(nft('-s', 'list', 'table', 'inet', 'other')).toBe(other)
    nft('flush ruleset') // as another firewall does at its start
    expect((await host.apply(CENTER, ['nft'])).steps).toHaveLength(1)
    expect(nft('-s', 'list', 'table', 'inet', 'netloom')).toBe(whole)
    const stopped = { ...without(POINT), bandwidth_mbps: 0 }
    await host.apply(stopped, ['nft'])
    expect(nft('list', 'tables').trim()).toBe('table inet netloom_bandwidth')
    expect(await host.apply(null, ['nft'])).toMatchObject({ unsettled: [], steps: [{ phase: 'rates' }] })
    expect(nft('list', 'tables').trim()).toBe('')
  })

  it('packet filter: a new VLAN is reached where connected segments are announced, and only there', async () => {
    const { tunnel, wan } = addNeighbors()
    const vlan = spaces.add('v')
    spaces.connect([router, 'vlan30', '10.13.96.1/24'], [vlan, 'eth0', '10.13.96.2/24'])
    ip('-n', vlan, 'route', 'add', 'default', 'via', '10.13.96.1')
    ip('-n', tunnel, 'route', 'add', '10.13.96.0/24', 'via', '100.64.0.21')
    ip('-n', tunnel, 'route', 'add', '203.0.113.0/24', 'via', '100.64.0.21')
    ip('-n', wan, 'route', 'add', '100.64.0.0/20', 'via', '203.0.113.2')
    const reached = (from: string, to: string) =>
      runInside(from, 'ping', '-c', '1', '-W', '1', to).includes(' 0% packet loss')
    const read = () => [
      reached(tunnel, '10.13.1.2'),
      reached(tunnel, '10.13.96.2'),
      reached(vlan, '100.64.0.1'),
      reached(tunnel, '203.0.113.1'),
    ]
    await host.apply(POINT, ['nft', 'ip'])
    expect(read()).toEqual([true, false, false, false])
    await host.apply(CASES['dynamic-routing-point']!, ['nft', 'ip'])
    expect(read()).toEqual([true, true, true, false])
  })

  it('rates: set, changed in place, taken off; queues of others stay', async () => {
    addNeighbors()
    const queues = () => runInside(router, 'tc', 'qdisc', 'show')
    runInside(
      router,
      'tc',
      'qdisc',
      'replace',
      'dev',
      'ov1c1',
      'root',
      'tbf',
      'rate',
      '9mbit',
      'burst',
      '64kb',
      'latency',
      '9ms',
    )
    const before = queues()
    const limited = (rate: number): RouterDocument => ({ ...POINT, bandwidth_mbps: rate })
    expect(await host.apply(limited(50), ['tc'])).toMatchObject({ unsettled: [] })
    expect(await host.apply(limited(50), ['tc'])).toEqual({ steps: [], unsettled: [] })
    await host.apply(limited(12.5), ['tc'])
    expect(queues().match(/tbf 6e6c: dev (lan0|wan0) root refcnt \d+ rate 12500Kbit/g)).toHaveLength(2)
    expect(await host.apply(null, ['tc'])).toMatchObject({ unsettled: [] })
    expect(queues()).toBe(before)
    // of a tunnel that is not there yet
    expect(await host.apply(CASES['pop-member']!, ['tc'])).toEqual({ steps: [], unsettled: [] })
  })

  it('resolver: started, replaced with its servers, started again after a kill, stopped', async () => {
    addNeighbors()
    const document = CASES['dns-point']!
    expect(await host.apply(document, ['dnsmasq'])).toMatchObject({ unsettled: [] })
    const first = (await host.ask({})).pids!['dnsmasq']!
    expect(await host.apply(document, ['dnsmasq'])).toEqual({ steps: [], unsettled: [] })
    process.kill(first, 'SIGKILL')
    const pid = async () => (await host.ask({})).pids!['dnsmasq'] ?? first
    await vi.waitFor(async () => expect(await pid()).not.toBe(first), { timeout: 20_000 })
    expect(runInside(router, 'ss', '-lnu')).toContain('10.13.1.1:1053')
    expect(await host.apply(null, ['dnsmasq'])).toMatchObject({ unsettled: [] })
    expect((await host.ask({})).pids).toEqual({})
  })
})
