import { POP } from '#contract/network/limits.ts'

/** A node that could carry a network, or an area that has none. */
interface Candidate {
  readonly popId: number
  /** Name of the area. */
  readonly pop: string
  readonly routerId: number | null
}

/** Nodes that a network gets in its areas, of each the first few; `unserved` is an area without any. */
export function pickNodes<T extends Candidate>(candidates: readonly T[]) {
  const taken = new Map<number, number>()
  const nodes = candidates.filter(({ popId, routerId }) => {
    const count = taken.get(popId) ?? 0
    if (routerId === null || count === POP.nodesPerArea) return false
    taken.set(popId, count + 1)
    return true
  })
  return { nodes, unserved: candidates.find(({ routerId }) => routerId === null) ?? null }
}
