import { type Violation, violation } from '#contract/kernel/result.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { MemberNode } from './links.ts'
import {
  type Neighbor,
  type SegmentOwner,
  checkMemberSegments,
  type ChosenAddresses,
} from '../addresses/member-segments.ts'
import { NETWORK, NETWORK_STATUS, NETWORK_TYPE, POP } from '#contract/network/limits.ts'
import { nameTooLong } from '#contract/network/networks.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { labelOf } from './member-name.ts'

/* Rules of a network and its members: roles, quotas, suspension, name. */

/** A current or planned member of one network. */
export interface Member extends MemberNode, SegmentOwner {
  readonly routerId: number
  /** Networks of a candidate; 0 for a present member. */
  readonly networkCount: number
}

export interface StoredMember extends Member, ChosenAddresses {
  readonly hub: HubName
  /** Host number in each centre's subnet; null for a new member. */
  readonly host: number | null
}

export type Role = Pick<Member, 'routerId' | 'memberType'>

export interface Change<T extends Role> {
  readonly added: readonly T[]
  readonly removed: readonly T[]
  readonly promoted: readonly T[]
  readonly demoted: readonly T[]
}

export function diffMembers<T extends Role>(before: readonly T[], after: readonly T[]): Change<T> {
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

/** Members for the names of a plan; `known` holds the routers that the caller may choose. */
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

/** Limits of the account and their use (BASE_QUOTA and active services). */
export interface Quota {
  /** Members in all networks together. */
  readonly members: number
  readonly membersUsed: number
  readonly centers: number
}
export const NO_QUOTA: Quota = { members: 0, membersUsed: 0, centers: 0 }

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
  networkType: number = NETWORK_TYPE.hub,
): Violation | null {
  const { added, promoted, demoted } = diffMembers(before, after)
  const grows = added.length + promoted.length > 0
  if (suspended && (grows || demoted.length > 0)) return violation('NETWORK_SUSPENDED')
  if (after.length === 0) return violation('NETWORK_MEMBERS_REQUIRED')
  const centers = after.filter((m) => m.memberType === 'center')
  if (centers.some((m) => m.routerType === ROUTER_TYPE.software)) return violation('SOFTWARE_CENTER_FORBIDDEN')
  const missing = networkType === NETWORK_TYPE.pointToPoint ? checkAlike(after) : checkCenters(centers)
  if (missing) return missing
  if (!grows) return null
  return checkQuota(before, after, quota) ?? checkMemberSegments({ before, after, promoted }, neighbors)
}

const checkCenters = (centers: readonly Member[]): Violation | null =>
  centers.length === 0 ? violation('NETWORK_CENTER_REQUIRED') : null

/** Rule of a point-to-point network: no centre, and at least two members. */
function checkAlike(members: readonly Pick<Member, 'memberType'>[]): Violation | null {
  if (members.some((m) => m.memberType === 'center')) return violation('TYPE_TWO_CENTER_FORBIDDEN')
  const { pointToPointMin: min } = NETWORK
  return members.length < min ? violation('TYPE_TWO_MEMBERS_REQUIRED', { min }) : null
}

export function checkRemaining(members: readonly Member[], networkType: number): Violation | null {
  if (networkType === NETWORK_TYPE.pointToPoint) return checkAlike(members)
  return members.some((m) => m.memberType === 'center') ? null : violation('LAST_CENTER')
}

/** Rules for new members that join as points and have no networks and segments yet. */
export function checkJoin(
  network: { readonly status: number },
  memberCount: number,
  quota: Quota,
  added: number,
): Violation | null {
  return isSuspended(network) ? violation('NETWORK_SUSPENDED') : checkSeats(quota, memberCount, memberCount + added)
}

/** Members of all networks must fit the quota, and those of one network its limit. */
function checkSeats({ members, membersUsed }: Quota, before: number, after: number): Violation | null {
  if (membersUsed - before + after > members) return violation('MEMBER_LIMIT_REACHED', { limit: members })
  return after <= NETWORK.membersMax ? null : violation('MEMBER_LIMIT_REACHED', { limit: NETWORK.membersMax })
}

function checkQuota(before: readonly Member[], after: readonly Member[], quota: Quota): Violation | null {
  const { added, promoted } = diffMembers(before, after)
  const isCenter = (m: Member) => m.memberType === 'center'
  if ([...added, ...promoted].some(isCenter) && after.filter(isCenter).length > quota.centers)
    return violation('CENTER_LIMIT_REACHED', { limit: quota.centers })
  if (added.length === 0) return null
  const refused = checkSeats(quota, before.length, after.length)
  if (refused) return refused
  const full = added.find((m) => m.networkCount >= NETWORK.perRouter)
  return full ? violation('MEMBER_NETWORKS_FULL', { name: labelOf(full), limit: NETWORK.perRouter }) : null
}

/** Service level on the network list's card (network 2): 1 basic, 2 standard. It follows from the members bought. */
export const networkLevel = (members: number): 1 | 2 => (members <= NETWORK.basicMembers ? 1 : 2)

/** A network has type 3 while it has a POP resource (network 3). */
export const networkTypeOf = ({ networkType, frId }: { readonly networkType: number; readonly frId: number | null }) =>
  frId === null ? networkType : NETWORK_TYPE.pop

/** True after so long a suspension that all devices lost its configuration. */
export const isWithdrawn = (network: { readonly withdrawn: 0 | 1 }): boolean => network.withdrawn === 1

/** True for a network over quota: its members may only be removed, and its configuration stays (network 2). */
export const isSuspended = (network: { readonly status: number }): boolean =>
  network.status === NETWORK_STATUS.overQuota

interface NamedNetwork {
  readonly name: string
  readonly isPop: boolean
}

export const nameMax = ({ isPop }: Pick<NamedNetwork, 'isPop'>): number => (isPop ? POP.nameMax : NETWORK.nameMax)

/** A network with a POP resource may have a longer name (network 2), which it keeps when the resource goes. */
export function checkName(name: string, network: NamedNetwork): Violation | null {
  const max = nameMax(network)
  if (name === network.name || name.length <= max) return null
  return violation('INPUT_INVALID', { reason: nameTooLong(max) }, 'network_name')
}
