import type { DocumentNetwork } from '#contract/device/document.ts'
import type { Intended, PlannedHop } from '#contract/network/diagnosis.ts'
import { isInside, toNetwork } from '../addresses/segments.ts'
import { compileOneNetwork } from '../compile/compile.ts'
import { type NetworkRows, namedMembers } from '../compile/rows.ts'
import { declaredLans } from '../compile/server-segments.ts'
import {
  DEFAULT_PREFIX,
  type EffectiveRoute,
  type RouteGraph,
  type RouteRouter,
  createRouteGraph,
  isNode,
  routesOf,
  routesTo,
} from '../routing/effective-routes.ts'
import { routeReason } from '../routing/route-reasons.ts'
import { diagnosisSegments } from './addresses.ts'
import { isPublic } from './allowed.ts'

/* The way of a packet to an address as the rows intend it: a hop for each router that it may pass. */

const HOPS_MAX = 32

interface Planning {
  readonly network: NetworkRows
  readonly graph: RouteGraph
  readonly destination: string
  readonly isOutside: boolean
  readonly labelOf: (routerName: string) => string
}

/** Hops from a member on; the first one is its own. */
export function planPath(
  network: NetworkRows,
  selfName: string,
  destination: string,
  labelOf: Planning['labelOf'],
): readonly PlannedHop[] {
  const isAt = (segment: string) => isInside(`${destination}/32`, segment)
  const isOutside = isPublic(destination) && !diagnosisSegments(network, true).some(isAt)
  const planning: Planning = { network, graph: createRouteGraph(network), destination, isOutside, labelOf }
  const routers = new Map<string, RouteRouter>([
    ...namedMembers(network.members, selfName).map((member) => [member.routerName, member] as const),
    ...(network.popNodes ?? []).map((node) => [node.routerName, node] as const),
  ])
  const hops = new Map<string, PlannedHop>()
  const waiting = [selfName]
  for (let name = waiting.shift(); name !== undefined && hops.size < HOPS_MAX; name = waiting.shift()) {
    const router = routers.get(name)
    if (!router || hops.has(name)) continue
    const hop = planHop(planning, router)
    hops.set(name, hop)
    if ('links' in hop.intended) waiting.push(...hop.intended.links.map(({ peer }) => peer))
  }
  return [...hops.values()]
}

/** Way over links, with the route behind it. */
interface Way {
  readonly intended: Intended
  readonly prefix: string | null
  /** Router that declares the prefix; null for a connected segment. */
  readonly origin: string | null
}

function planHop(planning: Planning, router: RouteRouter): PlannedHop {
  const { network, labelOf } = planning
  const { routerName: name } = router
  const compiled = compileOneNetwork(name, network, () => '')
  const { intended, prefix, origin } =
    localWay(planning, router, compiled) ?? connectedWay(planning, compiled) ?? routedWay(planning, router, compiled)
  return { name, label: labelOf(name), isNode: isNode(router), intended, prefix, origin }
}

/** The address is at the router itself, or behind it. */
function localWay({ destination }: Planning, router: RouteRouter, compiled: DocumentNetwork): Way | null {
  const { addresses, servers, links, software_segment: software } = compiled
  const isAt = (segment: string) => isInside(`${destination}/32`, segment)
  const own = [...addresses, ...servers].map(({ ip }) => ip).concat(links.map(({ local_ip }) => local_ip))
  const local = (intended: Intended, prefix: string): Way => ({ intended, prefix, origin: null })
  if (own.includes(destination)) return local({ local: 'self' }, `${destination}/32`)
  const lan = isNode(router) ? undefined : declaredLans(router).find(isAt)
  if (lan !== undefined) return local({ local: 'lan' }, lan)
  return software !== null && isAt(software) ? local({ local: 'software' }, software) : null
}

/** The address is in the segment of a link. */
function connectedWay({ destination }: Planning, { links }: DocumentNetwork): Way | null {
  const link =
    links.find(({ remote_ip }) => remote_ip === destination) ??
    links.find(
      ({ role, mask, remote_ip }) =>
        role === 'client' && mask < 32 && isInside(`${destination}/32`, toNetwork(`${remote_ip}/${mask}`)),
    )
  if (!link) return null
  const intended = { links: [{ id: link.id, peer: link.peer }] }
  return { intended, prefix: toNetwork(`${link.remote_ip}/${link.mask}`), origin: null }
}

function routedWay(planning: Planning, router: RouteRouter, { links }: DocumentNetwork): Way {
  const { network, graph, destination, isOutside, labelOf } = planning
  const open = routesTo(routesOf(network, graph, router), destination).filter(({ state }) => state === 'chosen')
  const [first] = open
  const ids = new Map(links.map(({ peer, id }) => [peer, id]))
  const ways = open.filter(({ prefix }) => prefix === first?.prefix).flatMap((route) => toLink(route, ids))
  if (first && ways.length > 0) return { intended: { links: ways }, prefix: first.prefix, origin: first.from }
  if (isOutside && !isNode(router) && router.settings.default_route.mode === 1)
    return { intended: { wan: true }, prefix: DEFAULT_PREFIX, origin: null }
  const none = routeReason(network, graph, router, destination, { labelOf, isOutside })
  return { intended: { none }, prefix: null, origin: null }
}

function toLink({ via }: EffectiveRoute, ids: ReadonlyMap<string, string>): { id: string; peer: string }[] {
  const id = ids.get(via)
  return id === undefined ? [] : [{ id, peer: via }]
}
