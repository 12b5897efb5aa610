import * as z from 'zod'
import { EXAMPLE, read, write } from '#contract/kernel/endpoint.ts'
import { networkNumber, numeric, routerName, time, wireBoolean, search } from '#contract/kernel/fields.ts'
import {
  EXAMPLE_MEMBER,
  defaultRouteForm,
  dnsForm,
  memberTarget,
  networkTarget,
  ofNetwork,
  prefixForm,
  prefixView,
  routingForm,
  settingRevision,
  softwareMode,
} from './fields.ts'
import { routingView } from './views.ts'

/* Endpoints of traffic between members: DNS, prefix lists, routing, default routes, effective routes. */

/** Revision of the setting. A write of an older one is refused. */
const revision = settingRevision

/** Common part of the calls that write one setting. */
const setting = {
  done: 'set',
  refreshes: ['network/info', 'network/member'],
} as const

const routeState = z.enum(['chosen', 'standby', 'blocked'])
export const ROUTE_STATE_NAME = { chosen: '已选', standby: '备用', blocked: '被拦截' } as const

const effectiveRoute = z.object({
  prefix: z.string(),
  /** Member that declares the route. */
  router_name: z.string(),
  router_name_note: z.string(),
  /** Member at the other end of the link. */
  via: z.string(),
  via_note: z.string(),
  state: routeState,
  /** Order in which routes of one prefix take over: 1 chosen, then standby from 2; null: blocked. */
  rank: z.int().nullable(),
  /** Number of the prefix row that denies the route; 0: no row permits it; null: not blocked. */
  blocked_by: z.int().nullable(),
})

export const ROUTE_VERDICTS = ['same', 'missing', 'extra', 'other_path', 'unreachable', 'unknown'] as const
export type RouteVerdict = (typeof ROUTE_VERDICTS)[number]
export const ROUTE_VERDICT_NAME: Readonly<Record<RouteVerdict, string>> = {
  same: '一致',
  missing: '缺失',
  extra: '多余',
  other_path: '路径不同',
  unreachable: '不可达',
  unknown: '未知',
}

/** Effective route beside that of the device. `state` is null for one that only the device has. */
const actualRoute = effectiveRoute.extend({
  state: routeState.nullable(),
  /** Link that the device uses; null if it has no route, or none is known. */
  actual: z.object({ via: z.string(), via_note: z.string(), link: z.string() }).nullable(),
  verdict: z.enum(ROUTE_VERDICTS),
  /** Reason of a difference, if one is known. */
  reason: z.string(),
})

export const routing = {
  dns: write('network/dns', 'network:edit', {
    ...setting,
    body: ['json', 'form'],
    summary: 'Set the DNS servers of a network; an empty list takes them out',
    input: networkTarget.extend({ dns: dnsForm, revision }),
    example: { network_number: EXAMPLE.network_number, dns: ['10.0.0.53'] },
  }),
  prefix: read('network/prefix', 'session', {
    summary: 'Prefix rows of a network',
    ...ofNetwork,
    output: z.array(prefixView),
    extra: { revision: z.int() },
  }),
  editPrefix: write('network/edit_prefix', 'network:edit', {
    ...setting,
    body: ['json', 'form'],
    summary: 'Replace the prefix rows; answers those whose network number was corrected to the boundary of its mask',
    input: networkTarget.extend({ prefix: prefixForm, revision }),
    output: z.array(z.object({ row: z.int(), old: z.string(), new: z.string() })),
    refreshes: ['network/info', 'network/prefix'],
    example: { network_number: EXAMPLE.network_number, prefix: [{ ip: '10.0.0.0', mask: 8, name: '总部' }] },
  }),
  routing: read('network/routing', 'session', {
    summary: 'How a network with two centres routes',
    ...ofNetwork,
    output: routingView.extend({ revision: z.int() }),
  }),
  editRouting: write('network/edit_routing', 'network:edit', {
    ...setting,
    summary: 'Share the load between the centres, or choose a main and a backup router',
    input: routingForm.safeExtend({ network_number: networkNumber, revision }),
    refreshes: ['network/info', 'network/member', 'network/routing'],
    example: { network_number: EXAMPLE.network_number, type: 1 },
  }),
  defaultRoute: write('network/default_route', 'network:edit', {
    ...setting,
    summary: 'Let a member advertise or receive the default route',
    input: defaultRouteForm.safeExtend({ network_number: networkNumber, router_name: routerName, revision }),
    example: { ...EXAMPLE_MEMBER, model: 1, metric: 30 },
  }),
  quagga: write('network/quagga', 'network:edit', {
    ...setting,
    summary: 'Turn dynamic routing of one member on or off',
    input: memberTarget.extend({ enable: numeric(wireBoolean), revision }),
    example: { ...EXAMPLE_MEMBER, enable: 1 },
  }),
  quaggaEnable: write('network/quagga_enable', 'network:edit', {
    ...setting,
    summary: 'Turn dynamic routing on for all hardware members',
    ...ofNetwork,
  }),
  quaggaDisable: write('network/quagga_disable', 'network:edit', {
    ...setting,
    summary: 'Turn dynamic routing off for all hardware members',
    ...ofNetwork,
  }),
  routes: read('network/routes', 'session', {
    reads: 'near',
    summary: 'Effective routes of one hardware member by what is configured; to an address, the longest prefix first',
    input: z.object({
      network_number: networkNumber,
      /** Member of the routes; by default the first point, or else the first centre. */
      router_name: routerName.optional(),
      search,
    }),
    output: z.array(effectiveRoute),
    /** Number of all routes, and their member; empty if the network has no hardware. */
    extra: { count: z.int(), router_name: z.string() },
    example: { network_number: EXAMPLE.network_number },
  }),
  actualRoutes: read('network/actual_routes', 'session', {
    summary: 'Effective routes of one hardware member beside those that its device has',
    input: memberTarget.extend({ search, only: z.enum(['differences', '']).default('') }),
    output: z.array(actualRoute),
    extra: {
      /** Number of all rows that were found. */
      count: z.int(),
      /** Number of differences of the member, whatever is searched. */
      differences: z.int(),
      router_name: z.string(),
      /** Time of the device's answer; null: it has not answered. */
      at: time.nullable(),
      /** Sentence about an answer that is missing or not whole; empty otherwise. */
      notice: z.string(),
    },
    example: EXAMPLE_MEMBER,
  }),
  softwareMode: write('network/software_mode', 'network:edit', {
    ...setting,
    summary: 'Choose where a software member dials in',
    input: memberTarget.extend({ mode: softwareMode, revision }),
    example: { ...EXAMPLE_MEMBER, mode: 2 },
  }),
} as const
