import { refuse } from '#contract/kernel/errors.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { NetworkHealth } from '#contract/kernel/health.ts'
import { batch } from '#db/batch.ts'
import { selectMemberSettings, selectNetworkSegments, selectNetworkSettings, selectPointLinks } from './sql/settings.ts'
import { selectNetworkNodes } from '#features/network-fr/sql/nodes.ts'
import { selectMemberQuota } from '#db/quota.ts'
import { memberOverlaps } from '#domain/network/addresses/member-segments.ts'
import { type Quota, networkLevel, networkTypeOf } from '#domain/network/members/membership.ts'
import { readNetworkSettings } from '#domain/network/history/stored-settings.ts'
import { daysLeft, toAreas } from '#domain/network-fr/resource.ts'
import { isOnline, sumStates } from '#domain/health/member.ts'
import { contractOf, withSuspension } from '#domain/health/suspension.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { readHealth } from './service.ts'
import {
  selectLinkEnds,
  selectMembers,
  selectNetwork,
  selectNetworkOptions,
  readNetworkPage,
  selectFr,
  memberCondition,
} from './sql/networks.ts'
import { toMember, toNeighbors } from './require.ts'
import { selectNeighbors } from './sql/addresses.ts'
import { toMemberViews, toNetworkSettingsView, type NetworkLinkRows, readLive, toNetworkLinks } from './views.ts'
import type { networkApi } from '#contract/network/index.ts'
import { NETWORK } from '#contract/network/limits.ts'
import type { networkConfig } from '#contract/network/views.ts'
import { toMove } from '#domain/health/history.ts'
import { selectConnections } from '#features/logs/sql/member-records.ts'
import { selectNetworkAreas } from '#features/network-fr/sql/frs.ts'

/* Read endpoints of networks: list, quota, options, details, members, live status, events. */

type Api = typeof networkApi

export async function listNetworks(ctx: Ctx, { page, limit, ...filter }: Parsed<Api['lists']>) {
  const scope = requireSession(ctx)
  const found = await readNetworkPage(ctx.db, scope, filter, { page, limit }, ctx.now)
  const { total, states, memberQuota, accountHub, networks } = found ?? refuse('SESSION_REVOKED')
  const asked = networks.map(({ hub, revision, states }) => ({ hub, revision, members: states }))
  const health = asked.length === 0 ? null : await readHealth(ctx, accountHub, { networks: asked, since: null })
  return {
    data: networks.map((row) => ({
      network_number: row.number,
      network_name: row.name,
      network_status: toWireBoolean(row.status),
      network_type: networkTypeOf(row),
      create_time: row.createdAt,
      suspended_time: row.suspendedAt,
      member_count: sumStates(row.states),
      online_count: row.online,
      network_service: networkLevel(memberQuota),
      fr_name: row.fr?.name ?? '',
      fr_expire_day: row.fr && daysLeft(row.fr, ctx.now),
      health: toShownHealth(health?.summaries[row.hub]?.health, row),
    })),
    count: total,
    states,
  }
}

const toShownHealth = (health: NetworkHealth | undefined, row: Parameters<typeof contractOf>[0]) =>
  health === undefined ? null : withSuspension(health, contractOf(row))

export async function networkQuota(ctx: Ctx): Promise<Output<Api['config']>> {
  const [quota] = await selectMemberQuota(ctx.db, requireAccountId(ctx), ctx.now)
  return toNetworkConfig(quota)
}

const toNetworkConfig = (
  quota: (Quota & { readonly dnsQuantity: number }) | undefined,
): typeof networkConfig._output => ({
  network_router_use: quota?.membersUsed ?? 0,
  network_router_count: quota?.members ?? 0,
  network_level: networkLevel(quota?.members ?? 0),
  network_center_count: quota?.centers ?? 0,
  dns_quantity: quota?.dnsQuantity ?? NETWORK.dnsQuantity,
})

export const selectNetworks = async (ctx: Ctx): Promise<Output<Api['select']>> =>
  selectNetworkOptions(ctx.db, requireSession(ctx))

export async function networkInfo(ctx: Ctx, input: Parsed<Api['info']>): Promise<Output<Api['info']>> {
  const scope = requireSession(ctx)
  const { networks, members, settings, ofMembers, pointLinks, nodes, frs, areas, quotas, nearby, held } = await batch(
    ctx.db,
    {
      ...selectMemberViews(ctx, input.network_number),
      settings: selectNetworkSettings(ctx.db, scope, input.network_number),
      pointLinks: selectPointLinks(ctx.db, scope, input.network_number),
      nodes: selectNetworkNodes(ctx.db, scope, input.network_number),
      frs: selectFr(ctx.db, scope, input.network_number),
      quotas: selectMemberQuota(ctx.db, scope.accountId, ctx.now),
      nearby: selectNeighbors(ctx.db, scope, input.network_number),
      held: selectNetworkSegments(ctx.db, scope.accountId),
    },
  )
  const network = networks[0] ?? refuse('NETWORK_NOT_FOUND')
  const [[quota], [fr]] = [quotas, frs]
  const stored = readNetworkSettings(settings)
  const member = toMemberViews(members, { routing: stored.values.routing, ofMembers, areas })
  return {
    network_number: network.number,
    network_name: network.name,
    network_status: toWireBoolean(network.status),
    network_type: networkTypeOf(network),
    network_service: networkLevel(quota?.members ?? 0),
    member_count: members.length,
    fr_name: fr?.name ?? '',
    create_time: network.createdAt,
    suspended_time: network.suspendedAt,
    withdrawn: network.withdrawn,
    mode: network.mode,
    ncp_ciphers: network.ciphers,
    ncp_ciphers_time: network.ciphersAt,
    revision: network.revision,
    network_config: toNetworkConfig(quota),
    ...toNetworkSettingsView(network, members, stored, fr && { ...fr, expireDay: daysLeft(fr, ctx.now) }),
    member,
    ...(await readLive(ctx, network, members, member, toLinkRows({ settings, pointLinks, nodes, ofMembers }))),
    overlaps: [...memberOverlaps(members.map(toMember), toNeighbors(scope, network.number, nearby, held))],
  }
}

export async function networkMembers(ctx: Ctx, input: Parsed<Api['member']>): Promise<Output<Api['member']>> {
  const { networks, members, ofMembers, areas, settings } = await batch(ctx.db, {
    ...selectMemberViews(ctx, input.network_number),
    settings: selectNetworkSettings(ctx.db, requireSession(ctx), input.network_number),
  })
  if (networks.length === 0) refuse('NETWORK_NOT_FOUND')
  const { routing } = readNetworkSettings(settings).values
  return toMemberViews(members, { routing, ofMembers, areas }).filter((m) => m.member_type === input.member_type)
}

function selectMemberViews(ctx: Ctx, number: string) {
  const scope = requireSession(ctx)
  return {
    networks: selectNetwork(ctx.db, scope, number),
    members: selectMembers(ctx.db, scope, number),
    ofMembers: selectMemberSettings(ctx.db, scope, number),
    areas: selectNetworkAreas(ctx.db, scope, number),
  }
}

/** Rows that determine the links of a network, with their ends. */
export function selectLinkRows(ctx: Ctx, number: string) {
  const scope = requireSession(ctx)
  return {
    networks: selectNetwork(ctx.db, scope, number),
    ends: selectLinkEnds(ctx.db, scope, number),
    settings: selectNetworkSettings(ctx.db, scope, number),
    pointLinks: selectPointLinks(ctx.db, scope, number),
    nodes: selectNetworkNodes(ctx.db, scope, number),
    ofMembers: selectMemberSettings(ctx.db, scope, number),
  }
}

interface LinkSettingRows {
  readonly settings: Parameters<typeof readNetworkSettings>[0]
  readonly pointLinks: NetworkLinkRows['pointLinks']
  readonly nodes: NetworkLinkRows['pop']['nodes']
  readonly ofMembers: Parameters<typeof toAreas>[0]
}

export function toLinkRows({ settings, pointLinks, nodes, ofMembers }: LinkSettingRows): NetworkLinkRows {
  const { center_link: centerLink, ip_pool: ipPool } = readNetworkSettings(settings).values
  return { centerLink, pointLinks, ipPool, pop: { nodes, areasOf: toAreas(ofMembers) } }
}

export async function networkStatus(ctx: Ctx, input: Parsed<Api['status']>): Promise<Output<Api['status']>> {
  const { networks, ends, ...rows } = await batch(ctx.db, selectLinkRows(ctx, input.network_number))
  const network = networks[0] ?? refuse('NETWORK_NOT_FOUND')
  const { links, health, ...view } = await ctx.hubs.network(network.hub).status(network.revision)
  const online = view.members.map((m) => [m.router_name, toWireBoolean(isOnline(m.presence))] as const)
  return {
    ...view,
    health: withSuspension(health, contractOf(network)),
    link: toNetworkLinks(links, ends, toLinkRows(rows)),
    online: Object.fromEntries(online),
  }
}

const AROUND_MS = 3_600_000

/** Connections of a network's members around the time of an alert, which links here. */
export async function listNetworkEvents(ctx: Ctx, { network_number, at }: Parsed<(typeof networkApi)['events']>) {
  const { db } = ctx
  const scope = requireSession(ctx)
  const [from, to] = [at - AROUND_MS, at + AROUND_MS]
  const { networks, lines } = await batch(db, {
    networks: selectNetwork(db, scope, network_number),
    lines: selectConnections(db, scope, { of: memberCondition(db, scope, network_number), from, to }),
  })
  if (networks.length === 0) return refuse('NETWORK_NOT_FOUND')
  return {
    from,
    to,
    transitions: lines.map((line) => ({ ...toMove(line), router_name: line.router_name, note: line.note })),
  }
}
