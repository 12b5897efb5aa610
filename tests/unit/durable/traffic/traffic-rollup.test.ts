import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TRAFFIC_RANGE, TRAFFIC_RANGES } from '#contract/kernel/hub-limits.ts'
import { packDay, packHour, unpackDay, unpackHour } from '#durable/router-hub/traffic/traffic-packing.ts'
import { TrafficStore } from '#durable/router-hub/traffic/traffic-store.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/kernel/time.ts'
import { dayOf, hourOf, startOfDay } from '#durable/router-hub/traffic/series-time.ts'
import { intervalBetween } from '#durable/router-hub/traffic/traffic-rates.ts'
import type { Volume } from '#durable/router-hub/traffic/traffic-reading.ts'
import {
  type HourSlots,
  type Slot,
  addVolumes,
  mergeHour,
  toBucketSteps,
  toHourBuckets,
} from '#durable/router-hub/traffic/traffic-slots.ts'
import { FakeStorage } from '../fake-storage.ts'

const DAY = 20_000
const START = startOfDay(DAY)
/** Bytes of a minute at so many bit/s. */
const minuteOf = (bitsPerSecond: number) => (bitsPerSecond * 60) / 8
const slotOf = (minute: number, span: number, rx: number, tx = 0): Slot => ({ minute, span, rx, tx })

describe('a bucket of an hour', () => {
  const bucketOf = (...slots: Slot[]) => toHourBuckets(hourOf(START) + 9, { eth0: slots }).buckets['eth0']?.[0]

  it('sums bytes and minutes, and peaks at the highest average of five minutes', () => {
    const slots = [4, 9, 14].map((minute, index) => slotOf(minute, 5, 5 * minuteOf(1_000 * (index + 1)), minuteOf(500)))
    const rx = 5 * minuteOf(6_000)
    expect(bucketOf(...slots)).toEqual({ hour: 9, minutes: 15, rx, tx: 3 * minuteOf(500), rxPeak: 3_000, txPeak: 100 })
  })

  it('has the same peak where somebody watched', () => {
    const minutes = Array.from({ length: 5 }, (_, minute) => slotOf(minute, 1, minuteOf(minute * 1_000)))
    expect(bucketOf(...minutes)).toEqual(bucketOf(slotOf(4, 5, minuteOf(10_000))))
  })

  it('spreads what went through a long silence over its minutes', () => {
    expect(bucketOf(slotOf(39, 40, 40 * minuteOf(700)))).toMatchObject({ minutes: 40, rxPeak: 700 })
  })

  it('leaves out the minutes that are not over', () => {
    const at = START + 9 * HOUR_MS
    const slots = { eth0: [slotOf(4, 5, 5), slotOf(5, 1, 1)] }
    expect(toHourBuckets(hourOf(at), slots, at + 5 * MINUTE_MS).buckets['eth0']).toMatchObject([{ rx: 5 }])
    expect(toHourBuckets(hourOf(at), slots, at + 4 * MINUTE_MS).buckets).toEqual({})
  })

  it.each([0, 23])('of %d o’clock belongs to its day in Asia/Shanghai', (hour) => {
    const { day, buckets } = toHourBuckets(hourOf(START) + hour, { eth0: [slotOf(4, 5, 5)] })
    expect([day, buckets['eth0']?.[0]?.hour]).toEqual([DAY, hour])
    expect(new Date(START).toISOString()).toMatch(/T16:00/)
  })
})

describe('steps of buckets', () => {
  const bucket = { minutes: 60, rx: 60 * minuteOf(1_000), tx: 0, rxPeak: 4_000, txPeak: 0 }

  it('average the measured minutes, keep the peak, and have no point without a bucket', () => {
    const list = [
      { ...bucket, hour: 0 },
      { ...bucket, hour: 1, minutes: 20, rx: 20 * minuteOf(5_000), rxPeak: 9_000 },
      { ...bucket, hour: 6 },
    ]
    const steps = { from: START, to: START + DAY_MS, stepMs: 2 * HOUR_MS }
    expect(toBucketSteps([{ day: DAY, buckets: { eth0: list } }], steps)['eth0']).toEqual([
      { down: 2_000, upload: 0, down_peak: 9_000, upload_peak: 0, time: START + 2 * HOUR_MS },
      { down: 1_000, upload: 0, down_peak: 4_000, upload_peak: 0, time: START + 8 * HOUR_MS },
    ])
  })

  it('of days are whole days of Asia/Shanghai', () => {
    const days = [0, 1].map((more) => ({
      day: DAY + more,
      buckets: { eth0: [{ ...bucket, hour: 0, minutes: 1_440 }] },
    }))
    const points = toBucketSteps(days, { from: START, to: START + 2 * DAY_MS, stepMs: DAY_MS })['eth0']
    expect(points?.map(({ time }) => time)).toEqual([START + DAY_MS, START + 2 * DAY_MS])
  })

  it('slots outside the range are none', () => {
    const days = [{ day: DAY, buckets: { eth0: [{ ...bucket, hour: 5 }] } }]
    const steps = { from: START + 6 * HOUR_MS, to: START + DAY_MS, stepMs: HOUR_MS }
    expect(toBucketSteps(days, steps)).toEqual({})
  })
})

it.each(TRAFFIC_RANGES)('the range of a %s has at most 500 points', (range) => {
  const { spanMs, stepMs } = TRAFFIC_RANGE[range]
  expect(spanMs / stepMs).toBeLessThanOrEqual(500)
  expect(Math.max(DAY_MS % stepMs, HOUR_MS % Math.min(stepMs, HOUR_MS))).toBe(0)
})

/** A device that reports now and then, over months, beside all its volumes by the hour, never rolled up. */
class Months {
  now = START + 3 * MINUTE_MS
  readonly all: Record<number, HourSlots> = {}
  readonly storage = new FakeStorage()
  private readonly store = new TrafficStore(this.storage as unknown as DurableObjectStorage, null)
  private last: { bootId: string; atMs: number; counters: Record<string, { rx: number; tx: number }> } | null = null
  private total = 0

  report(ms: number, bytes: number): void {
    this.now += ms
    this.total += bytes
    const counters = { eth0: { rx: this.total, tx: 2 * this.total } }
    const reading = { bootId: 'b', atMs: this.now - START, counters }
    const interval = intervalBetween(this.last, reading, null)
    const added = interval ? addVolumes({}, interval, this.now) : {}
    for (const [hour, slots] of Object.entries(added)) {
      this.all[Number(hour)] = mergeHour(this.all[Number(hour)] ?? {}, slots)
    }
    this.last = reading
    this.store.add(reading, this.now, () => {})
  }

  /** Bytes as they are stored and as they were counted, by slot, hour or day: the level that their age gives them. */
  levels(): { stored: Levels; counted: Levels } {
    this.store.flush(this.now)
    const { storage } = this
    const stored: Levels = {}
    const hours = storage.rows<{ hour: number; body: Uint8Array }>(
      `SELECT hour, body FROM hours WHERE hour >= ${firstHour(storage)}`, // the others wait to be written over
    )
    for (const { hour, body } of hours) {
      for (const slot of unpackHour(body).slots['eth0'] ?? []) add(stored, `slot ${hour}:${slot.minute}`, slot)
    }
    const days = storage.rows<{ day: number; by_hour: number; body: Uint8Array }>('SELECT * FROM days')
    for (const { day, by_hour, body } of days) {
      for (const bucket of unpackDay(body)['eth0'] ?? []) {
        add(stored, by_hour === 1 ? `hour ${hourOf(startOfDay(day)) + bucket.hour}` : `day ${day}`, bucket)
      }
    }
    const counted: Levels = {}
    const newest = Math.max(...hours.map(({ hour }) => hour))
    const today = dayOf((newest + 1) * HOUR_MS)
    for (const [text, slots] of Object.entries(this.all)) {
      const hour = Number(text)
      const day = dayOf(hour * HOUR_MS)
      for (const slot of slots['eth0'] ?? []) {
        if (today - day <= 2) add(counted, `slot ${hour}:${slot.minute}`, slot)
        else if (today - day <= 30) add(counted, `hour ${hour}`, slot)
        else if (today - day <= 180) add(counted, `day ${day}`, slot)
      }
    }
    return { stored, counted }
  }
}

/** Hours from here on are not part of a day's row. */
function firstHour(storage: FakeStorage): number {
  const [newest] = storage.rows<{ day: number | null }>('SELECT max(day) AS day FROM days')
  return typeof newest?.day === 'number' ? hourOf(startOfDay(newest.day + 1)) : 0
}

type Levels = Record<string, { rx: number; tx: number }>

function add(levels: Levels, key: string, { rx, tx }: Volume): void {
  const sum = levels[key] ?? { rx: 0, tx: 0 }
  levels[key] = { rx: sum.rx + rx, tx: sum.tx + tx }
}

describe('rolled up', () => {
  it('every level holds the bytes that were counted, each in its slot, hour or day', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.integer({ min: 500, max: 3 * HOUR_MS }), fc.nat(1e9)) },
      { weight: 1, arbitrary: fc.tuple(fc.integer({ min: HOUR_MS, max: 40 * DAY_MS }), fc.nat(1e9)) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (script) => {
        const months = new Months()
        for (const [ms, bytes] of script) months.report(ms, bytes)
        const { stored, counted } = months.levels()
        expect(stored).toEqual(counted)
      }),
      { numRuns: 300 },
    )
  })

  it('half a year without a break ends at 180 days', () => {
    const months = new Months()
    for (let turn = 0; turn < 12 * 185; turn++) months.report(2 * HOUR_MS, 1_000)
    const { stored, counted } = months.levels()
    expect(stored).toEqual(counted)
    const [count] = months.storage.rows<{ n: number }>('SELECT count(*) AS n FROM days')
    expect(count?.n).toBe(178)
  })

  it('the row that the next counters are compared with stays, however long the device was silent', () => {
    const months = new Months()
    for (const ms of [20 * HOUR_MS, 2 * HOUR_MS, 40 * DAY_MS]) months.report(ms, 1_000)
    const rows = months.storage.rows<{ body: Uint8Array }>('SELECT body FROM hours ORDER BY hour DESC')
    expect(unpackHour(rows[0]!.body).reading?.counters).toEqual({ eth0: { rx: 3_000, tx: 6_000 } })
  })

  it('180 days of hours of an earlier release are rolled up at the first midnight, whole', () => {
    const storage = new FakeStorage()
    const store = new TrafficStore(storage as unknown as DurableObjectStorage, null)
    const body = packHour({ eth0: [slotOf(4, 5, 100, 7), slotOf(9, 5, 300)] })
    for (let hour = 0; hour < 180 * 24 - 1; hour++) {
      storage.sql.exec('INSERT INTO hours (hour, body) VALUES (?, ?)', hourOf(START) + hour, body)
    }
    const midnight = START + 180 * DAY_MS
    const reading = (atMs: number) => ({ bootId: 'b', atMs, counters: { eth0: { rx: atMs, tx: 0 } } })
    store.add(reading(0), midnight - 5 * MINUTE_MS, () => {})
    store.add(reading(5 * MINUTE_MS), midnight, () => {})
    store.add(reading(6 * MINUTE_MS), midnight + MINUTE_MS, () => {})
    const days = storage.rows<{ day: number; by_hour: number; body: Uint8Array }>('SELECT * FROM days ORDER BY day')
    expect(days.map(({ day }) => day - DAY)).toEqual(Array.from({ length: 178 }, (_, index) => index))
    expect(days.filter(({ by_hour }) => by_hour === 1)).toHaveLength(28)
    for (const { body: packed, by_hour } of days) {
      const buckets = unpackDay(packed)['eth0'] ?? []
      expect(buckets).toHaveLength(by_hour === 1 ? 24 : 1)
      expect(buckets.reduce((sum, { rx }) => sum + rx, 0)).toBe(24 * 400)
      expect(buckets.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(240)
    }
    expect(storage.rows('SELECT hour FROM hours')).toHaveLength(48 + 24) // a day of rows that are written over next
  })

  it('an average is never above its peak', () => {
    const slot = fc.record({
      minute: fc.nat(59),
      span: fc.integer({ min: 1, max: 9 }),
      rx: fc.nat(1e12),
      tx: fc.nat(1e12),
    })
    fc.assert(
      fc.property(fc.array(slot, { minLength: 1, maxLength: 30 }), (slots) => {
        const within = slots.map((one) => ({ ...one, span: Math.min(one.span, one.minute + 1) }))
        const days = [toHourBuckets(hourOf(START), { eth0: within })]
        const [point] = toBucketSteps(days, { from: START, to: START + DAY_MS, stepMs: HOUR_MS })['eth0'] ?? []
        expect(point!.down).toBeLessThanOrEqual(point!.down_peak!)
        expect(point!.upload).toBeLessThanOrEqual(point!.upload_peak!)
        expect(unpackDay(packDay(days[0]!.buckets))).toEqual(days[0]!.buckets)
      }),
    )
  })
})
