import { SHANGHAI_OFFSET_MS } from '../../worker/contract/limits.ts'

/* Hours, days and equal steps by which a router's hub keeps traffic and flows. */

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

export const hourOf = (time: number): number => Math.floor(time / HOUR_MS)
/** Number of the day in Asia/Shanghai. */
export const dayOf = (time: number): number => Math.floor((time + SHANGHAI_OFFSET_MS) / DAY_MS)
export const startOfDay = (day: number): number => day * DAY_MS - SHANGHAI_OFFSET_MS

/** The end of the step that a moment is in. A day is cut into whole steps, or a step is whole days. */
export const endOfStep = (atMs: number, stepMs: number): number =>
  (Math.floor((atMs + SHANGHAI_OFFSET_MS) / stepMs) + 1) * stepMs - SHANGHAI_OFFSET_MS
