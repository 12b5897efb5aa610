import { ipNumber } from '../../contract/ipv4.ts'
import type { PrefixRow } from '../../contract/network-fields.ts'
import { ROUTER_TYPE } from '../../contract/limits.ts'
import type { DocumentMember, NetworkRows } from './compile/rows.ts'
import { twinOf } from './compile/peers.ts'
import { declaredLans, serviceSegments } from './compile/segments-of.ts'
import { LINK_PREFERENCE } from './links.ts'
import { parseRange } from './segments.ts'

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

interface Offer extends Pick<EffectiveRoute, 'prefix' | 'from' | 'via' | 'blockedBy'> {
  readonly preference: number
  /** Of a default route: the lowest wins before any preference. */
  readonly metric: number
}

const DEFAULT_PREFIX = '0.0.0.0/0'

/** Routes of one hardware member of a network, by prefix. */
export function effectiveRoutes(network: NetworkRows, self: DocumentMember): readonly EffectiveRoute[] {
  const offers = new Map<string, Offer[]>()
  for (const offer of neighborsOf(network, self).flatMap((peer) => offersOf(network, self, peer))) {
    const same = offers.get(offer.prefix)
    if (same) same.push(offer)
    else offers.set(offer.prefix, [offer])
  }
  const isShared = self.memberType === 'point' && network.settings.routing.type === 1
  return [...offers.values()].flatMap((same) => choose(same, isShared)).toSorted(byPrefix)
}

/** Routers that it has a link to: a point the centres and its point links, a centre the points and the twin-centre link. */
function neighborsOf(network: NetworkRows, self: DocumentMember): readonly DocumentMember[] {
  const { members, settings, pointLinks = [] } = network
  const linked = new Set(
    pointLinks.flatMap(({ serverId, clientId }) =>
      serverId === self.routerId ? [clientId] : clientId === self.routerId ? [serverId] : [],
    ),
  )
  const twin = twinOf({ self, members, settings })
  const isNeighbor = (m: DocumentMember) =>
    m.memberType === self.memberType ? m === twin || linked.has(m.routerId) : true
  return members.filter((m) => m.routerType === ROUTER_TYPE.hardware && m !== self && isNeighbor(m))
}

/** What a neighbor announces. Rows stand at centres and point links; software segments and default routes pass without. */
function offersOf(network: NetworkRows, self: DocumentMember, peer: DocumentMember): readonly Offer[] {
  const { members, settings } = network
  const isCenter = peer.memberType === 'center'
  const base = { via: peer.routerName, preference: preferenceOf(network, self, peer), metric: 0 }
  const behind = isCenter ? members.filter((m) => m.memberType === 'point' && m !== self) : []
  const origins = [peer, ...behind]
  const lans = origins.flatMap((origin) =>
    declaredLans(origin).map((prefix) => ({
      ...base,
      prefix,
      from: origin.routerName,
      blockedBy: blockingRow(settings.prefix, prefix),
    })),
  )
  const system = isCenter
    ? [{ ...base, prefix: serviceSegments(peer).software, from: peer.routerName, blockedBy: null }]
    : []
  const defaults =
    self.settings.default_route.mode === 2
      ? origins.flatMap(({ routerName, settings: { default_route: route } }) =>
          route.mode === 1
            ? [{ ...base, prefix: DEFAULT_PREFIX, from: routerName, blockedBy: null, metric: route.metric ?? 0 }]
            : [],
        )
      : []
  return [...lans, ...system, ...defaults]
}

function preferenceOf({ settings: { routing } }: NetworkRows, self: DocumentMember, peer: DocumentMember): number {
  if (self.memberType === peer.memberType) return LINK_PREFERENCE[self.memberType]
  const center = self.memberType === 'center' ? self : peer
  return routing.type === 2 && routing.main === center.routerId ? LINK_PREFERENCE.main : LINK_PREFERENCE.access
}

/** Of the offers of one prefix those that are taken: the best, or all that are equal where paths share the load. */
function choose(offers: readonly Offer[], isShared: boolean): readonly EffectiveRoute[] {
  const isBetter = (a: Offer, b: Offer) =>
    a.metric - b.metric || b.preference - a.preference || compare(a.via, b.via) || compare(a.from, b.from)
  const [best, ...others] = offers.filter(({ blockedBy }) => blockedBy === null).toSorted(isBetter)
  const equal = others.filter(({ metric, preference }) => metric === best?.metric && preference === best.preference)
  const chosen = new Set([best, ...(isShared ? equal : [])])
  return offers.map((offer) => {
    const { prefix, from, via, blockedBy } = offer
    return {
      prefix,
      from,
      via,
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

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function byPrefix(a: EffectiveRoute, b: EffectiveRoute): number {
  const [x, y] = [parseRange(a.prefix)?.first ?? 0, parseRange(b.prefix)?.first ?? 0]
  return x - y || lengthOf(a) - lengthOf(b) || compare(a.via, b.via) || compare(a.from, b.from)
}
