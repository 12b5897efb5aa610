import * as z from 'zod'
import {
  address,
  asn,
  authorityId,
  controlKey,
  documentLinkId,
  documentNetworkNumber,
  documentPort,
  linkEndpoint,
  linkKey,
  linkTarget,
  memberName,
  pem,
  segment,
} from './document-fields.ts'
import { NETWORK, POP } from '#contract/network/limits.ts'
import { CERTIFICATE } from './limits.ts'

/*
 * Document of a router: its whole desired state, compiled from its rows
 * (worker/domain/network/compile/compile.ts), with keys in this order. Segments are `a.b.c.d/n`, rates are Mbit/s. No field
 * depends on a tool of the device.
 *
 * Two forms are in use. Devices of protocol 1 ignore the fields that protocol 2 added. Devices of protocol 2 read documents
 * without them (from an older hub or their own disk) by the defaults, which keep the old meaning. The hash covers the sent
 * text, so both sides agree on it.
 */

const many = <T extends z.ZodType>(item: T) => z.array(item).max(NETWORK.membersMax)
const maskLength = z.int().min(8).max(32)
const rate = z.number().positive().nullable()

/** LAN that a router may declare; `via` is the next hop of a static route on its LAN. */
const documentLan = z.object({ segment, via: address.nullable() })

/** Service of this router for other members. */
const documentServer = z.object({
  service: z.enum(['router', 'software']),
  port: documentPort, // UDP, unique on the device over all networks and links
  ip: address, // of the server inside the network
  mask: maskLength,
  pool: z.object({ first: address, last: address }).nullable(), // software
  /** Software members that may dial. A member that leaves the list or has a new version loses its sessions at once. */
  accounts: many(z.object({ id: z.int(), name: memberName, ip: address, credential_version: z.int().default(0) })),
  routes: z.array(segment), // software: routes that the server announces to clients
  rate_mbps: rate, // each direction, all clients together (POP area)
})

const NO_ADDRESS = '0.0.0.0'
export const documentLink = z.object({
  id: documentLinkId,
  peer: memberName,
  role: z.enum(['server', 'client']), // the client opens the tunnel and the probe
  endpoint: linkEndpoint.nullable(), // target of the probe at the server; null until known
  /** All targets of a probe outside a tunnel, in their order: the one that answers is chosen. Absent: `endpoint` is the only one. */
  endpoints: z.array(linkTarget).optional(),
  key: linkKey, // probe key
  kind: z.enum(['access', 'center', 'point', 'pop', 'backbone']).default('access'),
  carrier: z.enum(['tunnel', 'probe']).default('probe'), // tunnel: both ends carry them
  /** Client, and both ends of point: targets in the order of dialling; empty: not known yet. */
  remotes: z.array(linkTarget).default([]),
  /** Server of center and backbone, and both ends of point; the others use the server `router`. */
  port: documentPort.nullable().default(null),
  local_ip: address.default(NO_ADDRESS),
  remote_ip: address.default(NO_ADDRESS),
  mask: maskLength.default(32),
  peer_asn: asn.default(0),
  peer_prefixes: z.array(segment).nullable().default(null), // null: the rows alone decide
  preference: z.int().min(0).max(99).default(40), // the same at both ends
  rate_mbps: rate.default(null), // what this end sends: client of a pop link, both ends of backbone
})

const documentRouting = z.object({
  paths: z.int().min(1), // number of equal paths that share the load
  announce: z.enum(['declared', 'connected']),
  /** Prefix rows in order; only for links that pass routes. */
  rows: z.array(
    z.object({ permit: z.boolean(), prefix: segment, ge: maskLength.nullable(), le: maskLength.nullable() }),
  ),
  system: z.array(segment), // software segments: pass without rows
  default: z.object({ mode: z.enum(['off', 'advertise', 'receive']), metric: z.int().nullable() }),
})

/** Authority of an account, and this device's certificate by it; null until its request is signed. A node has many. */
const documentAuthority = z.object({
  id: authorityId,
  ca: pem('CERTIFICATE', CERTIFICATE.pemMax),
  certificate: pem('CERTIFICATE', CERTIFICATE.pemMax).nullable(),
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
  dns: z.array(address).default([]), // for hosts behind this router; empty: no change of their DNS
  authority: authorityId.optional(), // of `authorities`
  control_key: controlKey.optional(), // the same for all members: keeps strangers from the ports
  revoked: pem('X509 CRL', CERTIFICATE.listMax).optional(), // certificates of devices that were in this network
})

export const routerDocument = z.object({
  router_name: memberName,
  networks: z.array(documentNetwork).max(POP.networksPerNode), // a member is in NETWORK.perRouter at most
  asn: asn.default(0), // one per device for all its networks
  lans: z.array(documentLan).default([]),
  /** Absent, as are the keys of networks, for a device without the capability `vpn`. */
  authorities: z.array(documentAuthority).max(POP.networksPerNode).optional(),
  /** Bandwidth of a SaaS device's WAN in each direction; 0 is off. Absent for other devices. */
  bandwidth_mbps: z.number().nonnegative().optional(),
})
/** Document as sent and stored, possibly without the fields of protocol 2. */
export type SentDocument = z.input<typeof routerDocument>
export type RouterDocument = z.output<typeof routerDocument>
export type DocumentNetwork = z.infer<typeof documentNetwork>
export type DocumentLink = z.infer<typeof documentLink>
export type DocumentServer = z.infer<typeof documentServer>
export type DocumentAuthority = z.infer<typeof documentAuthority>
export type DocumentRouting = z.infer<typeof documentRouting>
