import * as z from 'zod'
import { EXAMPLE, read, write } from '#contract/kernel/endpoint.ts'
import { routerName, search, shared, time, wireBoolean } from '#contract/kernel/fields.ts'
import { list } from '#contract/kernel/list.ts'
import { presenceView } from '#contract/kernel/protocol.ts'
import { SAAS } from './limits.ts'
import { timeRange } from '#contract/kernel/time-range.ts'

/* Endpoints of SaaS devices (directory 2, 3). Bandwidth in Mbit/s, volumes in bytes; `input` is up, `out` down. */

const mbps = z.int()
/** Temporary bandwidth (directory 5): above 0. The rule checks the maximum. */
export const bandwidthField = z.int({
  error: ({ input }) => ([undefined, null, ''].includes(input as string) ? '请输入带宽' : '带宽必须为整数 Mbs'),
})

/** Sold bandwidth, and the value in force. */
const sold = {
  bandwidth: mbps, // 0: disabled
  max_bandwidth: mbps, // limit of the device and its pool
  current_bandwidth: mbps, // the temporary value during its time, 0 after the expiry
  share: wireBoolean, // 1: shared edition
  expire_date: time,
  temp_bandwidth: mbps.nullable(),
  temp_start_date: time.nullable(),
  temp_expire_date: time.nullable(),
  pool_name: z.string(),
}

const saasRow = z.object({
  router_name: routerName,
  note: z.string(),
  note_revision: z.int(),
  group: z.string(),
  online: wireBoolean,
  presence: presenceView,
  ip: z.array(z.string()),
  shared,
  ...sold,
})

const volume = { input: z.number(), out: z.number() }

const saasDetail = saasRow.extend({
  ...volume, // since it came online
  online_time: time.nullable(), // start of the present connection
  analysis: wireBoolean, // 1: the device counts flows
  router_model: z.string(),
  router_ipv4: z.string(),
  router_mac: z.string(),
  version: z.string(),
  network: z.array(z.object({ network_number: z.string(), network_name: z.string(), network_member_count: z.int() })),
})

/** Presence of the device. Null is unknown, as before it was a SaaS device. */
const saasPresence = z.object({
  ip: z.string(), // of the device
  origin: z.string(), // public
  input: z.number().nullable(),
  out: z.number().nullable(),
  session_date: z.int().nullable(), // seconds
  online_time: time,
  stop_time: time.nullable(), // null: it lasts
})

/** Bit/s over the step that ends at `time`. A step without data has no point. */
export const flowPoint = z.object({ time, ...volume })
const chart = z.object({ step_ms: z.int(), points: z.array(flowPoint) })
const charts = z.object({
  step_ms: z.int(),
  series: z.array(z.object({ name: z.string(), points: z.array(flowPoint) })),
})
/** Bytes of a name and their percentage; all rows add up to 100.00. */
export const shareRow = z.object({ name: z.string(), ...volume, total: z.number(), share: z.number() })
/** Bytes that the interfaces counted beyond the flows, as for offloaded connections; null if unknown. */
const uncounted = { uncounted: z.object(volume).nullable() }

const target = z.object({ router_name: routerName })
/** Range of the query. By default it starts an hour ago, for shares six hours ago, and ends now. */
const ranged = timeRange({ router_name: routerName }, { start: 'start_date', end: 'end_date' })
const example = { router_name: EXAMPLE.router_name }

const flowChart = {
  input: ranged,
  output: charts,
  extra: uncounted,
  example,
} as const
const flowTop = { ...flowChart, output: z.array(shareRow) } as const

export const saasApi = {
  router: read('saas/router', 'session', {
    summary: 'SaaS devices by group, at most 500',
    input: z.object({ search }),
    output: z.array(saasRow),
  }),
  info: read('saas/info', 'session', {
    summary: 'One SaaS device',
    input: target,
    output: saasDetail,
    example,
  }),
  connect: read('saas/connect', 'session', {
    reads: 'near',
    summary: 'Presences of a SaaS device with their volumes, newest first; searched by address',
    ...list({ row: saasPresence, filters: { router_name: routerName, search } }),
    example,
  }),
  traffic: read('saas/traffic', 'session', {
    reads: 'near',
    summary: 'Traffic of its WAN over time, at most 1,000 points',
    input: ranged,
    output: chart,
    example,
  }),
  appLog: read('saas/app_log', 'session', {
    reads: 'near',
    ...flowChart,
    summary: 'Traffic by application over time: the ten largest, and 其他',
  }),
  appLogTop: read('saas/app_log_top', 'session', {
    reads: 'near',
    ...flowTop,
    summary: `Volume by application: the ${SAAS.topRows} largest, and 其他`,
  }),
  origScrLog: read('saas/orig_scr_log', 'session', {
    reads: 'near',
    ...flowChart,
    summary: 'Traffic by LAN address over time: the ten largest, and 其他',
  }),
  origScrLogTop: read('saas/orig_scr_log_top', 'session', {
    reads: 'near',
    ...flowTop,
    summary: `Volume by LAN address: the ${SAAS.topRows} largest, and 其他`,
  }),
  bandwidth: write('saas/bandwidth', 'router:edit', {
    summary: 'Bandwidth of a SaaS device of the shared edition',
    input: target.extend({ bandwidth: bandwidthField }),
    done: 'changed',
    refreshes: ['saas/router', 'saas/info', 'bandwidth_pool/router'],
    example: { ...example, bandwidth: 50 },
  }),
} as const
