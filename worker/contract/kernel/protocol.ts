import * as z from 'zod'
import { networkHealth } from './health.ts'
import { PRESENCE, LEASE_ROUND, LINK_RATES } from './hub-limits.ts'
import { bytes, countersByInterface, countersByLink, countersByTrunk } from '#contract/device/counters.ts'
import type { SentDocument } from '#contract/device/document.ts'
import { flows } from '#contract/device/flows.ts'
import { time } from './fields.ts'
import { tunnel } from './tunnel-frames.ts'
import { ENDPOINTS, ENTRIES, LINK_ID_MAX } from '#contract/device/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { CLIENT, DIAL_TOKEN } from '#contract/client/limits.ts'
import { POP } from '#contract/network/limits.ts'

/*
 * Frames of live sockets: agent ↔ RouterHub, and hub ↔ browser. They are JSON text; `t` (for browsers `type`) names the
 * frame. Unknown frames are ignored, so either side may be newer. A frame to a hub has at most 64 KiB (FRAME_MAX_BYTES),
 * because outsiders write it. A frame from a hub may be larger, as the document of a centre with thousands of points.
 * infra/docs/hubs.md has the sequences of each case.
 */

/** Text of a ping from agents and browsers. The runtime answers it and does not wake the hub. */
export const PING = 'ping'
export const PONG = 'pong'

/** Close codes. RFC 6455 §7.4.2 leaves 4000–4999 to applications; 1012 is registered as "service restart". */
export const CLOSE = {
  restart: 1012, // the service or the hub restarts: come back within `spread_s`
  superseded: 4001, // a newer socket of the same device was accepted
  removed: 4002, // device deleted, disabled or its key reset: it empties itself; unless disabled it reconnects rarely
  protocol: 4003, // a frame broke the protocol
  sessionEnded: 4004, // the viewer's session ended or lost the right
  silent: 4005, // no message or ping within the lease
  tooOften: 4008, // reconnects too often; come back later
} as const

/** Reason of a close with `removed`: the device comes back once it is enabled again. */
export const CLOSED_DISABLED = 'disabled'

/** Header of a device's connection: `1` if it runs a configuration. One without a row is missing it then. */
export const DOCUMENT_HEADER = 'x-netloom-document'

/** Header of a device's connection with its return ticket. */
export const RETURN_TICKET_HEADER = 'x-netloom-return-ticket'

const routerName = z.string().min(1).max(64)
const versionHash = z.object({ version: z.int().nonnegative(), hash: z.string().max(64) })
const text = (max: number) => z.string().transform((s) => s.slice(0, max))

/** Interface of a device. The role `wan` has the default route, `lan` the segment behind the device. */
export const interfaceInfo = z.object({
  interface: z.string().min(1).max(32),
  interface_uuid: z.string().max(64),
  protocol: z.enum(['static', 'dhcp', 'pppoe']),
  role: z.enum(['wan', 'lan', 'tunnel']),
  ip: z.string().max(45),
  ip6: z.string().max(45).optional(), // lasting IPv6 address beside the IPv4 address `ip`
  mask: z.int().min(0).max(128), // prefix length
  mac: z.string().max(32),
  mtu: z.int().nonnegative(),
  up: z.boolean(),
})
export type InterfaceInfo = z.infer<typeof interfaceInfo>

/** Tunnel of a link, as one end has it. Fields that it does not know are left out. */
const tunnelEnd = z.object({
  reason: text(64).optional(), // for a link that is down, in Chinese
  cipher: text(32).optional(), // negotiated, by its name in OpenSSL
  remote: text(64).optional(), // address and port of the other end, as this end sees them
  loss: z.int().min(0).max(1000).optional(), // per mille, of the last probes
})
export type TunnelEnd = z.infer<typeof tunnelEnd>

/** Probe result of one end of a link. */
const linkReport = z.object({
  id: z.string().max(LINK_ID_MAX),
  up: z.boolean(),
  rtt_ms: z.number().nonnegative().nullable(),
  tunnel: tunnelEnd.optional(), // of a link that runs in one
  remote: text(64).optional(), // of a client that has several targets: address and port of the one that answers
})
export type LinkReport = z.infer<typeof linkReport>

// agent → hub

/** Read of devices of any protocol, also of one below PROTOCOL_LEAST: a further field is optional. */
const hello = z.object({
  t: z.literal('hello'),
  protocol: z.int(),
  serial: z.string().max(64),
  boot_id: z.string().max(64), // changes when counters restart
  agent_version: text(32),
  model: text(64),
  mac: text(32),
  /** Settings beyond the base set that it supports (worker/domain/network/compile/device-settings.ts), jobs and others. */
  capabilities: z.array(text(32)).max(32).default([]),
  applied: versionHash.nullable(),
  interfaces: z.array(interfaceInfo).max(64),
  probe_port: z.int().min(0).max(65535), // 0: this agent answers no probes
  /** Addresses and names of its command line at which other members dial it. */
  endpoints: z.array(text(ENDPOINTS.hostMax)).max(ENDPOINTS.chosenMax).optional(),
  /** Request for a certificate, PKCS 10 in PEM; a longer one than CERTIFICATE.requestMax is refused. */
  csr: z.string().max(16_384).optional(),
  clock: z.number().optional(), // device's epoch milliseconds
})
/** Network of a node's document that the device could not apply; it keeps running the one before. */
const refusedNetwork = z.object({ network_number: z.string().max(32), reason: text(200) })
export const configResult = z.object({
  t: z.literal('config_result'),
  version: z.int(),
  hash: z.string().max(64),
  state: z.enum(['received', 'applied', 'confirmed', 'failed', 'reverted']),
  reason: text(200).optional(),
  log: text(1024).optional(),
  refused: z.array(refusedNetwork).max(POP.networksPerNode).optional(), // of an applied document; absent: none
})
const counters = z.object({
  t: z.literal('counters'),
  boot_id: z.string().max(64),
  at: z.number(), // the agent's monotonic milliseconds: for intervals only
  applied: versionHash.nullable(),
  interfaces: countersByInterface,
  links: countersByLink.optional(),
  trunks: countersByTrunk.optional(), // while a stream asks for them
})
/** Links per frame, if they fit into 64 KiB. Only changed links, or all after a welcome. */
export const LINKS_PER_FRAME = 256
const links = z.object({ t: z.literal('links'), links: z.array(linkReport).max(LINKS_PER_FRAME) })
/** Result of a command. Devices name and store it as a job, which they knew before commands. */
export const commandResult = z.object({
  t: z.literal('job_result'),
  id: z.string().max(64),
  state: z.enum(['done', 'failed', 'expired']),
  reason: text(200).optional(),
  /** JSON value within JOB.dataMax (worker/contract/network/limits.ts). The hub drops a larger one. */
  data: z.unknown().optional(),
})
/** Interfaces changed while connected. */
const interfaces = z.object({ t: z.literal('interfaces'), interfaces: z.array(interfaceInfo).max(64) })
/** Report of a software member's dial into this device: begun, open or ended. Times are ages by the agent's clock. */
export const dialReport = z.object({
  key: z.string().min(1).max(64), // chosen by the device; the same in each report of this dial
  network_number: z.string().max(32),
  name: routerName, // member that dials
  remote: z.string().max(64), // address of the member
  began_ms: z.number().nonnegative(), // milliseconds ago
  ended_ms: z.number().nonnegative().nullable(), // null: still open
  rx: bytes, // received by this device since the start
  tx: bytes,
  reason: text(100).optional(),
})
export type DialReport = z.infer<typeof dialReport>
/** Number of dials in a frame that fit into 64 KiB. */
export const DIALS_PER_FRAME = 64
/**
 * Asks if a software member may dial, with what it presented as its token. `renewed`: an open session that goes on or is
 * resumed, whose secret the device has checked itself.
 */
const dialRequest = z.object({
  t: z.literal('client_auth'),
  id: z.string().min(1).max(64), // of the request, chosen by the device
  network_number: z.string().max(32),
  name: z.string().max(64),
  secret: z.string().max(DIAL_TOKEN.textMax),
  renewed: z.boolean(),
  remote: z.string().max(64), // address of the member
  os: text(16),
  version: text(CLIENT.versionMax),
  session: z.string().max(64).optional(), // id of the session on the device; '': unknown
  // Of a renewed session, as the device remembers them from the dial that began it.
  profile: z.int().positive().nullable().optional(),
  credential_version: z.int().nonnegative().nullable().optional(),
})
export type DialRequest = z.infer<typeof dialRequest>
/** Dial reports, repeated until the hub acknowledges them. */
const dials = z.object({ t: z.literal('dial'), dials: z.array(dialReport).max(DIALS_PER_FRAME) })

/** Acknowledges hours that are stored or cannot be stored any more. */
const flowsAck = z.object({ t: z.literal('flows_ack'), hours: z.array(z.int()) })
/** Asks for a report of the current hour, while somebody looks at the flows. */
const flowsAsk = z.object({ t: z.literal('flows_ask') })

export const agentFrame = z.discriminatedUnion('t', [
  hello,
  configResult,
  counters,
  links,
  interfaces,
  commandResult,
  dials,
  dialRequest,
  flows,
])
export type AgentFrame = z.infer<typeof agentFrame>
export type Hello = z.infer<typeof hello>

// hub → agent

const welcome = z.object({
  t: z.literal('welcome'),
  epoch: z.int(),
  server_time: z.number(),
  heartbeat_s: z.number(),
  spread_s: z.number().default(PRESENCE.restartSpreadMs / 1000), // time over which devices reconnect after a restart
  desired: versionHash.nullable(),
  /** Return ticket, which replaces the one that the device has; absent: it keeps that. */
  ticket: z
    .string()
    .regex(/^[\w.-]{1,2048}$/)
    .optional()
    .catch(undefined),
  least_protocol: z.int().optional(), // for a device below it, which has to be upgraded
  /** Further addresses of the service, for when those of the device do not reach it; absent: nothing is said of them. */
  entries: z.array(z.string().max(ENTRIES.lengthMax)).max(ENTRIES.max).optional().catch(undefined),
})
const config = z.object({
  t: z.literal('config'),
  version: z.int(),
  hash: z.string(), // SHA-256, hex, of the canonical JSON of `body`
  body: z.custom<SentDocument>((value) => typeof value === 'object' && value !== null), // parsed by the device
  confirm_s: z.number(), // without the hub for this long the agent returns to its last confirmed document
})
/** `report` asks for interfaces, links and counters at once; jobs of networks: worker/contract/network/jobs.ts. */
const command = z.object({
  t: z.literal('command'),
  id: z.string(),
  kind: z.string(),
  params: z.record(z.string(), z.unknown()),
  expires_at: z.number(), // server time
})
/** `trunks`: counters of the interfaces that serve the points of each network are asked for as well. */
const stream = z.object({
  t: z.literal('stream'),
  on: z.boolean(),
  rate_ms: z.number(),
  lease_s: z.number(),
  trunks: z.boolean().optional(),
})
/** Acknowledges dial reports that are stored, or that concern no member of this device. */
const dialAck = z.object({ t: z.literal('dial_ack'), keys: z.array(z.string()) })
/** Answer to `client_auth`; `reason` is the sentence for the person who dials. */
const dialDecision = z.object({
  t: z.literal('client_auth_result'),
  id: z.string(),
  ok: z.boolean(),
  reason: z.string(),
  cause: z.string().max(64).optional(), // key of the refusal in the catalogue
  // Of an admitted new dial, for the device to remember with its session.
  profile: z.int().nullable().optional(),
  credential_version: z.int().optional(),
})
export const hubFrame = z.discriminatedUnion('t', [
  welcome,
  config,
  command,
  stream,
  dialAck,
  dialDecision,
  flowsAck,
  flowsAsk,
  tunnel,
])
export type HubFrame = z.infer<typeof hubFrame>

// shared states, shown by lists, detail and graph alike

/** `unreadable`: the hub of the device does not answer, so nobody knows if the device is connected. */
export const PRESENCE_STATES = [
  'never',
  'online',
  'reconnecting',
  'offline',
  'flapping',
  'disabled',
  'unreadable',
] as const
export const presenceState = z.enum(PRESENCE_STATES)
export type PresenceState = z.infer<typeof presenceState>

export const CONFIG_STATES = ['none', 'queued', 'pushing', 'applied', 'failed', 'reverted', 'unsynced'] as const
const configState = z.enum(CONFIG_STATES)
export type ConfigState = z.infer<typeof configState>

export const LINK_STATES = ['up', 'down', 'one_sided', 'unknown', 'never'] as const
export const linkState = z.enum(LINK_STATES)
export type LinkState = z.infer<typeof linkState>

/** Presence with its reason. Pages and logs show it as one Chinese sentence (worker/domain/router/presence.ts). */
export const presenceView = z.object({
  state: presenceState,
  since: z.number().nullable(), // epoch ms
  /** Last contact; for a present member its last connect. */
  last_seen: z.number().nullable(),
  reason: z.string(), // Chinese, may be empty
  live: z.boolean().optional(), // flapping (抖动) only: its socket is open, or was closed within the grace
})
export type PresenceView = z.infer<typeof presenceView>

export const configView = z.object({
  state: configState,
  version: z.int(), // desired
  applied_version: z.int().nullable(),
  reason: z.string(),
  at: z.number().nullable(),
  confirmed_at: z.number().optional(), // last time with the newest version; absent: never, or `at` of applied
})
export type ConfigView = z.infer<typeof configView>

const memberView = z.object({
  router_name: routerName,
  router_type: z.union([z.literal(ROUTER_TYPE.hardware), z.literal(ROUTER_TYPE.software)]),
  member_type: z.enum(['center', 'point']),
  presence: presenceView,
  config: configView,
})
export type MemberView = z.infer<typeof memberView>

export const linkView = z.object({
  id: z.string(),
  router_name: routerName, // client end
  center_router_name: routerName, // server end
  kind: z.enum(['center', 'point', 'pop']).optional(), // two centres, two others, or a POP node; absent: point to centre
  state: linkState,
  since: z.number().nullable(),
  reason: z.string(), // for example, centre offline (中心点离线)
  rtt_ms: z.number().nullable(),
  tunnel: z
    .object({ cipher: z.string(), loss: z.int().nullable(), client_remote: z.string(), server_remote: z.string() })
    .optional(), // absent for a link without a tunnel; addresses as the other end sees them
  remote: z.string().optional(), // address and port at which the client reaches the server, if it has several to try
  // True if the last report of this end had probes from the other; null: no report since it reconnected.
  client_up: z.boolean().nullable(),
  server_up: z.boolean().nullable(),
})
export type LinkView = z.infer<typeof linkView>

export const networkView = z.object({
  seq: z.int(),
  members: z.array(memberView),
  links: z.array(linkView),
  health: networkHealth,
})
export type NetworkView = z.infer<typeof networkView>

// hub → browser. Each carries `code` 200 (network 4: another code ends the stream) and `seq`, which grows by one.

const rate = z.object({ down: z.number(), upload: z.number(), time: z.number() }) // bit/s, epoch ms
export type RatePoint = z.infer<typeof rate>
const head = { code: z.literal(200), seq: z.int() }

export const viewerFrame = z.discriminatedUnion('type', [
  // router socket
  z.object({ ...head, type: z.literal('history'), data: z.record(z.string(), z.array(rate)) }),
  z.object({
    ...head,
    type: z.literal('interface'),
    data: z.record(z.string(), rate),
    earlier: z.array(z.record(z.string(), rate)).optional(), // samples before `data`, oldest first
  }),
  z.object({ ...head, type: z.literal('router'), data: z.object({ presence: presenceView, config: configView }) }),
  // network socket
  z.object({ ...head, type: z.literal('snapshot'), data: networkView }),
  z.object({
    ...head,
    type: z.literal('delta'),
    data: z.object({ members: z.array(memberView), links: z.array(linkView), health: networkHealth }),
  }),
  z.object({ ...head, type: z.literal('membership') }), // members or names changed: read the network again
  z.object({ ...head, type: z.literal('link_rates'), data: z.record(z.string(), rate) }), // by the ids of `rates`
  z.object({ ...head, type: z.literal('diagnosis'), data: z.object({ job_id: z.string() }) }), // it went on: read it again
  // account socket
  z.object({ ...head, type: z.literal('account'), data: z.object({ unread: z.int() }) }),
  z.object({
    ...head,
    type: z.literal('routers'), // only those that changed
    data: z.array(z.object({ router_name: routerName, presence: presenceView, config: configView })),
  }),
  z.object({
    ...head,
    type: z.literal('networks'), // only those whose health changed
    data: z.array(z.object({ network_number: z.string(), health: networkHealth })),
  }),
  z.object({
    ...head,
    type: z.literal('ticket'), // only those that moved, and that the viewer may read
    data: z.array(z.object({ ticket_number: z.string(), ticket_status: z.int() })),
  }),
  z.object({ ...head, type: z.literal('attention') }), // somebody handles a row that needs attention: read them again
])
export type ViewerFrame = z.infer<typeof viewerFrame>

/**
 * Frame from browser to hub. `ack` is credit and lease; `snapshot` asks for the whole state after a gap in `seq`. `visible`
 * names the members of the page that is shown: the network's hub asks for their leases first. `rates` names the links, or
 * `trunk:<router_name>`, whose throughput is shown; it replaces the earlier subscription.
 */
export const viewerRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ack'), seq: z.int() }),
  z.object({ type: z.literal('snapshot') }),
  z.object({ type: z.literal('visible'), members: z.array(routerName).max(LEASE_ROUND.visible) }),
  z.object({ type: z.literal('rates'), ids: z.array(z.string().max(LINK_ID_MAX + 16)).max(LINK_RATES.idsMax) }),
])
export type ViewerRequest = z.infer<typeof viewerRequest>

/** Change of a member's state, from the account's hub (kept for 48 hours) or from the connection log. */
export const transition = z.object({ from: presenceState, to: presenceState, at: time, reason: z.string() })
