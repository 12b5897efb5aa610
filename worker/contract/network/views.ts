import * as z from 'zod'
import { routerName, wireBoolean, networkNumber, shared, time } from '#contract/kernel/fields.ts'
import { networkHealth } from '#contract/kernel/health.ts'
import { configView, linkView, presenceView } from '#contract/kernel/protocol.ts'

/* Views of networks, members, links and settings in replies (network 3), and the lists of stale reads after changes. */

/** Reads that are stale after the members of a network changed (`refreshes` of an endpoint). */
export const NETWORK_READS = [
  'network/lists',
  'network/config',
  'network/info',
  'network/member',
  'network/status',
] as const

/** Reads of members that contain their networks. */
export const MEMBER_READS = ['router/lists', 'router/info', 'router/member'] as const

export const portsView = {
  public_ip: z.string(), // empty: the address of the device
  public_port: z.int().nullable(),
  static_port: z.int().nullable(), // null: none was chosen
}
const service = z.object({ ...portsView, port: z.int() })
export const segmentView = z.object({ gateway: z.string(), mask: z.int() })

/** Routing of two centres. 1: they share the load; 2: a main and a backup router by name, else empty. */
export const routingView = z.object({ type: z.int(), main_router: z.string(), secondary_router: z.string() })

/** Number of edits of each setting. A write names it, so that a write of an older state is refused. */
const settingRevisions = z.record(z.string(), z.int())

/** Settings of one member; those for centres only are null for points. */
export const memberSettingsView = z.object({
  mode: z.int(), // dial mode of software members (fields.ts)
  routing: wireBoolean, // 1: main router
  default_route: z.int(),
  metric: z.int().nullable(),
  quagga: wireBoolean,
  ov_id: z.object({
    main: z.int().nullable(),
    backup: z.int().nullable(),
    main_name: z.string(),
    backup_name: z.string(),
    priority: z.int(),
  }),
  /** Note or name of its centres; empty for a centre. */
  center_router_name_note: z.string(),
  fixed_port: z.object({ router_service: service, software_service: service }).nullable(),
  /** Segments behind next hops on its LANs, which router/info lists. */
  static_route_count: z.int(),
  /** Segments in use, chosen or by default. */
  gateway: z.object({ router: segmentView, software: segmentView }).nullable(),
  revisions: settingRevisions,
})

export const networkSettingsView = z.object({
  network_dns: z.array(z.string()),
  network_routing: routingView,
  /** Rows of the prefix list, which network/prefix reads. */
  prefix_count: z.int(),
  /** Segments of members that these rows block. */
  blocked_count: z.int(),
  /** `expire_day` as in network_fr/lists: 0 after the term, when documents leave the areas out. */
  network_fr: z.object({ network_fr_id: z.int(), shortname: z.string(), expire_day: z.int() }).nullable(),
  network_center_link: wireBoolean, // 1: the twin-centre link is on
  network_center_link_show: wireBoolean,
  network_center_link_network: segmentView.extend({
    ...portsView,
    center_router_name: z.union([routerName, z.literal('')]),
  }),
  /** Revisions of settings with rows of their own; ciphers and fr follow `revision` of the network. */
  revisions: settingRevisions,
})

export const memberType = z.enum(['center', 'point'])

export const networkConfig = z.object({
  network_router_use: z.int(), // memberships in all networks of the account
  network_router_count: z.int(), // member quota bought
  network_level: z.int(), // 1 basic, otherwise standard
  network_center_count: z.int(), // centres a network may have
  dns_quantity: z.int(),
})

export const networkRow = z.object({
  network_number: networkNumber,
  network_name: z.string(),
  network_status: wireBoolean,
  network_type: z.int(),
  network_service: z.int(),
  member_count: z.int(),
  online_count: z.int(),
  fr_name: z.string(),
  /** Days left of its POP resource, 0 after the term; null without one. */
  fr_expire_day: z.int().nullable(),
  create_time: time,
  /** Start of the suspension for quota; null while the network works. */
  suspended_time: time.nullable(),
  /** Health of the network; null while the hub does not answer. */
  health: networkHealth.nullable(),
})

export const networkMember = memberSettingsView.extend({
  router_name: routerName,
  note: z.string(),
  member_type: memberType,
  router_type: z.union([z.literal(1), z.literal(2)]),
  online: wireBoolean,
  shared,
  version: z.string(),
  /** Addresses of the member in this network; a point has one per centre. */
  vpn_ip: z.array(z.string()),
  /** Segments behind the device, `network/mask`. */
  lan: z.array(z.string()),
  /** Source address of the device; empty before its first connection. */
  remote_ip: z.string(),
  presence: presenceView,
  config: configView,
})

/** Live state of a link with data from the rows of its members (network 3). */
export const networkLink = linkView.extend({
  router_name_note: z.string(),
  center_router_name_note: z.string(),
  /** Inner addresses of its client, which dials, and of its server; a point dials a centre. */
  vpn_ip: z.string(),
  center_vpn_ip: z.string(),
  vpn_online: wireBoolean,
  /** Start of the connection; null while the link is down. */
  vpn_online_time: time.nullable(),
})
