/** Business constants. The comment names the section of the product specification (or of infra/docs) that fixes each. */

/** Writes a minute of one session and of one person with all sessions, and how often a configuration is pushed or a device asked. */
export const WRITE_BUDGET = { limit: 60, windowMs: 60_000 } as const
export const PERSON_WRITE_BUDGET = { limit: 180, windowMs: 60_000 } as const

export const PAGE_SIZE = 10 // account 9
export const PAGE_SIZES = [10, 20, 50, 100] as const // ours: what `limit` of a list may be
export const PAGER_BUTTONS = 5 // account 9
export const BATCH_MAX = 100 // ours: rows of one bulk call, the largest page
export const ROWS_MAX = 500 // ours: the most rows one reply carries where a list is not paged

/** Password hashes (durable/hash-pool): one at a time in each object of the pool. */
export const HASH_POOL = {
  pauseMs: 20, // between two hashes, for whoever shares the thread
  accountMs: 1_000, // between two hashes of an account
  waitMs: 5_000, // one that would start later is refused
  expectedMs: 100, // of a hash, until some were measured
  averaging: 0.2, // share of the newest hash in the average
} as const
/** Passwords of member files that wait for their hash: a thousand take ten minutes, and leave the thread to others. */
export const SEALED_PASSWORDS = {
  perRun: 100, // of the minute cron
  runMs: 25_000, // and no longer
  gapMs: 100, // between two
  savedAtOnce: 10,
} as const

export const EMAIL_MAX = 64 // account 5
export const PHONE_MAX = 11 // account 5
export const DIAL_CODE_DEFAULT = '86' // account 9

/** Work behind an answer starts so much later: its processor time must not show in how long the answer takes. */
export const AFTER_ANSWER_MS = 20

export const STATUS_POLL_MS = 10_000 // network 9

export const TRAFFIC = { pointsKept: 40, reconnectMs: 10_000, reconnectMaxMs: 120_000, reconnectSpread: 0.3 } as const // network 2, 9; the maximum is ours
export const TICKER_MS = 5_000 // account 9
export const CAROUSEL_MS = 5_000 // network 9
export const SUBMIT_LOCK_MS = 60_000 // account 9: a ceiling, buttons unlock on the answer
export const ERROR_TOAST_SECONDS = 5 // account 8
export const REQUEST_TIMEOUT_MS = 10_000 // account 7

export const MOBILE_BREAKPOINT_PX = 992 // account 2

export const BODY_MAX_BYTES = 262_144
/** Names of a form with brackets: `a[b][c]` is three deep. */
export const FORM = { fieldsMax: 2_000, depthMax: 5 } as const
/** One file of a form: attachments and member lists alike. */
export const UPLOAD = { maxBytes: 2_097_152, overheadBytes: 65_536, ticketFiles: 3 } as const // account 5, network 5

/** Uploaded workbooks: an upload, what it may unpack to, and what is read of it. Excel ends at `cellMax` characters and `writtenRowsMax` rows. */
export const WORKBOOK = {
  maxBytes: 2_097_152, // network 5
  partsMax: 64,
  unpackedMaxBytes: 16_777_216,
  ratioMax: 100, // of a part's size to its packed size
  rowsMax: 5_000,
  columnsMax: 64,
  cellMax: 32_767,
  writtenRowsMax: 1_048_576,
} as const

/** One call to the outside: a webhook, a provider's API. Its reply is checked, never shown in full. */
export const OUTBOUND = { timeoutMs: 10_000, maxBytes: 65_536, redirectsMax: 3 } as const
/** Our name in EHLO: an address literal, as a Worker has no name of its own. */
export const EHLO_NAME = '[127.0.0.1]'
/** A provider of mail or SMS: how often it is asked whether it works, and when it is taken for failing. All ours. */
export const PROVIDER = {
  timeoutMs: 8_000, // of one delivery: the console waits no longer than REQUEST_TIMEOUT_MS for its answer
  checkMs: 300_000,
  checkDownMs: 60_000, // while it is known to fail
  failures: 3, // in a row, of deliveries whose recipient was typed by whoever asked
  pauseMs: 300_000, // then nothing is sent for so long
  quietMs: 60_000, // between two records of a success
} as const
/** SMS a day by dial code (Asia/Shanghai), against toll fraud. A code without a row of the operator's has these; all ours. */
export const SMS_COUNTRY = {
  open: ['86', '852', '853', '886'],
  dailyMax: 200,
  dailyMaxMainland: 20_000,
} as const
