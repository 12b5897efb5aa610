import { DAY_MS } from './time.ts'

/* Limits and times of hubs, devices, agents and live sockets (infra/docs/hubs.md, infra/docs/agent.md). */

export const PRESENCE = {
  pingMs: 25_000,
  pingSpread: 0.2,
  leaseMs: 75_000,
  helloMs: 30_000, // a socket without hello or welcome is closed by either side
  graceMs: 15_000, // a closed socket is reconnecting (重连中) this long before it is offline (离线)
  restartSpreadMs: 45_000, // time over which devices come back after a restart; at most leaseMs less graceMs
  watchedCheckMs: 30_000, // between two rounds of a watched network; also of a watched router without a connection
  consoleCheckMs: 85_000, // while a console of the account is open: a ping of up to 30 s, and two minutes in all
  consoleCheckPage: 500, // routers per check
  idleCheckMs: 900_000, // by the account's hub while nobody looks
  ownCheckMs: 3_600_000, // of a router's hub by itself, should its account's hub not ask
  flapChanges: 5,
  flapWindowMs: 600_000,
} as const

/** Lease checks of a watched network: opening it asks no router's hub, then its present members are asked in turn. */
export const LEASE_ROUND = {
  firstMs: 5_000, // after the opening
  pauseMs: 60_000, // time without polls or viewers after which the next one opens the network anew
  perSecond: 20,
  least: 120, // members per round
  rounds: 4, // in which every member is asked: two minutes
  urgent: 130, // visible members, centres and ends of faulty links at most, in every round
  visible: 100, // of which members of the pages that are shown
} as const

/** Checks of a hub that does not answer, by its account's hub. After `checks` over `unreadableMs` its router is unreadable (未知). */
export const SILENT_HUB = {
  answerMs: 10_000,
  checks: 3,
  unreadableMs: PRESENCE.leaseMs,
  everyMs: 30_000,
  markedEveryMs: 60_000, // once its router is unreadable
  page: 100, // hubs per alarm
} as const

/** Time limit of a use case's question to a hub, below `REQUEST_TIMEOUT_MS` of the console. */
export const HUB_CALL = { answerMs: 8_000 } as const

/** Reads that a copy of the database near the caller answers; beyond these times the primary is asked. */
export const NEAR_READ = {
  hubMs: 300, // answer of the account's hub, whether the session is open
  copyMs: 1_000, // answer of the copy, which may have to wait for the bookmark
} as const

export const STREAM = {
  rateMs: 1_000,
  leaseSeconds: 30,
  summaryMs: 300_000, // counters without viewers
  creditFrames: 4, // frames that a viewer may leave unacknowledged
  ackFrames: 3, // frames of traffic per acknowledgement of a console, below creditFrames; other frames have one each
  plainFrames: 60, // frames for a client of the bare contract, which acknowledges nothing and reconnects each minute
  viewerSilentMs: 60_000,
  crowdViewers: 20, // above this number viewers get the samples of crowdGapMs in one frame
  crowdGapMs: 2_000,
  staleMs: 10_000, // time without a sample after which a live chart shows a notice
  socketsPerSession: 20, // on one hub
} as const

export const CONSOLE_SOCKET = {
  pingMs: 25_000,
  receiveTimeoutMs: 40_000, // nothing received, not even a pong: the socket is half open
  hiddenMs: 30_000, // a tab hidden this long closes its socket
} as const

export const CONFIG_PUSH = {
  versionMax: 2 ** 40, // higher reported versions are ignored: numbers must stay exact integers
  coalesceMs: 1_000,
  holdMs: 3_000, // at most, of a point's document until its centres run theirs
  confirmSeconds: 120,
  automaticTries: 2, // full pushes on a hash mismatch before the state is unsynced (未同步)
  retryMs: 10_000, // before the first automatic push; twice as long before the second
  answerMs: 150_000, // confirmSeconds and the time of the return
} as const

/** Size limit of a document's frame. A centre of eight networks with 2,000 members each has about half of it. */
export const DOCUMENT = { maxChars: 16_777_216 } as const

/** Limits of one socket; beyond them the hub closes it. */
export const SOCKET_GUARD = {
  framesPerSecond: 20,
  framesAtOnce: 2, // of a device; further frames are read `frameGapMs` apart
  frameGapMs: 25,
  reconnects: 30,
  reconnectWindowMs: 300_000,
  takeovers: 4, // of a live socket, within their window
  takeoverWindowMs: 60_000,
  pauseMs: 60_000, // doubles with each pause
  pauseMaxMs: 900_000,
} as const

/** Reads of rows by a hub: each edit of a network makes all its hubs read. */
export const HUB_READ = { everyMs: 1_000, retryMs: 30_000 } as const // `retryMs`: after a failure
/** Time within which changes on network and account sockets are sent as one frame. */
export const FAN_OUT_MS = 500
/** Limits of a RouterHub's outbox to database and hubs. Only connection log lines wait: a whole fleet may reconnect. */
export const ROUTER_OUTBOX = {
  flushes: 5, // of one router's hub in their window, so that a device cannot fill the database
  flushWindowMs: 10_000,
  urgentMs: 1_000, // between two flushes for presence or a final configuration state, which wait for no other
  urgentBurst: 5, // of these at once
  peersMs: 30_000, // between two refreshes of all points of a centre whose address changes
  linksReportMs: 1_000, // between two reports of a router's links to a network's hub
  firstRetryMs: 1_000,
  maxRetryMs: 300_000,
  logsMs: 30_000,
  queuedMs: 5_000, // wait of a newer document for an offline device that is already shown as queued (排队)
} as const
/** Saves of presences by the account's hub, for all its routers together. */
export const ROUTER_SAVES = {
  everyMs: 1_000, // between two runs; the first save is written at once
  routers: 50, // in one batch
  charsMax: 500_000, // in one batch, because each of its lists is one bound value, which has 2 MB
  answerMs: 30_000,
  tries: 3, // without an answer, before a router's hub saves alone
} as const
/** Transfer of a router's hub to another place. */
export const HUB_TRANSFER = {
  pageBytes: 1_000_000,
  frozenMs: 60_000, // of the old hub, unless the transfer ends before
  copyMs: 40_000, // for all pages, so that the old hub is still frozen when the row is written
  retryS: 3, // wait of the device that is sent away
  stagedMs: 600_000, // until a new hub that no row names deletes itself
} as const
/** Retries after an outage of the database, led by an account's hub: one router's hub at a time, then all. */
export const DATABASE_RETRY = {
  probeMs: 5_000,
  gapMs: 20, // between two hubs once one of them could save
  answerMs: 10_000,
} as const
/** Delivery of the table hub_outbox: notices written together with the changed rows. */
export const HUB_OUTBOX = {
  maxRetryMs: 300_000,
  sweepAfterMs: 15_000,
  sweepEveryMs: 30_000, // twice in each run of the minute cron
  answerMs: 10_000,
  directMax: 32, // most entries that the request of a write delivers; the account's hub delivers more
  callGapMs: 40, // between two hub calls of an account's hub
  sweepAnswerMs: 4_000, // short enough that a sweep of hanging hubs ends before the next sweep
} as const
/** Missing rows: more than `max` in a window switch the operator's hold on; devices that wait try again after `retryAfterS`. */
export const HUB_HOLD = {
  max: 20,
  windowMs: 600_000,
  retryAfterS: 60,
  repeatMs: 300_000,
  listed: 100,
  keptMs: 30 * DAY_MS,
} as const
/** Retention of the rows by which a device that was away learns of its deletion. */
export const REMOVED_DEVICE_KEPT_MS = 200 * DAY_MS
/** Hubs per call of the operator's refresh. */
export const HUB_REFRESH_PAGE = 500
/** Traffic that each router's hub keeps. A silence longer than `gapMs` is a gap and not averaged. */
export const SERIES = {
  slotDays: 2, // whole days before today with kept slots of five minutes, or of one
  hourDays: 30, // whole days before today with kept hours
  days: 180,
  peakMinutes: 5, // a peak is the highest average over this time
  gapMs: 7_200_000,
  aheadMs: 60_000, // largest excess of an interval by the device's clock over the hub's clock
  gapsAtOnce: 5, // a gap is stored at once; more of them in a row once per gapEveryMs
  gapEveryMs: 1_000,
  rateFloorMs: 500,
  bpsMax: 10 ** 12, // a higher rate means that a counter jumped
  interfacesPerDay: 64,
  linksPerDay: 64,
} as const
/** Throughput of links in the drawing of a network, while it is watched. */
export const LINK_RATES = {
  idsMax: 32, // of one viewer
  routersMax: 8, // of one network
  everyMs: 2_000, // between two frames of a router, and of counters of its device
  leaseMs: 30_000, // renewed with each acknowledgement of a viewer
  renewMs: 15_000, // between two requests to a router's hub, or of a console
} as const
/** Counters of a device while somebody reads the bytes of its links. */
export const LINK_TOTALS = {
  everyMs: 10_000, // between two frames
  freshMs: 15_000, // age at which a reader waits for newer ones
  waitMs: 1_000,
  leaseMs: 30_000,
} as const
/** Flows of a SaaS device by application and LAN address. SERIES says how long they are kept. */
export const FLOWS = {
  capability: 'flows',
  slotMs: 300_000,
  appsMax: 64, // of a slot, and of a day
  sourcesMax: 256,
  nameMax: 48,
  bytesMax: 2 ** 43, // of a slot: 5 minutes at 234 Gbit/s, so that sums of 180 days are exact
  partsMax: 16, // frames of one hour's report
  slotsPerFrame: 3, // with the longest names 45 kB
  aheadMs: 300_000, // largest lead of a device's clock
  newPerHour: 120, // stored hours, including repeats of other reports
  retryMs: 30_000, // a device repeats an hour that was not acknowledged
  keptHours: 24, // by a device
  dumpMs: 30_000, // between two counts of open connections on a device
  askMs: 30_000, // between two questions for the current hour
  answerMs: 1_500, // wait of a viewer's question for the answer
} as const
/** Ranges of a router's stored traffic in charts, and the step of a point: at most 500 points per interface. */
export const TRAFFIC_RANGE = {
  hour: { spanMs: 3_600_000, stepMs: 60_000 },
  day: { spanMs: 86_400_000, stepMs: 300_000 },
  week: { spanMs: 604_800_000, stepMs: 3_600_000 },
  month: { spanMs: 2_592_000_000, stepMs: 7_200_000 },
} as const
export const TRAFFIC_RANGES = ['hour', 'day', 'week', 'month'] as const
export type TrafficRange = (typeof TRAFFIC_RANGES)[number]
/** Ranges of latency and loss of a link. */
export const LINK_RANGES = ['hour', 'day', 'month'] as const satisfies readonly TrafficRange[]
export type LinkRange = (typeof LINK_RANGES)[number]
export const DIAL = {
  saveMs: 1_000, // at most one write of a hub
  keptMax: 1_000, // by a device, until they are acknowledged
  retryMs: 30_000, // before a device repeats unacknowledged reports
  updateMs: 300_000, // between two reports of an open dial
  lostMs: 1_800_000, // time without a report after which a dial counts as over
  resumeMs: 60_000, // in which a reconnected device reports its open dials again, `keptMax` at most
  supersedeMs: 60_000, // age of a dial that still ends an older one of its member elsewhere
  settleMs: 20_000, // after its start a device knows which dials have ended meanwhile; below `resumeMs`
  newPerHour: 240, // of one device; if more, the number of accounts that may dial in
  newPerAccountHour: 12,
} as const
/** Requests of a device for dials, below the frames that `SOCKET_GUARD` allows. 200 clients may return at once. */
export const DIAL_REQUEST = {
  gapMs: 100, // between two
  answerMs: 15_000, // until a request counts as refused: clients give up after 20 s
  queueMax: 400,
} as const
/** Software members with a changed state that their account's hub reads at once. */
export const CLIENT_NOTICES = { page: 500 } as const
export const COMMAND_REPORT_MS = 30_000
/** Age limit of a device token. */
export const DEVICE_TOKEN = { seconds: 60, leewaySeconds: 5 } as const

/** Time for which the ends of a link may disagree before it is one-sided (agents batch reports for 0.5 s). */
export const LINK_DEBOUNCE_MS = 2_000
/** Limits of the health of networks, and of its history in the account's hub. */
export const HEALTH = {
  problemsMax: 50, // of one network, in its summary
  overlapsMax: 50, // of one network's segments
  answerMs: 3_000, // time limit for a network that is asked for its summary again
  pushMs: 1_000, // least time between two pushes of a network's hub to the account's
  transitionsMs: 172_800_000, // 48 h
  transitionsMax: 20_000, // of one account
  curveMs: 86_400_000, // range of the curve on the overview
  curveBucketMs: 300_000, // bucket of the curve, drawn with four points
  changesShown: 50,
  evidenceShown: 3, // events and links of one row that needs attention
  eventsShown: 200, // of one member, the newest of `transitionsMs`
  barMs: 86_400_000, // of one member's states, as a bar
  rowsShown: 100, // rows that need attention (需要关注) on the page; the total is not limited
  rowsOfKind: 20, // rows of each kind at least, so that every part of the status line has a target
  causeSymptoms: 3, // from this number on, and this share of its possible ones, an object explains them
  causePercent: 60,
  causesMax: 20, // of one network's faulty links
  togetherMs: 10_000, // between the first and the last fault of those that began together (同时)
  serviceDays: 30,
  quotaWarnPercent: 80, // amber on the overview; above quotaPercent red and a row that needs attention
  quotaPercent: 95,
} as const
/** Window and number of recently changed support tickets that open consoles get, each revision once. */
export const TICKET_FRAMES = { windowMs: 600_000, max: 100 } as const
/** Probe between member agents; the tunnel's own state replaces it later. */
export const PROBE = {
  intervalMs: 5_000,
  lostAfter: 3,
  lossOver: 60, // requests that a loss is counted over
  lossFrom: 10, // requests before which no loss is reported
  lossStep: 20, // per mille by which a reported loss has to differ
} as const

/** The router agent (infra/docs/agent.md). */
export const AGENT = {
  retryBaseMs: 1_000,
  retryMaxMs: 60_000,
  retryFloorMs: 200,
  cutRetryMs: 4_000, // first try after a cut connection; a close code or a refused try tells a restart
  settledMs: 10_000, // a connection that lasted this long resets the back-off
  removedRetryMs: 300_000,
  disabledRetryMs: 25_000, // ± 20 %: back within 30 s of the enabling
  takeoverRetryMs: 15_000, // two devices with one key take turns five times in `flapWindowMs`: flapping (抖动)
  takeoverRetryMaxMs: 90_000, // rare enough for `SOCKET_GUARD`, so that the remaining device is not locked out
  tooOftenRetryMs: 60_000,
  tooOftenRetryMaxMs: 900_000,
  connectMs: 30_000, // long, because a busy server answers late and an aborted try costs it as much as a success
  entryMs: 8_000, // an answer of one address of several; then the next one is tried
  firstEntriesMs: 3_000, // the same of all `--server` together, where an entry has worked last
  nextEntryMs: 1_000, // longest pause before the next address
  proofMs: 15_000, // silence allowed while a document awaits its confirmation
  tokenSeconds: 45, // below the hub's 60, so that a clock slightly ahead still passes
  interfacesCheckMs: 10_000,
  linksGatherMs: 500, // changes within this time are sent as one frame
  linksEveryMs: 200, // between frames of links: a quarter of the rate that `SOCKET_GUARD` allows
  streamRateMinMs: 250,
  commandsKept: 64,
} as const

export const FRAME_MAX_BYTES = 65_536
export const PROTOCOL_VERSION = 2 // 1: without the fields that device/document.ts gives a default
/** Devices of an older protocol keep their configuration and get no other until they are upgraded. */
export const PROTOCOL_LEAST = 1
