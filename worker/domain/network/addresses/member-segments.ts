import type { Violation } from '#contract/kernel/result.ts'
import {
  MEMBER_SETTINGS,
  NETWORK_SETTINGS,
  type MemberSettings,
  type NetworkSegmentKind,
} from '#contract/network/settings.ts'
import { serviceSegments } from '../compile/server-segments.ts'
import { SETTING_TITLE } from '../history/setting-words.ts'
import { DEFAULT_MEMBER_SETTINGS } from '../history/stored-settings.ts'
import { labelOf } from '../members/member-name.ts'
import {
  type LocatedOverlap,
  NETWORK_OWNER,
  type OwnedSegment,
  type SegmentKind,
  checkSegments,
  findOverlaps,
} from './overlap.ts'
import { segmentText } from './segments.ts'
import { defaultNodeSegments, parsePopPool } from '../pop/pool.ts'

/* Segments that members and networks bring into routing tables, and the check for overlaps. */

/** Chosen addresses of a centre. Absent fields have their default. */
export interface ChosenAddresses {
  readonly gateway?: MemberSettings['gateway'] | undefined
  readonly pool?: MemberSettings['pool'] | undefined
}

/** Data of a member that decides its segments. */
export interface SegmentHolder extends Pick<ChosenAddresses, 'gateway'> {
  /** Segments behind the device, on its interfaces and behind next hops, `ip/mask`. */
  readonly lans: readonly string[]
  /** Subnet index of a centre; null for a point, and for a centre that has none yet. */
  readonly segmentIndex: number | null
}

/** Segments of a centre's services, chosen or by default. */
export const servedSegments = ({ segmentIndex, gateway }: Omit<SegmentHolder, 'lans'>) =>
  serviceSegments({ segmentIndex, settings: { gateway: gateway ?? DEFAULT_MEMBER_SETTINGS.gateway } })

/** Segments that a member brings into the routing tables of its network: segments behind it, and those of a centre. */
export const segmentsOf = (member: SegmentHolder): readonly string[] => [
  ...member.lans,
  ...(member.segmentIndex === null ? [] : Object.values<string>(servedSegments(member))),
]

export const parseGateway = (json: string | null | undefined): MemberSettings['gateway'] | undefined =>
  json == null ? undefined : MEMBER_SETTINGS.gateway.parse(JSON.parse(json))

export const parsePool = (json: string | null | undefined): MemberSettings['pool'] | undefined =>
  json == null ? undefined : MEMBER_SETTINGS.pool.parse(JSON.parse(json))

/** LANs of a device and the segments behind next hops on them, from its stored columns. */
export const withStaticRoutes = (lans: readonly string[], staticRoutes: string): readonly string[] => [
  ...lans,
  ...(JSON.parse(staticRoutes) as { readonly prefix: string }[]).map(({ prefix }) => prefix),
]

/** A segment of the network itself, with its name in refusals. */
interface NetworkSegment {
  readonly name: string
  readonly segment: string
}

/** Stored row with such segments: a setting as JSON, `point_link` with a list of segments, or `pop_node`. */
interface NetworkSegmentRow {
  readonly kind: NetworkSegmentKind
  readonly value: string
}

export function networkSegments({ kind, value }: NetworkSegmentRow): readonly NetworkSegment[] {
  const json: unknown = JSON.parse(value)
  if (kind === 'pop_node') return defaultNodeSegments(parsePopPool(value))
  if (kind === 'point_link') return (json as string[]).map((segment) => ({ name: '点对点互联', segment }))
  if (kind === 'center_link') {
    const link = NETWORK_SETTINGS.center_link.parse(json)
    const segment = link.enable === 1 ? segmentText(link) : ''
    return segment === '' ? [] : [{ name: SETTING_TITLE.center_link, segment }]
  }
  const { pop, pop_software: software } = NETWORK_SETTINGS.ip_pool.parse(json)
  const toSegment = (name: string, chosen: typeof pop) => (chosen ? [{ name, segment: segmentText(chosen) }] : [])
  return [...toSegment('POP硬件网段', pop), ...toSegment('POP软件网段', software)]
}

/** Segments that a member adds to routing tables. */
export interface SegmentOwner extends SegmentHolder {
  readonly routerName: string
  readonly note: string
  /** Segments towards its carrier, `ip/mask`. */
  readonly wans: readonly string[]
}

/** A member of another network that shares a router with this one; their segments meet on that router. */
export interface Neighbor extends Omit<SegmentOwner, 'wans'> {
  readonly networkNumber: string
  readonly networkName: string
  /** In a network that the caller's role does not cover. */
  readonly isHidden: boolean
  /** True for a segment of this network itself. */
  readonly isOwn?: boolean
}

/** Each segment of a network becomes an owner, since these segments may not overlap each other either. */
export const toNetworkOwners = (
  { number, name, isHidden, isOwn }: NetworkIdentity,
  rows: readonly NetworkSegmentRow[],
): readonly Neighbor[] =>
  rows.flatMap(networkSegments).map(({ name: note, segment }) => ({
    routerName: `${NETWORK_OWNER}${number} ${segment}`,
    note,
    networkNumber: number,
    networkName: name,
    lans: [segment],
    segmentIndex: null,
    isHidden,
    isOwn,
  }))

interface NetworkIdentity {
  readonly number: string
  readonly name: string
  readonly isHidden: boolean
  readonly isOwn: boolean
}

/** Overlaps that exist now, for example with segments that devices reported after they joined. */
export const memberOverlaps = (
  members: readonly SegmentOwner[],
  neighbors: readonly Neighbor[],
): readonly LocatedOverlap[] => findOverlaps(neighborhoodSegments(members, neighbors))

interface SegmentChange {
  readonly before: readonly SegmentOwner[]
  readonly after: readonly SegmentOwner[]
  readonly promoted: readonly SegmentOwner[]
}

/** Refuses an overlap that a change of members adds. An older one counts only if the change adds one of its segments. */
export function checkMemberSegments(change: SegmentChange, neighbors: readonly Neighbor[]): Violation | null {
  return checkSegments(neighborhoodSegments(change.after, neighbors), broughtBy(change, neighbors))
}

/** Returns a predicate for segments that a change adds: by a new member, its other networks, or a new centre. */
export function broughtBy({ before, promoted }: SegmentChange, neighbors: readonly Neighbor[]) {
  const toKey = ({ kind, routerName, segment }: OwnedSegment) => `${kind} ${routerName} ${segment}`
  // Inner segments of a member that leaves may remain as outer ones, through another network.
  const known = new Set(
    neighborhoodSegments(before, neighbors).flatMap((s) =>
      s.kind === 'inner' ? [toKey(s), toKey({ ...s, kind: 'outer' })] : [toKey(s)],
    ),
  )
  const centers = new Set(promoted.map(({ routerName }) => routerName))
  return (segment: OwnedSegment): boolean => centers.has(segment.routerName) || !known.has(toKey(segment))
}

/** Segments that meet in the routing tables of a network's members. Neighbors count only if they share a member. */
export function neighborhoodSegments(
  members: readonly SegmentOwner[],
  neighbors: readonly Neighbor[],
): readonly OwnedSegment[] {
  const names = new Set(members.map((m) => m.routerName))
  const shared = new Set(neighbors.filter((n) => names.has(n.routerName)).map((n) => n.networkNumber))
  const inside = members.flatMap(({ wans, ...member }) => {
    const owner = { routerName: member.routerName, label: labelOf(member) }
    return [
      ...segmentsOf(member).map((segment) => ({ ...owner, segment, kind: 'inner' as const })),
      ...wans.map((segment) => ({ ...owner, segment, kind: 'wan' as const })),
    ]
  })
  const outside = neighbors.flatMap((neighbor) => {
    const { routerName, networkNumber, networkName, isHidden, isOwn = false } = neighbor
    if (!isOwn && !shared.has(networkNumber)) return []
    const lans = names.has(routerName) ? [] : neighbor.lans // those of a member count inside
    const label = isOwn ? labelOf(neighbor) : `组网“${networkName}”的${labelOf(neighbor)}`
    const kind: SegmentKind = isOwn ? 'inner' : 'outer'
    return segmentsOf({ ...neighbor, lans }).map((segment) => ({ routerName, label, segment, isHidden, kind }))
  })
  return [...inside, ...outside]
}
