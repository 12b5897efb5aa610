import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { compareText } from '#contract/kernel/compare.ts'
import { countPaths } from '../compile/routing.ts'
import { type DocumentMember, type NetworkRows, type PopNode, namedMembers } from '../compile/rows.ts'
import { declaredLans, serviceSegments, nodeSegments, hasPlace, nodesOf } from '../compile/server-segments.ts'
import { centerLinkEnds, LINK_PREFERENCE } from '../members/links.ts'
import { isInside, parseRange } from '../addresses/segments.ts'
import { accessPreference } from '../compile/links.ts'
import { popPreference } from '../compile/pop.ts'
import { blockingRow } from './prefix-rows.ts'

/* Effective routes (有效路由) of a router, computed over the graph of its network's links. */

/** A route of one router by configuration. Links that are down now are not left out. */
export interface EffectiveRoute {
  readonly prefix: string
  /** Router that declares it. */
  readonly from: string
  /** Router at the other end of the link. */
  readonly via: string
  readonly state: 'chosen' | 'standby' | 'blocked'
  /** Order in which routes of one prefix take over, from 1; null: blocked. */
  readonly rank: number | null
  /** Row of the prefix list that denies it, from 1; 0: no row permits it; null: not blocked. */
  readonly blockedBy: number | null
}

interface Offer extends Pick<EffectiveRoute, 'prefix' | 'from' | 'blockedBy'> {
  readonly path: RoutePath
}

export const DEFAULT_PREFIX = '0.0.0.0/0'

/** Routes of one hardware member of a network, by prefix. */
export const effectiveRoutes = (network: NetworkRows, self: DocumentMember): readonly EffectiveRoute[] =>
  routesOf(network, createRouteGraph(network), self)

/** Routes of one member or node over a graph that the routers of the network share. */
export function routesOf(network: NetworkRows, graph: RouteGraph, self: RouteRouter): readonly EffectiveRoute[] {
  const offers = [
    ...graph.routers.flatMap((origin) => offersOf(network, graph, self, origin)),
    ...defaultOffers(graph, self),
  ]
  const { members, settings } = network
  const paths = isNode(self) ? 1 : countPaths({ self, settings, centers: namedMembers(members).filter(isCenter) })
  return [...Map.groupBy(offers, ({ prefix }) => prefix).values()]
    .flatMap((same) => choose(same, paths))
    .toSorted(byPrefix)
}

/** Routes to the segments that a router declares, over each path to it. Prefix rows filter LANs. */
function offersOf(network: NetworkRows, graph: RouteGraph, self: RouteRouter, origin: RouteRouter): readonly Offer[] {
  const { prefix: rows } = network.settings
  const over =
    (prefix: string, blockedBy: number | null) =>
    (path: RoutePath): Offer => ({ prefix, from: origin.routerName, path, blockedBy })
  const paths = pathsTo(graph, self, only(origin))
  const software = softwareSegment(network, origin)
  const open = software === null ? [] : softwarePaths(network, graph, self, origin, software)
  const neighbors = new Set(open.map(({ via }) => via))
  const denied = software === null ? [] : paths.filter(({ via }) => !neighbors.has(via))
  return [
    ...declaredBy(origin).flatMap((prefix) => paths.map(over(prefix, blockingRow(rows, prefix)))),
    ...open.map(over(software ?? '', null)),
    ...denied.map(over(software ?? '', blockingRow(rows, software ?? ''))),
  ]
}

const declaredBy = (origin: RouteRouter): readonly string[] => (isNode(origin) ? [] : declaredLans(origin))

const only = (origin: RouteRouter): RouteOrigins => new Map([[origin, 0]])

/** Default routes of a router that receives them. All advertisers announce one prefix, which no prefix row filters. */
function defaultOffers(graph: RouteGraph, self: RouteRouter): readonly Offer[] {
  if (isNode(self) || self.settings.default_route.mode !== 2) return []
  const origins = graph.routers.flatMap((router) => {
    if (isNode(router)) return []
    const { mode, metric } = router.settings.default_route
    return mode === 1 ? [[router, metric ?? 0] as const] : []
  })
  return pathsTo(withoutPreferences(graph), self, new Map(origins)).map((path) => {
    return { prefix: DEFAULT_PREFIX, from: path.origin.routerName, path, blockedBy: null }
  })
}

function softwareSegment(network: NetworkRows, origin: RouteRouter): string | null {
  if (isNode(origin)) return nodeSegments(network, origin).software
  return isCenter(origin) ? serviceSegments(origin).software : null
}

/** Paths on which a software segment passes unfiltered. Between centres it does so over the twin-centre link only. */
function softwarePaths(
  { members, settings }: NetworkRows,
  graph: RouteGraph,
  self: RouteRouter,
  origin: RouteRouter,
  segment: string,
): readonly RoutePath[] {
  const isFree =
    blockingRow(settings.prefix, segment) === null ||
    centerLinkEnds(settings.center_link, namedMembers(members)) !== null
  if (isNode(origin) || isFree) return pathsTo(graph, self, only(origin))
  const overNodes = { ...graph, transits: graph.transits.filter(isNode), best: new Map() }
  return isCenter(self) ? [] : pathsTo(overNodes, self, only(origin))
}

/** Chooses among the offers of one prefix: the best one, or up to `paths` equal ones that share the load. */
function choose(offers: readonly Offer[], paths: number): readonly EffectiveRoute[] {
  const isBetter = (a: Offer, b: Offer) => comparePaths(a.path, b.path) || compareText(a.from, b.from)
  const open = offers.filter(({ blockedBy }) => blockedBy === null).toSorted(isBetter)
  const equal = open.filter(({ path }) => open[0] && rankPaths(path, open[0].path) === 0)
  const neighbors = new Set([...new Set(equal.map(({ path }) => path.via))].slice(0, paths))
  const chosen = new Set(paths === 1 ? equal.slice(0, 1) : equal.filter(({ path }) => neighbors.has(path.via)))
  const standby = open.filter((offer) => !chosen.has(offer))
  return offers.map((offer) => {
    const { prefix, from, path, blockedBy } = offer
    const isChosen = chosen.has(offer)
    return {
      prefix,
      from,
      via: path.via.routerName,
      blockedBy,
      state: blockedBy !== null ? 'blocked' : isChosen ? 'chosen' : 'standby',
      rank: blockedBy !== null ? null : isChosen ? 1 : standby.indexOf(offer) + 2,
    }
  })
}

/** Routes that cover an address. The longest prefix comes first and decides. */
export function routesTo(routes: readonly EffectiveRoute[], address: string): readonly EffectiveRoute[] {
  const covering = routes.filter(({ prefix }) => isInside(`${address}/32`, prefix))
  return covering.toSorted((a, b) => lengthOf(b) - lengthOf(a))
}

const lengthOf = ({ prefix }: EffectiveRoute): number => Number(prefix.split('/')[1])

function byPrefix(a: EffectiveRoute, b: EffectiveRoute): number {
  const [x, y] = [parseRange(a.prefix)?.first ?? 0, parseRange(b.prefix)?.first ?? 0]
  return x - y || lengthOf(a) - lengthOf(b) || compareText(a.via, b.via) || compareText(a.from, b.from)
}

/** Origin or hop of routes: a hardware member, or a POP node. */
export type RouteRouter = DocumentMember | PopNode

export const isNode = (router: RouteRouter): router is PopNode => 'areaId' in router
const isCenter = (router: RouteRouter): router is DocumentMember => !isNode(router) && router.memberType === 'center'

/** Centres and nodes announce routes of others; a point announces only its own segments. */
const isTransit = (router: RouteRouter): boolean => isNode(router) || isCenter(router)

interface RoutePath {
  /** Router at the other end of the first link. */
  readonly via: RouteRouter
  readonly origin: RouteRouter
  /** Metric of a default route; 0 for other routes. */
  readonly metric: number
  readonly preference: number
  readonly hops: number
  /** Path from `via` onwards; null: `via` is the origin. */
  readonly next: RoutePath | null
}

/** Links of a network with the preference of each, by both ends. */
export interface RouteGraph {
  readonly routers: readonly RouteRouter[]
  readonly transits: readonly RouteRouter[]
  readonly links: ReadonlyMap<RouteRouter, ReadonlyMap<RouteRouter, number>>
  /** Cache: best paths of the transit routers to a prefix of one origin. */
  readonly best: Map<RouteRouter, ReadonlyMap<RouteRouter, RoutePath>>
}

/** Graph of the links that compile/ puts into documents. */
export function createRouteGraph(network: NetworkRows): RouteGraph {
  const { settings, pointLinks = [], popNodes = [] } = network
  const members = namedMembers(network.members).filter(({ routerType }) => routerType === ROUTER_TYPE.hardware)
  const routers = [...members, ...popNodes]
  const links = new Map(routers.map((router) => [router, new Map<RouteRouter, number>()]))
  const connect = (one: RouteRouter | undefined, other: RouteRouter | undefined, preference: number) => {
    if (!one || !other) return
    links.get(one)?.set(other, preference)
    links.get(other)?.set(one, preference)
  }
  const [centers, points] = [members.filter(isCenter), members.filter((member) => !isCenter(member))]
  for (const center of centers) {
    const preference = accessPreference(settings.routing, center)
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
  return { routers, transits, links, best: new Map() }
}

/** Routers that announce the same prefix, each with its metric. */
type RouteOrigins = ReadonlyMap<RouteRouter, number>

/** Default routes compare by metric only, not by the link. */
const withoutPreferences = (graph: RouteGraph): RouteGraph => ({
  ...graph,
  links: new Map(
    [...graph.links].map(([router, peers]) => [router, new Map([...peers.keys()].map((peer) => [peer, 0]))]),
  ),
  best: new Map(),
})

/** Paths of `self` to a prefix, one over each neighbor that announces it. A neighbor announces only its best path. */
function pathsTo(graph: RouteGraph, self: RouteRouter, origins: RouteOrigins): readonly RoutePath[] {
  if (origins.has(self)) return []
  const best = bestPaths(graph, origins)
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

/** Cached best paths: those to one origin are the same for every router that asks. */
function bestPaths(graph: RouteGraph, origins: RouteOrigins): ReadonlyMap<RouteRouter, RoutePath> {
  const [origin] = origins.keys()
  if (origins.size !== 1 || origin === undefined) return findPaths(graph, origins)
  const found = graph.best.get(origin) ?? findPaths(graph, origins)
  graph.best.set(origin, found)
  return found
}

/**
 * Best path of each transit router, from the announcements of its neighbors. Preferences may allow several outcomes or
 * none: the order of names decides, and the number of rounds is bounded.
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

/** Compares numbers first for speed: it runs for each prefix and transit router, and most offers are no better. */
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

/** The lower metric first, then the preferred link, then the shorter path. */
const comparePaths = (a: RoutePath, b: RoutePath): number =>
  rankPaths(a, b) || compareText(a.via.routerName, b.via.routerName)

/** 0: both may carry traffic at once. */
const rankPaths = (a: RoutePath, b: RoutePath): number =>
  a.metric - b.metric || b.preference - a.preference || a.hops - b.hops

const isSame = (a: RoutePath | null | undefined, b: RoutePath | null | undefined): boolean =>
  a && b ? a.via === b.via && isSame(a.next, b.next) : !a && !b

function isOn(path: RoutePath | null, router: RouteRouter): boolean {
  for (let at = path; at; at = at.next) if (at.via === router) return true
  return false
}
