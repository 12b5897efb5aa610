import { HOUR_MS } from '#contract/kernel/time.ts'

/** Limits of support tickets (account 5, 9). Lengths without a section, days and rates are ours. */
export const TICKET = {
  titleMin: 2, // account 5
  titleMax: 32, // account 5
  contentMin: 10, // account 5
  contentMax: 2_000,
  replyMax: 2_000,
  gradeMax: 5,
  appraisalMax: 200,
  repliesMax: 500, // of one ticket
  silentDays: 7, // days from a reply (已回复) without an answer until it closes
  warningDays: 1, // days before that close
  reopenDays: 7, // from its close
  deletedDays: 180, // days for which a deleted one is kept and hidden
  createRate: { limit: 10, windowMs: HOUR_MS }, // of a person
  replyRate: { limit: 60, windowMs: HOUR_MS },
  uploadRate: { limit: 20, windowMs: HOUR_MS },
  snapshotRows: 30, // of links, of members
  draftsKept: 20, // of one person, in a browser
} as const

/** Retries of the mail of a reply that the mail server refuses: the wait doubles each time, up to the last try. */
export const TICKET_MAIL = { retryMs: 60_000, retryMaxMs: 6 * HOUR_MS, giveUpMs: 72 * HOUR_MS } as const
