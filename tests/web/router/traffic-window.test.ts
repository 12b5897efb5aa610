import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RatePoint, ViewerFrame } from '#contract/kernel/protocol.ts'
import { TRAFFIC } from '#contract/kernel/limits.ts'
import { EMPTY_WINDOW, nextWindow, type TrafficWindow } from '#pages/router/detail/traffic/traffic-window.ts'

const rate = (time: number, down = time): RatePoint => ({ down, upload: 1, time })
const sample = (data: Record<string, RatePoint>): ViewerFrame => ({ code: 200, seq: 1, type: 'interface', data })
const history = (data: Record<string, RatePoint[]>): ViewerFrame => ({ code: 200, seq: 1, type: 'history', data })
const times = (window: TrafficWindow, name: string) => window[name]?.map(({ atMs }) => atMs)

it('a history takes the place of the window, a sample joins it', () => {
  const old = nextWindow(EMPTY_WINDOW, sample({ eth0: rate(1), gone: rate(1) }))
  const window = nextWindow(nextWindow(old, history({ eth0: [rate(5), rate(6)] })), sample({ eth0: rate(7, 70) }))
  expect(Object.keys(window)).toEqual(['eth0'])
  expect(times(window, 'eth0')).toEqual([5, 6, 7])
  expect(window['eth0']?.at(-1)).toEqual({ atMs: 7, downBitsPerSecond: 70, upBitsPerSecond: 1 })
})

it('a frame for a crowd brings several samples of each interface, and those that are known already once', () => {
  const seen = nextWindow(EMPTY_WINDOW, history({ a: [rate(1), rate(2)], b: [rate(2)] }))
  const crowd: ViewerFrame = {
    code: 200,
    seq: 2,
    type: 'interface',
    data: { a: rate(4), b: rate(4) },
    earlier: [{ a: rate(2), b: rate(2) }, { a: rate(3) }],
  }
  const window = nextWindow(seen, crowd)
  expect(times(window, 'a')).toEqual([1, 2, 3, 4])
  expect(window['b']?.map(({ atMs, downBitsPerSecond }) => [atMs, downBitsPerSecond])).toEqual([
    [2, 2],
    [3, null],
    [4, 4],
  ])
})

it('averages of a hub that has slept do not replace the seconds that were seen', () => {
  const seen = nextWindow(EMPTY_WINDOW, history({ a: [rate(60_000), rate(61_000), rate(62_000)] }))
  const slept = history({ a: [rate(0), rate(60_000), rate(120_000)], b: [rate(120_000)] })
  const window = nextWindow(seen, slept)
  expect([times(window, 'a'), times(window, 'b')]).toEqual([[60_000, 61_000, 62_000], [120_000]])
  const newer = nextWindow(window, history({ a: [rate(180_000), rate(181_000)] }))
  expect(times(newer, 'a')).toEqual([180_000, 181_000])
})

it('an interface that is left out gets a gap at the time of the others, and its past moves on', () => {
  const window = nextWindow(nextWindow(EMPTY_WINDOW, sample({ a: rate(1), b: rate(1) })), sample({ a: rate(2) }))
  expect(window['b']?.at(-1)).toEqual({ atMs: 2, downBitsPerSecond: null, upBitsPerSecond: null })
  expect(times(window, 'a')).toEqual([1, 2])
})

it('a frame of another kind, or without samples, changes nothing', () => {
  const window = nextWindow(EMPTY_WINDOW, sample({ a: rate(1) }))
  expect(nextWindow(window, sample({}))).toBe(window)
  expect(nextWindow(window, { code: 200, seq: 1, type: 'membership' })).toBe(window)
})

const anyFrame = fc.oneof(
  fc
    .dictionary(
      fc.constantFrom('a', 'b'),
      fc.integer({ min: 0, max: 90 }).map((time) => rate(time)),
    )
    .map(sample),
  fc
    .dictionary(
      fc.constantFrom('a', 'b'),
      fc.array(
        fc.integer({ min: 0, max: 90 }).map((time) => rate(time)),
        { maxLength: 60 },
      ),
    )
    .map(history),
)

it('keeps at most 40 samples and two before, in ascending order', () => {
  fc.assert(
    fc.property(fc.array(anyFrame, { maxLength: 120 }), (frames) => {
      const window = frames.reduce(nextWindow, EMPTY_WINDOW)
      for (const points of Object.values(window)) {
        expect(points.length).toBeLessThanOrEqual(TRAFFIC.pointsKept + 2)
        const atMs = points.map((point) => point.atMs)
        expect(atMs).toEqual([...new Set(atMs)].toSorted((a, b) => a - b))
      }
    }),
  )
})

it('keeps the newest of a longer history', () => {
  const window = nextWindow(EMPTY_WINDOW, history({ a: Array.from({ length: 50 }, (_, index) => rate(index)) }))
  expect([window['a']?.length, window['a']?.[0]?.atMs, window['a']?.at(-1)?.atMs]).toEqual([42, 8, 49])
})
