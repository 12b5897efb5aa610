import { ipNumber } from '#contract/kernel/ipv4.ts'
import type { PrefixRow } from '#contract/network/fields.ts'
import { compareText } from '../compile/order.ts'
import { countPaths } from '../compile/routing.ts'
import type { DocumentMember, NetworkRows } from '../compile/rows.ts'
import { declaredLans, serviceSegments, nodeSegments } from '../compile/server-segments.ts'
import { centerLinkEnds } from '../members/links.ts'
import {
  type RouteGraph,
  type RouteOrigins,
  type RoutePath,
  type RouteRouter,
  comparePaths,
  isCenter,
  isNode,
  pathsTo,
  rankPaths,
  routeGraph,
  withoutPreferences,
} from './route-graph.ts'
import { parseRange } from '../addresses/segments.ts'

/** A route as one router sees it, by what is configured: links that are down at the moment are not left out. */
export interface EffectiveRoute {
  readonly prefix: string
  /** Router that declares it. */
  readonly from: string
  /** Router at the other end of the link. */
  readonly via: string
  readonly state: 'chosen' | 'standby' | 'blocked'
  /** Row of the prefix list that denies it, from 1; 0: no row permits it; null: not blocked. */
  readonly blockedBy: number | null
}

interface Offer extends Pick<EffectiveRoute, 'prefix' | 'from' | 'blockedBy'> {
  readonly path: RoutePath
}

const DEFAULT_PREFIX = '0.0.0.0/0'

/** Routes of one hardware member of a network, by prefix. */
export function effectiveRoutes(network: NetworkRows, self: DocumentMember): readonly EffectiveRoute[] {
  const graph = routeGraph(network)
  const offers = new Map<string, Offer[]>()
  for (const offer of [
    ...graph.routers.flatMap((origin) => offersOf(network, graph, self, origin)),
    ...defaultOffers(graph, self),
  ]) {
    const same = offers.get(offer.prefix)
    if (same) same.push(offer)
    else offers.set(offer.prefix, [offer])
  }
  const { members, settings } = network
  const paths = countPaths({ self, settings, centers: members.filter(isCenter) })
  return [...offers.values()].flatMap((same) => choose(same, paths)).toSorted(byPrefix)
}

/** Routes to the segments that a router declares, over each path to it. Prefix rows filter LANs. */
function offersOf(
  network: NetworkRows,
  graph: RouteGraph,
  self: DocumentMember,
  origin: RouteRouter,
): readonly Offer[] {
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

/** Default routes, for who receives such: all advertisers announce one prefix, which passes without rows. */
function defaultOffers(graph: RouteGraph, self: DocumentMember): readonly Offer[] {
  if (self.settings.default_route.mode !== 2) return []
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

/** Software segments pass without rows, but a centre takes those of another one so over the twin-centre link alone. */
function softwarePaths(
  { members, settings }: NetworkRows,
  graph: RouteGraph,
  self: DocumentMember,
  origin: RouteRouter,
  segment: string,
): readonly RoutePath[] {
  const isFree =
    blockingRow(settings.prefix, segment) === null || centerLinkEnds(settings.center_link, members) !== null
  if (isNode(origin) || isFree) return pathsTo(graph, self, only(origin))
  return isCenter(self) ? [] : pathsTo({ ...graph, transits: graph.transits.filter(isNode) }, self, only(origin))
}

/** Of the offers of one prefix those that are taken: the best, or as many that are equal as paths share the load. */
function choose(offers: readonly Offer[], paths: number): readonly EffectiveRoute[] {
  const isBetter = (a: Offer, b: Offer) => comparePaths(a.path, b.path) || compareText(a.from, b.from)
  const open = offers.filter(({ blockedBy }) => blockedBy === null).toSorted(isBetter)
  const equal = open.filter(({ path }) => open[0] && rankPaths(path, open[0].path) === 0)
  const neighbors = new Set([...new Set(equal.map(({ path }) => path.via))].slice(0, paths))
  const chosen = new Set(paths === 1 ? equal.slice(0, 1) : equal.filter(({ path }) => neighbors.has(path.via)))
  return offers.map((offer) => {
    const { prefix, from, path, blockedBy } = offer
    return {
      prefix,
      from,
      via: path.via.routerName,
      blockedBy,
      state: blockedBy !== null ? 'blocked' : chosen.has(offer) ? 'chosen' : 'standby',
    }
  })
}

/** The first row that matches decides; behind the last one everything is denied. Without rows everything passes. */
export function blockingRow(rows: readonly PrefixRow[], prefix: string): number | null {
  if (rows.length === 0) return null
  const decisive = rows.findIndex((row) => matches(row, prefix))
  if (decisive < 0) return 0
  return rows[decisive]?.permission === 'permit' ? null : decisive + 1
}

function matches({ ip, mask, ge, le }: PrefixRow, prefix: string): boolean {
  const [outer, inner] = [parseRange(`${ip}/${mask}`), parseRange(prefix)]
  const length = Number(prefix.split('/')[1])
  if (!outer || !inner || length < (ge ?? mask) || length > le) return false
  return outer.first <= inner.first && inner.last <= outer.last
}

/** Routes that carry traffic to an address, the longest prefix first: it decides. */
export function routesTo(routes: readonly EffectiveRoute[], address: string): readonly EffectiveRoute[] {
  const value = ipNumber(address)
  const isIn = ({ prefix }: EffectiveRoute) => {
    const range = parseRange(prefix)
    return value !== null && range !== null && range.first <= value && value <= range.last
  }
  return routes.filter(isIn).toSorted((a, b) => lengthOf(b) - lengthOf(a))
}

const lengthOf = ({ prefix }: EffectiveRoute): number => Number(prefix.split('/')[1])

function byPrefix(a: EffectiveRoute, b: EffectiveRoute): number {
  const [x, y] = [parseRange(a.prefix)?.first ?? 0, parseRange(b.prefix)?.first ?? 0]
  return x - y || lengthOf(a) - lengthOf(b) || compareText(a.via, b.via) || compareText(a.from, b.from)
}
