import { ROUTER_TYPE } from '../../contract/limits.ts'
import { isMain } from './compile/links.ts'
import { compareText } from './compile/order.ts'
import { popPreference } from './compile/pop.ts'
import { hasPlace, nodesOf } from './compile/pop-segments.ts'
import type { DocumentMember, NetworkRows, PopNode } from './compile/rows.ts'
import { LINK_PREFERENCE, centerLinkEnds } from './links.ts'

/** Where routes come from or pass: a hardware member, or a node of the operator. */
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
  readonly preference: number
  readonly hops: number
  /** How `via` goes on; null: it is the origin. */
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

/** Ways of `self` to an origin, one over each neighbor that announces it: every neighbor announces its own best way alone. */
export function pathsTo(graph: RouteGraph, self: RouteRouter, origin: RouteRouter): readonly RoutePath[] {
  if (self === origin) return []
  const best = settle(graph, origin)
  const neighbors = graph.links.get(self)
  return peersOf(graph, origin).flatMap((via) => {
    const preference = neighbors?.get(via)
    const next = via === origin ? null : best.get(via)
    if (preference === undefined || next === undefined || isOn(next, self)) return []
    return [{ via, preference, hops: hopsOver(next), next }]
  })
}

/** Who may announce an origin. */
const peersOf = ({ transits }: RouteGraph, origin: RouteRouter): readonly RouteRouter[] =>
  transits.includes(origin) ? transits : [origin, ...transits]

const hopsOver = (next: RoutePath | null): number => (next?.hops ?? 0) + 1

/** Best ways of all that routes pass, each by what its neighbors announce. Preferences may never settle: rounds are bounded. */
function settle(graph: RouteGraph, origin: RouteRouter): ReadonlyMap<RouteRouter, RoutePath> {
  const { transits } = graph
  const peers = peersOf(graph, origin)
  const best = new Map<RouteRouter, RoutePath>()
  let isSettled = false
  for (let round = 0; round < 2 + 2 * transits.length && !isSettled; round++) {
    isSettled = true
    for (const self of transits) {
      if (self === origin) continue
      const path = bestPath(graph, { self, origin, peers }, best)
      if (isSame(path, best.get(self))) continue
      isSettled = false
      if (path) best.set(self, path)
      else best.delete(self)
    }
  }
  return best
}

interface Choice {
  readonly self: RouteRouter
  readonly origin: RouteRouter
  readonly peers: readonly RouteRouter[]
}

/** By numbers first: it runs for each origin and each router that routes pass, and most offers are no better. */
function bestPath(
  { links }: RouteGraph,
  { self, origin, peers }: Choice,
  best: ReadonlyMap<RouteRouter, RoutePath>,
): RoutePath | undefined {
  const neighbors = links.get(self)
  let found: RoutePath | undefined
  for (const via of peers) {
    const preference = neighbors?.get(via)
    if (preference === undefined || (found && preference < found.preference)) continue
    const next = via === origin ? null : best.get(via)
    if (next === undefined || isOn(next, self)) continue
    const path = { via, preference, hops: hopsOver(next), next }
    if (!found || comparePaths(path, found) < 0) found = path
  }
  return found
}

/** The preferred link first, then the shorter way. */
export const comparePaths = (a: RoutePath, b: RoutePath): number =>
  b.preference - a.preference || a.hops - b.hops || compareText(a.via.routerName, b.via.routerName)

const isSame = (a: RoutePath | null | undefined, b: RoutePath | null | undefined): boolean =>
  a && b ? a.via === b.via && isSame(a.next, b.next) : !a && !b

/** Whether a way leads over a router. */
function isOn(path: RoutePath | null, router: RouteRouter): boolean {
  for (let at = path; at; at = at.next) if (at.via === router) return true
  return false
}
