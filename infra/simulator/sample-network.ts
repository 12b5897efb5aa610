import type { Page } from 'playwright-core'
import type * as z from 'zod'
import type { Output } from '#contract/kernel/endpoint.ts'
import type { LinkState, PresenceState } from '#contract/kernel/protocol.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import type { networkApi } from '#contract/network/index.ts'
import { MASK } from '#contract/network/limits.ts'
import type { memberSettingsView, networkSettingsView } from '#contract/network/views.ts'

/* Large sample networks as replies of the API, and their drawing in a console, for tests and benches. */

type NetworkReply = Output<typeof networkApi.info>

/** Network of two centres, and points with a link to each of them; with POP nodes each point also dials one of these. */
export interface SampleNetwork {
  readonly points: number
  readonly toLabel?: (point: number) => string
  readonly toPresence?: (point: number) => PresenceState
  readonly toCenterPresence?: (center: number) => PresenceState
  readonly toLinkState?: (point: number, center: number) => LinkState
  readonly pops?: number
}

export const SAMPLE_CENTERS = ['C0', 'C1'] as const
const NUMBER = '2000000000'
const FIRST_HOST = 100 // addresses of full length

export const sampleAddress = (point: number, center: number): string => {
  const host = point + FIRST_HOST
  return `100.${100 + center}.${128 + (host >> 8)}.${host & 255}`
}

/** Opens the drawing of a sample network in a real console: the API answers with it, and the live channel stays silent. */
export async function openSampleNetwork(page: Page, sample: SampleNetwork): Promise<void> {
  const reply = (data: unknown) => ({
    contentType: 'application/json',
    body: JSON.stringify({ code: 200, msg: '', data }),
  })
  const info = reply(createSampleNetwork(sample))
  await page.route('**/api/v1/network/info*', (route) => route.fulfill(info))
  await page.route('**/api/v1/router/traffic_ticket', async (route) =>
    route.request().postData()?.includes(NUMBER)
      ? route.fulfill(reply({ ticket: 'sample', expires_in: 30 }))
      : route.continue(),
  )
  await page.routeWebSocket('**/api/v1/network/live*', () => {}) // open, without frames: the rows hold the states
  await page.goto(`/network/detail?network_number=${NUMBER}&view=graph`)
}

function createSampleNetwork(sample: SampleNetwork): NetworkReply {
  const {
    points,
    toLabel = (point) => `门店 ${point}`,
    toPresence = () => 'online',
    toCenterPresence = () => 'online',
    toLinkState = (point) => (toPresence(point) === 'never' ? 'never' : 'up'),
    pops = 0,
  } = sample
  const indexes = Array.from({ length: points }, (_, i) => i)
  const member = [
    ...SAMPLE_CENTERS.map((router_name, i) =>
      toMember({ router_name, note: `中心 ${i}`, member_type: 'center' }, toCenterPresence(i), i),
    ),
    ...indexes.map((i) => toMember({ router_name: `P${i}`, note: toLabel(i), member_type: 'point' }, toPresence(i), i)),
  ]
  const link = indexes.flatMap((i) => [
    ...SAMPLE_CENTERS.map((_, center) => toLink(i, center, toLabel(i), toLinkState(i, center))),
    ...(pops === 0 ? [] : [toPopLink(i, i % pops, toLabel(i), toLinkState(i, 0))]),
  ])
  return {
    ...NOTHING_SET,
    network_number: NUMBER,
    network_name: '全国门店',
    network_status: 1,
    network_type: pops === 0 ? 1 : 3,
    network_service: 2,
    member_count: member.length,
    fr_name: pops === 0 ? '' : '骨干接入',
    create_time: 0,
    suspended_time: null,
    withdrawn: 0,
    mode: 1,
    ncp_ciphers: 'default',
    ncp_ciphers_time: null,
    revision: 1,
    network_config: {
      network_router_use: member.length,
      network_router_count: 5_000,
      network_level: 2,
      network_center_count: SAMPLE_CENTERS.length,
      dns_quantity: 2,
    },
    member,
    link,
    health: evaluateNetwork(member, link).health,
    overlaps: [],
  }
}

type NetworkMember = NetworkReply['member'][number]
type Named = Pick<NetworkMember, 'router_name' | 'note' | 'member_type'>

const toMember = (named: Named, state: PresenceState, index: number): NetworkMember => ({
  ...NOTHING_SET_FOR_MEMBER,
  ...named,
  router_type: 1,
  online: state === 'online' ? 1 : 0,
  shared: 0,
  version: '0.1.0',
  vpn_ip: SAMPLE_CENTERS.map((_, center) => sampleAddress(index, center)),
  lan: [],
  remote_ip: '',
  presence: { state, since: 0, last_seen: 0, reason: '' },
  config: { state: 'applied', version: 1, applied_version: 1, reason: '', at: 0 },
})

const toPopLink = (point: number, pop: number, note: string, state: LinkState): NetworkReply['link'][number] => ({
  ...toLink(point, 0, note, state),
  id: `${NUMBER}:P${point}>POP${pop}`,
  kind: 'pop',
  center_router_name: `POP${pop}`,
  center_router_name_note: `区域 ${pop}`,
})

function toLink(point: number, center: number, note: string, state: LinkState): NetworkReply['link'][number] {
  const isUp = state === 'up'
  return {
    id: `${NUMBER}:P${point}>C${center}`,
    router_name: `P${point}`,
    router_name_note: note,
    center_router_name: `C${center}`,
    center_router_name_note: `中心 ${center}`,
    state,
    since: 0,
    reason: state === 'down' ? '探测无应答' : '',
    rtt_ms: isUp ? 8 : null,
    client_up: isUp,
    server_up: isUp,
    vpn_ip: sampleAddress(point, center),
    center_vpn_ip: sampleAddress(0, center),
    vpn_online: isUp ? 1 : 0,
    vpn_online_time: isUp ? 0 : null,
  }
}

/** Settings of a network and of a point in network/info before anything is set. */
export const NOTHING_SET: z.infer<typeof networkSettingsView> = {
  network_dns: [],
  network_routing: { type: 1, main_router: '', secondary_router: '' },
  prefix_count: 0,
  blocked_count: 0,
  network_fr: null,
  network_center_link: 0,
  network_center_link_show: 0,
  network_center_link_network: {
    gateway: '',
    mask: MASK.interlinkDefault,
    public_ip: '',
    public_port: null,
    static_port: null,
    center_router_name: '',
  },
  revisions: {},
}

export const NOTHING_SET_FOR_MEMBER: z.infer<typeof memberSettingsView> = {
  mode: 1,
  routing: 0,
  default_route: 0,
  metric: null,
  quagga: 0,
  ov_id: { main: null, backup: null, main_name: '', backup_name: '', priority: 3 },
  center_router_name_note: '',
  fixed_port: null,
  static_route_count: 0,
  gateway: null,
  revisions: {},
}
