import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LINK_RATES, LINK_TOTALS } from '#contract/kernel/hub-limits.ts'
import type { LinkRatesReport, LinksWatch } from '#contract/network/tunnels.ts'
import { linkId, trunkId } from '#domain/network/members/links.ts'
import { LinkRates } from '#durable/network-hub/link-rates.ts'
import type { HubProjection } from '#durable/network-hub/projection.ts'
import { StreamLease } from '#durable/router-hub/device-socket.ts'
import { TotalsReads } from '#durable/router-hub/totals-reads.ts'
import { LinkWatches } from '#durable/router-hub/link-watches.ts'

const id = (client: string) => linkId('N1', client, 'C1')
const rate = (down: number, upload = 0, time = 0) => ({ down, upload, time })

describe('a hub of a network', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function createRates(points = 10) {
    const names = ['C1', ...Array.from({ length: points }, (_, i) => `P${i}`)]
    const projection = {
      members: new Map(names.map((name) => [name, { router_hub: `hub-${name}` }])),
      links: new Map(names.slice(1).map((name) => [id(name), { id: id(name), router_name: name }])),
    } as unknown as HubProjection
    const asked: [hub: string, watch: LinksWatch][] = []
    const sent: LinkRatesReport['rates'][] = []
    const rates = new LinkRates({
      hub: () => 'hub-N1',
      hubs: { router: (hub) => ({ watchLinks: async (watch: LinksWatch) => void asked.push([hub, watch]) }) as never },
      number: () => 'N1',
      projection: () => projection,
      waitUntil: () => {},
      send: (data) => sent.push(data),
    })
    return { rates, asked, sent }
  }

  it('asks the dialling ends of wanted links and the servers of wanted trunks, at most eight, and again in time', async () => {
    const { rates, asked } = createRates()
    const ids = [trunkId('C1'), ...Array.from({ length: 10 }, (_, i) => id(`P${i}`)), 'N1:nobody>C1']
    const viewer = {}
    rates.subscribe(viewer, ids, Date.now())
    expect(asked).toHaveLength(LINK_RATES.routersMax)
    expect(asked[0]).toEqual([
      'hub-C1',
      { networkHub: 'hub-N1', number: 'N1', ids: [], trunk: true, leaseMs: LINK_RATES.leaseMs },
    ])
    expect(asked[1]).toMatchObject(['hub-P0', { ids: [id('P0')], trunk: false }])
    rates.subscribe(viewer, ids, Date.now() + LINK_RATES.renewMs / 2)
    expect(asked).toHaveLength(LINK_RATES.routersMax)
    rates.subscribe(viewer, ids, Date.now() + LINK_RATES.renewMs - 100)
    expect(asked).toHaveLength(2 * LINK_RATES.routersMax)
  })

  it('goes on with acknowledgements, and asks for those alone that still subscribe; no timer keeps it awake', async () => {
    const { rates, asked } = createRates()
    const [viewer, other] = [{}, {}]
    rates.subscribe(viewer, [id('P0')], Date.now())
    for (let n = 0; n < 4; n++) {
      await vi.advanceTimersByTimeAsync(LINK_RATES.renewMs)
      rates.renew(viewer, Date.now())
    }
    expect(asked).toHaveLength(5)
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(LINK_RATES.leaseMs)
    const { length } = asked
    rates.subscribe(other, [id('P1')], Date.now())
    rates.renew(viewer, Date.now())
    rates.subscribe(viewer, [id('P0')], Date.now())
    rates.subscribe(viewer, [], Date.now())
    await vi.advanceTimersByTimeAsync(LINK_RATES.renewMs)
    rates.renew(other, Date.now())
    expect(asked.slice(length).map(([hub]) => hub)).toEqual(['hub-P1', 'hub-P1', 'hub-P0', 'hub-P1'])
  })

  it('passes on what somebody looks at, and only from the hub of that router', () => {
    const { rates, sent } = createRates()
    rates.subscribe({}, [id('P0'), trunkId('C1')], Date.now())
    const report = (routerName: string, over: object = {}): LinkRatesReport => ({
      routerHub: `hub-${routerName}`,
      routerName,
      rates: { [id('P0')]: rate(1), [id('P1')]: rate(2), [trunkId('C1')]: rate(3) },
      ...over,
    })
    rates.received(report('P0'), Date.now())
    rates.received(report('C1'), Date.now())
    rates.received(report('P0', { routerHub: 'hub-P1' }), Date.now())
    rates.received(report('P1'), Date.now())
    expect(sent).toEqual([{ [id('P0')]: rate(1) }, { [trunkId('C1')]: rate(3) }])
  })
})

describe('a hub of a router', () => {
  function createWatches() {
    const sent: [hub: string, report: LinkRatesReport][] = []
    const watches = new LinkWatches({
      hub: () => 'hub-C1',
      hubs: {
        network: (hub) => ({ linkRates: async (report: LinkRatesReport) => void sent.push([hub, report]) }) as never,
      },
      routerName: () => 'C1',
      waitUntil: () => {},
    })
    return { watches, sent }
  }
  const watch = { networkHub: 'hub-N1', number: 'N1', ids: [id('C1')], trunk: true, leaseMs: LINK_RATES.leaseMs }
  const frame = (at: number, rx: number, tx: number, since_s = at / 1_000) => ({
    at,
    trunks: { N1: { rx, tx, since_s } },
  })

  it('sends rates of watched links and of the trunk as its points see it, one report in two seconds, until the lease ends', () => {
    const { watches, sent } = createWatches()
    watches.watch(watch, 0)
    watches.counted(frame(1_000, 0, 0), {}, 1_000)
    expect(sent).toEqual([])
    watches.counted(frame(2_000, 1_000, 5_000), { [id('C1')]: rate(7), [id('P9')]: rate(9) }, 2_000)
    expect(sent).toEqual([
      [
        'hub-N1',
        {
          routerHub: 'hub-C1',
          routerName: 'C1',
          rates: { [id('C1')]: rate(7), [trunkId('C1')]: rate(40_000, 8_000, 2_000) },
        },
      ],
    ])
    expect([watches.isWatched(29_999), watches.wantsTrunks(29_999)]).toEqual([true, true])
    for (let at = 3_000; at < 40_000; at += 1_000) watches.counted(frame(at, at, 5 * at), {}, at)
    expect(sent).toHaveLength(1 + 13)
    expect(watches.isWatched(30_000)).toBe(false)
  })

  it('has no rate of a trunk across a restart of its tunnels', () => {
    const { watches, sent } = createWatches()
    watches.watch(watch, 0)
    watches.counted(frame(10_000, 9_000, 9_000), {}, 10_000)
    watches.counted(frame(13_000, 9_500, 9_500, 1), {}, 13_000)
    watches.counted({ at: 16_000 }, {}, 16_000)
    watches.counted(frame(19_000, 1, 1), {}, 19_000)
    watches.counted(frame(22_000, 0, 0), {}, 22_000)
    expect(sent).toEqual([])
  })
})

describe('the lease of a stream', () => {
  it('is renewed early when trunks are wanted, and says so', () => {
    const lease = new StreamLease()
    expect(lease.next(1_000, 0, false)).toEqual({ t: 'stream', on: true, rate_ms: 1_000, lease_s: 30 })
    expect(lease.next(1_000, 1_000, false)).toBeNull()
    expect(lease.next(1_000, 1_000, true)).toMatchObject({ on: true, trunks: true })
    expect(lease.next(1_000, 2_000, true)).toBeNull()
    expect(lease.next(null, 3_000, false)).toMatchObject({ on: false })
    expect(lease.next(null, 4_000, false)).toBeNull()
  })

  it('has the rate of those who look, and another one at once', () => {
    const lease = new StreamLease()
    expect(lease.next(10_000, 0, false)).toMatchObject({ on: true, rate_ms: 10_000 })
    expect(lease.next(1_000, 1_000, false)).toMatchObject({ on: true, rate_ms: 1_000 })
    expect(lease.next(10_000, 2_000, false)).toMatchObject({ on: true, rate_ms: 10_000 })
    expect(lease.next(10_000, 3_000, false)).toBeNull()
    expect(lease.next(10_000, 18_000, false)).toMatchObject({ on: true, rate_ms: 10_000 })
  })
})

describe('a read of the bytes of links', () => {
  afterEach(() => vi.useRealTimers())

  it('waits for counters if the last ones are old, and not for ever', async () => {
    vi.useFakeTimers()
    const reads = new TotalsReads()
    const asked: string[] = []
    const read = (takenAt: number | null, name: string) =>
      reads.refresh(takenAt, 100_000, () => asked.push(name)).then(() => asked.push(`${name} done`))
    const settle = () => vi.advanceTimersByTimeAsync(0)
    void read(90_000, 'fresh')
    await settle()
    void read(80_000, 'old')
    void read(null, 'unknown')
    await settle()
    expect(asked).toEqual(['fresh', 'fresh done', 'old', 'unknown'])
    reads.counted()
    await settle()
    expect(asked.slice(4)).toEqual(['old done', 'unknown done'])
    void read(null, 'silent')
    await vi.advanceTimersByTimeAsync(LINK_TOTALS.waitMs)
    expect(asked.slice(6)).toEqual(['silent', 'silent done'])
    expect([reads.isRead(100_000 + LINK_TOTALS.leaseMs - 1), reads.isRead(100_000 + LINK_TOTALS.leaseMs)]).toEqual([
      true,
      false,
    ])
  })
})
