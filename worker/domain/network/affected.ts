import { ROUTER_TYPE } from '../../contract/limits.ts'
import type { MemberNode } from './links.ts'

type Node = Pick<MemberNode, 'routerType' | 'memberType'> & { readonly routerId: number }

/**
 * Hardware whose document (compile.ts) a change of one network's members moves. A document names its own router and the
 * members of the other kind: adding or removing a point changes its own and the centres', a centre its own and the points',
 * and a change of role changes all. Software has no document.
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

/** What is turned off by a change of members. */
export interface Ended {
  /** Routing of type 2, as it was. */
  readonly routing: { readonly main: number | null } | null
  readonly centerLink: boolean
  /** Members that lose a point link. */
  readonly linkEnds: ReadonlySet<number>
}

/** Hardware that remains and whose document that moves: points choose no main router any more, and it is preferred no more. */
export function affectedByEnd<T extends Node>(
  after: readonly T[],
  { routing, centerLink, linkEnds }: Ended,
): readonly T[] {
  const hardware = hardwareOf(after)
  const hasPoints = hardware.some(({ memberType }) => memberType === 'point')
  return hardware.filter(
    ({ routerId, memberType }) =>
      linkEnds.has(routerId) ||
      (memberType === 'point' ? routing !== null : centerLink || (routing?.main === routerId && hasPoints)),
  )
}

/** Hardware whose document names a software member: the centres of its networks. */
export const filterCenters = <T extends Node>(members: readonly T[]): readonly T[] =>
  hardwareOf(members).filter((m) => m.memberType === 'center')

/** Members that have a document: all of them carry what is configured for the network as a whole. */
export const hardwareOf = <T extends Node>(members: readonly T[]): readonly T[] =>
  members.filter((m) => m.routerType === ROUTER_TYPE.hardware)

const byId = <T extends Node>(members: readonly T[]) => new Map(members.map((m) => [m.routerId, m]))
