import { refuse } from '../../contract/errors.ts'
import type { Output, Parsed } from '../../contract/endpoint.ts'
import { toWireBoolean } from '../../contract/fields.ts'
import { ROUTER_TYPE, type RouterType, TRAFFIC_RANGE } from '../../contract/limits.ts'
import { coversNetwork } from '../../contract/permissions.ts'
import type { candidate, routerApi } from '../../contract/router.ts'
import { paged } from '../../db/paged.ts'
import { findWanAddress, lanNetworks, parseInterfaces } from '../../domain/router/interfaces.ts'
import { toConfigView, isPresent, toPresenceView } from '../../domain/router/presence.ts'
import { type Ctx, requireSession } from '../../http/context.ts'
import {
  selectCountsByType,
  selectMemberOptions,
  selectNetworksByRouter,
  selectRouter,
  selectRouters,
  selectSoftwareQuota,
} from './queries.ts'
import { requireHardware } from './require.ts'

type Api = typeof routerApi

export async function listRouters(
  ctx: Ctx,
  { page, limit, sort, order, ...filter }: Parsed<Api['lists']>,
): Promise<{ data: Output<Api['lists']>; count: number }> {
  const rows = selectRouters(ctx.db, requireSession(ctx), filter, { sort, order })
  const { data, count } = await paged(ctx.db, rows.$dynamic(), { page, limit })
  return { data: data.map(toRouterRow), count }
}

type ListedNetwork = Output<Api['lists']>[number]['networks'][number] & { readonly id: number }

function toRouterRow(row: Awaited<ReturnType<typeof selectRouters>>[number]): Output<Api['lists']>[number] {
  const { state, interfaces, ...facts } = row
  const presence = toPresenceView(state)
  const networks = (JSON.parse(row.networks) as ListedNetwork[]).toSorted((a, b) => b.id - a.id)
  return {
    ...facts,
    presence,
    config: toConfigView(state),
    online_status: toWireBoolean(isPresent(presence.state)),
    network_count: networks.length,
    networks,
    lan: lanNetworks(parseInterfaces(interfaces)),
  }
}

export async function routerQuantity(ctx: Ctx): Promise<Output<Api['quantity']>> {
  const scope = requireSession(ctx)
  const [counts, [quota]] = await ctx.db.batch([
    selectCountsByType(ctx.db, scope),
    selectSoftwareQuota(ctx.db, scope.accountId, ctx.now),
  ])
  const countByType = (type: RouterType) => counts.find((row) => row.routerType === type) ?? { total: 0, online: 0 }
  const [hardware, software] = [countByType(ROUTER_TYPE.hardware), countByType(ROUTER_TYPE.software)]
  return {
    hardware: hardware.total,
    hardware_online: hardware.online,
    software: software.total,
    software_online: software.online,
    software_max: quota?.max ?? 0,
    sign: quota?.sign ?? '',
  }
}

export async function routerInfo(ctx: Ctx, input: Parsed<Api['info']>): Promise<Output<Api['info']>> {
  const scope = requireSession(ctx)
  const [[router], memberships] = await ctx.db.batch([
    selectRouter(ctx.db, scope, input.router_name),
    selectNetworksByRouter(ctx.db, scope, input.router_name),
  ])
  if (!router) return refuse('ROUTER_NOT_FOUND')
  const { state, ...facts } = router
  const presence = toPresenceView(state)
  const interfaces = parseInterfaces(router.interfaces)
  return {
    ...facts,
    presence,
    config: toConfigView(state),
    online: toWireBoolean(isPresent(presence.state)),
    router_ipv4: findWanAddress(interfaces),
    interfaces,
    network: memberships
      .filter(({ number }) => coversNetwork(scope.grants, number))
      .map((network) => ({
        network_number: network.number,
        network_name: network.name,
        network_member_count: network.memberCount,
        member_type: network.memberType,
      })),
  }
}

export async function networkCandidates(ctx: Ctx, { search }: Parsed<Api['member']>): Promise<Output<Api['member']>> {
  const scope = requireSession(ctx)
  const [router, app] = await ctx.db.batch([
    selectMemberOptions(ctx.db, scope, ROUTER_TYPE.hardware, search),
    selectMemberOptions(ctx.db, scope, ROUTER_TYPE.software, search),
  ])
  return { router: router.map(toMemberOption), app: app.map(toMemberOption) }
}

const toMemberOption = (row: Awaited<ReturnType<typeof selectMemberOptions>>[number]): typeof candidate._output => ({
  router_name: row.router_name,
  note: row.note,
  online: toWireBoolean(row.presence !== null && isPresent(row.presence)),
  networks: JSON.parse(row.networks) as string[],
})

export async function routerTraffic(ctx: Ctx, input: Parsed<Api['traffic']>): Promise<Output<Api['traffic']>> {
  const { hub } = await requireHardware(ctx, input.router_name)
  return ctx.hubs.router(hub).traffic()
}

export async function routerSeries(
  ctx: Ctx,
  { router_name, range }: Parsed<Api['series']>,
): Promise<Output<Api['series']>> {
  const { hub } = await requireHardware(ctx, router_name)
  return { ...(await ctx.hubs.router(hub).trafficSeries(range)), step_ms: TRAFFIC_RANGE[range].stepMs }
}
