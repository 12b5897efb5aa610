import * as z from 'zod'
import { codeText } from './input/typed-text.ts'
import { DAY_MS, SHANGHAI_OFFSET_MS, parseDay, utcDays } from './time.ts'

/*
 * Times and ranges of time in inputs. They come as `YYYY-MM-DD`, `YYYY-MM-DD HH:mm:ss` (both in Asia/Shanghai) or epoch
 * milliseconds, as number or digits, and are parsed to epoch milliseconds.
 */

export const END_BEFORE_START = '结束时间不能早于开始时间'

const SECOND_MS = 1_000
const YEAR = { first: 2000, last: 2099 } as const
export const EPOCH_MS = {
  first: utcDays(YEAR.first, 1, 1) * DAY_MS,
  last: utcDays(YEAR.last + 1, 1, 1) * DAY_MS - 1,
} as const

/** First and last accepted day. */
export const DAYS = { first: `${YEAR.first}-01-01`, last: `${YEAR.last}-12-31` } as const

/** Edge of a range. At the `end` a day or second counts to its last millisecond. */
export type Edge = 'start' | 'end'

/** Epoch milliseconds; null for any other text than a time between 2000 and 2099, such as 2026-02-30. */
export function parseTime(value: string | number, edge: Edge): number | null {
  if (typeof value === 'number' || /^\d+$/.test(value)) return parseEpochMs(Number(value))
  const [, date = '', clock] = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d))?$/.exec(value) ?? []
  const days = parseDays(date)
  const clockMs = parseClockMs(clock ?? '00:00:00')
  if (days === null || clockMs === null) return null
  const startMs = days * DAY_MS - SHANGHAI_OFFSET_MS + clockMs
  return edge === 'start' ? startMs : startMs + (clock === undefined ? DAY_MS : SECOND_MS) - 1
}

const parseEpochMs = (epochMs: number): number | null =>
  Number.isInteger(epochMs) && epochMs >= EPOCH_MS.first && epochMs <= EPOCH_MS.last ? epochMs : null

/** Day number of a date; null outside the accepted years. */
function parseDays(date: string): number | null {
  const year = Number(date.slice(0, 4))
  return year >= YEAR.first && year <= YEAR.last ? parseDay(date) : null
}

function parseClockMs(clock: string): number | null {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
  return hours < 24 && minutes < 60 && seconds < 60 ? ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS : null
}

const timeField = (edge: Edge, name: string) =>
  z
    .union([z.string().overwrite(codeText), z.number()])
    .optional()
    .transform((value, issues): number | undefined => {
      if (value === undefined || value === '') return undefined
      const epochMs = parseTime(value, edge)
      if (epochMs === null) issues.addIssue({ code: 'custom', message: `${name}不正确，请重新选择` })
      return epochMs ?? undefined
    })

type TimeField = ReturnType<typeof timeField>

/**
 * Input with a range of time: `timeRange({ page, search })` adds `start_time` and `end_time`. Both are optional, and an
 * empty text is no time. An end before the start is refused at the end field.
 */
export function timeRange<F extends z.ZodRawShape, S extends string = 'start_time', E extends string = 'end_time'>(
  fields: F,
  names: { readonly start: S; readonly end: E } = { start: 'start_time' as S, end: 'end_time' as E },
) {
  const range = { [names.start]: timeField('start', '开始时间'), [names.end]: timeField('end', '结束时间') } as {
    [K in S | E]: TimeField
  }
  return z.object({ ...fields, ...range }).superRefine((values, issues) => {
    const { [names.start]: start, [names.end]: end } = values as Readonly<Record<string, number | undefined>>
    if (start === undefined || end === undefined || start <= end) return
    issues.addIssue({ code: 'custom', path: [names.end], message: END_BEFORE_START })
  })
}
