import * as z from 'zod'
import { LINK_ID_MAX } from '#contract/device/limits.ts'
import { EXAMPLE, read } from '#contract/kernel/endpoint.ts'
import { codeString, networkNumber, routerName, search, time, wireBoolean } from '#contract/kernel/fields.ts'
import { LINK_RANGES, type LinkRange } from '#contract/kernel/hub-limits.ts'
import { PAGE_SIZES } from '#contract/kernel/limits.ts'
import { list } from '#contract/kernel/list.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { type RatePoint, linkState } from '#contract/kernel/protocol.ts'

/* Tunnels of a network: its links as they run, and the sessions of software members beside them. */

export const TUNNEL_KIND_NAME = {
  access: '接入',
  center: '双中心点',
  point: '点对点',
  pop: 'POP',
  software: '软件接入',
} as const
type TunnelKind = keyof typeof TUNNEL_KIND_NAME

const idsMax = Math.max(...PAGE_SIZES)
/** Ids separated by commas, which no id contains. */
const ids = z
  .preprocess(
    (sent) => (typeof sent === 'string' ? sent.split(',').filter(Boolean) : sent),
    z.array(codeString().max(LINK_ID_MAX)).max(idsMax),
  )
  .prefault('')

const tunnel = z.object({
  /** Id of the link; `dial:` and the key of a session. */
  id: z.string(),
  kind: z.enum(Object.keys(TUNNEL_KIND_NAME) as [TunnelKind, ...TunnelKind[]]),
  /** Member that dials. */
  router_name: routerName,
  router_name_note: z.string(),
  /** Member or node that it dials; a node has the name of its area as note. */
  peer: routerName,
  peer_note: z.string(),
  state: linkState,
  reason: z.string(),
  since: time.nullable(),
  cipher: z.string(), // empty: unknown
  /** Public address of the member that dials, as the other end sees it. */
  remote_ip: z.string(),
  vpn_ip: z.string(), // inner address of the member that dials
  rtt_ms: z.number().nullable(),
  loss: z.int().nullable(), // per mille of the last probes
  /** Bytes that the member that dials has received and sent since the tunnel came up; null: not counted. */
  down: z.int().nullable(),
  upload: z.int().nullable(),
  /** probe: its ends run no tunnel and only probe each other. */
  carrier: z.enum(['tunnel', 'probe']),
})

const qualityPoint = z.object({
  time,
  rtt_ms: z.number().nullable(), // average; null: no probe was answered, or none was sent
  rtt_max_ms: z.number().nullable(),
  loss: z.int().nullable(), // per mille; null: no probes
  /** 1: up all the time; 0: down for a part of it; null: not recorded. */
  up: wireBoolean.nullable(),
})

export const tunnels = {
  tunnels: read('network/tunnels', 'session', {
    reads: 'near',
    summary: 'Tunnels of a network or of one member, the worst first, then the open sessions of software members',
    ...list({
      row: tunnel,
      filters: {
        network_number: networkNumber,
        router_name: routerName.optional(),
        /** Links or sessions alone. */
        kind: z.enum(['', 'link', 'software']).default(''),
        /** These alone, separated by commas. */
        id: ids,
        search,
      },
    }),
    example: { network_number: EXAMPLE.network_number },
  }),
  linkHistory: read('network/link_history', 'session', {
    reads: 'near',
    summary: 'Latency, loss, ups and downs of one link, as its dialling end has measured them',
    input: z.object({
      network_number: networkNumber,
      id: codeString().min(1, '请选择链路').max(LINK_ID_MAX),
      range: z.enum(LINK_RANGES).default('hour'),
    }),
    output: z.object({
      from: time,
      to: time,
      step_ms: z.int(),
      /** One of each step, oldest first. */
      points: z.array(qualityPoint),
      /** Newest first. */
      events: z.array(z.object({ time, up: wireBoolean, reason: z.string() })),
    }),
    example: {
      network_number: EXAMPLE.network_number,
      id: `${EXAMPLE.network_number}:${EXAMPLE.router_name}>${EXAMPLE.router_name}`,
    },
  }),
} as const

/** Latency and loss of a link over the step that ends at `time`. */
export type QualityPoint = Readonly<Omit<z.infer<typeof qualityPoint>, 'up'>>

/** Bytes of a link since its tunnel came up, by its id. */
export type LinkTotals = Readonly<Record<string, { readonly down: number; readonly upload: number }>>

/** Links of a network whose throughput its hub shows for the next `leaseMs`. */
export interface LinksWatch {
  readonly networkHub: HubName
  readonly number: string
  readonly ids: readonly string[]
  /** The interface that serves the points of this network is watched as well. */
  readonly trunk: boolean
  readonly leaseMs: number
}

/** Rates by link or trunk, as the end that dials sees them, or the points of a trunk. */
export interface LinkRatesReport {
  readonly routerHub: HubName
  readonly routerName: string
  readonly rates: Readonly<Record<string, RatePoint>>
}

/** Call of a NetworkHub by a RouterHub. */
export interface NetworkLinksRpc {
  linkRates(report: LinkRatesReport): Promise<void>
}

/** Calls of a RouterHub about the links that its device dials. */
export interface RouterLinksRpc {
  /** By counters of the last seconds, which the device is asked for; a link that it does not count is missing. */
  linkTotals(ids: readonly string[]): Promise<LinkTotals>
  /** Streams counters while a network's hub watches, and sends it their rates. */
  watchLinks(watch: LinksWatch): Promise<void>
  /** Latency and loss of a link up to now. A step without probes has no point. */
  linkSeries(
    id: string,
    range: LinkRange,
  ): Promise<{ from: number; to: number; step_ms: number; points: readonly QualityPoint[] }>
}
