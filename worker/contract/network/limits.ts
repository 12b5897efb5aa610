/* Limits and constants of networks: members, ports, masks, POP access, jobs. */

export const IMPACT_RATE = { limit: 60, windowMs: 60_000 } as const // network/impact of one session

export const RESEND_RATE = { limit: 1, windowMs: 30_000 } as const // all members of one network

/** Limits of one-time commands, and of the data of their results. */
export const JOB = {
  waitMs: 3_600_000, // for an offline device
  keptMs: 604_800_000, // life of the result
  pendingMax: 20,
  dataMax: 16_384, // characters of JSON
  dataLevels: 32, // of objects and lists in each other
  tunnelsNamed: 64, // by a restart, of all that it counts
} as const

export const NETWORK = {
  nameMax: 24, // network 5
  noteMax: 24, // network 5
  noteShown: 18, // network 9
  dnsQuantity: 2, // network 3
  dnsMax: 16, // ours: for every account
  perRouter: 8, // ours: networks one router may be in
  linksShown: 500, // ours: of one router on its page, the worst first
  membersMax: 2_000, // ours: members of one network, and most candidates to choose from
  basicMembers: 10, // ours: up to this number the service level is basic
  suspensionDays: 15, // ours: then documents leave a suspended network out
  suspensionWarningDays: [15, 7, 1], // ours: days before that on which the account is warned
  pointLinksMax: 64, // ours: of one member
  pointToPointMin: 2, // ours: members of a network without centres
  staticRoutesMax: 50, // ours: of one member
  versionsKept: 20, // ours: of one network's settings
  impactShown: 20, // ours: routers and links by name before a change is saved
} as const

export const PORT = { min: 1025, max: 65_535, inputMax: 6 } as const // network 5

/** Default ports of a centre: four per subnet index, from `first` on (worker/domain/network/addresses/ports.ts). */
export const DEFAULT_PORT = { first: 20_000, perIndex: 4, pointLinkFirst: 24_000 } as const

/** Ports of services of the device, which no setting may choose: BFD and DNS. */
export const DEVICE_PORT = { bfd: 3784, dns: 1053 } as const

/** Lengths of masks. Those of segments between two ends are ours. */
export const MASK = {
  gateway: { min: 16, max: 24 }, // network 5
  gatewayDefault: 20,
  prefix: { min: 8, max: 32 }, // network 5
  interlink: { min: 16, max: 30 },
  interlinkDefault: 30,
} as const

/** Prefix rows (network 3, 5). The number of rows and the network number of 其余允许 (everything else) are ours. */
export const PREFIX = { leMax: 32, rowsMax: 300, restIp: '0.0.0.0', restMask: 0 } as const

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
  backMs: 500, // from "submitted" (提交成功) until the page goes back
} as const

export const NETWORK_TICKET_STATUS = { unprocessed: 1, processing: 2, completed: 3, cancelled: 4 } as const // network 4

/** Delay of the dialog of the IP pool after the refusal that asks for it (network 4). */
export const FR_POOL_OPEN_MS = 2_500

/** Limits of POP resources and the operator's nodes. All are ours. */
export const POP = {
  nameMax: 32,
  soonDays: 30,
  urgentDays: 7,
  nodesPerArea: 2, // nodes of an area for one network
  networksPerNode: 50,
  portsPerNetwork: 64, // of a node, behind DEFAULT_PORT.first
  nodesMax: 32, // of one network: nodes of NETWORK_TICKET.areasMax areas
} as const

/** First BGP number; each device has one for all its networks. */
export const ASN_FIRST = 4_200_000_000

/** Tunnels of a network. */
export const TUNNEL_LIST = {
  sessionsMax: 4_000, // of software members, the newest
  timesMax: 500, // in which a link was up, the newest
  hubsAsked: 32, // for the bytes of a page
  answerMs: 2_000,
  pollMs: 15_000, // between two reads of a page
} as const

export const JOB_POLL_MS = 2_000 // ours: between two reads of a job

export const NETWORK_TYPE = { hub: 1, pointToPoint: 2, pop: 3 } as const // network 3

export const NETWORK_STATUS = { normal: 1, overQuota: 0 } as const // network 2

export const MEMBER_ROLE_NAME = { center: '中心点', point: '普通点' } as const
/** Paths that members of a network with a POP resource prefer. */
export const POP_MODE = { centerFirst: 1, popFirst: 2 } as const
export const POP_MODE_NAME = { 1: '中心点优先', 2: 'POP优先' } as const
