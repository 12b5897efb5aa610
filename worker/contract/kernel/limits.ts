/* Limits that several nouns share. Each comment names the section of the specification (or of infra/docs) that fixes it. */

/** Budgets of writes per minute: of one session, and of one person over all sessions. */
export const WRITE_BUDGET = { limit: 60, windowMs: 60_000 } as const
export const PERSON_WRITE_BUDGET = { limit: 180, windowMs: 60_000 } as const

/**
 * Calls per key and minute that the rate limits of the platform let pass to the database (worker/http/call-limit.ts). They are
 * inexact, and each location of the platform counts for itself; exact counters stay behind them. The key is the address
 * block, unless a line names another.
 */
export const CALL_LIMITS = {
  connect: 10, // sockets of devices
  enrol: 30,
  captcha: 30,
  code: 30,
  login: 120,
  poll: 600, // software members that wait for a sign-in in their browser
  proof: 2, // key: challenge
  refresh: 600, // of all sessions
  session: 30, // refreshes; key: session
  host: 60, // names of hosts that may be a customer's own domain
} as const
export type LimitedCall = keyof typeof CALL_LIMITS
/** Period of these limits, and seconds after which a refused call is tried again: within each period at least once. */
export const CALL_LIMIT = { periodS: 60, retryAfterS: 45 } as const

/** Seconds after which a call is tried again that an overloaded database or hub refused, spread over as many more. */
export const OVERLOAD = { retryAfterS: 15 } as const

export const PAGE_SIZE = 10 // account 9
export const PAGE_SIZES = [10, 20, 50, 100] as const // ours: values of `limit` of a list
export const PAGER_BUTTONS = 5 // account 9
export const BATCH_MAX = 100 // ours: rows of one bulk call, the largest page
export const ROWS_MAX = 500 // ours: most rows of a reply without pages

/** Password hashes (durable/hash-pool): one at a time in each object of the pool. */
export const HASH_POOL = {
  pauseMs: 20, // between two hashes, for other work on the thread
  accountMs: 1_000, // between two hashes of an account
  waitMs: 5_000, // longest wait; a hash that would start later is refused
  expectedMs: 100, // of a hash, before the first measurements
  averaging: 0.2, // share of the newest hash in the average
} as const
/** Passwords of member files that wait for their hash: a thousand take ten minutes, so that others can use the thread. */
export const SEALED_PASSWORDS = {
  perRun: 100, // of the minute cron
  runMs: 25_000, // time limit of a run
  gapMs: 100, // between two
  savedAtOnce: 10,
} as const
/** Secrets of networks that are sealed in a run of the minute cron. */
export const SEALED_SECRETS = { perRun: 200 } as const

export const EMAIL_MAX = 64 // account 5
export const SEARCH_MAX = 64 // ours
export const DIAL_CODE_DEFAULT = '86' // account 9

/** Delay of work after an answer: its processor time must not show in the time of the answer. */
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
/** Fields of a form with bracket names: `a[b][c]` has depth three. */
export const FORM = { fieldsMax: 2_000, depthMax: 5 } as const
/** One file of a form: attachments and member lists alike. */
export const UPLOAD = { maxBytes: 2_097_152, overheadBytes: 65_536, ticketFiles: 3 } as const // account 5, network 5

/** Limits of workbooks: upload, unpacked size, read cells. Excel itself ends at `cellMax` and `writtenRowsMax`. */
export const WORKBOOK = {
  maxBytes: 2_097_152, // network 5
  partsMax: 10_000,
  sheetsMax: 255,
  unpackedMaxBytes: 16_777_216,
  ratioMax: 100, // of the size of a part to its packed size
  ratioFloorBytes: 524_288, // smaller parts may be as regular as they like
  rowsMax: 5_000,
  columnsMax: 64,
  cellMax: 32_767,
  writtenRowsMax: 1_048_576,
} as const

/** Limits of one call to the outside. Its reply is checked and never shown in full. */
export const OUTBOUND = { timeoutMs: 10_000, maxBytes: 65_536, redirectsMax: 3 } as const
/** Our name in EHLO: an address literal, because a Worker has no host name. */
export const EHLO_NAME = '[127.0.0.1]'
/** Checks of a provider of mail or SMS, and the rule for its failure. All are ours. */
export const PROVIDER = {
  timeoutMs: 8_000, // of one delivery, below REQUEST_TIMEOUT_MS of the console
  checkMs: 300_000,
  checkDownMs: 60_000, // while it is known to fail
  failures: 3, // in a row, of deliveries to a recipient that the requester typed
  pauseMs: 300_000, // pause of sending after these failures
  quietMs: 60_000, // between two records of a success
} as const
/** SMS per day by dial code (Asia/Shanghai), against toll fraud: defaults for codes without a row. All are ours. */
export const SMS_COUNTRY = {
  open: ['86', '852', '853', '886'],
  dailyMax: 200,
  dailyMaxMainland: 20_000,
} as const
