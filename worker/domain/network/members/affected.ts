import { type LinkSettings, type MemberNode, centerLinkEnds } from './links.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Hardware routers whose document changes with a change of members, settings, segments or names. */

type Node = Pick<MemberNode, 'routerType' | 'memberType'> & { readonly routerId: number }

/**
 * Hardware affected by a change of one network's members. A document (compile.ts) names its own router and the members of
 * the other role. So adding or removing a point changes its own and the centres' documents, a centre its own and the
 * points', and a change of role changes all. Software has no document.
 */
export function affectedRouters<T extends Node>(before: readonly T[], after: readonly T[]): readonly T[] {
  const [old, now] = [byId(before), byId(after)]
  const all = [...byId([...before, ...after]).values()]
  const changed = all.filter((m) => old.get(m.routerId)?.memberType !== now.get(m.routerId)?.memberType)
  const changedIds = new Set(changed.map((m) => m.routerId))
  const kinds = new Set(changed.flatMap((m) => [old.get(m.routerId)?.memberType, now.get(m.routerId)?.memberType]))
  const isAffected = (m: T) => changedIds.has(m.routerId) || kinds.has(m.memberType === 'center' ? 'point' : 'center')
  return hardwareOf(all).filter(isAffected)
}

export interface EndedSettings {
  /** Former routing of type 2. */
  readonly routing: { readonly main: number | null; readonly secondary: number | null } | null
  readonly centerLink: boolean
  readonly linkEnds: ReadonlySet<number>
}

/** Remaining hardware affected by ended settings: points lose main and secondary router, and these their preference. */
export function affectedByEnd<T extends Node>(
  after: readonly T[],
  { routing, centerLink, linkEnds }: EndedSettings,
): readonly T[] {
  const hardware = hardwareOf(after)
  const hasPoints = hardware.some(({ memberType }) => memberType === 'point')
  const isRanked = (routerId: number) => routing?.main === routerId || routing?.secondary === routerId
  return hardware.filter(
    ({ routerId, memberType }) =>
      linkEnds.has(routerId) ||
      (memberType === 'point' ? routing !== null : centerLink || (isRanked(routerId) && hasPoints)),
  )
}

/**
 * Hardware whose document has the segments behind one member: the member itself, the centres of a point, the other end of
 * the twin-centre link, and the ends of point links. With dynamic routing (`isDynamic`) point links do not count.
 */
export function affectedBySegments<T extends Node>(
  members: readonly T[],
  routerId: number,
  { centerLink, pointLinks }: LinkSettings,
  isDynamic: boolean,
): readonly T[] {
  const self = members.find((m) => m.routerId === routerId)
  if (!self) return []
  if (self.memberType === 'center') {
    const ends = centerLinkEnds(centerLink, members)
    const isEnd = ends?.server === self || ends?.client === self
    return ends && isEnd ? [ends.server, ends.client] : [self]
  }
  const own = pointLinks.filter(({ serverId, clientId }) => serverId === routerId || clientId === routerId)
  const linked = new Set(isDynamic ? [] : own.flatMap(({ serverId, clientId }) => [serverId, clientId]))
  return hardwareOf(members).filter((m) => m === self || m.memberType === 'center' || linked.has(m.routerId))
}

/** Hardware whose document names one member: members of the other role, and the other ends of its links. */
export function affectedByRename<T extends Node>(
  members: readonly T[],
  routerId: number,
  { centerLink, pointLinks }: LinkSettings,
): readonly T[] {
  const others = members.filter((m) => m.routerId !== routerId)
  const twin = affectedBySegments(members, routerId, { centerLink, pointLinks }, false)
  const named = [...affectedRouters(members, others), ...twin].filter((m) => m.routerId !== routerId)
  return [...byId(named).values()]
}

/** Hardware whose document names a software member: the centres of its networks. */
export const filterCenters = <T extends Node>(members: readonly T[]): readonly T[] =>
  hardwareOf(members).filter((m) => m.memberType === 'center')

/** Members that have a document. */
export const hardwareOf = <T extends Node>(members: readonly T[]): readonly T[] =>
  members.filter((m) => m.routerType === ROUTER_TYPE.hardware)

const byId = <T extends Node>(members: readonly T[]) => new Map(members.map((m) => [m.routerId, m]))
