import { describe, expect, it } from 'vitest'
import { type TrackedFlow, parseConntrack } from '../../infra/agent/flows/conntrack-line.ts'
import { DnsNames } from '../../infra/agent/flows/dns-names.ts'
import { FlowCounter } from '../../infra/agent/flows/flow-counter.ts'
import { portName, serviceOf } from '../../infra/agent/flows/services.ts'
import { FLOWS } from '../../worker/contract/hub-limits.ts'

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

  it('what is kept on disk goes on, and the smallest beyond the limit are the rest', () => {
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
