import { DAY_MS } from '#contract/kernel/time.ts'
import { MEMBER_FILE } from '#contract/router/limits.ts'

/** Exports of logs. */
export const LOG_EXPORT = {
  rowsMax: 50_000,
  portion: MEMBER_FILE.portion,
  maxBytes: 16_777_216, // of the workbook, which is kept as a whole beside its base64
  leaseMs: 90_000, // after which an export that never ended holds up no other
} as const

/** Rows of a range that a search compares, the newest first; it says since when. */
export const LOG_SEARCH = { rowsMax: 50_000 } as const

export const LOG_RANGE_MS = 7 * DAY_MS // network 9

/** Records of sign-ins, dials and connections, and the audit. */
export const LOG_DAYS = 200
