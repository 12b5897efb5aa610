import type { Violation } from '#contract/kernel/result.ts'
import {
  type LocatedOverlap,
  NETWORK_OWNER,
  type OwnedSegment,
  type SegmentKind,
  checkSegments,
  findOverlaps,
} from './overlap.ts'
import { labelOf } from '../members/label.ts'
import { type NetworkSegmentRow, type SegmentHolder, networkSegments, segmentsOf } from './member-segment-list.ts'

/** Segments that a member adds to routing tables. */
export interface SegmentOwner extends SegmentHolder {
  readonly routerName: string
  readonly note: string
  /** Segments towards its carrier, `ip/mask`. */
  readonly wans: readonly string[]
}

/** A member of another network that one of this network's routers is in: there their segments meet. */
export interface Neighbor extends SegmentHolder {
  readonly routerName: string
  readonly note: string
  readonly networkNumber: string
  readonly networkName: string
  /** In a network that the caller's role does not cover. */
  readonly isHidden: boolean
  /** A segment that this network itself holds between members. */
  readonly isOwn?: boolean
}

/** Segments of networks as owners: each by itself, since they may not overlap one another either. */
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

/** Overlaps with what devices reported after they had joined. */
export const memberOverlaps = (
  members: readonly SegmentOwner[],
  neighbors: readonly Neighbor[],
): readonly LocatedOverlap[] => findOverlaps(segmentsAround(members, neighbors))

interface SegmentChange {
  readonly before: readonly SegmentOwner[]
  readonly after: readonly SegmentOwner[]
  readonly promoted: readonly SegmentOwner[]
}

/** Refuses an overlap that a change of members brings. One that stood before concerns only who is part of it. */
export function checkMemberSegments(change: SegmentChange, neighbors: readonly Neighbor[]): Violation | null {
  return checkSegments(segmentsAround(change.after, neighbors), broughtBy(change, neighbors))
}

/** Returns a predicate for segments that a change adds: by a new member, its other networks, or a new centre. */
export function broughtBy({ before, promoted }: SegmentChange, neighbors: readonly Neighbor[]) {
  const toKey = ({ kind, routerName, segment }: OwnedSegment) => `${kind} ${routerName} ${segment}`
  // Inner segments of a member that leaves may remain as outer ones, through another network.
  const known = new Set(
    segmentsAround(before, neighbors).flatMap((s) =>
      s.kind === 'inner' ? [toKey(s), toKey({ ...s, kind: 'outer' })] : [toKey(s)],
    ),
  )
  const centers = new Set(promoted.map(({ routerName }) => routerName))
  return (segment: OwnedSegment): boolean => centers.has(segment.routerName) || !known.has(toKey(segment))
}

/** Segments that meet in the routing tables of a network's members. Of neighbors those count whose network one of them is in. */
export function segmentsAround(
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
