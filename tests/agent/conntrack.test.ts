import { describe, expect, it } from 'vitest'
import { ConntrackFlows } from '#infra/agent/flows/conntrack-flows.ts'
import { type TrackedFlow, parseConntrack } from '#infra/agent/flows/conntrack-line.ts'
import { DnsNames } from '#infra/agent/flows/dns-names.ts'
import { FlowCounter, SEEN_MAX } from '#infra/agent/flows/flow-counter.ts'
import { portName, serviceOf } from '#infra/agent/flows/services.ts'
import { silentLog } from '#infra/agent/log.ts'
import { type Store, memoryStore } from '#infra/agent/store.ts'
import { FLOWS } from '#contract/kernel/hub-limits.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { FakeClock } from './support/fake-clock.ts'

const LISTED =
  'tcp      6 431999 ESTABLISHED src=10.1.0.5 dst=203.0.113.7 sport=40000 dport=443 packets=10 bytes=1000 src=203.0.113.7 dst=198.51.100.2 sport=443 dport=40000 packets=20 bytes=90000 [ASSURED] mark=0 use=1 id=77'
const ENDED =
  ' [DESTROY] udp      17 src=10.1.0.5 dst=10.9.9.9 sport=5 dport=53 packets=1 bytes=60 [UNREPLIED] src=10.9.9.9 dst=10.1.0.5 sport=53 dport=5 packets=0 bytes=0 id=8'

describe('a line of conntrack', () => {
  it('of a dump', () => {
    expect(parseConntrack(LISTED)).toEqual({
      id: '77',
      protocol: 'tcp',
      original: { src: '10.1.0.5', dst: '203.0.113.7', dport: 443, bytes: 1_000 },
      reply: { src: '203.0.113.7', dst: '198.51.100.2', dport: 40_000, bytes: 90_000 },
      isDestroyed: false,
    })
  })

  it('of a connection that has ended, which nobody answered', () => {
    expect(parseConntrack(ENDED)).toMatchObject({
      id: '8',
      protocol: 'udp',
      isDestroyed: true,
      original: { bytes: 60 },
    })
  })

  it.each(['', 'conntrack v1.4.7 (conntrack-tools): 3 flow entries have been shown.', 'tcp 6 src=1.1.1.1'])(
    'nothing is made of “%s”',
    (line) => expect(parseConntrack(line)).toBeNull(),
  )
})

const T0 = 1_750_000_000_000 - (1_750_000_000_000 % FLOWS.slotMs)
const flow = (id: string, up: number, down: number, over: Partial<TrackedFlow> = {}): TrackedFlow => ({
  id,
  protocol: 'tcp',
  original: { src: '10.1.0.5', dst: '203.0.113.7', dport: 443, bytes: up },
  reply: { src: '203.0.113.7', dst: '198.51.100.2', dport: 40_000, bytes: down },
  isDestroyed: false,
  ...over,
})
const createCounter = () =>
  new FlowCounter({
    isLocal: (address) => address.startsWith('10.1.'),
    appOf: (far, protocol, port) => (far === '203.0.113.7' ? 'Zoom' : portName(protocol, port)),
  })
const HOUR = Math.floor(T0 / 3_600_000)

describe('flows by five minutes', () => {
  it('each counts what was moved since it was seen last, and once more as it ends', () => {
    const counter = createCounter()
    counter.startDump()
    counter.add(flow('1', 100, 1_000), T0)
    counter.endDump(new Set(['1']))
    counter.add(flow('1', 150, 4_000), T0 + FLOWS.slotMs)
    counter.add(flow('1', 151, 5_000, { isDestroyed: true }), T0 + FLOWS.slotMs)
    counter.add(flow('2', 7, 9, { isDestroyed: true }), T0 + FLOWS.slotMs)
    const slots = counter.hour(HOUR)
    expect(slots.map(({ apps }) => apps)).toEqual([[['Zoom', 100, 1_000]], [['Zoom', 58, 4_009]]])
    expect(slots[1]?.sources).toEqual([['10.1.0.5', 58, 4_009]])
  })

  it('a dump that still lists what has ended meanwhile, and an end that comes after the dump, count nothing twice', () => {
    const counter = createCounter()
    counter.startDump()
    counter.add(flow('1', 0, 500, { isDestroyed: true }), T0)
    counter.add(flow('1', 0, 400), T0)
    counter.add(flow('2', 0, 100), T0)
    counter.endDump(new Set(['1', '2']))
    counter.startDump()
    counter.endDump(new Set())
    counter.add(flow('2', 0, 130, { isDestroyed: true }), T0)
    expect(counter.hour(HOUR)[0]?.apps).toEqual([['Zoom', 0, 630]])
  })

  it('inbound ones belong to whom they reach; the device’s own are left out', () => {
    const counter = createCounter()
    const original = { src: '192.0.2.1', dst: '198.51.100.2', dport: 3389, bytes: 11 }
    counter.add(flow('1', 0, 0, { original, reply: { src: '10.1.0.9', dst: '192.0.2.1', dport: 1, bytes: 22 } }), T0)
    counter.add(flow('2', 0, 0, { original, reply: { src: '198.51.100.2', dst: '192.0.2.1', dport: 1, bytes: 5 } }), T0)
    expect(counter.hour(HOUR)).toMatchObject([{ apps: [['远程桌面', 22, 11]], sources: [['10.1.0.9', 22, 11]] }])
  })

  it('counters kept on disk go on, and the smallest beyond the limit are the rest', () => {
    const counter = createCounter()
    for (let i = 0; i < 300; i++) {
      const original = { src: `10.1.${i >> 8}.${i & 255}`, dst: '203.0.113.7', dport: 443, bytes: i }
      counter.add(flow(String(i), 0, 0, { original }), T0)
    }
    const again = new FlowCounter({ isLocal: () => true, appOf: () => '' }, counter.all())
    const sources = again.hour(HOUR)[0]?.sources ?? []
    expect(sources).toHaveLength(FLOWS.sourcesMax + 1)
    expect(sources.reduce((sum, [, up]) => sum + up, 0)).toBe((299 * 300) / 2)
    again.forget(HOUR)
    expect(again.hours()).toEqual([])
  })
})

const LAN: InterfaceInfo = {
  interface: 'lan0',
  interface_uuid: 'lan0',
  protocol: 'static',
  role: 'lan',
  ip: '10.1.0.1',
  mask: 24,
  mac: '',
  mtu: 1500,
  up: true,
}
const listed = (id: number, up: number, down: number) =>
  `tcp 6 9 ESTABLISHED src=10.1.0.5 dst=203.0.113.7 sport=40000 dport=443 packets=1 bytes=${up} src=203.0.113.7 dst=198.51.100.2 sport=443 dport=40000 packets=1 bytes=${down} [ASSURED] mark=0 use=1 id=${id}`

/** Starts an agent, lets it dump these connections, stops it: what it knows of the hour. */
async function runOnce(store: Store, bootId: string, ...connections: readonly string[]) {
  const clock = new FakeClock()
  const flows = await ConntrackFlows.open({
    clock,
    store,
    machine: { bootId, interfaces: async () => [LAN] },
    log: silentLog,
    command: ['sh', '-c', 'echo "$0"', connections.join('\n')],
    countBytes: () => new Promise(() => {}), // no dumps but this one
    serviceAt: () => 'Zoom',
  })
  flows.serve({ router_name: 'R', networks: [], bandwidth_mbps: 50 })
  await flows.dump()
  flows.stop()
  const { slots } = flows.read(Math.floor(clock.now() / 3_600_000))
  return slots.flatMap(({ apps }) => apps)
}

describe('flows over a restart of the agent', () => {
  it.each([
    ['a connection that lasts counts what it moved since', 'boot 1', [listed(1, 150, 1_200)], [150, 1_200]],
    ['one that did not move counts nothing', 'boot 1', [listed(1, 100, 1_000)], [100, 1_000]],
    ['one that began meanwhile counts whole', 'boot 1', [listed(1, 100, 1_000), listed(2, 7, 9)], [107, 1_009]],
    ['one whose id was that of a larger one counts whole', 'boot 1', [listed(1, 120, 30)], [220, 1_030]],
    ['after a reboot all count whole', 'boot 2', [listed(1, 150, 1_200)], [250, 2_200]],
  ])('%s', async (_, bootId, connections, [up, down]) => {
    const store = memoryStore()
    expect(await runOnce(store, 'boot 1', listed(1, 100, 1_000))).toEqual([['Zoom', 100, 1_000]])
    expect(await runOnce(store, bootId, ...connections)).toEqual([['Zoom', up, down]])
  })

  it('a connection that one dump lacks is known to the agent after that, too', async () => {
    const store = memoryStore()
    await runOnce(store, 'boot 1', listed(1, 100, 1_000))
    await runOnce(store, 'boot 1')
    expect(await runOnce(store, 'boot 1', listed(1, 150, 1_200))).toEqual([['Zoom', 150, 1_200]])
  })

  it('of more connections than are kept on disk, the smallest are left out', () => {
    const counter = createCounter()
    for (let id = 0; id <= SEEN_MAX; id++) counter.add(flow(String(id), id, id), T0)
    const lasting = counter.lasting()
    expect(lasting).toHaveLength(SEEN_MAX)
    expect(lasting).not.toContain('0 0 0')
    expect(lasting[0]).toBe(`${SEEN_MAX} ${SEEN_MAX} ${SEEN_MAX}`)
  })
})

describe('names of applications', () => {
  it.each([
    ['meeting.tencent.com', '腾讯会议'],
    ['Outlook.Office365.com.', 'Microsoft 365'],
    ['teams.microsoft.com', 'Microsoft Teams'],
    ['update.microsoft.com', 'Windows Update'],
    ['a.b.feishu.cn', '飞书'],
    ['notfeishu.cn', null],
    ['com', null],
    ['', null],
  ])('%s', (host, name) => expect(serviceOf(host)).toBe(name))

  it('an address is called by what was asked for, not by what that was led to', () => {
    const names = new DnsNames()
    for (const line of [
      'dnsmasq[9]: query[A] zoom.us from 10.1.0.5',
      'dnsmasq[9]: reply zoom.us is <CNAME>',
      'dnsmasq[9]: reply x.cloudfront.net is 203.0.113.7',
      'dnsmasq[9]: cached www.jd.com is 203.0.113.8',
      'dnsmasq[9]: reply nothing.example is NXDOMAIN',
    ])
      names.add(line)
    expect([names.of('203.0.113.7'), names.of('203.0.113.8'), names.of('203.0.113.9')]).toEqual([
      'zoom.us',
      'www.jd.com',
      null,
    ])
  })
})
