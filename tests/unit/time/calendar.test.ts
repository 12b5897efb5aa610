import { expect, it } from 'vitest'
import { dayText, parseDay, timeText } from '#contract/kernel/time.ts'

it('days and their texts agree with the platform’s calendar from 1890 to 2130', () => {
  const days = Array.from({ length: 87_660 }, (_, i) => i - 29_220)
  const texts = days.map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
  expect(days.map(dayText)).toEqual(texts)
  expect(texts.map(parseDay)).toEqual(days)
})

it.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '1900-02-29', ''])('%s is no day', (text) =>
  expect(parseDay(text)).toBeNull(),
)

it.each([
  ['2026-11-22T15:59:59.999Z', '2026-11-22 23:59:59'],
  ['2026-11-22T16:00:00Z', '2026-11-23 00:00:00'],
  ['1970-01-01T00:00:00Z', '1970-01-01 08:00:00'],
])('%s is %s in Shanghai', (utc, text) => expect(timeText(Date.parse(utc))).toBe(text))
