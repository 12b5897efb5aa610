import { parseDay } from '#contract/kernel/time.ts'
import { type DayRange, lastDays } from '#lib/format/format-time.ts'
import type { ListState } from '#ui/table/use-list-state.ts'

const DEFAULT_DAYS = 7 // directory 9
const SEPARATOR = '~'

/** `2026-03-01~2026-03-10` of the address; anything else is the last seven days. */
function readRange(text: string, nowMs: number): DayRange {
  const [from = '', to = '', ...more] = text.split(SEPARATOR)
  const isRange = parseDay(from) !== null && parseDay(to) !== null && from <= to && more.length === 0
  return isRange ? { from, to } : lastDays(DEFAULT_DAYS, nowMs)
}

/** Range as text, empty for the initial one: its address stays short, and moves on with the days. */
function writeRange(range: DayRange | null, nowMs: number): string {
  const initial = lastDays(DEFAULT_DAYS, nowMs)
  if (range === null || (range.from === initial.from && range.to === initial.to)) return ''
  return `${range.from}${SEPARATOR}${range.to}`
}

/** The range of a log, in the address under `range`. */
export function useLogRange(list: Pick<ListState<'range'>, 'filters' | 'setFilter'>) {
  const value = readRange(list.filters.range, Date.now())
  return {
    value,
    onChange: (range: DayRange | null) => list.setFilter('range', writeRange(range, Date.now())),
    /** Range as the calls take it. */
    sent: { start_time: value.from, end_time: value.to },
  }
}
