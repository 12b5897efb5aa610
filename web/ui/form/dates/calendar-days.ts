import { dayText, parseDay } from '#contract/kernel/time.ts'

/* Arithmetic of the calendar: days are `YYYY-MM-DD`, months `YYYY-MM`, both without a time zone. */

export interface DayBounds {
  /** Both inclusive. */
  readonly min: string
  readonly max: string
}

export const monthOf = (day: string): string => day.slice(0, 7)

/** Months since the year 0. */
function toMonths(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return year * 12 + number - 1
}

export const monthsBetween = (from: string, to: string): number => toMonths(to) - toMonths(from)

export function addMonths(month: string, count: number): string {
  const months = toMonths(month) + count
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`
}

export const addDays = (day: string, count: number): string => dayText((parseDay(day) ?? 0) + count)

/** The same day of another month, or the last day of that month. */
export function moveMonths(day: string, count: number): string {
  const month = addMonths(monthOf(day), count)
  const last = addDays(`${addMonths(month, 1)}-01`, -1)
  const moved = `${month}${day.slice(7)}`
  return moved < last ? moved : last
}

export const clampDay = (day: string, { min, max }: DayBounds): string => (day < min ? min : day > max ? max : day)

const weekday = (day: string): number => ((((parseDay(day) ?? 0) + 4) % 7) + 7) % 7 // 1970-01-01 was a Thursday; 0 is Sunday

/** Day after a key is pressed, within the bounds; null for other keys. */
export function dayAfterKey(day: string, key: string, isShift: boolean, bounds: DayBounds): string | null {
  const moves: Readonly<Record<string, () => string>> = {
    ArrowLeft: () => addDays(day, -1),
    ArrowRight: () => addDays(day, 1),
    ArrowUp: () => addDays(day, -7),
    ArrowDown: () => addDays(day, 7),
    Home: () => addDays(day, -weekday(day)),
    End: () => addDays(day, 6 - weekday(day)),
    PageUp: () => moveMonths(day, isShift ? -12 : -1),
    PageDown: () => moveMonths(day, isShift ? 12 : 1),
  }
  const move = moves[key]
  return move === undefined ? null : clampDay(move(), bounds)
}
