import { isMain } from '../compile/links.ts'
import { compareText } from '../compile/order.ts'
import { popPreference } from '../compile/pop.ts'
import type { DocumentMember, NetworkRows, PopNode } from '../compile/rows.ts'
import { hasPlace, nodesOf } from '../compile/server-segments.ts'
import { LINK_PREFERENCE, centerLinkEnds } from '../members/links.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/** Origin or hop of routes: a hardware member, or a node of the operator. */
export type RouteRouter = DocumentMember | PopNode

export const isNode = (router: RouteRouter): router is PopNode => 'areaId' in router
export const isCenter = (router: RouteRouter): router is DocumentMember =>
  !isNode(router) && router.memberType === 'center'

/** A centre or node announces what others declare; a point its own segments alone. */
const isTransit = (router: RouteRouter): boolean => isNode(router) || isCenter(router)

/** The way of a router to an origin. */
export interface RoutePath {
  /** Router at the other end of the first link. */
  readonly via: RouteRouter
  readonly origin: RouteRouter
  /** Of a default route; 0 of any other. */
  readonly metric: number
  readonly preference: number
  readonly hops: number
  /** Path from `via` onwards; null: `via` is the origin. */
  readonly next: RoutePath | null
}

/** Links of a network as routes see them: the preference of each, by both of its ends. */
export interface RouteGraph {
  readonly routers: readonly RouteRouter[]
  readonly transits: readonly RouteRouter[]
  readonly links: ReadonlyMap<RouteRouter, ReadonlyMap<RouteRouter, number>>
}

/** The links that compile/ puts into documents. */
export function routeGraph(network: NetworkRows): RouteGraph {
  const { settings, pointLinks = [], popNodes = [] } = network
  const members = network.members.filter(({ routerType }) => routerType === ROUTER_TYPE.hardware)
  const routers = [...members, ...popNodes]
  const links = new Map(routers.map((router) => [router, new Map<RouteRouter, number>()]))
  const connect = (one: RouteRouter | undefined, other: RouteRouter | undefined, preference: number) => {
    if (!one || !other) return
    links.get(one)?.set(other, preference)
    links.get(other)?.set(one, preference)
  }
  const [centers, points] = [members.filter(isCenter), members.filter((member) => !isCenter(member))]
  for (const center of centers) {
    const preference = isMain(settings.routing, center) ? LINK_PREFERENCE.main : LINK_PREFERENCE.access
    for (const point of points) connect(center, point, preference)
  }
  const twins = centerLinkEnds(settings.center_link, members)
  if (twins) connect(twins.server, twins.client, LINK_PREFERENCE.center)
  const byId = new Map(members.map((member) => [member.routerId, member]))
  for (const { serverId, clientId } of pointLinks)
    connect(byId.get(serverId), byId.get(clientId), LINK_PREFERENCE.point)
  for (const member of members)
    for (const node of nodesOf(network, member))
      if (hasPlace(network, member, node)) connect(member, node, popPreference(network, member, node))
  for (const [place, node] of popNodes.entries())
    for (const other of popNodes.slice(place + 1)) connect(node, other, LINK_PREFERENCE.backbone)
  const transits = routers.filter(isTransit).toSorted((a, b) => compareText(a.routerName, b.routerName))
  return { routers, transits, links }
}

/** Routers that announce the same prefix, each with its metric. */
export type RouteOrigins = ReadonlyMap<RouteRouter, number>

/** Default routes are preferred by their metric alone, whichever link they come over. */
export const withoutPreferences = (graph: RouteGraph): RouteGraph => ({
  ...graph,
  links: new Map(
    [...graph.links].map(([router, peers]) => [router, new Map([...peers.keys()].map((peer) => [peer, 0]))]),
  ),
})

/** Ways of `self` to a prefix, one over each neighbor that announces it: every neighbor announces its own best way alone. */
export function pathsTo(graph: RouteGraph, self: RouteRouter, origins: RouteOrigins): readonly RoutePath[] {
  if (origins.has(self)) return []
  const best = findPaths(graph, origins)
  const neighbors = graph.links.get(self)
  return peersOf(graph, origins).flatMap((via) => {
    const preference = neighbors?.get(via)
    const path = preference === undefined ? undefined : pathOver(via, preference, origins, best)
    return path && !isOn(path.next, self) ? [path] : []
  })
}

/** Path announced by a neighbor: its own prefix, or its best path to the prefix. */
function pathOver(
  via: RouteRouter,
  preference: number,
  origins: RouteOrigins,
  best: ReadonlyMap<RouteRouter, RoutePath>,
): RoutePath | undefined {
  const own = origins.get(via)
  if (own !== undefined) return { via, origin: via, metric: own, preference, hops: 1, next: null }
  const next = best.get(via)
  return next && { via, origin: next.origin, metric: next.metric, preference, hops: next.hops + 1, next }
}

/** Routers that may announce the prefix. */
const peersOf = ({ transits }: RouteGraph, origins: RouteOrigins): readonly RouteRouter[] => [
  ...[...origins.keys()].filter((origin) => !transits.includes(origin)),
  ...transits,
]

/**
 * Best ways of all that routes pass, each by what its neighbors announce. Preferences may allow several outcomes, of which the
 * order of names decides here, or none: rounds are bounded.
 */
function findPaths(graph: RouteGraph, origins: RouteOrigins): ReadonlyMap<RouteRouter, RoutePath> {
  const { transits } = graph
  const peers = peersOf(graph, origins)
  const best = new Map<RouteRouter, RoutePath>()
  let isStable = false
  for (let round = 0; round < 2 + 2 * transits.length && !isStable; round++) {
    isStable = true
    for (const self of transits) {
      if (origins.has(self)) continue // its own prefix wins over what it learns
      const path = bestPath(graph, { self, origins, peers }, best)
      if (isSame(path, best.get(self))) continue
      isStable = false
      if (path) best.set(self, path)
      else best.delete(self)
    }
  }
  return best
}

interface PathQuery {
  readonly self: RouteRouter
  readonly origins: RouteOrigins
  readonly peers: readonly RouteRouter[]
}

/** By numbers first: it runs for each prefix and each router that routes pass, and most offers are no better. */
function bestPath(
  { links }: RouteGraph,
  { self, origins, peers }: PathQuery,
  best: ReadonlyMap<RouteRouter, RoutePath>,
): RoutePath | undefined {
  const neighbors = links.get(self)
  let found: RoutePath | undefined
  for (const via of peers) {
    const preference = neighbors?.get(via)
    if (preference === undefined || (found && found.metric === 0 && preference < found.preference)) continue
    const path = pathOver(via, preference, origins, best)
    if (!path || isOn(path.next, self)) continue
    if (!found || comparePaths(path, found) < 0) found = path
  }
  return found
}

/** The lower metric first, then the preferred link, then the shorter way. */
export const comparePaths = (a: RoutePath, b: RoutePath): number =>
  rankPaths(a, b) || compareText(a.via.routerName, b.via.routerName)

/** 0: both may carry traffic at once. */
export const rankPaths = (a: RoutePath, b: RoutePath): number =>
  a.metric - b.metric || b.preference - a.preference || a.hops - b.hops

const isSame = (a: RoutePath | null | undefined, b: RoutePath | null | undefined): boolean =>
  a && b ? a.via === b.via && isSame(a.next, b.next) : !a && !b

/** True when the path passes the router. */
function isOn(path: RoutePath | null, router: RouteRouter): boolean {
  for (let at = path; at; at = at.next) if (at.via === router) return true
  return false
}
