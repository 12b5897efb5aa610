import { refuse } from '../../contract/errors.ts'
import type { Output, Parsed } from '../../contract/endpoint.ts'
import { toWireBoolean } from '../../contract/fields.ts'
import { ROUTER_TYPE, type RouterType } from '../../contract/limits.ts'
import { coversNetwork } from '../../contract/permissions.ts'
import type { candidate, routerApi } from '../../contract/router.ts'
import { interfacesOf, wanAddressOf } from '../../domain/router/interfaces.ts'
import { configOf, isPresent, presenceOf } from '../../domain/router/presence.ts'
import { type Ctx, sessionOf } from '../../http/context.ts'
import { candidates } from '../network/queries.ts'
import { countRouters, countsByType, networksOf, pageOfRouters, routerByName, softwareRoom } from './queries.ts'

type Api = typeof routerApi

type RouterRow = Awaited<ReturnType<typeof routerByName>>[number]

/** What list and detail tell alike. */
const factsOf = (row: Pick<RouterRow, keyof RouterRow & keyof Awaited<ReturnType<typeof pageOfRouters>>[number]>) => ({
  router_name: row.name,
  router_type: row.routerType as 1 | 2,
  note: row.note,
  presence: presenceOf(row.state),
  config: configOf(row.state),
  version: row.version ?? '',
  router_model: row.model ?? '',
  os: row.os ?? '',
  area_code: row.areaCode,
  phone: row.phone ?? '',
  create_time: row.createdAt,
})

export async function listRouters(
  ctx: Ctx,
  { page, limit, ...filter }: Parsed<Api['lists']>,
): Promise<{ data: Output<Api['lists']>; count: number }> {
  const scope = sessionOf(ctx)
  const [rows, [total]] = await ctx.db.batch([
    pageOfRouters(ctx.db, scope, page, limit, filter),
    countRouters(ctx.db, scope, filter),
  ])
  const data = rows.map((row) => {
    const facts = factsOf(row)
    return {
      ...facts,
      online_status: toWireBoolean(isPresent(facts.presence.state)),
      source: row.source,
      status: toWireBoolean(row.status),
      network_count: row.networkCount,
    }
  })
  return { data, count: total?.n ?? 0 }
}

export async function routerQuantity(ctx: Ctx): Promise<Output<Api['quantity']>> {
  const scope = sessionOf(ctx)
  const [counts, [room]] = await ctx.db.batch([
    countsByType(ctx.db, scope),
    softwareRoom(ctx.db, scope.accountId, ctx.now),
  ])
  const countOf = (type: RouterType) => counts.find((row) => row.routerType === type) ?? { total: 0, online: 0 }
  const [hardware, software] = [countOf(ROUTER_TYPE.hardware), countOf(ROUTER_TYPE.software)]
  return {
    hardware: hardware.total,
    hardware_online: hardware.online,
    software: software.total,
    software_online: software.online,
    software_max: room?.max ?? 0,
    sign: room?.sign ?? '',
  }
}

export async function routerInfo(ctx: Ctx, input: Parsed<Api['info']>): Promise<Output<Api['info']>> {
  const scope = sessionOf(ctx)
  const [[router], memberships] = await ctx.db.batch([
    routerByName(ctx.db, scope, input.router_name),
    networksOf(ctx.db, scope, input.router_name),
  ])
  if (!router) return refuse('ROUTER_NOT_FOUND')
  const facts = factsOf(router)
  const interfaces = interfacesOf(router.interfaces)
  return {
    ...facts,
    online: toWireBoolean(isPresent(facts.presence.state)),
    router_ipv4: wanAddressOf(interfaces),
    router_mac: router.mac ?? '',
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
  const scope = sessionOf(ctx)
  const [router, app] = await ctx.db.batch([
    candidates(ctx.db, scope, ROUTER_TYPE.hardware, search),
    candidates(ctx.db, scope, ROUTER_TYPE.software, search),
  ])
  return { router: router.map(toCandidate), app: app.map(toCandidate) }
}

const toCandidate = (row: Awaited<ReturnType<typeof candidates>>[number]): typeof candidate._output => ({
  router_name: row.routerName,
  note: row.note,
  online: toWireBoolean(row.presence !== null && isPresent(row.presence)),
  networks: JSON.parse(row.networks) as string[],
})

/** Id of a hardware member, for what only its hub knows; a software member has none. */
export async function hardwareId(ctx: Ctx, routerName: string): Promise<number> {
  const [router] = await routerByName(ctx.db, sessionOf(ctx), routerName)
  if (!router) return refuse('ROUTER_NOT_FOUND')
  if (router.routerType !== ROUTER_TYPE.hardware) refuse('HARDWARE_ONLY')
  return router.id
}

export const routerTraffic = async (ctx: Ctx, input: Parsed<Api['traffic']>): Promise<Output<Api['traffic']>> =>
  ctx.hubs.router(await hardwareId(ctx, input.router_name)).traffic()
