import { array, assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ChartFrame,
  type ChartPoint,
  type ChartSeries,
  momentAt,
  momentsOf,
  nextMoment,
  plot,
  pointAt,
  slotsOf,
  stats,
  toDirections,
} from '#ui/chart/chart-series.ts'

const START = Date.parse('2026-01-15T02:30:00Z')
const SECOND = 1_000
const frame: ChartFrame = { fromMs: START, toMs: START + 40 * SECOND, stepMs: SECOND, axis: 'live' }
const at = (second: number, value: number | null = 1): ChartPoint => ({ atMs: START + second * SECOND, value })
const down = (points: readonly ChartPoint[]) => plot(points, frame)

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

  it('is a single missing step, where samples keep to their steps', () => {
    const points = [at(0), at(1), at(3), at(4)]
    expect(down(points).some(({ cut }) => cut)).toBe(false)
    expect(plot(points, { ...frame, isExact: true }).map(({ cut }) => cut)).toEqual([false, true, false, false])
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
  const figures = (points: readonly ChartPoint[]) => stats({ points }, frame)
  it.each([
    ['of nothing', [], { now: null, mean: null, peak: null, highest: null, lowest: null }],
    ['of one sample', [at(1, 4)], { now: 4, mean: 4, peak: 4, highest: 4, lowest: 4 }],
    [
      'count only what is in sight',
      [at(-5, 99), at(1, 4), at(2, 8), at(41, 0)],
      { now: 8, mean: 6, peak: 8, highest: 8, lowest: 4 },
    ],
    ['have no present where the last sample has none', [at(1, 4), at(2, null)], { now: null, mean: 4, peak: 4 }],
    ['count zeros', [at(1, 0), at(2, 4)], { now: 4, mean: 2, peak: 4, lowest: 0 }],
    [
      'have the peaks within averages, also where a sample has none',
      [{ ...at(1, 4), peak: 9 }, at(2, 6)],
      { now: 6, mean: 5, peak: 9, highest: 6 },
    ],
  ] as const)('%s', (_, points, expected) => expect(figures(points)).toMatchObject(expected))
})

/** The value of the first line at a second, and the second that it belongs to. */
function reading(series: readonly ChartSeries[], second: number, one: ChartFrame): readonly [number, unknown] | null {
  const moment = momentAt(momentsOf(series), START + second * SECOND, one)
  const [line] = series
  if (moment === null || line === undefined) return null
  return [(moment - START) / SECOND, pointAt(line, moment, one)?.value]
}

describe('the sample at a moment', () => {
  const series = toDirections([at(1, 1), at(2, null), at(3, 3), at(20, 20)], [])
  it.each([
    [0.9, [1, 1]],
    [1.6, [1, 1]],
    [2.4, [3, 3]],
    [19, [20, 20]],
    [10, null],
  ] as const)('second %d', (second, expected) => expect(reading(series, second, frame)).toEqual(expected))

  it('is one of any line; the others may have none', () => {
    expect(momentsOf(toDirections([at(3), at(7, null)], [at(1), at(3)]))).toEqual([at(1).atMs, at(3).atMs])
    expect(reading(toDirections([at(1)], [at(5)]), 5.2, frame)).toEqual([5, undefined])
  })

  it('is that of the step under the pointer, where samples keep to their steps, or of the one just before', () => {
    const gap = toDirections([at(1, 1), at(3, 3)], [])
    const exact = (second: number) => reading(gap, second, { ...frame, isExact: true })
    expect([0, 0.1, 1.4, 1.6, 1.9, 2, 2.1].map((second) => exact(second)?.[0])).toEqual([
      1,
      1,
      1,
      undefined,
      undefined,
      3,
      3,
    ])
    expect(reading(gap, 1.9, frame)).toEqual([1, 1])
  })
})

describe('a value that holds', () => {
  const held: ChartFrame = { ...frame, stepMs: 0, axis: 'clock' }
  const series = toDirections([at(5, 4), at(20, 0), at(21, 2)], [])
  it.each([
    [5, [5, 4]],
    [19.5, [19.5, 4]],
    [20, [20, 0]],
    [40, [40, 2]],
  ] as const)('is read at second %d', (second, expected) => expect(reading(series, second, held)).toEqual(expected))

  it('is not known before the first', () => expect(reading(series, 1, held)).toEqual([5, 4]))
  it('is not known at all without points', () => expect(reading([], 1, held)).toBeNull())
})

describe('a key', () => {
  const moments = [10, 20, 30, 40, 50]
  it.each([
    ['ArrowLeft', 30, 20],
    ['ArrowRight', 30, 40],
    ['ArrowRight', 50, 50],
    ['ArrowLeft', 10, 10],
    ['ArrowLeft', 34, 30],
    ['ArrowRight', 34, 40],
    ['Home', 40, 10],
    ['End', 20, 50],
    ['PageDown', 50, 10],
    ['PageUp', 20, 50],
    ['Tab', 30, null],
    ['ArrowLeft', null, 50],
    ['ArrowRight', null, 50],
    ['Home', null, 10],
  ] as const)('%s from %j moves to %j', (key, from, to) => expect(nextMoment(key, moments, from)).toBe(to))

  it('goes a page of twelve', () => {
    const many = Array.from({ length: 40 }, (_, index) => index)
    expect([nextMoment('PageDown', many, 30), nextMoment('PageUp', many, 3)]).toEqual([18, 15])
  })

  it('does nothing without samples', () => expect(nextMoment('ArrowLeft', [], null)).toBeNull())
})
