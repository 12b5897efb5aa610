import { array, assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  chartText,
  downOf,
  downPeakOf,
  nearestPoint,
  plot,
  slotsOf,
  stats,
  type TrafficFrame,
  type TrafficPoint,
} from '#ui/chart/traffic-series.ts'

const START = Date.parse('2026-01-15T02:30:00Z')
const SECOND = 1_000
const frame: TrafficFrame = { fromMs: START, toMs: START + 40 * SECOND, stepMs: SECOND, axis: 'live' }
const at = (second: number, rate: number | null = 1): TrafficPoint => ({
  atMs: START + second * SECOND,
  downBitsPerSecond: rate,
  upBitsPerSecond: null,
})
const down = (points: readonly TrafficPoint[]) => plot(points, downOf, frame)

describe('time is linear', () => {
  it.each([
    ['live: tenths of a second', frame, 100, 400],
    ['an hour of minutes', { ...frame, toMs: START + 3_600_000, stepMs: 60_000 }, 6_000, 600],
    ['a day of five minutes', { ...frame, toMs: START + 86_400_000, stepMs: 300_000 }, 300_000, 288],
  ] as const)('%s', (_, one, slotMs, last) => expect(slotsOf(one)).toMatchObject({ slotMs, last }))

  it('two samples stand where their times are, not over the whole width', () => {
    expect(down([at(38.04), at(39)]).map(({ slot }) => slot)).toEqual([380, 390])
  })

  it('a sample left of the frame leads the line in; older ones are left out', () => {
    expect(down([at(-300, 9), at(-0.5), at(0.5)]).map(({ slot }) => slot)).toEqual([-5, 5])
  })

  it('slots ascend strictly, whatever the samples do, and are at the sample’s time', () => {
    assert(
      property(array(integer({ min: 0, max: 5_000 }), { maxLength: 60 }), (steps) => {
        let now = START - 2 * SECOND
        const points = steps.map((step) => ({ ...at(0, step % 7 === 0 ? null : 1), atMs: (now += step) }))
        const slots = down(points).map(({ slot }) => slot + 0) // no -0
        expect(slots).toEqual([...new Set(slots)].toSorted((a, b) => a - b))
        // A lone sample begins a step before.
        const isNear = (slot: number) => points.some(({ atMs }) => Math.abs((atMs - START) / 100 - slot) <= 0.5)
        for (const slot of slots) expect(isNear(slot) || isNear(slot + 10)).toBe(true)
      }),
    )
  })
})

describe('a gap', () => {
  it('is as wide as the time without samples, and the line is cut before it', () => {
    const line = down([at(0), at(1, 5), at(5), at(6)])
    expect(line.map(({ slot, cut }) => [slot, cut])).toEqual([
      [0, false],
      [10, true],
      [50, false],
      [60, false],
    ])
  })

  it('is made by a sample without a rate as well, never a zero', () => {
    const line = down([at(0), at(1, 5), at(2, null), at(3), at(4)])
    expect(line.map(({ value, cut }) => [value, cut])).toEqual([
      [1, false],
      [5, true],
      [1, false],
      [1, false],
    ])
  })

  it('is not caused by jitter', () => expect(down([at(0), at(1.9), at(3.2)]).some(({ cut }) => cut)).toBe(false))
})

it('a sample alone is drawn over its step', () => {
  expect(down([at(5, 3), at(20, 7)])).toEqual([
    { slot: 40, value: 3, cut: false },
    { slot: 50, value: 3, cut: true },
    { slot: 190, value: 7, cut: false },
    { slot: 200, value: 7, cut: false },
  ])
})

it('a true zero is drawn', () => expect(down([at(0, 0)])[0]?.value).toBe(0))

describe('figures of a line', () => {
  it.each([
    ['of nothing', [], { now: null, mean: null, peak: null }],
    ['of one sample', [at(1, 4)], { now: 4, mean: 4, peak: 4 }],
    ['count only what is in sight', [at(-5, 99), at(1, 4), at(2, 8), at(41, 99)], { now: 8, mean: 6, peak: 8 }],
    ['have no present where the last sample has none', [at(1, 4), at(2, null)], { now: null, mean: 4, peak: 4 }],
    ['zeros count', [at(1, 0), at(2, 4)], { now: 4, mean: 2, peak: 4 }],
  ] as const)('%s', (_, points, expected) => expect(stats(points, downOf, frame)).toEqual(expected))

  it('have the peaks within averages, also where a sample has none', () => {
    const peak = { downBitsPerSecond: 9, upBitsPerSecond: 7 }
    const averages = [{ ...at(1, 4), peak }, at(2, 6)]
    expect(stats(averages, downOf, frame, downPeakOf)).toEqual({ now: 6, mean: 5, peak: 9 })
    expect(chartText('eth0', averages, frame, 'bit')).toContain('下行当前 6.00 bit/s，平均 5.00 bit/s，峰值 9.00 bit/s')
  })
})

describe('the sample at a moment', () => {
  const points = [at(1, 1), at(2, null), at(3, 3), at(20, 20)]
  it.each([
    [0.9, 1],
    [1.6, 1],
    [2.4, 3],
    [19, 20],
    [10, undefined],
  ])('second %d', (second, rate) => {
    expect(nearestPoint(points, START + second * SECOND, frame)?.downBitsPerSecond).toBe(rate)
  })
})
