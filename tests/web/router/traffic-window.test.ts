import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RatePoint, ViewerFrame } from '../../../worker/contract/protocol.ts'
import { TRAFFIC } from '../../../worker/contract/limits.ts'
import { EMPTY_WINDOW, withEnd, nextWindow, type TrafficWindow } from '../../../web/features/router/traffic-window.ts'

const rate = (time: number, down = time): RatePoint => ({ down, upload: 1, time })
const sample = (data: Record<string, RatePoint>): ViewerFrame => ({ code: 200, seq: 1, type: 'interface', data })
const history = (data: Record<string, RatePoint[]>): ViewerFrame => ({ code: 200, seq: 1, type: 'history', data })
const times = (window: TrafficWindow, name: string) => window[name]?.map(({ atMs }) => atMs)

it('a history joins the samples that the page has already: those of a hub that slept are a minute apart', () => {
  const live = [61, 62, 63].reduce(
    (window, at) => nextWindow(window, sample({ eth0: rate(at), tun0: rate(at) })),
    EMPTY_WINDOW,
  )
  const window = nextWindow(live, history({ eth0: [0, 60, 62, 120].map((at) => rate(at, 5)), wan: [rate(120)] }))
  expect(times(window, 'eth0')).toEqual([0, 60, 61, 62, 63, 120])
  expect(window['eth0']?.[3]?.downBitsPerSecond).toBe(62)
  expect([times(window, 'tun0'), times(window, 'wan')]).toEqual([[61, 62, 63], [120]])
  expect(times(nextWindow(window, sample({ eth0: rate(121) })), 'eth0')).toEqual([0, 60, 61, 62, 63, 120, 121])
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

it('ends without a rate once samples stop, and an empty window remains empty', () => {
  const points = nextWindow(EMPTY_WINDOW, sample({ a: rate(1_000) }))['a'] ?? []
  expect(withEnd(points).map(({ atMs, downBitsPerSecond }) => [atMs, downBitsPerSecond])).toEqual([
    [1_000, 1_000],
    [2_000, null],
  ])
  expect(withEnd([])).toEqual([])
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

it('keeps at most 40 samples in ascending order', () => {
  fc.assert(
    fc.property(fc.array(anyFrame, { maxLength: 120 }), (frames) => {
      const window = frames.reduce(nextWindow, EMPTY_WINDOW)
      for (const points of Object.values(window)) {
        expect(points.length).toBeLessThanOrEqual(TRAFFIC.pointsKept)
        const atMs = points.map((point) => point.atMs)
        expect(atMs).toEqual([...new Set(atMs)].toSorted((a, b) => a - b))
      }
    }),
  )
})

it('keeps the newest 40 of a longer history', () => {
  const window = nextWindow(EMPTY_WINDOW, history({ a: Array.from({ length: 50 }, (_, index) => rate(index)) }))
  expect([window['a']?.length, window['a']?.[0]?.atMs, window['a']?.at(-1)?.atMs]).toEqual([40, 10, 49])
})
