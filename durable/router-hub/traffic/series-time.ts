import { SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'

/* Time buckets of a router's traffic and flows: hours, days, and equal steps of a chart. */

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Number of the hour since 1970, UTC; Shanghai's hours begin at the same moments. */
export const hourOf = (time: number): number => Math.floor(time / HOUR_MS)
/** Number of the day since 1970 in Asia/Shanghai. */
export const dayOf = (time: number): number => Math.floor((time + SHANGHAI_OFFSET_MS) / DAY_MS)
export const startOfDay = (day: number): number => day * DAY_MS - SHANGHAI_OFFSET_MS

/** End of the step that a moment is in. `stepMs` must divide a day or be whole days. */
export const endOfStep = (atMs: number, stepMs: number): number =>
  (Math.floor((atMs + SHANGHAI_OFFSET_MS) / stepMs) + 1) * stepMs - SHANGHAI_OFFSET_MS
