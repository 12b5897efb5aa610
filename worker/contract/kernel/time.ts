/*
 * Dates and times as text, without `Date`, whose constructor reads the clock; units, and the earliest of several times. Days
 * are counted from 1970-01-01.
 */

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const daysInMonth = (year: number, month: number) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

/** Day number of `YYYY-MM-DD`; null for an invalid date such as 2026-02-30. */
export function parseDay(date: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return null
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
  return isDate ? utcDays(year, month, day) : null
}

/** Day number by days_from_civil of H. Hinnant: the year begins in March, so the leap day is its last day. */
export function utcDays(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

/** Date `YYYY-MM-DD` of a day number (civil_from_days), the inverse of `utcDays`. */
export function dayText(days: number): string {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const leaps = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const march = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * march + 2) / 5) + 1
  const month = march < 10 ? march + 3 : march - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${pair(month)}-${pair(day)}`
}

/** Number with at least two digits. */
const pair = (number: number): string => String(number).padStart(2, '0')

const DAY_S = 86_400

/** `YYYY-MM-DD HH:mm:ss` in Asia/Shanghai. */
export function timeText(atMs: number): string {
  const seconds = Math.floor((atMs + SHANGHAI_OFFSET_MS) / 1_000)
  const days = Math.floor(seconds / DAY_S)
  const clock = seconds - days * DAY_S
  const [hours, minutes] = [Math.floor(clock / 3_600), Math.floor(clock / 60) % 60]
  return `${dayText(days)} ${pair(hours)}:${pair(minutes)}:${pair(clock % 60)}`
}

/** `YYYY-MM-DD HH:mm` in Asia/Shanghai. */
export const minuteText = (atMs: number): string => timeText(atMs).slice(0, 16)

/** `YYYY-MM-DD` in Asia/Shanghai. */
export const dateText = (atMs: number): string => timeText(atMs).slice(0, 10)

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Times are shown, and days begin and end, in Asia/Shanghai: UTC+8 without summer time since 1992. */
export const SHANGHAI_OFFSET_MS = 8 * HOUR_MS

/** Same day and time in Asia/Shanghai after a number of years; 29 February becomes 1 March. */
export function addYears(atMs: number, years: number): number {
  const local = atMs + SHANGHAI_OFFSET_MS
  const days = Math.floor(local / DAY_MS)
  const [year = 0, month = 0, day = 0] = dayText(days).split('-').map(Number)
  return utcDays(year + years, month, day) * DAY_MS + (local - days * DAY_MS) - SHANGHAI_OFFSET_MS
}

/** The earliest of these times; null if there is none. */
export function earliest(times: readonly (number | null)[]): number | null {
  const some = times.filter((time) => time !== null)
  return some.length === 0 ? null : Math.min(...some)
}

export const WAIT_MINUTES_FROM_S = 120

/** Time until another try: `59秒`, from two minutes on `60分钟`. */
export const waitText = (seconds: number): string =>
  seconds < WAIT_MINUTES_FROM_S ? `${seconds}秒` : `${Math.ceil(seconds / 60)}分钟`
