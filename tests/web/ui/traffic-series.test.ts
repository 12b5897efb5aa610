import { array, assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plot, type TrafficPoint } from '../../../web/ui/traffic-series.ts'

const START = Date.parse('2026-01-15T02:30:00Z')
const at = (second: number, rate: number | null = 1): TrafficPoint => ({
  atMs: START + second * 1_000,
  downBitsPerSecond: rate,
  upBitsPerSecond: null,
})
const down = (points: readonly TrafficPoint[]) => plot(points, (point) => point.downBitsPerSecond, 1_000)

describe('a gap', () => {
  it('takes a place for each lost step, and the line is cut before it', () => {
    const line = down([at(0), at(1, 5), at(5)])
    expect(line.map(({ value }) => value)).toEqual([1, 5, undefined, undefined, undefined, 1])
    expect(line.map(({ cut }) => cut ?? false)).toEqual([false, true, false, false, false, false])
  })

  it('is made by a sample without a rate as well, never a zero', () => {
    const line = down([at(0), at(1, null), at(2)])
    expect(line.map(({ value }) => value)).toEqual([1, undefined, 1])
    expect(line[0]?.cut).toBe(true)
  })

  it('is not caused by jitter', () => {
    expect(down([at(0), at(1.9), at(3.2)]).every(({ cut }) => cut === undefined)).toBe(true)
  })

  it('of days does not fill the axis', () => expect(down([at(0), at(900_000)]).length).toBeLessThan(100))
})

it('a true zero is drawn', () => expect(down([at(0, 0)])[0]?.value).toBe(0))

it('times ascend strictly whatever the samples do', () => {
  assert(
    property(array(integer({ min: 0, max: 5_000 }), { maxLength: 60 }), (steps) => {
      let now = START
      const points = steps.map((step) => ({ ...at(0), atMs: (now += step) }))
      const times = down(points).map(({ time }) => time)
      expect(times.every((time, index) => index === 0 || time > times[index - 1]!)).toBe(true)
    }),
  )
})
