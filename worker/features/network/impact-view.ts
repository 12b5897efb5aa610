import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { NetworkImpact } from '#contract/network/changes.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { isOnline } from '#domain/health/member.ts'
import {
  type LinkEffect,
  type MovedDocument,
  linkImpact,
  restartedServices,
} from '#domain/network/history/setting-change.ts'
import type { RouteDifference, RouteEffect } from '#domain/network/routing/route-changes.ts'
import { toPresenceView } from '#domain/router/presence.ts'
import type { selectNetworkNodes } from '#features/network-fr/sql/nodes.ts'
import type { selectDocumentMembers } from './sql/members.ts'

/* Wire view of the impact of a write before it is made: routers, links and routes. */

interface ImpactNames {
  readonly members: Awaited<ReturnType<typeof selectDocumentMembers>>
  readonly popNodes: Awaited<ReturnType<typeof selectNetworkNodes>>
}

/**
 * POP nodes belong to the operator: neither they nor links between them are counted, and links and paths over one name
 * its area.
 */
export function toImpact(
  { members, popNodes }: ImpactNames,
  moved: readonly MovedDocument[],
  routes: RouteDifference,
): NetworkImpact {
  const byId = new Map(members.map((member) => [member.routerId, member]))
  const nodes = new Map(popNodes.map((node) => [node.routerId, node]))
  const notes = new Map([
    ...members.map(({ routerName, note }) => [routerName, note] as const),
    ...popNodes.map(({ routerName, area }) => [routerName, area] as const),
  ])
  const own = new Set(members.map(({ routerName }) => routerName))
  const routers = moved.flatMap(({ routerId }) => byId.get(routerId) ?? [])
  const offline = routers.filter(isAway)
  const away = new Set(members.filter(isAway).map(({ routerName }) => routerName))
  const links = linkImpact(moved, (routerId) => (byId.get(routerId) ?? nodes.get(routerId))?.routerName ?? '')
    .filter(({ client, server }) => own.has(client) || own.has(server))
    .filter(({ effect, client, server }) => effect !== 'reconnects' || !(away.has(client) || away.has(server)))
  const counts: Record<LinkEffect, number> = { ...NO_IMPACT.links }
  for (const { effect } of links) counts[effect] += 1
  return {
    routers: routers.length,
    offline: offline.length,
    offline_routers: offline
      .slice(0, NETWORK.impactShown)
      .map(({ routerName, note }) => ({ router_name: routerName, router_name_note: note })),
    links: counts,
    software_centers: restartedServices(moved).filter((routerId) => {
      const center = byId.get(routerId)
      return center !== undefined && !isAway(center)
    }).length,
    moved_links: links.slice(0, NETWORK.impactShown).map(({ client, server, effect }) => ({
      router_name: client,
      router_name_note: notes.get(client) ?? '',
      center_router_name: server,
      center_router_name_note: notes.get(server) ?? '',
      effect,
    })),
    ...toRoutes(routes, (name) => notes.get(name) || name),
  }
}

function toRoutes({ changes, isPartial }: RouteDifference, toLabel: (name: string) => string) {
  const counts: Record<RouteEffect, number> = { ...NO_IMPACT.routes }
  for (const { effect } of changes) counts[effect] += 1
  return {
    routes: counts,
    routes_partial: toWireBoolean(isPartial),
    moved_routes: changes.slice(0, NETWORK.impactShown).map(({ prefix, from, effect, oldVia, newVia }) => ({
      prefix,
      router_name: from,
      router_name_note: toLabel(from),
      effect,
      old_via: oldVia.map(toLabel),
      new_via: newVia.map(toLabel),
    })),
  }
}

const isAway = ({ state }: ImpactNames['members'][number]): boolean => !isOnline(toPresenceView(state))

export const NO_IMPACT: NetworkImpact = {
  routers: 0,
  offline: 0,
  offline_routers: [],
  links: { reconnects: 0, opens: 0, closes: 0 },
  software_centers: 0,
  moved_links: [],
  routes: { lost: 0, gained: 0, moved: 0 },
  routes_partial: 0,
  moved_routes: [],
}
