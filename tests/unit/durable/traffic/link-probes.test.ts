import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { packDay, packHour, unpackDay, unpackHour } from '#durable/router-hub/traffic/traffic-packing.ts'
import { type PackedPending, TrafficStore } from '#durable/router-hub/traffic/traffic-store.ts'
import { type Probes, probesBetween, shareOf } from '#durable/router-hub/traffic/link-probes.ts'
import { hourOf } from '#durable/router-hub/traffic/series-time.ts'
import { linkName, toReading } from '#durable/router-hub/traffic/traffic-reading.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { FakeStorage } from '../fake-storage.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const T0 = 20_000 * DAY
const ID = 'N1:NL-P1>NL-A'

const sums = (asked: number, lost: number, rtt: number, rttMax = 0): Probes => ({ asked, lost, rtt, rttMax })

describe('probes between two readings', () => {
  it('are the growth of the sums; sums that fell have started over, and impossible ones count nothing', async () => {
    const offenders = await findOffenders<[string, Probes | undefined, Probes | undefined, Probes | undefined]>([
      ['grown', sums(10, 1, 900, 50), sums(70, 4, 9_000, 310), sums(60, 3, 8_100, 310)],
      ['started over', sums(10, 1, 900), sums(4, 0, 400, 120), sums(4, 0, 400, 120)],
      ['no probe', sums(10, 1, 900), sums(10, 1, 900), undefined],
      ['first reading', undefined, sums(10, 1, 900), undefined],
      ['older agent', sums(10, 1, 900), undefined, undefined],
      ['more than a device asks', sums(0, 0, 0), sums(1_000, 0, 0), undefined],
      ['more lost than asked', sums(0, 0, 0), sums(1, 2, 0), undefined],
      ['endless round trips', sums(0, 0, 0), sums(1, 0, 2 ** 50), undefined],
      ['a longest one without end', sums(0, 0, 0), sums(1, 0, 5, 2 ** 50), sums(1, 0, 5, 600_000)],
    ])((_, last, next, between) => expect(probesBetween(last, next, 5 * MINUTE)).toEqual(between))
    expect(offenders).toEqual([])
  })

  it('split over hours add up to what was there', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.nat(1_000),
        fc.nat(1e6),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, l, r, cut) => {
          const parts = [shareOf(sums(a, l, r, 9), 0, cut), shareOf(sums(a, l, r, 9), cut, 1)]
          const total = (field: 'asked' | 'lost' | 'rtt') => parts.reduce((sum, part) => sum + part[field], 0)
          expect([total('asked'), total('lost'), total('rtt')]).toEqual([a, l, r])
        },
      ),
    )
  })
})

describe('rows', () => {
  const slot = { minute: 4, span: 5, rx: 300, tx: 7 }
  const probes = sums(60, 3, 8_100, 310)
  const reading = {
    bootId: 'b',
    atMs: 7.5,
    counters: { eth0: { rx: 1, tx: 2 }, [linkName(ID)]: { rx: 3, tx: 4, beganMs: 5 } },
  }

  it('keep probes with and without a reading, and name those of links alone', () => {
    const slots = {
      eth0: [slot],
      [linkName(ID)]: [
        { ...slot, probes },
        { ...slot, minute: 9 },
      ],
    }
    expect(unpackHour(packHour(slots))).toEqual({ slots, reading: null })
    expect(unpackHour(packHour(slots, reading))).toEqual({ slots, reading })
    const bucket = { hour: 7, minutes: 5, rx: 9, tx: 9, rxPeak: 9, txPeak: 9 }
    const buckets = {
      eth0: [bucket],
      [linkName(ID)]: [
        { ...bucket, probes },
        { ...bucket, hour: 8 },
      ],
    }
    expect(unpackDay(packDay(buckets))).toEqual(buckets)
  })

  it('of the release before, which had none, are read as they were, and without probes nothing is added to a row', () => {
    const old = Uint8Array.of(1, 4, 0x65, 0x74, 0x68, 0x30, 1, 4, 5, 0xac, 2, 7)
    expect(unpackHour(old)).toEqual({ slots: { eth0: [slot] }, reading: null })
    expect([...packHour({ eth0: [slot] })]).toEqual([...old])
    const withReading = packHour({ eth0: [slot] }, { ...reading, counters: { eth0: { rx: 1, tx: 2 } } })
    expect(withReading).toHaveLength(old.length + 2 + 8 + 1 + 5 + 16)
  })
})

describe('a link', () => {
  let storage: FakeStorage
  beforeEach(() => void (storage = new FakeStorage()))
  const open = (packed: PackedPending | null = null) =>
    new TrafficStore(storage as unknown as DurableObjectStorage, packed)
  /** Counters of a device that asks every five seconds, loses every tenth and waits 20 ms for the others. */
  const frameAt = (now: number) => {
    const asked = Math.floor((now - T0) / 5_000)
    const lost = Math.floor(asked / 10)
    const probed = { asked, lost, rtt_sum_ms: (asked - lost) * 20, rtt_max_ms: 35 }
    return toReading({
      t: 'counters',
      boot_id: 'b',
      at: now - T0,
      applied: null,
      interfaces: { eth0: { rx: now, tx: 0 } },
      links: { [ID]: { rx: now - T0, tx: 0, since_s: (now - T0) / 1_000, ...probed } },
    })
  }

  it('has its latency and loss over an hour, a day and 30 days, and gaps where nobody asked', () => {
    let pending: PackedPending | null = null
    let store = open()
    const end = T0 + 5 * DAY
    for (let now = T0; now <= end; now += 5 * MINUTE) {
      const isAway = now > end - 4 * HOUR && now < end - HOUR
      if (!isAway) store.add(frameAt(now), now, (kept) => (pending = structuredClone(kept)))
      if (now === end - 30 * MINUTE) store = open(pending) // hibernation
    }
    for (const range of ['hour', 'day', 'month'] as const) {
      const { steps, points } = store.linkSeries(ID, range, end)
      const known = points.filter(({ time }) => time > T0 + steps.stepMs && time <= end)
      expect(known.length).toBeGreaterThan(10)
      for (const { rtt_ms, rtt_max_ms, loss } of known) {
        expect([range, rtt_ms, rtt_max_ms]).toEqual([range, 20, 35])
        expect(Math.abs(loss! - 100)).toBeLessThan(20)
      }
    }
    const { points } = store.linkSeries(ID, 'day', end)
    expect(points.filter(({ time }) => time > end - 4 * HOUR + 5 * MINUTE && time <= end - HOUR)).toEqual([])
    expect(store.linkSeries('N1:other>NL-A', 'day', end).points).toEqual([])
  })

  it('costs no further row, and its bytes are given by the last counters', () => {
    const rowsOf = (isProbed: boolean) => {
      storage = new FakeStorage()
      const store = open()
      for (let now = T0; now <= T0 + 6 * HOUR; now += 5 * MINUTE) {
        const { counters, ...reading } = frameAt(now)
        const { sums: _, ...link } = counters[linkName(ID)]!
        store.add({ ...reading, counters: isProbed ? counters : { ...counters, [linkName(ID)]: link } }, now, () => {})
      }
      expect(store.linkTotals([ID, 'N1:other>NL-A'])).toEqual({ [ID]: { down: 6 * HOUR, upload: 0 } })
      return storage.writes
    }
    expect(rowsOf(true)).toEqual(rowsOf(false))
    expect(hourOf(T0 + HOUR)).toBe(hourOf(T0) + 1)
  })
})
