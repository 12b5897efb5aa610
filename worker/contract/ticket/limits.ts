import { HOUR_MS } from '#contract/kernel/time.ts'

/** Support tickets (account 5, 9); lengths without a section, days and rates are ours. */
export const TICKET = {
  titleMin: 2, // account 5
  titleMax: 32, // account 5
  contentMin: 10, // account 5
  contentMax: 2_000,
  replyMax: 2_000,
  gradeMax: 5,
  appraisalMax: 200,
  repliesMax: 500, // of one ticket
  silentDays: 7, // 已回复 without an answer: then it closes
  warningDays: 1, // before that
  reopenDays: 7, // from its close
  deletedDays: 180, // a deleted one is kept, hidden
  createRate: { limit: 10, windowMs: HOUR_MS }, // of a person
  replyRate: { limit: 60, windowMs: HOUR_MS },
  uploadRate: { limit: 20, windowMs: HOUR_MS },
  snapshotRows: 30, // of links, of members
  draftsKept: 20, // of one person, in a browser
} as const

/** Mail of a reply, where the mail server refuses it: the next try, twice as long each time, and the last one. */
export const TICKET_MAIL = { retryMs: 60_000, retryMaxMs: 6 * HOUR_MS, giveUpMs: 72 * HOUR_MS } as const
