import { compareText, isSameJson } from '#contract/kernel/compare.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { DocumentNetwork } from '#contract/device/document.ts'
import type { DocumentMember, NetworkRows } from '../compile/rows.ts'
import type { MovedDocument } from '../history/setting-change.ts'
import { type EffectiveRoute, type RouteGraph, createRouteGraph, routesOf } from './effective-routes.ts'

/* Effective routes that a change of a network loses, gains or moves to another path. */

export type RouteEffect = 'lost' | 'gained' | 'moved'

/** A prefix with the strongest effect on any router, and its paths there before and after. */
interface RouteChange {
  readonly prefix: string
  /** Router that declares it. */
  readonly from: string
  readonly effect: RouteEffect
  readonly oldVia: readonly string[]
  readonly newVia: readonly string[]
}

/** Difference of the routes of two states of a network. */
export interface RouteDifference {
  readonly changes: readonly RouteChange[]
  /** More kinds of members than may be compared: others may lose or gain further segments. */
  readonly isPartial: boolean
}

export const NO_DIFFERENCE: RouteDifference = { changes: [], isPartial: false }

/** Routers compared at most, one for each prefix and router: more would hold up other requests. */
const COMPARED_MAX = 60_000

const STRENGTH = { lost: 2, gained: 1, moved: 0 } as const

/** True when documents change in a way that may move routes: their routing, or links with their preferences. */
export const movesRoutes = (moved: readonly MovedDocument[]): boolean =>
  moved.some(({ before, after }) => !isSameJson(routePart(before), routePart(after)))

const routePart = (network: DocumentNetwork | null) =>
  network && [network.routing, network.links.map(({ id, preference }) => [id, preference])]

/**
 * Compares the chosen routes of all hardware members, and yields before each compared router. Members with the same links
 * have the same routes to everything but themselves, so two of them stand for all.
 */
export function* routeChanges(before: NetworkRows, after: NetworkRows): Generator<undefined, RouteDifference> {
  if (before === after) return NO_DIFFERENCE
  const [old, now] = [toTable(before), toTable(after)]
  const found = new Map<string, RouteChange>()
  const { routerIds, isPartial } = comparedRouters(old, now)
  for (const routerId of routerIds) {
    yield
    for (const change of changesOf(old.read(routerId), now.read(routerId))) {
      const known = found.get(change.prefix)
      if (!known || STRENGTH[known.effect] < STRENGTH[change.effect]) found.set(change.prefix, change)
    }
  }
  const changes = [...found.values()].toSorted(
    (a, b) => STRENGTH[b.effect] - STRENGTH[a.effect] || compareText(a.prefix, b.prefix),
  )
  return { changes, isPartial }
}

interface RouteTable {
  readonly members: ReadonlyMap<number, DocumentMember>
  /** Text of the member's links and its part in default routes; empty for no member. */
  keyOf(routerId: number): string
  read(routerId: number): readonly EffectiveRoute[]
}

function toTable(network: NetworkRows): RouteTable {
  const graph = createRouteGraph(network)
  const hardware = network.members.filter(({ routerType }) => routerType === ROUTER_TYPE.hardware)
  const members = new Map(hardware.map((member) => [member.routerId, member]))
  return {
    members,
    keyOf: (routerId) => keyIn(graph, members.get(routerId)),
    read: (routerId) => {
      const self = members.get(routerId)
      return self ? routesOf(network, graph, self) : []
    },
  }
}

function keyIn({ links, transits }: RouteGraph, self: DocumentMember | undefined): string {
  if (self === undefined) return ''
  const peers = [...(links.get(self) ?? [])].map(([peer, preference]) => `${peer.routerId}:${preference}`)
  const own = transits.includes(self) ? self.routerId : 'point'
  return [own, self.settings.default_route.mode, ...peers.toSorted(compareText)].join(' ')
}

/** Ids of two routers of each kind, as many as may be compared; points first, because their paths say most. */
function comparedRouters(old: RouteTable, now: RouteTable) {
  const isPoint = (routerId: number) => (now.members.get(routerId) ?? old.members.get(routerId))?.memberType === 'point'
  const all = [...new Set([...old.members.keys(), ...now.members.keys()])]
  const ids = all.toSorted((a, b) => Number(isPoint(b)) - Number(isPoint(a)))
  const kinds = Map.groupBy(ids, (routerId) => `${old.keyOf(routerId)}|${now.keyOf(routerId)}`)
  const compared = [...kinds.values()].flatMap((same) => same.slice(0, 2))
  const routerIds = compared.slice(0, Math.max(2, Math.floor(COMPARED_MAX / ids.length)))
  return { routerIds, isPartial: routerIds.length < compared.length }
}

function changesOf(before: readonly EffectiveRoute[], after: readonly EffectiveRoute[]): readonly RouteChange[] {
  const [old, now] = [chosenByPrefix(before), chosenByPrefix(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((prefix) => {
    const [was, is] = [old.get(prefix) ?? [], now.get(prefix) ?? []]
    if (isSameJson(was, is)) return []
    const effect = is.length === 0 ? 'lost' : was.length === 0 ? 'gained' : 'moved'
    const vias = (routes: readonly (readonly [string, string])[]) => [...new Set(routes.map(([via]) => via))]
    return [{ prefix, from: (is[0] ?? was[0])?.[1] ?? '', effect, oldVia: vias(was), newVia: vias(is) }]
  })
}

/** Neighbor and origin of the chosen routes of each prefix. */
function chosenByPrefix(routes: readonly EffectiveRoute[]): ReadonlyMap<string, (readonly [string, string])[]> {
  const found = new Map<string, (readonly [string, string])[]>()
  for (const { prefix, via, from, state } of routes)
    if (state === 'chosen') found.set(prefix, [...(found.get(prefix) ?? []), [via, from]])
  return found
}
