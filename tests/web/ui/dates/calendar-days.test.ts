import { expect, it } from 'vitest'
import { addDays, addMonths, clampDay, dayAfterKey, monthsBetween, moveMonths } from '#ui/form/dates/calendar-days.ts'

const BOUNDS = { min: '2026-01-05', max: '2026-12-20' }

it.each([
  ['2026-01', -1, '2025-12'],
  ['2026-12', 1, '2027-01'],
  ['2026-03', -15, '2024-12'],
  ['2000-01', 1199, '2099-12'],
])('%s and %i months are %s', (month, count, to) => {
  expect(addMonths(month, count)).toBe(to)
  expect(monthsBetween(month, to)).toBe(count)
})

it.each([
  ['2026-03-31', -1, '2026-02-28'],
  ['2024-01-31', 1, '2024-02-29'],
  ['2024-02-29', 12, '2025-02-28'],
  ['2026-12-31', 2, '2027-02-28'],
  ['2026-05-15', 1, '2026-06-15'],
])('%s moved by %i months is %s', (day, count, to) => expect(moveMonths(day, count)).toBe(to))

it('crosses the end of a year, and stays within its bounds', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
  expect(clampDay('2025-12-31', BOUNDS)).toBe('2026-01-05')
  expect(clampDay('2027-01-01', BOUNDS)).toBe('2026-12-20')
})

it.each([
  ['ArrowLeft', false, '2026-11-17'],
  ['ArrowRight', false, '2026-11-19'],
  ['ArrowUp', false, '2026-11-11'],
  ['ArrowDown', false, '2026-11-25'],
  ['Home', false, '2026-11-15'],
  ['End', false, '2026-11-21'],
  ['PageUp', false, '2026-10-18'],
  ['PageDown', false, '2026-12-18'],
  ['PageDown', true, '2026-12-20'],
  ['PageUp', true, '2026-01-05'],
  ['Enter', false, null],
  ['x', false, null],
])('on a Wednesday, %s (Shift %s) leads to %s', (key, isShift, to) =>
  expect(dayAfterKey('2026-11-18', key, isShift, BOUNDS)).toBe(to),
)
