import { refuse } from '../../contract/errors.ts'
import type { Output, Parsed } from '../../contract/endpoint.ts'
import { toWireBoolean } from '../../contract/fields.ts'
import { NETWORK } from '../../contract/limits.ts'
import type { networkApi, networkConfig } from '../../contract/network.ts'
import { linksOf } from '../../domain/network/links.ts'
import { type Room, memberOverlap } from '../../domain/network/membership.ts'
import { networkLevel } from '../../domain/network/quota.ts'
import { centerSegments, hostAddress } from '../../domain/network/segments.ts'
import { configOf, isPresent, presenceOf } from '../../domain/router/presence.ts'
import { type Ctx, accountOf, sessionOf } from '../../http/context.ts'
import { faultText, log } from '../../http/log.ts'
import { toMember } from './load.ts'
import { countNetworks, membersOf, networkByNumber, networkOptions, pageOfNetworks, roomOf } from './queries.ts'

type Api = typeof networkApi
type MemberRow = Awaited<ReturnType<typeof membersOf>>[number]

export async function listNetworks(
  ctx: Ctx,
  { page, limit, search }: Parsed<Api['lists']>,
): Promise<{ data: Output<Api['lists']>; count: number }> {
  const scope = sessionOf(ctx)
  const [rows, [total], [room]] = await ctx.db.batch([
    pageOfNetworks(ctx.db, scope, page, limit, search),
    countNetworks(ctx.db, scope, search),
    roomOf(ctx.db, scope.accountId, ctx.now),
  ])
  const data = rows.map((row) => ({
    network_number: row.number,
    network_name: row.name,
    network_status: toWireBoolean(row.status),
    network_type: row.networkType,
    network_service: networkLevel(room?.seats ?? 0),
    member_count: row.memberCount,
    online_count: row.onlineCount,
    fr_name: '',
    create_time: row.createdAt,
  }))
  return { data, count: total?.n ?? 0 }
}

export async function networkQuota(ctx: Ctx): Promise<Output<Api['config']>> {
  const [room] = await roomOf(ctx.db, accountOf(ctx), ctx.now)
  return configOfRoom(room)
}

const configOfRoom = (room: Room | undefined): typeof networkConfig._output => ({
  network_router_use: room?.seatsUsed ?? 0,
  network_router_count: room?.seats ?? 0,
  network_level: networkLevel(room?.seats ?? 0),
  network_center_count: room?.centers ?? 0,
  dns_quantity: NETWORK.dnsQuantity,
})

export const selectNetworks = async (ctx: Ctx): Promise<Output<Api['select']>> => networkOptions(ctx.db, sessionOf(ctx))

export async function networkInfo(ctx: Ctx, input: Parsed<Api['info']>): Promise<Output<Api['info']>> {
  const scope = sessionOf(ctx)
  const [[network], rows, [room]] = await ctx.db.batch([
    networkByNumber(ctx.db, scope, input.network_number),
    membersOf(ctx.db, scope, input.network_number),
    roomOf(ctx.db, scope.accountId, ctx.now),
  ])
  if (!network) return refuse('NETWORK_NOT_FOUND')
  return {
    network_number: network.number,
    network_name: network.name,
    network_status: toWireBoolean(network.status),
    network_type: network.networkType,
    network_service: networkLevel(room?.seats ?? 0),
    member_count: rows.length,
    fr_name: '',
    create_time: network.createdAt,
    mode: network.mode,
    ncp_ciphers: network.ciphers,
    revision: network.revision,
    network_config: configOfRoom(room),
    member: membersView(rows),
    link: await linksView(ctx, network, rows),
    overlap: memberOverlap(rows.map(toMember)),
  }
}

/** Links as their hub knows them; where it cannot answer, the page still gets its network, with links unknown. */
async function linksView(
  ctx: Ctx,
  { id: networkId, number }: { readonly id: number; readonly number: string },
  rows: readonly MemberRow[],
): Promise<Output<Api['info']>['link']> {
  try {
    return (await ctx.hubs.network(networkId).status()).links
  } catch (error) {
    log('warn', 'network hub', { networkId, error: faultText(error) })
    return linksOf(number, rows.map(nodeOf)).map(({ id, client, server }) => ({
      id,
      router_name: client,
      center_router_name: server,
      state: 'unknown',
      since: null,
      reason: '实时状态暂不可用',
      rtt_ms: null,
    }))
  }
}

export async function networkMembers(ctx: Ctx, input: Parsed<Api['member']>): Promise<Output<Api['member']>> {
  const scope = sessionOf(ctx)
  const [[network], rows] = await ctx.db.batch([
    networkByNumber(ctx.db, scope, input.network_number),
    membersOf(ctx.db, scope, input.network_number),
  ])
  if (!network) return refuse('NETWORK_NOT_FOUND')
  return membersView(rows).filter((m) => m.member_type === input.member_type)
}

export async function networkStatus(ctx: Ctx, input: Parsed<Api['status']>): Promise<Output<Api['status']>> {
  const [network] = await networkByNumber(ctx.db, sessionOf(ctx), input.network_number)
  if (!network) return refuse('NETWORK_NOT_FOUND')
  const { links, ...view } = await ctx.hubs.network(network.id).status()
  const online = view.members.map((m) => [m.router_name, toWireBoolean(isPresent(m.presence.state))] as const)
  return { ...view, link: links, online: Object.fromEntries(online) }
}

const nodeOf = ({ routerName, routerType, memberType }: MemberRow) => ({
  routerName,
  routerType: routerType as 1 | 2,
  memberType,
})

function membersView(rows: readonly MemberRow[]): Output<Api['member']> {
  const segments = rows.flatMap((m) => (m.segmentIndex === null ? [] : [centerSegments(m.segmentIndex).hardware]))
  return rows.map((row) => {
    const presence = presenceOf(row.state)
    return {
      router_name: row.routerName,
      note: row.note,
      member_type: row.memberType,
      router_type: row.routerType as 1 | 2,
      online: toWireBoolean(isPresent(presence.state)),
      version: row.version ?? '',
      vpn_ip:
        row.segmentIndex === null
          ? segments.map((segment) => hostAddress(segment, row.host))
          : [hostAddress(centerSegments(row.segmentIndex).hardware, 1)],
      presence,
      config: configOf(row.state),
    }
  })
}
