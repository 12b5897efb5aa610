import { assert, double, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { momentText, timeTicks, valueAxis } from '#ui/chart/traffic-axis.ts'
import type { TrafficFrame } from '#ui/chart/traffic-series.ts'

const NOW = Date.parse('2026-01-15T02:30:07Z') // 10:30:07 in Shanghai
const HOUR = 3_600_000

describe('the value axis', () => {
  it.each([
    [13_400_000, 'bit', ['0', '5', '10', '15']],
    [20_000_000, 'bit', ['0', '5', '10', '15', '20']],
    [8_700_000, 'bit', ['0.0', '2.5', '5.0', '7.5', '10.0']],
    [8_700_000, 'byte', ['0', '0.5', '1.0', '1.5']],
    [950_000_000, 'bit', ['0', '250', '500', '750', '1000']],
    [0, 'bit', ['0', '0.025', '0.050', '0.075', '0.100']],
  ] as const)('of %d bit/s in %ss', (peak, unit, texts) => {
    expect(valueAxis(peak, unit).ticks.map(({ text }) => text)).toEqual(
      texts.map((text) => text.replace(/^0\.0$/, '0')),
    )
  })

  it('has four or five ticks from zero to its top in equal steps, and room for the peak', () => {
    assert(
      property(double({ min: 0, max: 1e12, noNaN: true }), (peak) => {
        for (const unit of ['bit', 'byte'] as const) {
          const { ticks, maxBitsPerSecond } = valueAxis(peak, unit)
          expect([4, 5]).toContain(ticks.length)
          expect(maxBitsPerSecond).toBeGreaterThanOrEqual(peak * (1 - 1e-9))
          expect(maxBitsPerSecond).toBeLessThanOrEqual(Math.max(peak, 100_000) * 1.51)
          const top = Number(ticks.at(-1)?.text) * (unit === 'bit' ? 1e6 : 8e6)
          expect(Math.abs(top / maxBitsPerSecond - 1)).toBeLessThan(1e-6)
          for (const { at, text } of ticks)
            expect(Math.abs((Number(text) * (unit === 'bit' ? 1e6 : 8e6)) / top - at)).toBeLessThan(1e-6)
        }
      }),
    )
  })
})

describe('the time axis', () => {
  const texts = (spanMs: number, axis: TrafficFrame['axis']) =>
    timeTicks({ fromMs: NOW - spanMs, toMs: NOW }, axis).map(({ text }) => text)

  it.each([
    [40_000, 'live', ['−40 s', '−30 s', '−20 s', '−10 s', '现在']],
    [20_000, 'live', ['−20 s', '−15 s', '−10 s', '−5 s', '现在']],
    [40_000, 'clock', ['10:29:30', '10:29:35', '10:29:40', '10:29:45', '10:29:50', '10:29:55', '10:30:00', '10:30:05']],
    [HOUR, 'clock', ['09:40', '09:50', '10:00', '10:10', '10:20', '10:30']],
    [24 * HOUR, 'clock', ['12:00', '15:00', '18:00', '21:00', '01-15', '03:00', '06:00', '09:00']],
    [168 * HOUR, 'clock', ['01-09', '01-10', '01-11', '01-12', '01-13', '01-14', '01-15']],
    [15 * 24 * HOUR, 'clock', ['01-01', '01-03', '01-05', '01-07', '01-09', '01-11', '01-13', '01-15']],
    [30 * 24 * HOUR, 'clock', ['12-18', '12-23', '12-28', '01-02', '01-07', '01-12']],
    [60 * 24 * HOUR, 'clock', ['11-18', '11-28', '12-08', '12-18', '12-28', '01-07']],
  ] as const)('of %d ms, %s', (spanMs, axis, expected) => expect(texts(spanMs, axis)).toEqual(expected))

  it('has each label at its time, and at most nine', () => {
    assert(
      property(integer({ min: 10_000, max: 80 * 24 * HOUR }), integer({ min: 0, max: 1e12 }), (spanMs, toMs) => {
        const ticks = timeTicks({ fromMs: toMs - spanMs, toMs }, 'clock')
        const steps = ticks.slice(1).map(({ at }, index) => at - (ticks[index]?.at ?? 0))
        for (const step of steps) expect(Math.abs(step - (steps[0] ?? 0))).toBeLessThan(1e-9)
        for (const { at } of ticks) expect(at >= 0 && at <= 1).toBe(true)
        expect(ticks.length).toBeLessThanOrEqual(9)
      }),
    )
  })
})

it.each([
  ['a second', 1_000, 'live', '10:30:07'],
  ['an average of five minutes', 300_000, 'clock', '01-15 10:25 – 10:30'],
  ['an average of two hours', 7_200_000, 'clock', '01-15 08:30 – 10:30'],
] as const)('the moment of %s', (_, stepMs, axis, text) => {
  expect(momentText(NOW, { fromMs: 0, toMs: NOW, stepMs, axis })).toBe(text)
})
