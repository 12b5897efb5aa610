import * as z from 'zod'
import { EXAMPLE, write, read } from '#contract/kernel/endpoint.ts'
import { networkNumber, numeric, routerName, sentTime, time, wireBoolean } from '#contract/kernel/fields.ts'
import { transition } from '#contract/kernel/protocol.ts'
import { pack } from './addresses.ts'
import { networkTarget, ofNetwork, settingRevision, staticRoutes } from './fields.ts'
import { NETWORK_READS } from './views.ts'

/* Endpoints of changes of a network: preview of an effect, stored versions, their restore, connections around a time. */

/** Calls with a preview of their effect, by the second segment of the path. */
export const IMPACT_CALLS = [
  'center_link',
  'ciphers',
  'default_route',
  'dns',
  'edit_center_gateway',
  'edit_center_link_gateway',
  'edit_ip_address_pool',
  'edit_point_link',
  'edit_prefix',
  'edit_routing',
  'enable_center_link',
  'fixed_port',
  'member_ov',
  'quagga',
  'quagga_disable',
  'quagga_enable',
  'restore',
  'static_routes',
] as const
export type ImpactCall = (typeof IMPACT_CALLS)[number]

const linkEffect = z.enum(['reconnects', 'opens', 'closes'])
export const LINK_EFFECT_NAME = { reconnects: '重新连接', opens: '新建', closes: '断开' } as const

const routeEffect = z.enum(['lost', 'gained', 'moved'])

/** Calls whose save asks before it takes routes away. */
export const ROUTE_CALLS: readonly ImpactCall[] = [
  'center_link',
  'default_route',
  'edit_ip_address_pool',
  'edit_point_link',
  'edit_prefix',
  'edit_routing',
  'enable_center_link',
  'member_ov',
  'restore',
  'static_routes',
]

const networkImpact = z.object({
  /** Number of routers whose configuration changes. */
  routers: z.int(),
  /** Number of these that are offline: they are updated once they reconnect. The first few by name. */
  offline: z.int(),
  offline_routers: z.array(z.object({ router_name: routerName, router_name_note: z.string() })),
  /** Links by effect on both ends. A link with an offline end does not reconnect. */
  links: z.record(linkEffect, z.int()),
  /** Number of centres that are online and whose software members are disconnected and connect again. */
  software_centers: z.int(),
  /** First few links that change. */
  moved_links: z.array(
    z.object({
      router_name: routerName,
      router_name_note: z.string(),
      center_router_name: routerName,
      center_router_name_note: z.string(),
      effect: linkEffect,
    }),
  ),
  /** Segments by effect on the chosen routes of hardware members: lost or gained by some, else only on another path. */
  routes: z.record(routeEffect, z.int()),
  /** True: the network has more kinds of members than are compared, and others may lose or gain further segments. */
  routes_partial: wireBoolean,
  /** First few of these segments, lost ones first, with the member that declares each and its paths before and after. */
  moved_routes: z.array(
    z.object({
      prefix: z.string(),
      router_name: routerName,
      router_name_note: z.string(),
      effect: routeEffect,
      old_via: z.array(z.string()),
      new_via: z.array(z.string()),
    }),
  ),
})
export type NetworkImpact = z.infer<typeof networkImpact>

/** Input of the preview of router/static_routes: the routes of one member, as one of its networks learns them. */
export const staticRoutesPreview = z.object({
  network_number: networkNumber,
  router_name: routerName,
  routes: staticRoutes,
})

const networkVersion = z.object({
  version: z.int(),
  at: time,
  /** Person who saved the version; empty for the first one, the state before any change. */
  actor: z.string(),
  /** Difference to the previous version, in words. */
  changes: z.array(z.object({ title: z.string(), old: z.string(), new: z.string() })),
})

/** Connections of members within an hour of a time, newest first, at most 200. */
const networkEvents = z.object({
  from: time,
  to: time,
  transitions: z.array(transition.extend({ router_name: routerName, note: z.string() })),
})

export const changes = {
  impact: write('network/impact', 'network:edit', {
    summary: 'What a call that changes settings would do: the same rules and refusals, and nothing is written',
    unmetered: true,
    input: z.object({
      call: z.enum(IMPACT_CALLS),
      /** Input of the call itself. */
      input: z.record(z.string(), z.unknown()),
    }),
    output: networkImpact,
    example: { call: 'dns', input: { network_number: EXAMPLE.network_number, dns: ['10.0.0.53'] } },
  }),
  events: read('network/events', 'session', {
    reads: 'near',
    summary: 'When members of a network connected and disconnected within an hour of a time, newest first',
    input: networkTarget.extend({ at: numeric(sentTime) }),
    output: networkEvents,
    example: { network_number: EXAMPLE.network_number, at: 1_767_225_600_000 },
  }),
  versions: read('network/versions', 'session', {
    summary: 'The last versions of a network’s settings, newest first, with who changed what',
    ...ofNetwork,
    output: z.array(networkVersion),
    /** Revision of the network, which a restore must name. */
    extra: { revision: z.int() },
  }),
  restore: write('network/restore', 'network:edit', {
    summary: 'Set what was set right after a version, as a new change; members stay as they are',
    input: networkTarget.extend({ version: numeric(z.int().positive()), revision: settingRevision, pack }),
    /** Number of restored settings, and those that could not be, in words. */
    output: z.object({ restored: z.int(), skipped: z.array(z.string()) }),
    done: 'restored',
    counts: ({ restored, skipped }) => ({ done: restored, left: skipped.length, noun: '配置' }),
    refreshes: ['network/versions', ...NETWORK_READS],
    example: { network_number: EXAMPLE.network_number, version: 1 },
  }),
} as const
