import { expect, it } from 'vitest'
import { toLinkTimes } from '#domain/health/link-times.ts'

const HOUR = 60
const series = {
  from: 0,
  to: 5 * HOUR,
  step_ms: HOUR,
  points: [{ time: 2 * HOUR, rtt_ms: 20, rtt_max_ms: 35, loss: 10 }],
}

it('gives each step its quality, or none, and whether the link was up all the time', () => {
  const times = [
    { startAt: 190, endAt: null, reason: '' },
    { startAt: 70, endAt: 130, reason: '对端无应答' },
  ]
  const { points, events } = toLinkTimes(series, times, 270)
  expect(points).toEqual([
    { time: 60, rtt_ms: null, rtt_max_ms: null, loss: null, up: null },
    { time: 120, rtt_ms: 20, rtt_max_ms: 35, loss: 10, up: 1 },
    { time: 180, rtt_ms: null, rtt_max_ms: null, loss: null, up: 0 },
    { time: 240, rtt_ms: null, rtt_max_ms: null, loss: null, up: 0 },
    { time: 300, rtt_ms: null, rtt_max_ms: null, loss: null, up: 1 },
  ])
  expect(events).toEqual([
    { time: 190, up: 1, reason: '' },
    { time: 130, up: 0, reason: '对端无应答' },
    { time: 70, up: 1, reason: '' },
  ])
})

it('knows nothing of ups and downs without a record, and nothing of the time to come', () => {
  expect(toLinkTimes(series, [], 300).points.map(({ up }) => up)).toEqual([null, null, null, null, null])
  const isUp = toLinkTimes(series, [{ startAt: -10, endAt: null, reason: '' }], 150)
  expect(isUp.points.map(({ up }) => up)).toEqual([1, 1, 1, null, null])
  expect(isUp.events).toEqual([])
})
