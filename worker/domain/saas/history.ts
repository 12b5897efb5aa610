import { type Violation, violation } from '#contract/kernel/result.ts'
import { SAAS } from '#contract/saas/limits.ts'

const DAY_MS = 86_400_000

interface Asked {
  readonly start_date?: number | undefined
  readonly end_date?: number | undefined
}

/** Requested range, `defaultMs` long without a start, never beyond now. */
export function toHistory({ start_date, end_date }: Asked, defaultMs: number, now: number) {
  const to = Math.min(end_date === undefined ? now : end_date + 1, now)
  return { from: Math.min(start_date ?? to - defaultMs, to), to }
}

/** Directory 9: today and the 180 days before it; a page that is some minutes old may still ask. */
export const checkHistory = ({ from }: { readonly from: number }, now: number): Violation | null =>
  from < now - (SAAS.historyDays + 1) * DAY_MS ? violation('HISTORY_TOO_OLD') : null
