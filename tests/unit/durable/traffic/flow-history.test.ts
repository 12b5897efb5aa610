import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sumVolumes } from '#durable/router-hub/flows/flow-buckets.ts'
import { FlowStore } from '#durable/router-hub/flows/flow-store.ts'
import { endedBuckets, toFlowTop, toShares } from '#durable/router-hub/flows/flow-views.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/kernel/time.ts'
import { dayOf, hourOf, startOfDay, rangeSteps } from '#durable/router-hub/traffic/series-time.ts'
import { FLOWS } from '#contract/kernel/hub-limits.ts'
import type { FlowSlot, FlowsFrame } from '#contract/device/flows.ts'
import { FakeStorage } from '../fake-storage.ts'

const DAY = 20_500
const START = startOfDay(DAY) + 7 * HOUR_MS
const open = (storage: FakeStorage) => new FlowStore(storage as unknown as ConstructorParameters<typeof FlowStore>[0])

describe('design 8 · flows over half a year', () => {
  it('hours for 30 days and days for 180 keep every byte; a row an hour, and no deletion but of days', () => {
    const storage = new FakeStorage()
    let store = open(storage)
    const sums = { up: 0, down: 0 }
    const days = 200
    for (let day = 0; day < days; day++) {
      for (const hourOfDay of [0, 9, 23]) {
        const hour = hourOf(startOfDay(DAY + day)) + hourOfDay
        if (day >= 20) [sums.up, sums.down] = [sums.up + 3, sums.down + 50]
        const slots: FlowSlot[] = [{ slot: 5, apps: [['Zoom', 3, 50]], sources: [['10.0.0.9', 3, 50]] }]
        store.add({ t: 'flows', hour, report: 1, over: true, part: 0, parts: 1, slots }, (hour + 1) * HOUR_MS)
      }
      if (day % 7 === 0) store = open(storage)
    }
    const now = startOfDay(DAY + days)
    const all = store.between(now - 180 * DAY_MS, now, 'sources').buckets
    expect(toFlowTop(all, 'sources')).toEqual([
      { name: '10.0.0.9', input: sums.up, out: sums.down, total: sums.up + sums.down, share: 10_000 },
    ])
    const lengths = new Set(all.map(({ lengthMs }) => lengthMs))
    expect([...lengths]).toEqual([DAY_MS, HOUR_MS, FLOWS.slotMs])
    const [hours, rows] = [days * 3, storage.writes.length]
    expect(rows - hours).toBeLessThanOrEqual(days * 3) // a day: by hours, as a whole, and deleted
  })

  it('a day of 256 addresses is exact, and beyond that the smallest are the rest', () => {
    const storage = new FakeStorage()
    const store = open(storage)
    const address = (i: number) => `10.1.${i >> 8}.${i & 255}`
    for (let hourOfDay = 0; hourOfDay < 24; hourOfDay++) {
      const hour = hourOf(startOfDay(DAY)) + hourOfDay
      const sources = Array.from({ length: 20 }, (_, i): [string, number, number] => [
        address(hourOfDay * 20 + i),
        0,
        1_000 + hourOfDay * 20 + i,
      ])
      const slots = [{ slot: 0, apps: [], sources }]
      store.add({ t: 'flows', hour, report: 1, over: true, part: 0, parts: 1, slots }, (hour + 1) * HOUR_MS)
    }
    const later = hourOf(startOfDay(DAY + 4))
    store.add({ t: 'flows', hour: later, report: 1, over: true, part: 0, parts: 1, slots: [] }, (later + 1) * HOUR_MS)
    const [from, to] = [startOfDay(DAY), startOfDay(DAY + 1)]
    const buckets = store.between(from, to, 'sources').buckets
    expect(new Set(buckets.map(({ lengthMs }) => lengthMs))).toEqual(new Set([HOUR_MS]))
    const names = new Set(buckets.flatMap(({ sources }) => [...sources.keys()]))
    expect(names.size).toBe(FLOWS.sourcesMax + 1)
    expect(names.has(address(0))).toBe(false)
    const sum = buckets.flatMap(({ sources }) => [...sources.values()]).reduce((all, { down }) => all + down, 0)
    expect(sum).toBe(Array.from({ length: 480 }, (_, i) => 1_000 + i).reduce((a, b) => a + b))
  })
})

describe('design 8 · totals of hours and days', () => {
  /** Three names an hour, each with bytes of its own, so that no two sums are alike. */
  const slotsOf = (hour: number): FlowSlot[] =>
    [1, 7].map((slot) => ({
      slot,
      apps: [0, 1, 2].map((i): [string, number, number] => [`应用${(hour + i) % 40}`, hour % 977, hour * (i + slot)]),
      sources: [0, 1, 2].map((i): [string, number, number] => [
        `10.0.0.${(hour + i) % 200}`,
        hour % 977,
        hour * (i + slot),
      ]),
    }))

  function expectedSums(from: number, to: number, kind: 'apps' | 'sources') {
    const sums = new Map<string, { up: number; down: number }>()
    for (let hour = hourOf(from); hour < hourOf(to); hour++) {
      for (const slot of slotsOf(hour)) {
        for (const [name, up, down] of slot[kind]) {
          const known = sums.get(name) ?? { up: 0, down: 0 }
          sums.set(name, { up: known.up + up, down: known.down + down })
        }
      }
    }
    return sums
  }

  function fill(storage: FakeStorage, days: number): FlowStore {
    let store = open(storage)
    for (let hour = hourOf(startOfDay(DAY)); hour < hourOf(startOfDay(DAY + days)); hour++) {
      store.add(
        { t: 'flows', hour, report: 1, over: true, part: 0, parts: 1, slots: slotsOf(hour) },
        (hour + 1) * HOUR_MS,
      )
      if (hour % 31 === 0) store = open(storage)
    }
    return store
  }

  it('equal the sums computed apart, over whole days and parts of them', () => {
    const [storage, days] = [new FakeStorage(), 12]
    const store = fill(storage, days)
    const end = startOfDay(DAY + days)
    for (const [from, to] of [
      [startOfDay(DAY), end],
      [startOfDay(DAY) + 5 * HOUR_MS, end - 7 * HOUR_MS],
      [startOfDay(DAY + 3), startOfDay(DAY + 4)],
      [startOfDay(DAY + 8) + HOUR_MS, startOfDay(DAY + 10) - HOUR_MS],
      [end - DAY_MS, end],
      [end - 90 * MINUTE_MS - HOUR_MS / 2, end],
    ] as const) {
      for (const kind of ['apps', 'sources'] as const) {
        const { buckets, sums } = store.between(from, to, kind, DAY_MS)
        const expected = expectedSums(from, to, kind)
        expect(sumVolumes(buckets.map((bucket) => bucket[kind]))).toEqual(expected)
        const down = [...expected.values()].reduce((sum, volume) => sum + volume.down, 0)
        expect(sums.reduce((sum, one) => sum + one.down, 0)).toBe(down)
        expect(sums.every(({ lengthMs }) => lengthMs <= HOUR_MS)).toBe(true)
      }
    }
    expect(store.between(startOfDay(DAY), end, 'apps', DAY_MS).buckets.length).toBeLessThan(days + 3 * 24)
  })
})

describe('design 8 · limits of data that a device makes a hub keep', () => {
  const frame = (over: Partial<FlowsFrame> = {}): FlowsFrame => ({
    t: 'flows',
    hour: hourOf(START),
    report: 1,
    over: true,
    part: 0,
    parts: 1,
    slots: [{ slot: 0, apps: [['Zoom', 1, 1]], sources: [] }],
    ...over,
  })
  const now = START + HOUR_MS

  it.each<[string, Partial<FlowsFrame>, readonly number[]]>([
    ['an hour that is over', {}, [hourOf(START)]],
    ['one ahead of our clock', { hour: hourOf(START) + 3 }, []],
    ['one whose day is rolled up: dropped', { hour: hourOf(START) - 96 }, [hourOf(START) - 96]],
    ['one that goes on', { over: false }, []],
    ['half of it', { parts: 2 }, []],
  ])('%s', (_, over, acknowledged) => {
    expect(open(new FakeStorage()).add(frame(over), now)).toEqual(acknowledged)
  })

  it('an older report of the same hour changes nothing, a newer one replaces it, and so many are written an hour', () => {
    const storage = new FakeStorage()
    const store = open(storage)
    const down = () => store.between(START, now, 'apps').buckets[0]?.apps.get('Zoom')?.down
    const send = (report: number, bytes: number) =>
      store.add(frame({ report, slots: [{ slot: 0, apps: [['Zoom', 0, bytes]], sources: [] }] }), now)
    send(5, 10)
    send(4, 99)
    send(5, 77)
    expect([down(), storage.writes.length]).toEqual([10, 1])
    for (let report = 6; report < 6 + FLOWS.newPerHour; report++) send(report, report)
    expect(storage.writes).toHaveLength(FLOWS.newPerHour)
    expect(send(999, 1)).toEqual([])
  })

  it('an empty range touches no bucket, not even that of the moment', () => {
    const store = open(new FakeStorage())
    store.add(frame({ over: false, report: 3 }), START + 6 * MINUTE_MS)
    const at = START + 2 * MINUTE_MS
    expect(store.between(at, at + 1, 'apps').buckets).toHaveLength(1)
    expect(store.between(at, at, 'apps').buckets).toEqual([])
    expect(store.between(at, at - 1, 'apps').buckets).toEqual([])
  })

  it('shares end where the chart does: a bucket that goes on is in neither', () => {
    const store = open(new FakeStorage())
    store.add(frame({ over: false, report: 3 }), START + 6 * MINUTE_MS)
    const { buckets } = store.between(START, now, 'apps')
    expect(buckets).toHaveLength(1)
    expect(endedBuckets(buckets, START + 4 * MINUTE_MS)).toEqual([])
    expect(endedBuckets(buckets, START + 5 * MINUTE_MS)).toEqual(buckets)
  })

  it('the hour that goes on is shown and not written; its report at the end replaces it', () => {
    const storage = new FakeStorage()
    const store = open(storage)
    store.add(frame({ over: false, report: 3 }), START + 6 * MINUTE_MS)
    expect(toFlowTop(store.between(START, now, 'apps').buckets, 'apps')).toMatchObject([{ name: 'Zoom', total: 2 }])
    expect(storage.writes).toEqual([])
    store.add(frame({ report: 9, slots: [{ slot: 0, apps: [['Zoom', 4, 4]], sources: [] }] }), now)
    expect(toFlowTop(store.between(START, now, 'apps').buckets, 'apps')).toMatchObject([{ name: 'Zoom', total: 8 }])
  })
})

describe('directory 9 · shares and steps', () => {
  it('shares are together 100.00, each off by less than a hundredth', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1e12), { minLength: 1, maxLength: 31 }), (totals) => {
        const sum = totals.reduce((a, b) => a + b, 0)
        const shares = toShares(totals)
        expect(shares.reduce((a, b) => a + b, 0)).toBe(sum === 0 ? 0 : 10_000)
        for (const [i, total] of totals.entries())
          expect(Math.abs((shares[i] ?? 0) - (sum === 0 ? 0 : (total / sum) * 10_000))).toBeLessThan(1)
      }),
    )
  })

  it.each([
    ['an hour', HOUR_MS, 0, 5 * MINUTE_MS],
    ['two days', 2 * DAY_MS, 0, 5 * MINUTE_MS],
    ['six hours of last week', 6 * HOUR_MS, 7 * DAY_MS, HOUR_MS],
    ['30 days', 30 * DAY_MS, 0, HOUR_MS],
    ['180 days', 180 * DAY_MS, 0, DAY_MS],
  ])('%s', (_, spanMs, agoMs, stepMs) => {
    const now = startOfDay(DAY) + 13 * HOUR_MS + 7 * MINUTE_MS
    const to = now - agoMs
    const steps = rangeSteps(to - spanMs, to, now)
    expect(steps.stepMs).toBe(stepMs)
    expect((steps.to - steps.from) / stepMs).toBeLessThanOrEqual(1_000)
    expect([steps.from <= to - spanMs, steps.to >= to, dayOf(steps.from) <= dayOf(to - spanMs)]).toEqual([
      true,
      true,
      true,
    ])
  })
})
