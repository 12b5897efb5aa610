import { type Violation, violation } from '../../contract/errors.ts'
import type { HubName } from '../../contract/hubs.ts'
import { NETWORK, NETWORK_STATUS, ROUTER_TYPE } from '../../contract/limits.ts'
import type { MemberNode } from './links.ts'
import { type Overlap, type OwnedSegment, checkSegments, findOverlap } from './overlap.ts'
import { centerSegments } from './segments.ts'

/** A current or planned member of one network. */
export interface Member extends MemberNode {
  readonly routerId: number
  readonly note: string
  /** Segments behind the device, `ip/mask`. */
  readonly lans: readonly string[]
  /** Segments towards its carrier, `ip/mask`. */
  readonly wans: readonly string[]
  /** Subnet index of a centre; null for a point, and for a centre that has none yet. */
  readonly segmentIndex: number | null
  /** Networks of a candidate; 0 for a present member. */
  readonly networkCount: number
}

/** A member as read from the database. */
export interface StoredMember extends Member {
  readonly hub: HubName
  /** Host number in each centre's subnet; null for a new member. */
  readonly host: number | null
}

/** A member of another network that one of this network's routers is in: there their segments meet. */
export interface Neighbor {
  readonly routerName: string
  readonly note: string
  readonly networkName: string
  readonly lans: readonly string[]
  /** Subnet index of a centre of that network. */
  readonly segmentIndex: number | null
  /** In a network that the caller's role does not cover. */
  readonly isHidden: boolean
}

/** Display name of a member. */
export const labelOf = (member: { note: string; routerName: string }): string => member.note || member.routerName

export interface Change<T extends Member> {
  readonly added: readonly T[]
  readonly removed: readonly T[]
  readonly promoted: readonly T[]
  readonly demoted: readonly T[]
}

/** Difference between two lists of members. */
export function diffMembers<T extends Member>(before: readonly T[], after: readonly T[]): Change<T> {
  const old = new Map(before.map((m) => [m.routerId, m]))
  const kept = new Set(after.map((m) => m.routerId))
  const moved = after.filter((m) => old.has(m.routerId) && old.get(m.routerId)?.memberType !== m.memberType)
  return {
    added: after.filter((m) => !old.has(m.routerId)),
    removed: before.filter((m) => !kept.has(m.routerId)),
    promoted: moved.filter((m) => m.memberType === 'center'),
    demoted: moved.filter((m) => m.memberType === 'point'),
  }
}

/** Members of a plan's names; `known` holds the routers that the caller may choose. */
export function membersOfPlan<T extends Member>(
  plan: { readonly center: readonly string[]; readonly point: readonly string[] },
  known: readonly T[],
): { members: readonly T[]; refused: Violation | null } {
  const byName = new Map(known.map((m) => [m.routerName, m]))
  const members: T[] = []
  const seen = new Set<string>()
  for (const memberType of ['center', 'point'] as const) {
    for (const name of plan[memberType]) {
      const member = byName.get(name)
      if (!member) return { members, refused: violation('ROUTER_NOT_FOUND', {}, memberType) }
      if (seen.has(name)) return { members, refused: violation('MEMBER_TWICE', { name: labelOf(member) }, memberType) }
      seen.add(name)
      members.push({ ...member, memberType, segmentIndex: memberType === 'center' ? member.segmentIndex : null })
    }
  }
  return { members, refused: null }
}

/** What the account may use, and how much of it is used (BASE_QUOTA and active services). */
export interface Quota {
  /** Members in all networks together. */
  readonly members: number
  readonly membersUsed: number
  /** Centres in one network. */
  readonly centers: number
}

/**
 * Rules of a network's members (network 5). A removal is not checked against the limits, so that an account over its
 * quota can get back under it.
 */
export function checkMembers(
  before: readonly Member[],
  after: readonly Member[],
  quota: Quota,
  suspended: boolean,
  neighbors: readonly Neighbor[] = [],
): Violation | null {
  const { added, promoted, demoted } = diffMembers(before, after)
  const grows = added.length + promoted.length > 0
  if (suspended && (grows || demoted.length > 0)) return violation('NETWORK_SUSPENDED')
  if (after.length === 0) return violation('NETWORK_MEMBERS_REQUIRED')
  const centers = after.filter((m) => m.memberType === 'center')
  if (centers.some((m) => m.routerType === ROUTER_TYPE.software)) return violation('SOFTWARE_CENTER_FORBIDDEN')
  if (centers.length === 0) return violation('NETWORK_CENTER_REQUIRED')
  if (!grows) return null
  return checkQuota(before, after, quota) ?? checkSegments(segmentsAround(after, neighbors))
}

/** Rules of one new member without networks and segments that joins as a point. */
export function checkJoin(network: { readonly status: number }, memberCount: number, quota: Quota): Violation | null {
  if (isSuspended(network)) return violation('NETWORK_SUSPENDED')
  if (quota.membersUsed >= quota.members) return violation('MEMBER_LIMIT_REACHED', { limit: quota.members })
  return memberCount < NETWORK.membersMax ? null : violation('MEMBER_LIMIT_REACHED', { limit: NETWORK.membersMax })
}

/** First overlap with what devices reported after they had joined; null if there is none. */
export const memberOverlap = (members: readonly Member[], neighbors: readonly Neighbor[]): Overlap | null =>
  findOverlap(segmentsAround(members, neighbors))

function checkQuota(before: readonly Member[], after: readonly Member[], quota: Quota): Violation | null {
  const { added, promoted } = diffMembers(before, after)
  const isCenter = (m: Member) => m.memberType === 'center'
  if ([...added, ...promoted].some(isCenter) && after.filter(isCenter).length > quota.centers)
    return violation('CENTER_LIMIT_REACHED', { limit: quota.centers })
  if (added.length === 0) return null
  if (quota.membersUsed - before.length + after.length > quota.members)
    return violation('MEMBER_LIMIT_REACHED', { limit: quota.members })
  if (after.length > NETWORK.membersMax) return violation('MEMBER_LIMIT_REACHED', { limit: NETWORK.membersMax })
  const full = added.find((m) => m.networkCount >= NETWORK.perRouter)
  return full ? violation('MEMBER_NETWORKS_FULL', { name: labelOf(full), limit: NETWORK.perRouter }) : null
}

/** Segments that meet in the routing tables of a network's members. */
function segmentsAround(members: readonly Member[], neighbors: readonly Neighbor[]): readonly OwnedSegment[] {
  const names = new Set(members.map((m) => m.routerName))
  const inside = members.flatMap(({ wans, ...member }) => {
    const owner = { routerName: member.routerName, label: labelOf(member) }
    return [
      ...announced(member).map((segment) => ({ ...owner, segment, kind: 'inner' as const })),
      ...wans.map((segment) => ({ ...owner, segment, kind: 'wan' as const })),
    ]
  })
  const outside = neighbors.flatMap((neighbor) => {
    const { routerName, networkName, isHidden } = neighbor
    const lans = names.has(routerName) ? [] : neighbor.lans // those of a member count inside
    const label = `组网“${networkName}”的${labelOf(neighbor)}`
    return announced({ ...neighbor, lans }).map((segment) => ({
      routerName,
      label,
      segment,
      isHidden,
      kind: 'outer' as const,
    }))
  })
  return [...inside, ...outside]
}

const announced = ({ lans, segmentIndex }: Pick<Member, 'lans' | 'segmentIndex'>): readonly string[] => [
  ...lans,
  ...(segmentIndex === null ? [] : Object.values<string>(centerSegments(segmentIndex))),
]

/** Service level on the network list's card (network 2): 1 basic, 2 standard. Ours: by the members bought. */
export const networkLevel = (members: number): 1 | 2 => (members <= NETWORK.basicMembers ? 1 : 2)

/** Over quota: its members may only be removed, and its configuration stays as it is (network 2). */
export const isSuspended = (network: { readonly status: number }): boolean =>
  network.status === NETWORK_STATUS.overQuota
