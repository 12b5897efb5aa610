import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endOfStep, hourOf } from '#durable/router-hub/traffic/series-time.ts'
import { type HourSlots, toSteps } from '#durable/router-hub/traffic/traffic-slots.ts'
import { TrafficStore } from '#durable/router-hub/traffic/traffic-store.ts'
import { FakeStorage } from './fake-storage.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const T0 = 20_000 * 24 * HOUR

const hours = (...slots: HourSlots[string]) => [[hourOf(T0), { eth0: slots }]] as const
/** Bytes of a minute at so many bit/s. */
const minuteOf = (bitsPerSecond: number) => (bitsPerSecond * 60) / 8

describe('steps of a range', () => {
  const grid = { from: T0, to: T0 + HOUR, stepMs: MINUTE, now: T0 + HOUR }

  it('a slot of five minutes gives its average to each of them', () => {
    const steps = toSteps(hours({ minute: 4, span: 5, rx: minuteOf(5_000), tx: minuteOf(500) }), grid)
    expect(steps['eth0']).toEqual(
      [1, 2, 3, 4, 5].map((minute) => ({ down: 1_000, upload: 100, time: T0 + minute * MINUTE })),
    )
  })

  it('a step averages its minutes, and minutes without a slot neither count nor give a point', () => {
    const slots = hours(
      { minute: 0, span: 1, rx: minuteOf(1_000), tx: 0 },
      { minute: 2, span: 1, rx: minuteOf(3_000), tx: 0 },
      { minute: 20, span: 1, rx: minuteOf(8_000), tx: 0 },
    )
    expect(toSteps(slots, { ...grid, stepMs: 5 * MINUTE })['eth0']).toEqual([
      { down: 2_000, upload: 0, time: T0 + 5 * MINUTE },
      { down: 8_000, upload: 0, time: T0 + 25 * MINUTE },
    ])
  })

  it('traffic outside the range is left out, also the part of a slot', () => {
    const slots = hours({ minute: 4, span: 5, rx: minuteOf(5_000), tx: 0 })
    const part = toSteps(slots, { ...grid, from: T0 + 3 * MINUTE, to: T0 + 4 * MINUTE })
    expect(part['eth0']?.map(({ time }) => time)).toEqual([T0 + 4 * MINUTE])
    expect(toSteps(slots, { ...grid, from: T0 + HOUR, to: T0 + 2 * HOUR, now: T0 + 2 * HOUR })).toEqual({})
  })

  it('the minute that is not over is no dip', () => {
    const slots = hours(
      { minute: 0, span: 1, rx: minuteOf(6_000), tx: 0 },
      { minute: 1, span: 1, rx: minuteOf(6_000) / 6, tx: 0 },
    )
    expect(toSteps(slots, { ...grid, now: T0 + MINUTE + 10_000 })['eth0']?.map(({ down }) => down)).toEqual([6_000])
  })

  it('hold the volume of all slots, on equal steps in order', () => {
    const slot = fc.record({ minute: fc.nat(59), rx: fc.nat(1e9), tx: fc.nat(1e9) })
    fc.assert(
      fc.property(fc.uniqueArray(slot, { selector: ({ minute }) => minute, maxLength: 60 }), (drawn) => {
        const slots = drawn.toSorted((a, b) => a.minute - b.minute).map((one) => ({ ...one, span: 1 }))
        const points = toSteps(hours(...slots), grid)['eth0'] ?? []
        const bytes = (rates: readonly number[]) => rates.reduce((sum, rate) => sum + minuteOf(rate), 0)
        const [rx, tx] = [slots.reduce((sum, one) => sum + one.rx, 0), slots.reduce((sum, one) => sum + one.tx, 0)]
        expect(Math.abs(bytes(points.map(({ down }) => down)) - rx)).toBeLessThan(8 * 60)
        expect(Math.abs(bytes(points.map(({ upload }) => upload)) - tx)).toBeLessThan(8 * 60)
        expect(points.map(({ time }) => (time - T0) / MINUTE)).toEqual(slots.map(({ minute }) => minute + 1))
      }),
    )
  })

  it('a step ends after its last millisecond', () => {
    expect(endOfStep(T0, MINUTE)).toBe(T0 + MINUTE)
    expect(endOfStep(T0 + MINUTE - 1, MINUTE)).toBe(T0 + MINUTE)
  })
})

it('a range holds stored hours and what is pending, up to now or around a time', () => {
  const store = new TrafficStore(new FakeStorage() as unknown as DurableObjectStorage, null)
  const from = T0 + 57 * MINUTE
  for (let minute = 0; minute <= 10; minute += 5) {
    const now = from + minute * MINUTE
    store.add({ bootId: 'b', atMs: now - T0, counters: { eth0: { rx: minute * 7_500, tx: 0 } } }, now, () => {})
  }
  const { from: start, to, data } = store.series('hour', from + 10 * MINUTE)
  expect([start, to]).toEqual([to - HOUR, from + 10 * MINUTE])
  expect(data['eth0']?.map(({ time, down }) => [(time - from) / MINUTE, down])).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((minute) => [minute, 1_000]),
  )

  const around = (now: number, at: number) => store.series('hour', now, at)
  const later = from + 5 * HOUR
  expect(around(later, from).to).toBe(from + HOUR / 2)
  expect(around(later, from).data['eth0']).toHaveLength(10)
  expect(around(later, from - HOUR).data).toEqual({})
  expect(around(later, later - MINUTE).to).toBe(later)
})
