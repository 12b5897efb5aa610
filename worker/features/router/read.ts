import { refuse } from '#contract/kernel/errors.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { TRAFFIC_RANGE } from '#contract/kernel/hub-limits.ts'
import type { StoredStaticRoute } from '#contract/network/settings.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { LOG_RANGE_MS } from '#contract/logs/limits.ts'
import { batch } from '#db/batch.ts'
import { selectSettingsOfRouters, selectLinksOfRouters } from '#features/network/sql/settings.ts'
import { selectPage, paged } from '#db/paged.ts'
import { selectNodesOfRouter } from '#features/network-fr/sql/nodes.ts'
import { selectNetworksByRouter } from './sql/routers.ts'
import { NO_MEMBERS, isOnline } from '#domain/health/member.ts'
import { findWanAddress, lanNetworks, parseInterfaces, subnetMask } from '#domain/router/interfaces.ts'
import { readNetworkSettings } from '#domain/network/history/stored-settings.ts'
import { toConfigView, toPresenceView } from '#domain/router/presence.ts'
import { shownPhone } from '#domain/router/member-phone.ts'
import { certificateCause } from '#domain/router/certificate-trouble.ts'
import { parseChosen, toEndpoints } from '#domain/router/endpoints.ts'
import { parseStaticRoutes } from '#domain/router/static-routes.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { type RouterLinkRows, readRouterLinks } from './links.ts'
import { selectCertificateTrouble, toCertificateTrouble } from './sql/certificate-trouble.ts'
import {
  selectCountsByType,
  selectLinkPeers,
  selectRouter,
  selectRouters,
  selectSoftwareQuota,
  selectStateCounts,
} from './sql/lists.ts'
import { requireHardware } from './require.ts'
import { selectUsage } from './sql/dials.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'

/* Members (routers and software) as the console reads them: lists, quantity, one member, traffic, usage. */

type Api = typeof routerApi

const NOBODY = { ...NO_MEMBERS, attention: 0, config: 0, single_center: 0 }

export async function listRouters(ctx: Ctx, { page, limit, sort, order, ...filter }: Parsed<Api['lists']>) {
  const { db } = ctx
  const scope = requireSession(ctx)
  const { data, total, states } = await batch(db, {
    ...selectPage(db, selectRouters(db, scope, filter, { sort, order }).$dynamic(), { page, limit }),
    states: selectStateCounts(db, scope, filter),
  })
  return { data: data.map((row) => toRouterRow(scope, row)), count: total[0]?.[0] ?? 0, states: states[0] ?? NOBODY }
}

export const listSoftware = (ctx: Ctx, input: Parsed<Api['software']>) => listKind(ctx, ROUTER_TYPE.software, input)

export const listHardware = (ctx: Ctx, input: Parsed<Api['hardware']>) => listKind(ctx, ROUTER_TYPE.hardware, input)

async function listKind(ctx: Ctx, type: RouterType, input: Parsed<Api['software']>) {
  const { data, count } = await listRouters(ctx, { ...input, type, state: '', sort: 'created', order: 'desc' })
  return { data, count }
}

export const parseNetworks = <T extends { readonly network_number: string }>(json: string): T[] =>
  (JSON.parse(json) as (T & { readonly id: number })[]).toSorted((a, b) => b.id - a.id)

type DetailRow = Awaited<ReturnType<typeof selectRouter>>[number]
type ListedRouter = Awaited<ReturnType<typeof selectRouters>>[number]

function toRouterRow({ grants }: Scope, row: ListedRouter): Output<Api['lists']>[number] {
  const { state, interfaces, ...facts } = row
  const presence = toPresenceView(state)
  const networks = parseNetworks<Output<Api['lists']>[number]['networks'][number]>(row.networks)
  return {
    ...facts,
    phone: shownPhone(grants, facts.phone),
    presence,
    config: toConfigView(state),
    online_status: toWireBoolean(isOnline(presence)),
    network_count: networks.length,
    networks,
    lan: lanNetworks(parseInterfaces(interfaces)),
  }
}

export async function routerQuantity(ctx: Ctx): Promise<Output<Api['quantity']>> {
  const scope = requireSession(ctx)
  const { counts, quotas } = await batch(ctx.db, {
    counts: selectCountsByType(ctx.db, scope),
    quotas: selectSoftwareQuota(ctx.db, scope.accountId, ctx.now),
  })
  const countByType = (type: RouterType) =>
    counts.find((row) => row.routerType === type) ?? { ...NOBODY, total: 0, isOnline: 0 }
  const [hardware, software] = [countByType(ROUTER_TYPE.hardware), countByType(ROUTER_TYPE.software)]
  return {
    hardware: hardware.total,
    hardware_online: hardware.isOnline,
    hardware_states: hardware,
    software: software.total,
    software_online: software.isOnline,
    software_states: software,
    software_max: quotas[0]?.max ?? 0,
    sign: quotas[0]?.sign ?? '',
  }
}

export async function routerInfo(ctx: Ctx, input: Parsed<Api['info']>): Promise<Output<Api['info']>> {
  const scope = requireSession(ctx)
  const { routers, memberships, peers, settings, pointLinks, nodes, certificates } = await batch(ctx.db, {
    routers: selectRouter(ctx.db, scope, input.router_name),
    memberships: selectNetworksByRouter(ctx.db, scope, input.router_name),
    peers: selectLinkPeers(ctx.db, scope, input.router_name),
    settings: selectSettingsOfRouters(ctx.db, scope.accountId, [input.router_name]),
    pointLinks: selectLinksOfRouters(ctx.db, scope.accountId, [input.router_name]),
    nodes: selectNodesOfRouter(ctx.db, scope, input.router_name),
    certificates: selectCertificateTrouble(ctx.db, scope, ctx.now, input.router_name),
  })
  const router = routers[0] ?? refuse('ROUTER_NOT_FOUND')
  const { state, ...facts } = router
  const shown = memberships.filter(({ number }) => coversNetwork(scope.grants, number))
  const presence = toPresenceView(state)
  const interfaces = parseInterfaces(router.interfaces)
  const rowsOf = (id: number): RouterLinkRows => {
    const isHere = ({ networkId }: { readonly networkId: number }) => networkId === id
    const { center_link: centerLink, ip_pool: ipPool } = readNetworkSettings(settings.filter(isHere)).values
    return { centerLink, ipPool, pointLinks: pointLinks.filter(isHere), nodes: nodes.filter(isHere) }
  }
  const links = await readRouterLinks(ctx, input.router_name, shown, peers, rowsOf)
  return {
    ...facts,
    phone: shownPhone(scope.grants, facts.phone),
    presence,
    config: toConfigView(state),
    certificate: certificates.map((row) => certificateCause(toCertificateTrouble(row), ctx.now)).join(),
    online: toWireBoolean(isOnline(presence)),
    shared: toWireBoolean(shown.length < memberships.length),
    router_ipv4: findWanAddress(interfaces),
    interfaces: interfaces.map((port) => ({ ...port, ipv4_subnet_mask: subnetMask(port) })),
    static_routes: parseStaticRoutes(router.staticRoutes).map(toRouteView),
    endpoints: parseChosen(router.chosenEndpoints).map((host) => ({ host })),
    network: shown.map((network) => ({
      network_number: network.number,
      network_name: network.name,
      network_member_count: network.memberCount,
      member_type: network.memberType,
    })),
    endpoint_list: toEndpointList(router, links.reached),
    ...links.shown,
  }
}

/** Addresses of the router in their order, with those that a link reaches. */
function toEndpointList(
  { chosenEndpoints, deviceEndpoints, remote_ip }: Pick<DetailRow, 'chosenEndpoints' | 'deviceEndpoints' | 'remote_ip'>,
  reached: readonly string[],
): Output<Api['info']>['endpoint_list'] {
  const row = { endpoints: chosenEndpoints, deviceEndpoints, remoteHost: remote_ip }
  return toEndpoints(row).map(({ host, source }) => ({ host, source, reached: toWireBoolean(reached.includes(host)) }))
}

function toRouteView({ prefix, via }: StoredStaticRoute): Output<Api['info']>['static_routes'][number] {
  const [ip = '', mask] = prefix.split('/')
  return { prefix: ip, mask: Number(mask), via }
}

export async function routerTraffic(ctx: Ctx, input: Parsed<Api['traffic']>): Promise<Output<Api['traffic']>> {
  const { hub } = await requireHardware(ctx, input.router_name)
  return ctx.hubs.router(hub).traffic()
}

export async function routerSeries(ctx: Ctx, { router_name, range, at }: Parsed<Api['series']>) {
  const { hub } = await requireHardware(ctx, router_name)
  return { ...(await ctx.hubs.router(hub).trafficSeries(range, at)), step_ms: TRAFFIC_RANGE[range].stepMs }
}

/** Traffic by member of the dials that began in the range, largest first. */
export function listUsage(ctx: Ctx, input: Parsed<(typeof routerApi)['usage']>) {
  const { page, limit, search, router_name, start_time, end_time = ctx.now } = input
  const filter = { search, router_name, from: start_time ?? end_time - LOG_RANGE_MS, to: end_time }
  return paged(ctx.db, selectUsage(ctx.db, requireSession(ctx), filter).$dynamic(), { page, limit })
}
