import { DAY_MS, HOUR_MS, MINUTE_MS, SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'
import { SERIES } from '#contract/kernel/hub-limits.ts'
import { SAAS } from '#contract/saas/limits.ts'

/* Time buckets of a router's traffic and flows: hours, days, and equal steps of a chart. */

/** Number of the hour since 1970, UTC; Shanghai's hours begin at the same moments. */
export const hourOf = (time: number): number => Math.floor(time / HOUR_MS)
/** Number of the day since 1970 in Asia/Shanghai. */
export const dayOf = (time: number): number => Math.floor((time + SHANGHAI_OFFSET_MS) / DAY_MS)
export const startOfDay = (day: number): number => day * DAY_MS - SHANGHAI_OFFSET_MS

/** End of the step that a moment is in. `stepMs` must divide a day or be whole days. */
export const endOfStep = (atMs: number, stepMs: number): number =>
  (Math.floor((atMs + SHANGHAI_OFFSET_MS) / stepMs) + 1) * stepMs - SHANGHAI_OFFSET_MS

/** A range of time as a chart draws it: whole steps, of which the first and the last may reach beyond it. */
export interface RangeSteps {
  readonly from: number
  readonly to: number
  readonly stepMs: number
}

const STEPS_MS = [
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
]

/** Resolution in milliseconds that is kept of that day and of all later ones. */
function keptResolution(day: number, today: number): number {
  if (day >= today - SERIES.slotDays) return 5 * MINUTE_MS
  return day >= today - SERIES.hourDays ? HOUR_MS : DAY_MS
}

/** Steps as fine as the stored data, and at most `SAAS.pointsMax` of them. */
export function rangeSteps(from: number, to: number, now: number): RangeSteps {
  const finestMs = keptResolution(dayOf(from), dayOf(now))
  const countSteps = (stepMs: number) => (endOfStep(to - 1, stepMs) - endOfStep(from, stepMs)) / stepMs + 1
  const stepMs = STEPS_MS.find((step) => step >= finestMs && countSteps(step) <= SAAS.pointsMax) ?? DAY_MS
  return { from: endOfStep(from, stepMs) - stepMs, to: endOfStep(to - 1, stepMs), stepMs }
}
