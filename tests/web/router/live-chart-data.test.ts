import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toLiveChartData } from '#pages/router/detail/traffic/live-chart-data.ts'
import { toSeconds, type TrafficPoint } from '#pages/router/detail/traffic/traffic-window.ts'

const NOW = Date.parse('2026-01-15T02:30:00Z')
const at = (second: number, rate: number | null = 1): TrafficPoint => ({
  atMs: NOW + second * 1_000,
  downBitsPerSecond: rate,
  upBitsPerSecond: rate,
})
const seconds = (points: readonly TrafficPoint[]) => points.map(({ atMs }) => (atMs - NOW) / 1_000)

describe('live samples', () => {
  it('never stand beside five-minute averages', () => {
    const summaries = [at(-900), at(-600), at(-300)]
    const firstOfStream = at(-4) // the average since the last summary
    expect(seconds(toSeconds([...summaries, firstOfStream, at(-3), at(-2), at(-1)]))).toEqual([-3, -2, -1])
  })

  it('leave out the average of a silence', () => {
    expect(seconds(toSeconds([at(-20), at(-19), at(-6), at(-5)]))).toEqual([-19, -5])
  })

  it('are at most two and a half steps from the sample before', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400_000 }), { maxLength: 41 }), (steps) => {
        let atMs = NOW
        const points = steps.map((step) => ({ ...at(0), atMs: (atMs += step) }))
        const kept = new Set(toSeconds(points))
        for (const [index, point] of points.entries()) {
          const distance = point.atMs - (points[index - 1]?.atMs ?? -Infinity)
          expect(kept.has(point)).toBe(distance <= 2_500)
        }
      }),
    )
  })
})

describe('data of live charts', () => {
  it('is 40 s that end now, however few samples there are', () => {
    const { kind, frame, points } = toLiveChartData({ a: [at(-3), at(-2)] }, NOW)
    expect(kind).toBe('live')
    expect(frame).toEqual({ fromMs: NOW - 40_000, toMs: NOW, stepMs: 1_000, axis: 'live' })
    expect(seconds(points['a'] ?? [])).toEqual([-2])
  })

  it('has the average before the first second, unless it is old or the seconds are the last ones', () => {
    const earlier = (points: readonly TrafficPoint[], nowMs: number | null) =>
      toLiveChartData({ a: points }, nowMs).earlier['a']?.atMs
    expect(earlier([at(-500), at(-200)], NOW)).toBe(NOW - 200_000) // the stream has not begun
    expect(earlier([at(-200), at(-3, 7), at(-2), at(-1)], NOW)).toBe(NOW - 3_000) // since the last report
    expect(earlier([at(-200, null)], NOW)).toBeUndefined()
    expect(earlier([at(-700)], NOW)).toBeUndefined()
    expect(earlier([at(-3), at(-2)], null)).toBeUndefined()
  })

  it('is the last 40 s, by the clock, once no samples are expected', () => {
    const { kind, frame } = toLiveChartData({ a: [at(-63), at(-62)], b: [at(-70), at(-69)] }, null)
    expect(kind).toBe('last')
    expect(frame).toEqual({ fromMs: NOW - 102_000, toMs: NOW - 62_000, stepMs: 1_000, axis: 'clock' })
  })

  it('is what the device reported unwatched, where there are no seconds', () => {
    const { kind, frame, points } = toLiveChartData({ a: [at(-900), at(-600)], b: [at(-1200)] }, null)
    expect(kind).toBe('averages')
    expect(frame).toEqual({ fromMs: NOW - 1_500_000, toMs: NOW - 600_000, stepMs: 300_000, axis: 'clock' })
    expect(seconds(points['b'] ?? [])).toEqual([-1200])
  })

  it('of nothing is an empty live frame', () => {
    expect(toLiveChartData({}, null)).toMatchObject({ points: {}, frame: { axis: 'live' } })
    expect(toLiveChartData({}, NOW)).toMatchObject({ kind: 'live', points: {} })
  })
})
