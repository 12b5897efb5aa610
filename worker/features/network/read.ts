import { refuse } from '../../contract/errors.ts'
import type { Output, Parsed } from '../../contract/endpoint.ts'
import { toWireBoolean } from '../../contract/fields.ts'
import { NETWORK, ROUTER_TYPE } from '../../contract/limits.ts'
import type { networkApi, networkConfig } from '../../contract/network.ts'
import { selectMemberQuota } from '../../db/quota.ts'
import { memberOverlaps } from '../../domain/network/member-segments.ts'
import { type Quota, networkLevel } from '../../domain/network/membership.ts'
import { centerSegments, hostAddress } from '../../domain/network/segments.ts'
import { isOnline, sumStates } from '../../domain/health/member.ts'
import { lanNetworks, parseInterfaces } from '../../domain/router/interfaces.ts'
import { toConfigView, toPresenceView } from '../../domain/router/presence.ts'
import { type Ctx, requireAccountId, requireSession } from '../../http/context.ts'
import { readHealth } from '../../http/health.ts'
import { readLive, toNetworkLinks } from './links.ts'
import { selectLinkEnds, selectMembers, selectNetwork, selectNetworkOptions, readNetworkPage } from './queries.ts'
import { selectNeighbors } from './queries-nearby.ts'
import { toMember, toNeighbors } from './require.ts'

type Api = typeof networkApi
type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number]

export async function listNetworks(
  ctx: Ctx,
  { page, limit, ...filter }: Parsed<Api['lists']>,
): Promise<{ data: Output<Api['lists']>; count: number }> {
  const scope = requireSession(ctx)
  const found = await readNetworkPage(ctx.db, scope, filter, { page, limit }, ctx.now)
  const { total, memberQuota, accountHub, networks } = found ?? refuse('SESSION_REVOKED')
  const asked = networks.map(({ hub, revision, states }) => ({ hub, revision, members: states }))
  const health = asked.length === 0 ? null : await readHealth(ctx, accountHub, { networks: asked, since: null })
  return {
    data: networks.map((row) => ({
      network_number: row.number,
      network_name: row.name,
      network_status: toWireBoolean(row.status),
      network_type: row.networkType,
      create_time: row.createdAt,
      suspended_time: row.suspendedAt,
      member_count: sumStates(row.states),
      online_count: row.online,
      network_service: networkLevel(memberQuota),
      fr_name: '',
      health: health?.summaries[row.hub]?.health ?? null,
    })),
    count: total,
  }
}

export async function networkQuota(ctx: Ctx): Promise<Output<Api['config']>> {
  const [quota] = await selectMemberQuota(ctx.db, requireAccountId(ctx), ctx.now)
  return toNetworkConfig(quota)
}

const toNetworkConfig = (quota: Quota | undefined): typeof networkConfig._output => ({
  network_router_use: quota?.membersUsed ?? 0,
  network_router_count: quota?.members ?? 0,
  network_level: networkLevel(quota?.members ?? 0),
  network_center_count: quota?.centers ?? 0,
  dns_quantity: NETWORK.dnsQuantity,
})

export const selectNetworks = async (ctx: Ctx): Promise<Output<Api['select']>> =>
  selectNetworkOptions(ctx.db, requireSession(ctx))

export async function networkInfo(ctx: Ctx, input: Parsed<Api['info']>): Promise<Output<Api['info']>> {
  const scope = requireSession(ctx)
  const [[network], rows, [quota], nearby] = await ctx.db.batch([
    selectNetwork(ctx.db, scope, input.network_number),
    selectMembers(ctx.db, scope, input.network_number),
    selectMemberQuota(ctx.db, scope.accountId, ctx.now),
    selectNeighbors(ctx.db, scope, input.network_number),
  ])
  if (!network) return refuse('NETWORK_NOT_FOUND')
  const member = membersView(rows)
  return {
    network_number: network.number,
    network_name: network.name,
    network_status: toWireBoolean(network.status),
    network_type: network.networkType,
    network_service: networkLevel(quota?.members ?? 0),
    member_count: rows.length,
    fr_name: '',
    create_time: network.createdAt,
    suspended_time: network.suspendedAt,
    withdrawn: network.withdrawn,
    mode: network.mode,
    ncp_ciphers: network.ciphers,
    revision: network.revision,
    network_config: toNetworkConfig(quota),
    member,
    ...(await readLive(ctx, network, rows, member)),
    overlaps: [...memberOverlaps(rows.map(toMember), toNeighbors(scope, nearby))],
  }
}

export async function networkMembers(ctx: Ctx, input: Parsed<Api['member']>): Promise<Output<Api['member']>> {
  const scope = requireSession(ctx)
  const [[network], rows] = await ctx.db.batch([
    selectNetwork(ctx.db, scope, input.network_number),
    selectMembers(ctx.db, scope, input.network_number),
  ])
  if (!network) return refuse('NETWORK_NOT_FOUND')
  return membersView(rows).filter((m) => m.member_type === input.member_type)
}

export async function networkStatus(ctx: Ctx, input: Parsed<Api['status']>): Promise<Output<Api['status']>> {
  const scope = requireSession(ctx)
  const [[network], ends] = await ctx.db.batch([
    selectNetwork(ctx.db, scope, input.network_number),
    selectLinkEnds(ctx.db, scope, input.network_number),
  ])
  if (!network) return refuse('NETWORK_NOT_FOUND')
  const { links, ...view } = await ctx.hubs.network(network.hub).status(network.revision)
  const online = view.members.map((m) => [m.router_name, toWireBoolean(isOnline(m.presence))] as const)
  return { ...view, link: toNetworkLinks(links, ends), online: Object.fromEntries(online) }
}

function membersView(rows: readonly MemberRow[]): Output<Api['member']> {
  const segments = rows.flatMap((m) => (m.segmentIndex === null ? [] : [centerSegments(m.segmentIndex).hardware]))
  return rows.map((row) => {
    const presence = toPresenceView(row.state)
    return {
      router_name: row.routerName,
      note: row.note,
      member_type: row.memberType,
      router_type: row.routerType as 1 | 2,
      online: toWireBoolean(isOnline(presence)),
      version: row.version ?? '',
      vpn_ip: vpnAddresses(row, segments),
      lan: lanNetworks(parseInterfaces(row.interfaces)),
      remote_ip: row.remoteHost ?? '',
      presence,
      config: toConfigView(row.state),
    }
  })
}

/** Software members get an address of a centre's software segment when they dial in: they hold none before. */
function vpnAddresses({ routerType, segmentIndex, host }: MemberRow, segments: readonly string[]): string[] {
  if (routerType === ROUTER_TYPE.software) return []
  if (segmentIndex !== null) return [hostAddress(centerSegments(segmentIndex).hardware, 1)]
  return segments.map((segment) => hostAddress(segment, host))
}
