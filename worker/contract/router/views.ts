import * as z from 'zod'
import { routerName, shared, time, wireBoolean } from '#contract/kernel/fields.ts'
import { linkCount, memberPaths } from '#contract/kernel/health.ts'
import {
  configView,
  interfaceInfo,
  linkView,
  presenceState,
  presenceView,
  transition,
} from '#contract/kernel/protocol.ts'
import { segmentView } from '#contract/network/views.ts'

/* Views of members in replies: rows, candidates, links, events, traffic, detail. */

export const routerRow = z.object({
  router_name: routerName,
  router_type: z.union([z.literal(1), z.literal(2)]),
  note: z.string(),
  note_revision: z.int(), // counts its edits
  online_status: wireBoolean,
  presence: presenceView,
  config: configView,
  version: z.string(),
  router_model: z.string(),
  os: z.string(),
  area_code: z.string(),
  phone: z.string(),
  source: z.enum(['manual', 'batch', 'ldap']),
  status: wireBoolean,
  shared,
  network_count: z.int(),
  /** Networks in the caller's scope, newest first. */
  networks: z.array(z.object({ network_number: z.string(), network_name: z.string() })),
  /** Segments behind the device, `network/mask`. */
  lan: z.array(z.string()),
  /** 1: only one of its several paths is up in one of these networks (单中心). */
  single_center: wireBoolean,
  /** Address that the device connects from; empty until it was online. */
  remote_ip: z.string(),
  create_time: time,
})

/** Member that may be chosen for a network. */
export const candidate = z.object({
  router_name: routerName,
  note: z.string(),
  online: wireBoolean,
  presence: presenceView,
  /**
   * Networks in the caller's scope, newest first. `segment_index` gives the default segments of a centre, `gateway` the
   * segments that were chosen in their place.
   */
  networks: z.array(
    z.object({
      network_number: z.string(),
      network_name: z.string(),
      segment_index: z.int().nullable(),
      gateway: z.object({ router: segmentView.nullable(), software: segmentView.nullable() }).nullable(),
    }),
  ),
  /** Segments behind the device, on its interfaces and behind next hops, `network/mask`. */
  lan: z.array(z.string()),
  /** Addresses of the device towards the carrier, `ip/mask`. */
  wan: z.array(z.string()),
})

export const candidates = z.object({ router: z.array(candidate), app: z.array(candidate) })

/** Link of one router with both ends, `router_name` and `center_router_name`. A POP node has the name of its area. */
export const routerLink = linkView.extend({
  network_number: z.string(),
  network_name: z.string(),
  peer: z.object({ router_name: routerName, note: z.string(), member_type: z.enum(['center', 'point', 'pop']) }),
  /** Addresses of both ends in the segment of the centre or node. */
  vpn_ip: z.string(),
  peer_vpn_ip: z.string(),
})

/** States of one member over time. `live` 0: the account's hub did not answer, and the states are unknown. */
export const routerEvents = z.object({
  live: wireBoolean,
  /** Newest first, at most `HEALTH.eventsShown`. */
  transitions: z.array(transition),
  /** Bar of the last 24 hours with its first state, null if unknown. Later states are in `transitions`. */
  bar: z.object({ from: time, to: time, start: presenceState.nullable() }),
})
export type RouterEvents = z.infer<typeof routerEvents>

/** Interface from the report of the device. An IPv4 address also has its prefix length as a mask. */
const shownInterface = interfaceInfo.extend({ ipv4_subnet_mask: z.string() })

/** Rates of an interface in bit/s. */
export const rate = z.object({ down: z.number(), upload: z.number(), time })
/** Average rates of a step. A step of an hour or more has peaks: the highest averages over five minutes. */
export const storedRate = rate.extend({ down_peak: z.number().optional(), upload_peak: z.number().optional() })
export type StoredRate = z.infer<typeof storedRate>

/** Sources of addresses at which members dial a router: its account, its agent's command line, its WAN, its connections. */
const endpointSource = z.enum(['chosen', 'flag', 'reported', 'seen'])
export type EndpointSource = z.infer<typeof endpointSource>

export const routerDetail = z.object({
  router_name: routerName,
  router_type: z.union([z.literal(1), z.literal(2)]),
  note: z.string(),
  note_revision: z.int(),
  online: wireBoolean,
  presence: presenceView,
  config: configView,
  /** Trouble with the certificate of its tunnels, in words; '' if there is none. */
  certificate: z.string(),
  router_model: z.string(),
  router_ipv4: z.string(),
  remote_ip: z.string(),
  router_mac: z.string(),
  version: z.string(),
  os: z.string(),
  area_code: z.string(),
  phone: z.string(),
  status: wireBoolean,
  shared,
  create_time: time,
  interfaces: z.array(shownInterface),
  /** Segments behind next hops on its LANs, and the number of their edits. */
  static_routes: z.array(z.object({ prefix: z.string(), mask: z.int(), via: z.string() })),
  static_routes_revision: z.int(),
  /** Addresses and names at which members dial it, in this order. `reached`: a link that is up goes there. */
  endpoint_list: z.array(z.object({ host: z.string(), source: endpointSource, reached: wireBoolean })),
  /** Those that the account has set, and the number of their edits. */
  endpoints: z.array(z.object({ host: z.string() })),
  endpoints_revision: z.int(),
  network: z.array(
    z.object({
      network_number: z.string(),
      network_name: z.string(),
      network_member_count: z.int(),
      member_type: z.enum(['center', 'point']),
    }),
  ),
  /** Links, those that are not up first, at most `NETWORK.linksShown`. `link_count` counts all. */
  link: z.array(routerLink),
  link_count: linkCount,
  paths: memberPaths,
  /** Networks whose hub did not answer. Their links are neither listed nor counted. */
  link_missing: z.array(z.string()),
})
