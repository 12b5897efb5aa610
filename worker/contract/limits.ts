/** Business constants. The comment names the section of the product specification (or of infra/docs) that fixes each. */

export const PAGE_SIZE = 10 // account 9
export const PAGE_SIZES = [10, 20, 50, 100] as const // ours: what `limit` of a list may be
export const PAGER_BUTTONS = 5 // account 9
export const BATCH_MAX = 100 // ours: rows of one bulk call, the largest page
export const ROWS_MAX = 500 // ours: the most rows one reply carries where a list is not paged

export const SESSION = {
  accessMinutes: 30,
  refreshDays: 7,
  lifeDays: 30, // ours: from sign-in, however often it is refreshed
  refreshGraceMs: 10_000, // tabs that refreshed at once hold sibling tokens: so long after the first use of one the others stay good
  tokenLinkMinutes: 60, // account 4
  ticketSeconds: 30,
} as const

export const PASSWORD = { min: 6, max: 18 } as const // account 5
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
export const NICKNAME = { min: 2, max: 12 } as const // account 5
export const USERNAME = { min: 6, max: 18 } as const // account 5
export const EMAIL_MAX = 64 // account 5
export const PHONE_MAX = 11 // account 5
export const DIAL_CODE_DEFAULT = '86' // account 9

export const CAPTCHA = { length: 4, minutes: 5, perAddressPerMinute: 30, perWideBlockPerMinute: 120 } as const // account 5
export const OTP = { length: 6, minutes: 10, tries: 5, resendSeconds: 59 } as const // account 4, 9
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Codes of one purpose that may be sent in a window; stricter than any SMS vendor's own. None counts another purpose's. */
export const OTP_LIMITS = {
  wait: { max: 1, windowMs: OTP.resendSeconds * 1000 }, // to one target; of who is signed in, from that person
  target: { max: 10, windowMs: DAY_MS }, // from all visitors, or from an account with its sub-accounts
  share: { max: 5, windowMs: DAY_MS }, // to one target from one sender: nobody alone uses up a target
  main: { max: 30, windowMs: DAY_MS }, // to all targets from one person
  ram: { max: 10, windowMs: DAY_MS },
  address: { max: 30, windowMs: HOUR_MS }, // anonymous: an IPv4 address, of IPv6 the /64
  wideBlock: { max: 60, windowMs: HOUR_MS }, // the same for the /48
} as const
/** Right codes with a name that is taken: more would make one code a list of customers. */
export const REGISTER_TRIES = 20
/** Work behind an answer starts so much later: its processor time must not show in how long the answer takes. */
export const AFTER_ANSWER_MS = 20
/** Wrong activation codes of one person before a pause. */
export const ACTIVATION_GUARD = { failures: 5, pauseMinutes: 15 } as const
/** Failed sign-ins at one account before a pause: from one address, from one /48 of IPv6. */
export const LOGIN_GUARD = { failures: 5, failuresPerWideBlock: 20, pauseMinutes: 15 } as const
/**
 * Failures after which each further call with a captcha asks for proof of work: of an address and of a /48 at any form, at an
 * account from anywhere.
 */
export const FAILURE_WORK = {
  perAddress: 50,
  perWideBlock: 200,
  addressMinutes: 15,
  perAccount: 20,
  accountHours: 24,
} as const
/** Leading zero bits of a proof of work: 18 take a browser well below a second, 22 a few. */
export const PROOF = { bitsMin: 18, bitsMax: 22 } as const
/** Wrong operator tokens of one address before a pause. */
export const OPERATOR_GUARD = { failures: 5, pauseMinutes: 15 } as const

/** Writes of one session a minute, and how often a configuration is pushed or a device asked. */
export const WRITE_BUDGET = { limit: 60, windowMs: 60_000 } as const
export const RESEND_RATE = { limit: 1, windowMs: 30_000 } as const // all members of one network
export const ROUTER_RATE = { limit: 1, windowMs: 5_000 } as const // of one router, each kind of call

export const NETWORK = {
  nameMax: 24, // network 5
  noteMax: 24, // network 5
  noteShown: 18, // network 9
  dnsQuantity: 2, // network 3
  perRouter: 8, // ours: networks one router may be in
  linksShown: 500, // ours: of one router on its page, the worst first
  membersMax: 2_000, // ours: members of one network, also the most that are offered to choose from
  basicMembers: 10, // ours: up to here the service level is basic
  suspensionDays: 15, // ours: then no document names a suspended network any more
  pointLinksMax: 64, // ours: of one member
  staticRoutesMax: 50, // ours: of one member
  versionsKept: 20, // ours: of one network's settings
} as const

export const PORT = { min: 1025, max: 65_535 } as const // network 5
/** Ports of a centre that chooses none: four to a subnet index, behind `first` (worker/domain/network/ports.ts). */
export const DEFAULT_PORT = { first: 20_000, perIndex: 4, pointLinkFirst: 24_000 } as const
/** Lengths of masks; those of segments between two ends are ours. */
export const MASK = {
  gateway: { min: 16, max: 24 }, // network 5
  gatewayDefault: 20,
  prefix: { min: 8, max: 32 }, // network 5
  interlink: { min: 16, max: 30 },
  interlinkDefault: 30,
} as const
export const PREFIX = { leMax: 32, rowsMax: 300 } as const // network 3; the number of rows is ours
export const DEFAULT_ROUTE_METRICS = [30, 60, 90, 120, 150] as const // network 2: priority 1 to 5
export const OV_PRIORITY = { min: 1, max: 5, default: 3 } as const // network 3
/** BGP: one number a device, whatever its networks. */
export const ASN_FIRST = 4_200_000_000

export const LOG_RANGE_MS = 7 * DAY_MS // network 9

export const SOFTWARE = { usernameMin: 3, usernameMax: 18, signMin: 6, signMax: 12 } as const // network 5

export const STATUS_POLL_MS = 10_000 // network 9
export const TRAFFIC = { pointsKept: 40, reconnectMs: 10_000, reconnectMaxMs: 120_000, reconnectSpread: 0.3 } as const // network 2, 9; the maximum is ours
export const TICKER_MS = 5_000 // account 9
export const CAROUSEL_MS = 5_000 // network 9
export const SUBMIT_LOCK_MS = 60_000 // account 9: a ceiling, buttons unlock on the answer
export const ERROR_TOAST_SECONDS = 5 // account 8
export const REQUEST_TIMEOUT_MS = 10_000 // account 7
export const REGISTER_REDIRECT_MS = 2_000 // account 9
export const MOBILE_BREAKPOINT_PX = 992 // account 2

/** Presence of a device, see infra/docs/hubs.md. */
export const PRESENCE = {
  pingMs: 25_000,
  pingSpread: 0.2,
  leaseMs: 75_000,
  helloMs: 30_000, // a socket without hello or welcome is closed by either side
  graceMs: 15_000, // a closed socket is 重连中 this long before it is 离线
  restartSpreadMs: 45_000, // after a restart devices come back over so long; at most leaseMs less graceMs
  watchedCheckMs: 30_000,
  consoleCheckMs: 45_000, // while a console of the account is open
  consoleCheckPage: 500, // routers asked at once
  idleCheckMs: 900_000,
  flapChanges: 5,
  flapWindowMs: 600_000,
} as const

export const STREAM = {
  rateMs: 1_000,
  leaseSeconds: 30,
  summaryMs: 300_000, // counters without viewers
  creditFrames: 4, // frames a viewer may leave unacknowledged
  ackFrames: 3, // a console acknowledges so many frames of traffic at once, others each; fewer than creditFrames
  plainFrames: 60, // the same for a client of the bare contract, which acknowledges nothing and comes back each minute
  viewerSilentMs: 60_000,
  staleMs: 10_000, // without a sample for so long, a console's live chart says so
  socketsPerSession: 20, // on one hub
} as const

/** A console's side of a live socket (infra/docs/hubs.md). */
export const CONSOLE_SOCKET = {
  pingMs: 25_000,
  receiveTimeoutMs: 40_000, // nothing received, not even a pong: the socket is half open
  hiddenMs: 30_000, // a tab hidden this long closes its socket
} as const

export const CONFIG_PUSH = {
  versionMax: 2 ** 40, // higher reported versions are ignored: numbers must stay exact integers
  coalesceMs: 1_000,
  confirmSeconds: 120,
  automaticTries: 2, // full pushes on a hash mismatch before 未同步
  retryMs: 10_000, // before the first automatic push; twice as long before the second
  answerMs: 150_000, // confirmSeconds and the way back
} as const

/** The most characters of a document's frame: a centre of eight networks with 2,000 members each has some eight million. */
export const DOCUMENT = { maxChars: 16_777_216 } as const

/** Limits of one socket; beyond them the hub closes it. */
export const SOCKET_GUARD = {
  framesPerSecond: 20,
  framesAtOnce: 2, // of a device; further ones are read `frameGapMs` apart
  frameGapMs: 25,
  reconnects: 30,
  reconnectWindowMs: 300_000,
  takeovers: 4, // of a living socket, within their window
  takeoverWindowMs: 60_000,
  pauseMs: 60_000, // doubles with each pause
  pauseMaxMs: 900_000,
} as const

/** A hub's reads of its rows: each edit of a network asks every hub that it concerns. */
export const HUB_READ = { everyMs: 1_000, retryMs: 30_000 } as const // `retryMs`: after a failure
/** Network and account sockets: changes within this time leave as one frame. */
export const FAN_OUT_MS = 500
/** Outbox of a hub to database and other hubs. Only connection log lines are delayed: a whole fleet may reconnect. */
export const OUTBOX = {
  flushes: 5, // of one router's hub in their window: what a device sends must not fill the database
  flushWindowMs: 5_000,
  peersMs: 30_000, // between two refreshes of all points of a centre whose address moves
  linksReportMs: 1_000, // between two reports of a router's links to a network's hub
  firstRetryMs: 1_000,
  maxRetryMs: 300_000,
  logsMs: 30_000,
  queuedMs: 5_000, // a newer document for a device that is away, and that is shown as 排队 already
  sweepAfterMs: 15_000,
  sweepEveryMs: 30_000, // twice in each run of the minute cron
  answerMs: 10_000,
  directMax: 32, // entries of one write that its request delivers; more are delivered by the account's hub
  callGapMs: 5, // between two hub calls of an account's hub
  sweepAnswerMs: 4_000, // a sweep of hubs that all hang must end before the next one
} as const
/** Hubs that one call of the operator's refresh takes. */
export const HUB_REFRESH_PAGE = 500
/** Traffic kept by each router's hub. A longer silence than `gapMs` is a gap, not an average. */
export const SERIES = {
  days: 180,
  gapMs: 7_200_000,
  rateFloorMs: 500,
  bpsMax: 10 ** 12, // a higher rate is a counter that jumped
  interfacesPerDay: 64,
} as const
/** Ranges of a router's stored traffic that charts show, and what one point averages. */
export const TRAFFIC_RANGE = {
  hour: { spanMs: 3_600_000, stepMs: 60_000 },
  day: { spanMs: 86_400_000, stepMs: 300_000 },
  week: { spanMs: 604_800_000, stepMs: 1_800_000 },
} as const
export const TRAFFIC_RANGES = ['hour', 'day', 'week'] as const
export type TrafficRange = (typeof TRAFFIC_RANGES)[number]
export const COMMAND_REPORT_MS = 30_000
/** Maximum age of a device token. */
export const DEVICE_TOKEN = { seconds: 60, leewaySeconds: 5 } as const
/** Wrong activation codes of one address before a pause; a right one always passes. */
export const ENROL_GUARD = { perAddress: 60, windowMinutes: 15 } as const

/** How long the ends of a link may disagree before it is shown as one-sided (agents batch reports for 0.5 s). */
export const LINK_DEBOUNCE_MS = 2_000
/** Health of networks and what the account's hub keeps of it (infra/docs/hubs.md). */
export const HEALTH = {
  problemsMax: 50, // of one network, in its summary
  overlapsMax: 50, // of one network's segments
  answerMs: 3_000, // a network whose summary is asked for again
  pushMs: 1_000, // least time between two pushes of a network's hub to the account's
  transitionsMs: 172_800_000, // 48 h
  transitionsMax: 20_000, // of one account
  curveMs: 86_400_000, // what the overview draws
  curveBucketMs: 300_000, // of which four points are drawn
  changesShown: 50,
  eventsShown: 200, // of one member, the newest of `transitionsMs`
  barMs: 86_400_000, // of one member's states, as a bar
  rowsShown: 100, // of 需要关注; their number is not limited
  rowsOfKind: 20, // of each kind at least, so that no part of the status line leads to nothing
  serviceDays: 30,
  quotaWarnPercent: 80, // amber on the overview; red and 需要关注 above the next
  quotaPercent: 95,
} as const
/** Probe between member agents; the tunnel's own state replaces it later. */
export const PROBE = { intervalMs: 5_000, lostAfter: 3 } as const

/** The router agent (infra/docs/agent.md). */
export const AGENT = {
  retryBaseMs: 1_000,
  retryMaxMs: 60_000,
  retryFloorMs: 200,
  cutRetryMs: 4_000, // first try after a connection was cut; a restart is recognised by its close code or by a refused try
  settledMs: 10_000, // a connection that lasted this long resets the back-off
  removedRetryMs: 300_000,
  unclaimedMs: 120_000, // a device that was away at its router's deletion is refused so long before it empties itself
  takeoverRetryMs: 15_000, // two devices with one key take turns: five times within `flapWindowMs`, so that they are 抖动 as duplicates
  takeoverRetryMaxMs: 90_000, // … and seldom enough for `SOCKET_GUARD`, so that the one that stays is not locked out
  tooOftenRetryMs: 60_000,
  tooOftenRetryMaxMs: 900_000,
  connectMs: 30_000, // a busy server answers late: a try given up costs it as much as one that succeeds
  proofMs: 15_000, // silence allowed while a document awaits its confirmation
  tokenSeconds: 45, // below the hub's 60, so that a clock slightly ahead still passes
  interfacesCheckMs: 10_000,
  linksGatherMs: 500, // changes within this time leave as one frame
  linksEveryMs: 200, // between frames of links: a quarter of what `SOCKET_GUARD` allows
  streamRateMinMs: 250,
  commandsKept: 64,
} as const

export const FRAME_MAX_BYTES = 65_536
export const PROTOCOL_VERSION = 2 // 1: without the fields that router-document.ts gives a default

export const BODY_MAX_BYTES = 262_144
/** Names of a form with brackets: `a[b][c]` is three deep. */
export const FORM = { fieldsMax: 2_000, depthMax: 5 } as const
/** One file of a form: attachments and member lists alike. */
export const UPLOAD = { maxBytes: 2_097_152, overheadBytes: 65_536, ticketFiles: 3 } as const // account 5, network 5

/** Kept files: how long a signed address is good, and how long an upload waits for something to hold it. */
export const FILE = { addressMinutes: 10, unattachedHours: 24 } as const
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
/** Member files: rows that one statement writes or one read of an export takes, and lengths that differ from the form's. */
export const MEMBER_FILE = {
  portion: 1_000,
  noteMax: 20, // network 5
  nameMax: 48, // ours: of a name that exists, because directories bring longer ones
  resetMs: 10_000, // network 9: the dialog's loading state
} as const
/** One call to the outside: a webhook, a provider's API. Its reply is checked, never shown in full. */
export const OUTBOUND = { timeoutMs: 10_000, maxBytes: 65_536 } as const

export const ROUTER_TYPE = { hardware: 1, software: 2 } as const // network 3
export type RouterType = (typeof ROUTER_TYPE)[keyof typeof ROUTER_TYPE]

export const NETWORK_TYPE = { hub: 1, pointToPoint: 2, pop: 3 } as const // network 3
export const NETWORK_STATUS = { normal: 1, overQuota: 0 } as const // network 2

export const SERVICE_KINDS = ['network_member', 'center', 'software_member', 'sub_account', 'bandwidth'] as const
export type ServiceKind = (typeof SERVICE_KINDS)[number]
/** Most of one service that one term may hold. */
export const SERVICE_QUANTITY_MAX = 1_000_000
/** What a new account may use before any service is bought. */
export const BASE_QUOTA: Readonly<Record<ServiceKind, number>> = {
  network_member: 0,
  center: 2,
  software_member: 0,
  sub_account: 0,
  bandwidth: 0,
}
