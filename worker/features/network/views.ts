import type { z } from 'zod'
import type { Output } from '#contract/kernel/endpoint.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { NetworkHealth } from '#contract/kernel/health.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { LinkView } from '#contract/kernel/protocol.ts'
import { SENTENCE } from '#contract/kernel/result.ts'
import type { ServicePorts } from '#contract/network/fields.ts'
import type { MemberSettings, NetworkSettings } from '#contract/network/settings.ts'
import { isOnline } from '#domain/health/member.ts'
import { type DocumentMember, isDeclarable } from '#domain/network/compile/rows.ts'
import { declaredLans, serviceSegments } from '#domain/network/compile/server-segments.ts'
import { toGatewayField } from '#domain/network/addresses/chosen-segments.ts'
import { defaultPort } from '#domain/network/addresses/ports.ts'
import { hostAddress } from '#domain/network/addresses/segments.ts'
import { type SettingRow, type StoredSettings, readMemberSettings } from '#domain/network/history/stored-settings.ts'
import { lanNetworks, parseInterfaces } from '#domain/router/interfaces.ts'
import { toConfigView, toPresenceView } from '#domain/router/presence.ts'
import type { selectMembers, selectLinkEnds } from './sql/networks.ts'
import type { networkApi } from '#contract/network/index.ts'
import type { networkLink } from '#contract/network/views.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { contractOf, withSuspension } from '#domain/health/suspension.ts'
import { type LinkRows, linkAddresses, placesAt, popAddresses } from '#domain/network/addresses/link-addresses.ts'
import { type PopLinks, allLinks, kindOnWire } from '#domain/network/members/links.ts'
import { labelOf } from '#domain/network/members/member-name.ts'
import { isCenterLinkShown } from '#domain/network/members/pair-links.ts'
import { blockedSegments } from '#domain/network/routing/prefix-rows.ts'
import type { selectNetworkNodes } from '#features/network-fr/sql/nodes.ts'
import type { Ctx } from '#http/context.ts'
import { askNetworkHub } from './service.ts'

/* Wire views of a network for replies: its members, settings, and links with their live states. */

type Api = typeof networkApi
type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number]
type MemberView = Output<Api['member']>[number]

interface MemberViewContext {
  readonly routing: NetworkSettings['routing']
  readonly ofMembers: readonly (SettingRow & { readonly routerId: number })[]
  readonly areas: readonly { readonly id: number; readonly name: string }[]
}

export function toMemberViews(
  rows: readonly MemberRow[],
  { routing, ofMembers, areas }: MemberViewContext,
): MemberView[] {
  const byRouter = new Map<number, SettingRow[]>()
  for (const row of ofMembers) byRouter.set(row.routerId, [...(byRouter.get(row.routerId) ?? []), row])
  const members = rows.map((row) => ({ row, stored: readMemberSettings(byRouter.get(row.routerId) ?? []) }))
  const centers = members.filter(({ row }) => row.segmentIndex !== null)
  const segments = centers.map(
    ({ row: { segmentIndex }, stored }) => serviceSegments({ segmentIndex, settings: stored.values }).router,
  )
  const centerNames = centers.map(({ row }) => labelOf(row)).join('、')
  const areaNames = new Map(areas.map(({ id, name }) => [id, name]))
  return members.map(({ row, stored: { values, revisions } }) => {
    const presence = toPresenceView(row.state)
    return {
      router_name: row.routerName,
      note: row.note,
      member_type: row.memberType,
      router_type: row.routerType as 1 | 2,
      online: toWireBoolean(isOnline(presence)),
      shared: row.shared,
      version: row.version ?? '',
      vpn_ip: vpnAddresses(row, values, segments),
      lan: lanNetworks(parseInterfaces(row.interfaces)),
      remote_ip: row.remoteHost ?? '',
      presence,
      config: toConfigView(row.state),
      mode: values.software_mode.mode,
      routing: toWireBoolean(routing.type === 2 && routing.main === row.routerId),
      default_route: values.default_route.mode,
      metric: values.default_route.metric,
      quagga: values.quagga.enable,
      ov_id: {
        ...values.ov,
        main_name: areaNames.get(values.ov.main ?? 0) ?? '',
        backup_name: areaNames.get(values.ov.backup ?? 0) ?? '',
      },
      center_router_name_note: row.memberType === 'center' ? '' : centerNames,
      fixed_port: row.segmentIndex === null ? null : toFixedPorts(row.segmentIndex, values.fixed_port),
      static_route_count: (JSON.parse(row.staticRoutes) as readonly unknown[]).length,
      gateway: row.segmentIndex === null ? null : toGateways(row, values),
      revisions: { ...revisions },
    }
  })
}

/** Empty for software members, which get an address of a centre's software segment when they dial in. */
function vpnAddresses(
  { routerType, segmentIndex, host }: MemberRow,
  settings: MemberSettings,
  segments: readonly string[],
): string[] {
  if (routerType === ROUTER_TYPE.software) return []
  if (segmentIndex !== null) return [hostAddress(serviceSegments({ segmentIndex, settings }).router, 1)]
  return segments.map((segment) => hostAddress(segment, host))
}

const toPorts = ({ public_ip, public_port, static_port }: ServicePorts) => ({
  public_ip: public_ip ?? '',
  public_port,
  static_port,
})

const toFixedPorts = (index: number, ports: MemberSettings['fixed_port']) => ({
  router_service: {
    ...toPorts(ports.router_service),
    port: ports.router_service.static_port ?? defaultPort(index, 'router'),
  },
  software_service: {
    ...toPorts(ports.software_service),
    port: ports.software_service.static_port ?? defaultPort(index, 'software'),
  },
})

function toGateways({ segmentIndex }: MemberRow, settings: MemberSettings): NonNullable<MemberView['gateway']> {
  const { router, software } = serviceSegments({ segmentIndex, settings })
  return { router: toGatewayField(router), software: toGatewayField(software) }
}

type NamedRouter = Pick<MemberRow, 'routerId' | 'routerName'>

export function toRoutingView({ type, main, secondary }: NetworkSettings['routing'], rows: readonly NamedRouter[]) {
  const nameOf = (id: number | null) => rows.find(({ routerId }) => routerId === id)?.routerName ?? ''
  return { type, main_router: nameOf(main), secondary_router: nameOf(secondary) }
}

/** Segments that a hardware member declares. */
const declaredIn = ({ routerType, interfaces, staticRoutes }: MemberRow): readonly string[] =>
  routerType === ROUTER_TYPE.software
    ? []
    : declaredLans({
        lans: lanNetworks(parseInterfaces(interfaces)).filter(isDeclarable),
        staticRoutes: JSON.parse(staticRoutes) as DocumentMember['staticRoutes'],
      })

export function toNetworkSettingsView(
  network: { readonly networkType: number },
  rows: readonly MemberRow[],
  { values, revisions }: StoredSettings<NetworkSettings>,
  fr: { readonly id: number; readonly shortname: string; readonly expireDay: number } | undefined,
) {
  const { enable, server, gateway, mask, ports } = values.center_link
  return {
    network_dns: [...values.dns],
    network_routing: toRoutingView(values.routing, rows),
    prefix_count: values.prefix.length,
    blocked_count: blockedSegments(values.prefix, rows.flatMap(declaredIn)).length,
    network_fr: fr ? { network_fr_id: fr.id, shortname: fr.shortname, expire_day: fr.expireDay } : null,
    network_center_link: enable,
    network_center_link_show: toWireBoolean(isCenterLinkShown(network.networkType, rows)),
    network_center_link_network: {
      gateway,
      mask,
      ...toPorts(ports),
      center_router_name: rows.find((row) => row.routerId === server)?.routerName ?? '',
    },
    revisions: { ...revisions },
  }
}

type NetworkLink = z.infer<typeof networkLink>
type LinkEnd = Awaited<ReturnType<typeof selectLinkEnds>>[number]

/** Rows that determine a network's links and their addresses, besides the roles of its members. */
export interface NetworkLinkRows extends LinkRows {
  readonly pop: Pick<PopLinks, 'areasOf'> & { readonly nodes: readonly PopNodeRow[] }
  readonly ipPool: NetworkSettings['ip_pool']
}

/** A POP node with the name of its area. */
type PopNodeRow = Pick<
  Awaited<ReturnType<typeof selectNetworkNodes>>[number],
  'routerId' | 'routerName' | 'areaId' | 'segmentIndex' | 'area'
>

type LiveNetworkRow = Parameters<typeof contractOf>[0] & {
  readonly hub: HubName
  readonly number: string
  readonly revision: number
}

/** Links and health from the network's hub; if it does not answer, links are unknown, and the rows alone decide. */
export async function readLive(
  ctx: Ctx,
  network: LiveNetworkRow,
  ends: readonly LinkEnd[],
  members: Parameters<typeof evaluateNetwork>[0],
  rows: NetworkLinkRows,
): Promise<{ link: NetworkLink[]; health: NetworkHealth }> {
  const { hub, number, revision } = network
  const contract = contractOf(network)
  const live = await askNetworkHub(hub, () => ctx.hubs.network(hub).status(revision))
  if (live !== null)
    return { link: toNetworkLinks(live.links, ends, rows), health: withSuspension(live.health, contract) }
  const hasPlace = placesAt(ends, rows.pop.nodes, { ip_pool: rows.ipPool })
  const settings = { ...rows, pop: { ...rows.pop, hasPlace } }
  const links = allLinks(number, contract.isWithdrawn ? [] : ends.map(toNode), settings).map(
    ({ id, client, server, kind }): LinkView => ({
      id,
      router_name: client,
      center_router_name: server,
      ...kindOnWire(kind),
      state: 'unknown',
      since: null,
      reason: SENTENCE.stateUnknown,
      rtt_ms: null,
      client_up: null,
      server_up: null,
    }),
  )
  return {
    link: toNetworkLinks(links, ends, rows),
    health: withSuspension(evaluateNetwork(members, links, contract).health, contract),
  }
}

const toNode = ({ routerId, routerName, routerType, memberType }: LinkEnd) => ({
  routerId,
  routerName,
  routerType: routerType as 1 | 2,
  memberType,
})

/** Live states with notes and addresses of both ends; a hub may still name a member that has just left. */
export function toNetworkLinks(
  links: readonly LinkView[],
  ends: readonly LinkEnd[],
  rows: NetworkLinkRows,
): NetworkLink[] {
  const byName = new Map(ends.map((end) => [end.routerName, end]))
  return links.map((link) => {
    const [point, center] = [byName.get(link.router_name), byName.get(link.center_router_name)]
    const node = rows.pop.nodes.find(({ routerName }) => routerName === link.center_router_name)
    const addresses = toAddresses(link, { point, center, node }, rows)
    const isUp = link.state === 'up'
    return {
      ...link,
      router_name_note: point?.note ?? '',
      center_router_name_note: center?.note ?? node?.area ?? '',
      vpn_ip: addresses.client,
      center_vpn_ip: addresses.server,
      vpn_online: toWireBoolean(isUp),
      vpn_online_time: isUp ? link.since : null,
    }
  })
}

interface Ends {
  readonly point: LinkEnd | undefined
  readonly center: LinkEnd | undefined
  readonly node: PopNodeRow | undefined
}

function toAddresses({ kind }: LinkView, { point, center, node }: Ends, rows: NetworkLinkRows) {
  if (point && node) return popAddresses(point, node, { popNodes: rows.pop.nodes, settings: { ip_pool: rows.ipPool } })
  return point && center && kind !== 'pop' ? linkAddresses(kind, point, center, rows) : { client: '', server: '' }
}
