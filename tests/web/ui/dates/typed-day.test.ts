import { describe, expect, it } from 'vitest'
import { checkDay, rangeWith, readDay, readMinute } from '#ui/form/dates/typed-day.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const DAYS: readonly (readonly [typed: string, day: string | null])[] = [
  ['2026-01-03', '2026-01-03'],
  ['2026-1-3', '2026-01-03'],
  ['2026/1/3', '2026-01-03'],
  ['2026.01.3', '2026-01-03'],
  ['20260103', '2026-01-03'],
  ['2026年1月3日', '2026-01-03'],
  ['2026年1月3', '2026-01-03'],
  ['２０２６－０１－０３', '2026-01-03'],
  ['２０２６／１／３', '2026-01-03'],
  ['２０２６０１０３', '2026-01-03'],
  ['2026–01–03', '2026-01-03'],
  ['  2026-01-03\n', '2026-01-03'],
  ['2026 / 1 / 3', '2026-01-03'],
  ['2024-02-29', '2024-02-29'],
  ['2026-02-29', null],
  ['2026-02-30', null],
  ['2026-13-01', null],
  ['2026-00-10', null],
  ['2026-1', null],
  ['2026-01-', null],
  ['202601', null],
  ['26-01-03', null],
  ['1/3/2026', null],
  ['2026-01-03 08:00', null],
  ['2026-01-033', null],
  ['昨天', null],
  ['', null],
]

const MINUTES: readonly (readonly [typed: string, minute: string | null])[] = [
  ['2026-01-03 08:05', '2026-01-03 08:05'],
  ['2026-01-03T08:05', '2026-01-03 08:05'],
  ['2026/1/3 8:05', '2026-01-03 08:05'],
  ['20260103 8:5', '2026-01-03 08:05'],
  ['2026-01-03 08:05:59', '2026-01-03 08:05'],
  ['２０２６－０１－０３　０８：０５', '2026-01-03 08:05'],
  ['2026年1月3日 8时5分', '2026-01-03 08:05'],
  ['2026-01-03 24:00', null],
  ['2026-01-03 08:60', null],
  ['2026-02-30 08:00', null],
  ['2026-01-03', null],
  ['08:05', null],
  ['2026-01-03 08', null],
  ['', null],
]

it('reads a day as people type or paste it, and nothing that no calendar has', async () => {
  expect(await findOffenders(DAYS)((typed, day) => expect(readDay(typed)).toBe(day))).toEqual([])
})

it('reads a day with its minute', async () => {
  expect(await findOffenders(MINUTES)((typed, minute) => expect(readMinute(typed)).toBe(minute))).toEqual([])
})

it('says what is wrong with a day', () => {
  const rules = { label: '开始日期', min: '2026-01-10', max: '2026-01-20' }
  expect(checkDay('2026/1/10', rules)).toEqual({ day: '2026-01-10' })
  expect(checkDay('20260120', rules)).toEqual({ day: '2026-01-20' })
  expect(checkDay('2026-01-09', rules)).toEqual({ problem: '开始日期不能早于2026-01-10' })
  expect(checkDay('2026-01-21', rules)).toEqual({ problem: '开始日期不能晚于2026-01-20' })
  expect(checkDay('2026-1', rules)).toEqual({ problem: '开始日期不正确，请按 yyyy-MM-dd 填写' })
})

describe('a range whose end moves', () => {
  const week = { from: '2026-11-01', to: '2026-11-07' }
  it.each([
    [null, 'from', '2026-11-03', { from: '2026-11-03', to: '2026-11-03' }],
    [week, 'from', '2026-11-05', { from: '2026-11-05', to: '2026-11-07' }],
    [week, 'from', '2026-11-09', { from: '2026-11-09', to: '2026-11-09' }],
    [week, 'to', '2026-10-20', { from: '2026-10-20', to: '2026-10-20' }],
    [week, 'to', '', null],
  ] as const)('%j, %s → %s', (value, end, to, range) => expect(rangeWith(value, end, to)).toEqual(range))
})
