import * as z from 'zod'
import {
  address,
  asn,
  documentLinkId,
  documentNetworkNumber,
  documentPort,
  linkEndpoint,
  linkKey,
  memberName,
  segment,
} from './document-fields.ts'
import { NETWORK, POP } from '#contract/network/limits.ts'

/**
 * One router's whole desired state, compiled from its rows (worker/domain/network/compile/compile.ts); keys in this order. Segments
 * are `a.b.c.d/n`, rates Mbit/s; nothing names a tool.
 *
 * Two forms are in the field. A device of protocol 1 ignores the fields that protocol 2 added; one of protocol 2 reads
 * documents without them (of an older hub, or on its own disk) by the defaults, which say what they meant then. The hash is of
 * the text as it came, so both sides agree on it whatever they read.
 */

const many = <T extends z.ZodType>(item: T) => z.array(item).max(NETWORK.membersMax)
const maskLength = z.int().min(8).max(32)
const rate = z.number().positive().nullable()

/** LAN that a router may declare; `via` is the next hop of a static route on its LAN. */
const documentLan = z.object({ segment, via: address.nullable() })

/** A service of this router for others. */
const documentServer = z.object({
  service: z.enum(['router', 'software']),
  port: documentPort, // UDP, unique on the device over all networks and links
  ip: address, // the server's own, inside
  mask: maskLength,
  pool: z.object({ first: address, last: address }).nullable(), // software
  /** Software: who may dial. A member that leaves the list, or has a new version, loses its sessions at once. */
  accounts: many(z.object({ id: z.int(), name: memberName, ip: address, credential_version: z.int().default(0) })),
  routes: z.array(segment), // software: what the server announces to clients
  rate_mbps: rate, // each direction, all clients together (POP area)
})

const NO_ADDRESS = '0.0.0.0'
export const documentLink = z.object({
  id: documentLinkId,
  peer: memberName,
  role: z.enum(['server', 'client']), // the client opens the tunnel and the probe
  endpoint: linkEndpoint.nullable(), // where the probe goes: the server's; null until known
  key: linkKey, // probe key
  kind: z.enum(['access', 'center', 'point', 'pop', 'backbone']).default('access'),
  carrier: z.enum(['tunnel', 'probe']).default('probe'), // tunnel: both ends carry them
  remotes: z.array(linkEndpoint).default([]), // client: dialled in this order; empty: not known yet
  port: documentPort.nullable().default(null), // server of center, point, backbone; the others use the server `router`
  local_ip: address.default(NO_ADDRESS),
  remote_ip: address.default(NO_ADDRESS),
  mask: maskLength.default(32),
  peer_asn: asn.default(0),
  peer_prefixes: z.array(segment).nullable().default(null), // null: the rows alone decide
  preference: z.int().min(0).max(99).default(40), // both ends alike
  rate_mbps: rate.default(null), // client of a pop link
})

const documentRouting = z.object({
  paths: z.int().min(1), // how many equal ways share the load
  announce: z.enum(['declared', 'connected']),
  /** Prefix rows in their order; only where routes pass. */
  rows: z.array(
    z.object({ permit: z.boolean(), prefix: segment, ge: maskLength.nullable(), le: maskLength.nullable() }),
  ),
  system: z.array(segment), // software segments: pass without rows
  default: z.object({ mode: z.enum(['off', 'advertise', 'receive']), metric: z.int().nullable() }),
})

export const documentNetwork = z.object({
  network_number: documentNetworkNumber,
  member_type: z.enum(['center', 'point', 'pop']),
  ciphers: z.enum(['default', 'sm']),
  /** Addresses this router holds in the network: its own segments when a centre, one per centre when a point. */
  addresses: many(z.object({ center: memberName, segment, ip: address })),
  /** Software segment of a centre; null for a point. */
  software_segment: segment.nullable(),
  members: many(z.object({ router_name: memberName, member_type: z.enum(['center', 'point']) })),
  links: z.array(documentLink).max(NETWORK.membersMax + POP.nodesMax), // a node: of all members, and to the other nodes
  isolated: z.boolean().default(false), // POP node: neither LAN nor WAN of the device
  servers: z.array(documentServer).default([]),
  routing: documentRouting.default({
    paths: 1,
    announce: 'declared',
    rows: [],
    system: [],
    default: { mode: 'off', metric: null },
  }),
  dns: z.array(address).default([]), // for hosts behind this router; empty: theirs is left alone
})

export const routerDocument = z.object({
  router_name: memberName,
  networks: z.array(documentNetwork).max(POP.networksPerNode), // a member is in NETWORK.perRouter at most
  asn: asn.default(0), // one a device, whatever its networks
  lans: z.array(documentLan).default([]),
  /** SaaS device: of its WAN, each direction; 0 is off. Absent: no SaaS device. */
  bandwidth_mbps: z.number().nonnegative().optional(),
})
/** Document as it travels and is stored: maybe without what protocol 2 added. */
export type SentDocument = z.input<typeof routerDocument>
export type RouterDocument = z.output<typeof routerDocument>
export type DocumentNetwork = z.infer<typeof documentNetwork>
export type DocumentLink = z.infer<typeof documentLink>
export type DocumentServer = z.infer<typeof documentServer>
export type DocumentRouting = z.infer<typeof documentRouting>
