import { parseDay } from '#contract/kernel/time.ts'
import { codeText } from '#contract/kernel/input/typed-text.ts'
import type { DayRange } from '#lib/format/format-time.ts'

/* Reads days and minutes as people type them: `2026-1-3`, `2026/01/03`, `20260103`, `2026年1月3日`, full-width digits. */

export const DAY_FORMAT = 'yyyy-MM-dd'
export const MINUTE_FORMAT = 'yyyy-MM-dd HH:mm'

const DAY = /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?$/
const DIGITS = /^(\d{4})(\d\d)(\d\d)$/
const MINUTE = /^(.*?)[\sT]+(\d{1,2})\s*[:点时]\s*(\d{1,2})(?:\s*:\s*\d{1,2}|\s*分)?$/
const DASHES = /[\p{Pd}\u2212]/gu

const toPlain = (typed: string): string => codeText(typed).replace(DASHES, '-')
const pad = (digits = ''): string => digits.padStart(2, '0')

/** `YYYY-MM-DD`, or null if the text is no day of the calendar. */
export function readDay(typed: string): string | null {
  const text = toPlain(typed)
  const [, year, month, day] = DAY.exec(text) ?? DIGITS.exec(text) ?? []
  const date = `${year}-${pad(month)}-${pad(day)}`
  return parseDay(date) === null ? null : date
}

/** `YYYY-MM-DD HH:mm`, or null; seconds are dropped. */
export function readMinute(typed: string): string | null {
  const [, date = '', hour, minute] = MINUTE.exec(toPlain(typed)) ?? []
  const day = readDay(date)
  if (day === null || Number(hour) > 23 || Number(minute) > 59) return null
  return `${day} ${pad(hour)}:${pad(minute)}`
}

/** Message of a field with an unreadable text. */
export const unreadableText = (label: string, format: string): string => `${label}不正确，请按 ${format} 填写`

interface DayRules {
  readonly label: string
  /** `YYYY-MM-DD`, both inclusive. */
  readonly min: string
  readonly max: string
}

type CheckedDay = { readonly day: string } | { readonly problem: string }

export function checkDay(typed: string, { label, min, max }: DayRules): CheckedDay {
  const day = readDay(typed)
  if (day === null) return { problem: unreadableText(label, DAY_FORMAT) }
  if (day < min) return { problem: `${label}不能早于${min}` }
  if (day > max) return { problem: `${label}不能晚于${max}` }
  return { day }
}

/** Range after one end was set to `day`: a reversed other end moves; an emptied end clears both. */
export function rangeWith(value: DayRange | null, end: keyof DayRange, day: string): DayRange | null {
  if (day === '') return null
  const next = { from: value?.from ?? day, to: value?.to ?? day }
  next[end] = day
  return next.from <= next.to ? next : { from: day, to: day }
}
