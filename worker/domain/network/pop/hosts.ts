import { type Violation, violation } from '#contract/kernel/result.ts'
import { hasPlace, nodesOf } from '../compile/pop-segments.ts'
import type { DocumentMember, NetworkRows, PopNode } from '../compile/rows.ts'

/**
 * Nodes share the segments chosen for POP: each part must hold the members that dial its node.
 * A member that had no address before (after a completed order) blocks no other change.
 */
export function checkPopHosts(before: NetworkRows, after: NetworkRows): Violation | null {
  const known = new Set(withoutPlace(before).map(toKey))
  const outside = withoutPlace(after).find((pair) => !known.has(toKey(pair)))
  if (!outside) return null
  return violation('POP_POOL_TOO_SMALL', { nodes: after.popNodes?.length ?? 0, name: outside.member.routerName })
}

interface Pair {
  readonly member: DocumentMember
  readonly node: PopNode
}

const toKey = ({ member, node }: Pair): string => `${member.routerId} ${node.routerId}`

const withoutPlace = (network: NetworkRows): readonly Pair[] =>
  network.members.flatMap((member) =>
    nodesOf(network, member)
      .filter((node) => !hasPlace(network, member, node))
      .map((node) => ({ member, node })),
  )
