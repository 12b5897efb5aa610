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

/** Thresholds of the status: from `warn` and `bad` on, and from the least number that counts. Shares are percentages. */
export const STATUS = {
  spanS: 300, // of the counters, unless asked otherwise
  spanMaxS: 3_600,
  beforeMs: 3_600_000, // an hour ago
  answerMs: 5_000, // of the database
  trip: { warnMs: 250, badMs: 1_000, badRefused: 5 },
  faults: { warn: 1, bad: 5, least: 20 },
  overloads: { warn: 1, bad: 20 },
  refusals: { warn: 30, bad: 70, least: 100 },
  calls: { warn: 300, bad: 1_000, leastPerMinute: 600 },
  offline: { warn: 10, bad: 30, least: 10 },
  unreadable: { bad: 20 },
  documentMs: 180_000, // beyond the answer of a device
  documents: { warn: 2, bad: 20, least: 5 },
  sweepLateMs: 40_000, // of a notice that the cron has not tried
  outbox: { badMs: 30_000 }, // behind the time at which the cron takes a notice
  deliveries: { warn: 20, bad: 60, least: 10 },
  directories: { warn: 20, bad: 50, least: 3 },
  cron: { warnMs: 150_000, badMs: 330_000 },
  reasons: 5, // of refusals, in words
} as const
