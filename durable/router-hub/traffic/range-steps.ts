import { SERIES } from '#contract/kernel/hub-limits.ts'
import { SAAS } from '#contract/saas/limits.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, dayOf, endOfStep } from './series-time.ts'

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

/** Steps as fine as what is kept, and at most `SAAS.pointsMax` of them. */
export function rangeSteps(from: number, to: number, now: number): RangeSteps {
  const finestMs = keptResolution(dayOf(from), dayOf(now))
  const countSteps = (stepMs: number) => (endOfStep(to - 1, stepMs) - endOfStep(from, stepMs)) / stepMs + 1
  const stepMs = STEPS_MS.find((step) => step >= finestMs && countSteps(step) <= SAAS.pointsMax) ?? DAY_MS
  return { from: endOfStep(from, stepMs) - stepMs, to: endOfStep(to - 1, stepMs), stepMs }
}
