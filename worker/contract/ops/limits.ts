import { MINUTE_MS } from '#contract/kernel/time.ts'

/** Limits of wrong operator tokens before a pause, of an address block and of a /48. */
export const OPERATOR_GUARD = { perAddress: 5, perWideAddress: 20, windowMs: 15 * MINUTE_MS } as const

/** Valid tokens of one name: the old and the new one of a rotation. */
export const OPERATOR_TOKENS_MAX = 2

/** Portions of an erasure, each a statement or a batch. A call goes on for `callMs`; the cron does so each minute. */
export const ERASURE = {
  rows: 1_000,
  tables: 8, // in one batch
  files: 500,
  routers: 50,
  networks: 20,
  hubs: 200,
  callMs: 8_000,
  listed: 100,
} as const

/** Rows, and records of a hub, in one call of an export; links of a router that are asked at the same time. */
export const EXPORT = { rows: 200, records: 100, linksAtOnce: 10 } as const
