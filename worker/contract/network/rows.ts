import * as z from 'zod'
import { networkNumber, routerName, shared, time, wireBoolean } from '#contract/kernel/fields.ts'
import { networkHealth } from '#contract/kernel/health.ts'
import { memberSettingsView } from './views.ts'
import { configView, linkView, presenceView } from '#contract/kernel/protocol.ts'

/** Networks, members and links as replies carry them (network 3). */

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
  /** Days that its POP resource has left, 0 once it is over; null without one. */
  fr_expire_day: z.int().nullable(),
  create_time: time,
  /** Start of the suspension for quota; null while the network works. */
  suspended_time: time.nullable(),
  /** Health of the network; null while the live half does not answer. */
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
  /** The member's addresses in this network: one per centre for a point. */
  vpn_ip: z.array(z.string()),
  /** Segments behind the device, `network/mask`. */
  lan: z.array(z.string()),
  /** Address that the device connects from; empty until it was online. */
  remote_ip: z.string(),
  presence: presenceView,
  config: configView,
})

/** A link with what the members' rows add to its live state (network 3). */
export const networkLink = linkView.extend({
  router_name_note: z.string(),
  center_router_name_note: z.string(),
  /** Inner addresses of its client, which dials, and of its server; a point dials a centre. */
  vpn_ip: z.string(),
  center_vpn_ip: z.string(),
  vpn_online: wireBoolean,
  /** Time at which the link came up; null while it is down. */
  vpn_online_time: time.nullable(),
})
