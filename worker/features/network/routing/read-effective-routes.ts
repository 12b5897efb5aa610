import { refuse } from '#contract/kernel/errors.ts'
import type { Extra, Output, Parsed } from '#contract/kernel/endpoint.ts'
import { ipNumber } from '#contract/kernel/ipv4.ts'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import { type EffectiveRoute, effectiveRoutes, routesTo } from '#domain/network/routing/effective-routes.ts'
import type { Ctx } from '#http/context.ts'
import { type LoadedNetwork, loadSettings } from '../load-settings.ts'
import type { networkApi } from '#contract/network/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

type Api = typeof networkApi

/** Effective routing table of one hardware router; without a name that of the first point, else of the first centre. */
export async function readEffectiveRoutes(
  ctx: Ctx,
  { network_number, router_name, search }: Parsed<Api['routes']>,
): Promise<{ data: Output<Api['routes']> } & Extra<Api['routes']>> {
  const loaded = await loadSettings(ctx, network_number)
  const { rows, members, popNodes } = loaded
  const name = router_name === undefined ? firstName(loaded) : loaded.requireMember(router_name).routerName
  const self = rows.members.find((m) => m.routerName === name)
  if (self === undefined && router_name === undefined) return { data: [], count: 0, router_name: '' }
  if (self?.routerType !== ROUTER_TYPE.hardware) return refuse('HARDWARE_ONLY')
  const notes = new Map([
    ...members.map(({ routerName, note }) => [routerName, note] as const),
    ...popNodes.map(({ routerName, area }) => [routerName, `POP ${area}`] as const),
  ])
  const found = findRoutes(effectiveRoutes(rows, self), search, notes)
  const toRow = ({ prefix, from, via, state, blockedBy }: EffectiveRoute) => ({
    prefix,
    router_name: from,
    router_name_note: notes.get(from) ?? '',
    via,
    via_note: notes.get(via) ?? '',
    state,
    blocked_by: blockedBy,
  })
  return { data: found.slice(0, ROWS_MAX).map(toRow), count: found.length, router_name: self.routerName }
}

/** The first hardware point, which sees most; else the first hardware centre. */
function firstName({ members }: LoadedNetwork): string | undefined {
  const hardware = members.filter(({ routerType }) => routerType === ROUTER_TYPE.hardware)
  return (hardware.find(({ memberType }) => memberType === 'point') ?? hardware[0])?.routerName
}

/** By an address, or by a part of a prefix, a name or a note. */
function findRoutes(
  routes: readonly EffectiveRoute[],
  search: string,
  notes: ReadonlyMap<string, string>,
): readonly EffectiveRoute[] {
  if (ipNumber(search) !== null) return routesTo(routes, search)
  const part = search.toLowerCase()
  const textOf = ({ prefix, from, via }: EffectiveRoute) =>
    [prefix, from, via, notes.get(from), notes.get(via)].join(' ').toLowerCase()
  return part === '' ? routes : routes.filter((route) => textOf(route).includes(part))
}
