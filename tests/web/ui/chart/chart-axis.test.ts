import { assert, double, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chartText, chartUnit, momentText, timeTicks, valueAxis } from '#ui/chart/chart-axis.ts'
import { type ChartFrame, type ChartPoint, toDirections } from '#ui/chart/chart-series.ts'

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
    expect(valueAxis(peak, chartUnit('rate', unit)).ticks.map(({ text }) => text)).toEqual(
      texts.map((text) => text.replace(/^0\.0$/, '0')),
    )
  })

  it('has four or five ticks from zero to its top in equal steps, and room for the peak', () => {
    assert(
      property(double({ min: 0, max: 1e12, noNaN: true }), (peak) => {
        for (const unit of ['bit', 'byte'] as const) {
          const { ticks, top: maxBitsPerSecond } = valueAxis(peak, chartUnit('rate', unit))
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

describe('the axis of counts', () => {
  const texts = (highest: number) => valueAxis(highest, chartUnit('count', 'bit')).ticks.map(({ text }) => text)

  it.each([
    [0, ['0', '1']],
    [1, ['0', '1']],
    [3, ['0', '1', '2', '3']],
    [7, ['0', '2', '4', '6', '8']],
    [10, ['0', '5', '10']],
    [1_200, ['0', '500', '1,000', '1,500']],
  ] as const)('of %d', (highest, expected) => expect(texts(highest)).toEqual(expected))

  it('has whole numbers in equal steps, at most five, and room for the highest', () => {
    assert(
      property(integer({ min: 0, max: 1_000_000 }), (highest) => {
        const numbers = texts(highest).map((text) => Number(text.replaceAll(',', '')))
        const [, step = 0] = numbers
        expect(numbers).toEqual(numbers.map((_, index) => index * step))
        expect(numbers.every(Number.isInteger)).toBe(true)
        expect(numbers.length).toBeLessThanOrEqual(5)
        expect(numbers.at(-1)).toBeGreaterThanOrEqual(highest)
      }),
    )
  })
})

describe('the time axis', () => {
  const texts = (spanMs: number, axis: ChartFrame['axis']) =>
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
    [180 * 24 * HOUR, 'clock', ['08-10', '09-09', '10-09', '11-08', '12-08', '01-07']],
  ] as const)('of %d ms, %s', (spanMs, axis, expected) => expect(texts(spanMs, axis)).toEqual(expected))

  it('has each label at its time, and at most nine', () => {
    assert(
      property(integer({ min: 10_000, max: 181 * 24 * HOUR }), integer({ min: 0, max: 1e12 }), (spanMs, toMs) => {
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
  ['an average of a day', 24 * HOUR, 'clock', '01-14 10:30 – 01-15 10:30'],
] as const)('the moment of %s', (_, stepMs, axis, text) => {
  expect(momentText(NOW, { fromMs: 0, toMs: NOW, stepMs, axis })).toBe(text)
})

it.each([
  [0, '10:30:07'],
  [11, '昨天 23:30:07'],
  [30, '昨天 04:30:07'],
  [40, '01-13 18:30:07'],
])('the moment of a value that holds, %d hours ago', (hours, text) => {
  const frame: ChartFrame = { fromMs: NOW - 48 * HOUR, toMs: NOW, stepMs: 0, axis: 'clock' }
  expect(momentText(NOW - hours * HOUR, frame)).toBe(text)
})

describe('in words', () => {
  const span = { fromMs: NOW - 40_000, toMs: NOW }
  const at = (second: number, value: number | null, peak?: number): ChartPoint => ({
    atMs: NOW + second * 1_000,
    value,
    ...(peak !== undefined && { peak }),
  })

  it('names span, last, mean and highest of each line', () => {
    const series = toDirections([at(-2, 8e6), at(-1, 2e6), at(0, 5e6)], [at(-2, null)])
    expect(chartText('wan0', series, span, chartUnit('rate', 'bit'))).toBe(
      'wan0 的速率曲线，2026-01-15 10:30:05 至 2026-01-15 10:30:07；下行当前 5.00 Mbit/s，平均 5.00 Mbit/s，峰值 8.00 Mbit/s；上行无数据',
    )
  })

  it('has the peaks within averages, also where a sample has none', () => {
    const text = chartText('eth0', toDirections([at(-1, 4e6, 9e6), at(0, 6e6)], []), span, chartUnit('rate', 'bit'))
    expect(text).toContain('下行当前 6.00 Mbit/s，平均 5.00 Mbit/s，峰值 9.00 Mbit/s')
  })

  it('distinguishes a missing last value from zero', () => {
    const unit = chartUnit('rate', 'byte')
    const series = toDirections([at(-1, 2e6), at(0, null)], [at(0, 0)])
    expect(chartText('wan0', series, span, unit)).toMatch(/下行当前 无数据，平均 .*；上行当前 0/)
    expect(chartText('wan0', toDirections([], []), span, unit)).toBe('wan0 的速率曲线，暂无数据')
  })

  it('of rates that are far apart writes each in its own unit, and no present', () => {
    expect(
      chartText('应用流量', toDirections([at(0, 3_200)], [at(0, 4e9)]), span, chartUnit('scaledRate', 'bit')),
    ).toMatch(/；下行平均 3\.20 kbit\/s，峰值 3\.20 kbit\/s；上行平均 4\.00 Gbit\/s/)
  })

  it('of counts names the last, the highest and the lowest', () => {
    const [line] = toDirections([at(-9, 1_200), at(-1, 0), at(0, 7)], [])
    expect(chartText('在线', line ? [line] : [], span, chartUnit('count', 'bit'))).toMatch(
      /^在线 的曲线，.*；下行当前 7，最高 1,200，最低 0$/,
    )
  })
})
