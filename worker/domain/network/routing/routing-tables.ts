import type { Violation } from '#contract/kernel/result.ts'
import { type Neighbor, type SegmentOwner, checkMemberSegments } from '../addresses/member-segments.ts'

/** A member of one of the networks around a router. */
export interface MemberAround extends SegmentOwner {
  readonly networkNumber: string
  readonly networkName: string
  /** In a network that the caller's role does not cover. */
  readonly isHidden: boolean
}

/**
 * Segments behind a router's next hops, in each of its networks, whose members learn them: they meet there what these
 * announce and what they learn elsewhere. Only segments that are new are checked.
 *
 * @param heldIn what a network and those beside it hold between members, by the network's number.
 */
export function checkRoutedSegments(
  routerName: string,
  segments: readonly string[],
  around: readonly MemberAround[],
  heldIn: (networkNumber: string) => readonly Neighbor[],
): Violation | null {
  const own = around.filter((m) => m.routerName === routerName)
  for (const { networkNumber } of own) {
    const before = around.filter((m) => m.networkNumber === networkNumber)
    const after = before.map((m) => (m.routerName === routerName ? { ...m, lans: segments } : m))
    const neighbors = around.filter((m) => m.networkNumber !== networkNumber)
    const found = checkMemberSegments({ before, after, promoted: [] }, [...neighbors, ...heldIn(networkNumber)])
    if (found) return { ...found, field: 'routes' }
  }
  return null
}
