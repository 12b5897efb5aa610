import * as z from 'zod'
import { wireBoolean } from '#contract/kernel/fields.ts'
import { NO_PORTS, dnsList, fixedPorts, gatewaySegment, linkPorts, prefixRows, softwareMode } from './fields.ts'
import { DEFAULT_ROUTE_METRICS, MASK, NETWORK, OV_PRIORITY } from './limits.ts'

/*
 * Stored settings of networks and members: one row each (network_settings, member_settings) with its own revision. Without
 * a row the default holds. Routers are named by id, because the name of a software member may change.
 */

const routerId = z.int().positive().nullable()
const segmentText = z.string().max(15)

const centerLink = z.object({
  enable: wireBoolean,
  server: routerId,
  /** Network number; empty if the ends use only the public address. */
  gateway: segmentText,
  mask: z.int().min(MASK.interlink.min).max(MASK.interlink.max),
  ports: linkPorts,
})
const routing = z.object({
  type: z.union([z.literal(1), z.literal(2)]),
  main: routerId,
  secondary: routerId,
})
const ipPool = z.object({
  gateway: segmentText,
  mask: z.int(),
  pop: gatewaySegment.nullable(),
  pop_software: gatewaySegment.nullable(),
})
const poolEnds = z.object({ start: segmentText, end: segmentText }).nullable()

export const NETWORK_SETTINGS = {
  center_link: centerLink.default({
    enable: 0,
    server: null,
    gateway: '',
    mask: MASK.interlinkDefault,
    ports: NO_PORTS,
  }),
  routing: routing.default({ type: 1, main: null, secondary: null }),
  prefix: prefixRows.default([]),
  dns: dnsList.default([]),
  ip_pool: ipPool.default({ gateway: '', mask: MASK.gatewayDefault, pop: null, pop_software: null }),
  /** Count of edits of links between members, which are rows of point_links. */
  point_link: z.object({}).default({}),
} as const

export const MEMBER_SETTINGS = {
  /** Segments of a centre; null: the default segment of its subnet index. */
  gateway: z
    .object({ router: gatewaySegment.nullable(), software: gatewaySegment.nullable() })
    .default({ router: null, software: null }),
  /** Ranges of its segments from which a centre assigns addresses; null: all. */
  pool: z.object({ router: poolEnds, software: poolEnds }).default({ router: null, software: null }),
  fixed_port: fixedPorts.default({ router_service: NO_PORTS, software_service: NO_PORTS }),
  default_route: z
    .object({
      mode: z.union([z.literal(0), z.literal(1), z.literal(2)]),
      metric: z.union(DEFAULT_ROUTE_METRICS.map((metric) => z.literal(metric))).nullable(),
    })
    .default({ mode: 0, metric: null }),
  quagga: z.object({ enable: wireBoolean }).default({ enable: 0 }),
  /** POP areas (network_fr_areas); null for none. */
  ov: z
    .object({
      main: routerId,
      backup: routerId,
      priority: z.int().min(OV_PRIORITY.min).max(OV_PRIORITY.max),
    })
    .default({ main: null, backup: null, priority: OV_PRIORITY.default }),
  software_mode: z.object({ mode: softwareMode }).default({ mode: 1 }),
} as const

export type NetworkSetting = keyof typeof NETWORK_SETTINGS
/** Sources of segments of a network other than its members. */
export type NetworkSegmentKind = 'center_link' | 'ip_pool' | 'point_link' | 'pop_node'
export type MemberSetting = keyof typeof MEMBER_SETTINGS
export type NetworkSettings = { readonly [K in NetworkSetting]: z.output<(typeof NETWORK_SETTINGS)[K]> }
export type MemberSettings = { readonly [K in MemberSetting]: z.output<(typeof MEMBER_SETTINGS)[K]> }

/** Segments behind next hops on a device's LAN, as stored in routers.static_routes. */
export const storedStaticRoutes = z.array(z.object({ prefix: z.cidrv4(), via: z.ipv4() })).max(NETWORK.staticRoutesMax)
export type StoredStaticRoute = z.output<typeof storedStaticRoutes>[number]
