import { DAY_MS } from '#contract/kernel/time.ts'
import { MEMBER_FILE } from '#contract/router/limits.ts'

/* Limits of logs: exports, searches, ranges, retention. */

export const LOG_EXPORT = {
  rowsMax: 50_000,
  portion: MEMBER_FILE.portion,
  maxBytes: 16_777_216, // of the workbook, which is in memory as a whole together with its base64
  leaseMs: 10_000, // after which an export that was cut off blocks no other
  renewMs: 3_000, // between two renewals by an export that goes on
} as const

/** Most rows of a range that a search compares, the newest first. */
export const LOG_SEARCH = { rowsMax: 50_000 } as const

export const LOG_RANGE_MS = 7 * DAY_MS // network 9

/** Days for which sign-ins, dials, connections and audit rows are kept. */
export const LOG_DAYS = 200
