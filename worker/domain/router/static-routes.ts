import { alignAddress } from '#contract/kernel/ipv4.ts'
import type { StaticRouteRow } from '#contract/network/fields.ts'
import { type StoredStaticRoute, storedStaticRoutes } from '#contract/network/settings.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { type Neighbor, type SegmentOwner, checkMemberSegments } from '#domain/network/addresses/member-segments.ts'
import { isInside, parseRange, toNetwork } from '#domain/network/addresses/segments.ts'
import { reportedSegments } from './interfaces.ts'

/* Static routes of a router (静态路由): correction of network numbers, checks against its interfaces and networks. */

export const parseStaticRoutes = (json: string): readonly StoredStaticRoute[] =>
  storedStaticRoutes.parse(JSON.parse(json))

/** Aligns each network number to its mask, and lists corrections, old → new. */
export function alignStaticRoutes(rows: readonly StaticRouteRow[]) {
  const routes = rows.map(({ prefix, mask, via }) => ({ prefix: `${alignAddress(prefix, mask)}/${mask}`, via }))
  const corrected = rows.flatMap(({ prefix, mask }, row) => {
    const [from, to] = [`${prefix}/${mask}`, routes[row]?.prefix ?? '']
    return from === to ? [] : [{ row, from, to }]
  })
  return { routes, corrected }
}

/**
 * Refuses a duplicate segment, a segment of the device itself, and a next hop that is no other address on one of its LANs.
 * Unchanged routes are not checked, because the device's addresses may have changed since.
 */
export function checkStaticRoutes(
  routes: readonly StoredStaticRoute[],
  before: readonly StoredStaticRoute[],
  interfaces: readonly InterfaceInfo[],
): Violation | null {
  const { lans, wans } = reportedSegments(interfaces)
  const seen = new Set<string>()
  for (const [row, { prefix, via }] of routes.entries()) {
    const field = `routes.${row}.prefix`
    if (seen.has(prefix)) return violation('PREFIX_TWICE', { prefix }, field)
    seen.add(prefix)
    if (before.some((old) => old.prefix === prefix && old.via === via)) continue
    if (lans.length === 0) return violation('STATIC_ROUTE_NO_LAN')
    const own = [...lans, ...wans].find((segment) => isInside(prefix, segment))
    if (own) return violation('STATIC_ROUTE_OWN', { prefix, own: toNetwork(own) }, field)
    if (!lans.some((lan) => isHopOn(lan, via))) {
      const params = { via, lans: lans.map(toNetwork).join('、') }
      return violation('STATIC_ROUTE_HOP', params, `routes.${row}.via`)
    }
  }
  return null
}

/** True for another address in an interface's segment, except its first and last one. */
function isHopOn(lan: string, via: string): boolean {
  const [range, hop] = [parseRange(lan), parseRange(`${via}/32`)?.first]
  if (!range || hop === undefined || lan.split('/')[0] === via) return false
  const isPair = range.last - range.first < 2
  return isPair ? range.first <= hop && hop <= range.last : range.first < hop && hop < range.last
}

/** A member of a network that shares routing tables with a network of the router. */
export type NeighborhoodMember = SegmentOwner & Omit<Neighbor, 'isOwn'>

/**
 * Checks segments behind a router's next hops in each of its networks. Members learn them there, so they may not overlap
 * what members announce or learn elsewhere. Only new segments are checked.
 * @param heldIn segments that a network and its neighbors hold themselves, by the network's number.
 */
export function checkRoutedSegments(
  routerName: string,
  segments: readonly string[],
  neighborhood: readonly NeighborhoodMember[],
  heldIn: (networkNumber: string) => readonly Neighbor[],
): Violation | null {
  const own = neighborhood.filter((m) => m.routerName === routerName)
  for (const { networkNumber } of own) {
    const before = neighborhood.filter((m) => m.networkNumber === networkNumber)
    const after = before.map((m) => (m.routerName === routerName ? { ...m, lans: segments } : m))
    const neighbors = neighborhood.filter((m) => m.networkNumber !== networkNumber)
    const found = checkMemberSegments({ before, after, promoted: [] }, [...neighbors, ...heldIn(networkNumber)])
    if (found) return { ...found, field: 'routes' }
  }
  return null
}
