import type { NetworkImpact } from '#contract/network/impact.ts'
import { isOnline } from '#domain/health/member.ts'
import { type MovedDocument, type LinkEffect, linkImpact } from '#domain/network/history/impact.ts'
import { toPresenceView } from '#domain/router/presence.ts'
import type { LoadedNetwork } from '../load-settings.ts'
import { NETWORK } from '#contract/network/limits.ts'

/**
 * Wire view of the effect of a write on routers and links. POP nodes belong to the operator: neither they nor links
 * between them are counted, and a link to one names its area.
 */
export function toImpact({ members, popNodes }: LoadedNetwork, moved: readonly MovedDocument[]): NetworkImpact {
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
  const counts = noLinks()
  for (const { effect } of links) counts[effect] += 1
  return {
    routers: routers.length,
    offline: offline.length,
    offline_routers: offline
      .slice(0, NETWORK.impactShown)
      .map(({ routerName, note }) => ({ router_name: routerName, router_name_note: note })),
    links: counts,
    moved_links: links.slice(0, NETWORK.impactShown).map(({ client, server, effect }) => ({
      router_name: client,
      router_name_note: notes.get(client) ?? '',
      center_router_name: server,
      center_router_name_note: notes.get(server) ?? '',
      effect,
    })),
  }
}

const isAway = ({ state }: LoadedNetwork['members'][number]): boolean => !isOnline(toPresenceView(state))

function noLinks(): Record<LinkEffect, number> {
  return { reconnects: 0, opens: 0, closes: 0 }
}

/** Nothing differs from what is set. */
export const NO_IMPACT: NetworkImpact = {
  routers: 0,
  offline: 0,
  offline_routers: [],
  links: noLinks(),
  moved_links: [],
}
