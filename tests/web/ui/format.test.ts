import { assert, property, integer } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dateText,
  durationText,
  expiry,
  clockText,
  lastDays,
  rangeMs,
  relativeText,
  timeText,
} from '#lib/format/format-time.ts'
import { bandwidthText, countText, fileSizeText, rateText, trafficText } from '#lib/format/format-unit.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.parse('2026-01-15T16:30:00Z') // half past midnight of the 16th in Shanghai

describe('time', () => {
  it('is Shanghai time whatever the zone of the machine', () => {
    expect(timeText(NOW)).toBe('2026-01-16 00:30:00')
    expect(dateText(NOW)).toBe('2026-01-16')
  })

  it.each([
    [NOW - 59_999, '刚刚'],
    [NOW + 59_999, '刚刚'],
    [NOW - MINUTE, '1 分钟前'],
    [NOW - 59 * MINUTE, '59 分钟前'],
    [NOW - HOUR, '1 小时前'],
    [NOW + 3 * HOUR, '3 小时后'],
    [NOW - 29 * DAY, '29 天前'],
    [NOW - 30 * DAY, '2025-12-17'],
  ])('relative %i', (at, text) => expect(relativeText(at, NOW)).toBe(text))

  it.each([
    [NOW, '00:30:00'],
    [NOW - 30 * MINUTE, '00:00:00'],
    [NOW - 31 * MINUTE, '昨天 23:59:00'],
    [NOW - 2 * DAY, '01-14 00:30:00'],
  ])('clock %i', (at, text) => expect(clockText(at, NOW)).toBe(text))

  it.each([
    [0, '0 秒'],
    [-5, '0 秒'],
    [40_900, '40 秒'],
    [2 * HOUR + 5 * MINUTE + 9_000, '2 小时 5 分'],
    [3 * DAY + 4 * HOUR, '3 天 4 小时'],
    [3 * DAY + 4 * MINUTE, '3 天'],
  ])('duration %i', (span, text) => expect(durationText(span)).toBe(text))

  it.each([
    [NOW - 1, '已过期', 'past'],
    [NOW, '已过期', 'past'],
    [NOW + HOUR, '还有 1 天', 'urgent'],
    [NOW + 7 * DAY, '还有 7 天', 'urgent'],
    [NOW + 7 * DAY + 1, '还有 8 天', 'soon'],
    [NOW + 30 * DAY, '还有 30 天', 'soon'],
    [NOW + 31 * DAY, '还有 31 天', 'normal'],
  ])('expiry %i', (at, text, tone) => expect(expiry(at, NOW)).toEqual({ text, tone }))

  it('a range holds exactly the milliseconds of its days', () => {
    const { startMs, endMs } = rangeMs({ from: '2026-01-15', to: '2026-01-16' })
    expect([timeText(startMs), timeText(endMs)]).toEqual(['2026-01-15 00:00:00', '2026-01-16 23:59:59'])
    expect(endMs - startMs).toBe(2 * DAY - 1)
  })

  it('the last days end today, in Shanghai', () => {
    expect(lastDays(1, NOW)).toEqual({ from: '2026-01-16', to: '2026-01-16' })
    expect(lastDays(7, NOW)).toEqual({ from: '2026-01-10', to: '2026-01-16' })
    assert(
      property(integer({ min: 1, max: 400 }), integer({ min: 0, max: 4e12 }), (days, now) => {
        const { startMs, endMs } = rangeMs(lastDays(days, now))
        expect(endMs - startMs + 1).toBe(days * DAY)
        expect(startMs <= now && now <= endMs).toBe(true)
      }),
    )
  })
})

describe('units', () => {
  it.each([
    [0, '0.00 bit/s', '0.00 B/s'],
    [999, '999.00 bit/s', '124.88 B/s'],
    [8_000, '8.00 kbit/s', '1.00 kB/s'],
    [1_500_000, '1.50 Mbit/s', '187.50 kB/s'],
    [2.5e9, '2.50 Gbit/s', '312.50 MB/s'],
  ])('%i bit/s', (rate, bits, bytes) => {
    expect(rateText(rate, 'bit')).toBe(bits)
    expect(rateText(rate, 'byte')).toBe(bytes)
  })

  it('amounts', () => {
    expect(trafficText(12e6, 'bit')).toBe('12.00 Mb')
    expect(trafficText(12e6, 'byte')).toBe('1.50 MB')
  })

  it('bandwidth stays in Mbps', () => {
    expect(bandwidthText(1)).toBe('1 Mbps')
    expect(bandwidthText(2.5)).toBe('2.5 Mbps')
    expect(bandwidthText(12_000)).toBe('12,000 Mbps')
  })

  it('counts and file sizes', () => {
    const counts = [0, 999, 1_000, 1_234_567]
    expect(counts.map((count) => countText(count))).toEqual(['0', '999', '1,000', '1,234,567'])
    expect([9_999, 10_000, 10_001].map((count) => countText(count, 10_000))).toEqual(['9,999', '10,000', '10000+'])
    expect([0, 512, 1_536, 2_097_152].map(fileSizeText)).toEqual(['0 B', '512 B', '1.5 KB', '2 MB'])
  })
})
