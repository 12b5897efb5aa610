/** Numbers of hubs, devices, agents and live sockets (infra/docs/hubs.md, infra/docs/agent.md). */

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
  crowdViewers: 20, // more of them get the samples of crowdGapMs in one frame
  crowdGapMs: 2_000,
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
/** Limits of a RouterHub's outbox to database and hubs. Only connection log lines wait: a whole fleet may reconnect. */
export const ROUTER_OUTBOX = {
  flushes: 5, // of one router's hub in their window: what a device sends must not fill the database
  flushWindowMs: 10_000,
  peersMs: 30_000, // between two refreshes of all points of a centre whose address moves
  linksReportMs: 1_000, // between two reports of a router's links to a network's hub
  firstRetryMs: 1_000,
  maxRetryMs: 300_000,
  logsMs: 30_000,
  queuedMs: 5_000, // a newer document for a device that is away, and that is shown as 排队 already
} as const
/** Delivery of the table hub_outbox: notices that are written with the rows which they are about. */
export const HUB_OUTBOX = {
  maxRetryMs: 300_000,
  sweepAfterMs: 15_000,
  sweepEveryMs: 30_000, // twice in each run of the minute cron
  answerMs: 10_000,
  directMax: 32, // entries of one write that its request delivers; more are delivered by the account's hub
  callGapMs: 40, // between two hub calls of an account's hub
  sweepAnswerMs: 4_000, // a sweep of hubs that all hang must end before the next one
} as const
/** Hubs that one call of the operator's refresh takes. */
export const HUB_REFRESH_PAGE = 500
/** Traffic kept by each router's hub. A longer silence than `gapMs` is a gap, not an average. */
export const SERIES = {
  slotDays: 2, // whole days before today whose slots of five minutes, or of one, are kept
  hourDays: 30, // … whose hours are
  days: 180,
  peakMinutes: 5, // a peak is the highest average of so long
  gapMs: 7_200_000,
  aheadMs: 60_000, // by so much an interval may be longer by the device's clock than by the hub's
  gapsAtOnce: 5, // a gap is stored at once; more of them in a row once per gapEveryMs
  gapEveryMs: 1_000,
  rateFloorMs: 500,
  bpsMax: 10 ** 12, // a higher rate is a counter that jumped
  interfacesPerDay: 64,
} as const
/** Flows of a SaaS device by application and LAN address; kept for as long as SERIES says. */
export const FLOWS = {
  capability: 'flows',
  slotMs: 300_000,
  appsMax: 64, // of a slot, and of a day
  sourcesMax: 256,
  nameMax: 48,
  bytesMax: 2 ** 43, // of a slot: 5 minutes at 234 Gbit/s, so that sums of 180 days are exact
  partsMax: 16, // frames of one hour's report
  slotsPerFrame: 3, // with the longest names 45 kB
  aheadMs: 300_000, // a device's clock may be ahead by so much
  newPerHour: 120, // hours stored, repeats of other reports included
  retryMs: 30_000, // a device repeats an hour that was not acknowledged
  keptHours: 24, // by a device
  dumpMs: 30_000, // a device counts the connections that last
  askMs: 30_000, // between two questions for the hour that goes on
  answerMs: 1_500, // a viewer's question waits so long for it
} as const
/** Ranges of a router's stored traffic that charts show, and what one point averages: at most 500 points an interface. */
export const TRAFFIC_RANGE = {
  hour: { spanMs: 3_600_000, stepMs: 60_000 },
  day: { spanMs: 86_400_000, stepMs: 300_000 },
  week: { spanMs: 604_800_000, stepMs: 3_600_000 },
  month: { spanMs: 2_592_000_000, stepMs: 7_200_000 },
} as const
export const TRAFFIC_RANGES = ['hour', 'day', 'week', 'month'] as const
export type TrafficRange = (typeof TRAFFIC_RANGES)[number]
/** Records of dials. */
export const DIAL = {
  saveMs: 1_000, // at most one write of a hub
  keptMax: 1_000, // by a device, until they are acknowledged
  retryMs: 30_000, // a device sends again what was not acknowledged
  updateMs: 300_000, // between two reports of a dial that lasts
  lostMs: 1_800_000, // without any report a dial counts as over
  resumeMs: 60_000, // in which a device that connects reports again what is open, `keptMax` at most
  newPerHour: 240, // of one device, or so many for each account that may dial in, where that is more
  newPerAccountHour: 12,
} as const
/** Software members whose state has moved, read at once by their account's hub. */
export const CLIENT_NOTICES = { page: 500 } as const
export const COMMAND_REPORT_MS = 30_000
/** Maximum age of a device token. */
export const DEVICE_TOKEN = { seconds: 60, leewaySeconds: 5 } as const

/** Time that the ends of a link may disagree before it is shown as one-sided (agents batch reports for 0.5 s). */
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
/** Support tickets that moved so lately are sent to open consoles, each revision once. */
export const TICKET_FRAMES = { windowMs: 600_000, max: 100 } as const
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
