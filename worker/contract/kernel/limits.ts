/** Business constants. The comment names the section of the product specification (or of infra/docs) that fixes each. */

/** Writes a minute of one session and of one person with all sessions, and how often a configuration is pushed or a device asked. */
export const WRITE_BUDGET = { limit: 60, windowMs: 60_000 } as const
export const PERSON_WRITE_BUDGET = { limit: 180, windowMs: 60_000 } as const
export const IMPACT_RATE = { limit: 60, windowMs: 60_000 } as const // network/impact of one session
export const RESEND_RATE = { limit: 1, windowMs: 30_000 } as const // all members of one network
export const ROUTER_RATE = { limit: 1, windowMs: 5_000 } as const // of one router, each kind of call

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
  provedMinutes: 10, // ours: from the identity step, for one change
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
export const OCCUPATION_MAX = 12 // account 5
/** Account 5; the first day is ours. */
export const BIRTHDAY = { first: '1900-01-01', daysAgo: 100 } as const
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
/** Devices and places of sign-ins are known for so long, and so many of a person. */
export const SIGN_IN_ORIGINS = { days: 180, max: 50 } as const
/** Right codes with a name that is taken: more would make one code a list of customers. */
export const REGISTER_TRIES = 20
/** Work behind an answer starts so much later: its processor time must not show in how long the answer takes. */
export const AFTER_ANSWER_MS = 20
/** People whom alerts are mailed to; all ours but `authorizationDays` and `resendSeconds`. */
export const CONTACT = {
  max: 50, // of one account
  nameMax: 24,
  authorizationDays: 180, // account 9
  warningDays: [30, 7, 1], // before its end
  linkHours: 48,
  resendSeconds: 60, // account 9
  mails: { limit: 5, windowMs: DAY_MS }, // verification mails of one contact, and to one address
  accountMails: { limit: 50, windowMs: DAY_MS },
  pendingMs: 60_000, // a mail that is neither sent nor refused by then counts as failed
} as const
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
/** Second factor (RFC 6238), all ours: a code is good in its own half minute, the one before and the one after. */
export const TOTP = {
  digits: 6,
  periodSeconds: 30,
  window: 1,
  secretBytes: 20,
  setupMinutes: 15,
  recoveryCodes: 10,
  recoveryLength: 10,
} as const
/** Wrong codes of an authenticator at one person before a pause: at most 240 of a million codes are tried in a day. */
export const TOTP_GUARD = { failures: 10, pauseMinutes: 60 } as const
/** Minutes and tries left after the password; enrolling takes longer: an authenticator may have to be installed. */
export const LOGIN_TICKET = { minutes: { verify: 5, enrol: 15 }, tries: 5 } as const
/** Wrong operator tokens of one address before a pause. */
export const OPERATOR_GUARD = { failures: 5, pauseMinutes: 15 } as const

/** Limits of one-time commands: how long one waits for an offline device, and how long its result is kept. */
export const JOB = { waitMs: 3_600_000, keptMs: 604_800_000, pendingMax: 20 } as const

export const NETWORK = {
  nameMax: 24, // network 5
  noteMax: 24, // network 5
  noteShown: 18, // network 9
  dnsQuantity: 2, // network 3
  dnsMax: 16, // ours: whatever an account has bought
  perRouter: 8, // ours: networks one router may be in
  linksShown: 500, // ours: of one router on its page, the worst first
  membersMax: 2_000, // ours: members of one network, also the most that are offered to choose from
  basicMembers: 10, // ours: up to here the service level is basic
  suspensionDays: 15, // ours: then no document names a suspended network any more
  suspensionWarningDays: [15, 7, 1], // ours: days before that on which the account is warned
  pointLinksMax: 64, // ours: of one member
  pointToPointMin: 2, // ours: members of a network without centres
  staticRoutesMax: 50, // ours: of one member
  versionsKept: 20, // ours: of one network's settings
  impactShown: 20, // ours: routers and links by name before a change is saved
} as const

export const PORT = { min: 1025, max: 65_535, inputMax: 6 } as const // network 5
/** Ports of a centre that chooses none: four to a subnet index, behind `first` (worker/domain/network/ports.ts). */
export const DEFAULT_PORT = { first: 20_000, perIndex: 4, pointLinkFirst: 24_000 } as const
/** Ports of a device's own services, which no setting may choose: BFD and DNS. */
export const DEVICE_PORT = { bfd: 3784, dns: 1053 } as const
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
export const SOFTWARE_MODE = { default: 1, preferCenter: 2, preferPop: 3 } as const // network 2
export const OV_PRIORITY = { min: 1, max: 5, default: 3 } as const // network 3
/** Orders of POP access (network 2, 9); the bounds are ours. */
export const NETWORK_TICKET = {
  type: 1001,
  bandwidth: { min: 1, max: 200 }, // Mbit/s
  bandwidthOffered: [1, 50, 100, 150, 200],
  years: [1, 2, 3],
  areasMax: 16,
  backMs: 500, // from 提交成功 until the page goes back
} as const
export const NETWORK_TICKET_STATUS = { unprocessed: 1, processing: 2, completed: 3, cancelled: 4 } as const // network 4
/** The IP pool's dialog opens so long after the refusal that asks for it (network 4). */
export const FR_POOL_OPEN_MS = 2_500
/** POP resources and the operator's nodes; all ours. */
export const POP = {
  nameMax: 32,
  soonDays: 30,
  urgentDays: 7,
  nodesPerArea: 2, // that carry one network
  networksPerNode: 50,
  portsPerNetwork: 64, // of a node, behind DEFAULT_PORT.first
  nodesMax: 32, // of one network: nodes of NETWORK_TICKET.areasMax areas
} as const
/** BGP: one number a device, whatever its networks. */
export const ASN_FIRST = 4_200_000_000

export const LOG_RANGE_MS = 7 * DAY_MS // network 9

/** Types of messages, as stored, sent and shown. */
export const MESSAGE_TYPE = {
  system: '系统',
  service: '服务',
  alert: '告警',
  ticket: '工单',
  security: '安全',
} as const

/** Site messages; `keptDays` as in infra/docs/decisions.md. */
export const MESSAGE = {
  types: [MESSAGE_TYPE.system, MESSAGE_TYPE.service, MESSAGE_TYPE.alert, MESSAGE_TYPE.ticket, MESSAGE_TYPE.security],
  keptDays: 180,
  titleMax: 80,
  countedNewest: 1_000, // unread ones are counted among so many of the account
} as const
export type MessageType = (typeof MESSAGE.types)[number]

/** Records of sign-ins, dials and connections, and the audit. */
export const LOG_DAYS = 200

/** Sub-accounts and their roles. */
export const RAM = { usernameMax: 18 } as const // directory 9
export const RAM_ROLE = {
  nameMax: 32,
  noteMax: 24, // directory 9
  networksMax: 200, // ours: access tokens and tickets carry the list
  namesShown: 5, // sub-accounts that keep a role from being deleted
} as const

export const SOFTWARE = { usernameMin: 3, usernameMax: 18, signMin: 6, signMax: 12 } as const // network 5

/** Client application of software members; all ours. */
export const CLIENT = {
  sessionsMax: 10, // open ones of a member: a further sign-in ends the oldest
  loginRate: { limit: 60, windowMs: HOUR_MS }, // successful sign-ins of a member: each leaves a session and a record
  phoneMembersMax: 50, // of one phone, to choose from
  oldSignDays: 30, // so long members still sign in by the suffix before
  oldSignsMax: 10, // of one account: suffixes that nobody else may take
  passwordMax: 128, // a directory's may be longer than ours
  versionMax: 32,
  systemMax: 64, // brand, model, version of the device
  capabilitiesMax: 32,
  capabilityMax: 32, // characters
} as const

export const STATUS_POLL_MS = 10_000 // network 9
export const JOB_POLL_MS = 2_000 // ours: what a device was asked to do
export const TRAFFIC = { pointsKept: 40, reconnectMs: 10_000, reconnectMaxMs: 120_000, reconnectSpread: 0.3 } as const // network 2, 9; the maximum is ours
export const TICKER_MS = 5_000 // account 9
export const CAROUSEL_MS = 5_000 // network 9
export const SUBMIT_LOCK_MS = 60_000 // account 9: a ceiling, buttons unlock on the answer
export const ERROR_TOAST_SECONDS = 5 // account 8
export const REQUEST_TIMEOUT_MS = 10_000 // account 7
export const REGISTER_REDIRECT_MS = 2_000 // account 9
export const MOBILE_BREAKPOINT_PX = 992 // account 2

/** Times are shown, and days begin and end, in Asia/Shanghai: UTC+8 without summer time since 1992. */
export const SHANGHAI_OFFSET_MS = 8 * 3_600_000
/** Wrong activation codes of one address before a pause; a right one always passes. */
export const ENROL_GUARD = { perAddress: 60, windowMinutes: 15 } as const
export const BODY_MAX_BYTES = 262_144
/** Names of a form with brackets: `a[b][c]` is three deep. */
export const FORM = { fieldsMax: 2_000, depthMax: 5 } as const
/** One file of a form: attachments and member lists alike. */
export const UPLOAD = { maxBytes: 2_097_152, overheadBytes: 65_536, ticketFiles: 3 } as const // account 5, network 5

/** Limits of kept files: life of a signed address, and how long an upload waits for something to hold it. */
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
  sealedAtOnce: 100, // passwords, before other requests have their turn: a few milliseconds
  noteMax: 20, // network 5
  nameMax: 48, // ours: of a name that exists, because directories bring longer ones
  resetMs: 10_000, // network 9: the dialog's loading state
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
/** Robots and webhooks: what is sent, kept and waited for. */
export const WEBHOOK = {
  textMaxBytes: 2_000, // WeCom takes 2,048
  wordsMax: 200, // of the other side's answer
  replyMaxBytes: 4_096,
  busyMs: 60_000, // after its own throttle
  throttledMs: 600_000, // DingTalk blocks a robot for ten minutes
  testRate: { limit: 6, windowMs: 60_000 }, // of an account
} as const

export const ROUTER_TYPE = { hardware: 1, software: 2 } as const // network 3
export type RouterType = (typeof ROUTER_TYPE)[keyof typeof ROUTER_TYPE]
export const NETWORK_TYPE = { hub: 1, pointToPoint: 2, pop: 3 } as const // network 3
export const NETWORK_STATUS = { normal: 1, overQuota: 0 } as const // network 2
