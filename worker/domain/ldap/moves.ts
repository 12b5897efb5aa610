/** A value that somebody has and the one that they shall have: a name, or a phone. */
export interface Move {
  readonly id: number
  readonly from: string
  readonly to: string
}

/**
 * Of moves that are made together, those that cannot be: their target is held by somebody who keeps it, or wanted by an
 * earlier one. Two may swap.
 * @param held values of those who do not move, lower case
 */
export function findBlockedMoves(moves: readonly Move[], held: ReadonlySet<string>): ReadonlySet<number> {
  const taken = new Set(held)
  const open = new Map<string, Move>() // by target
  const blocked = new Set<number>()
  const queue: Move[] = []
  const block = (move: Move) => {
    blocked.add(move.id)
    queue.push(move)
  }
  for (const move of moves) {
    const target = move.to.toLowerCase()
    if (taken.has(target) || open.has(target)) block(move)
    else open.set(target, move)
  }
  for (let next = queue.pop(); next; next = queue.pop()) {
    const kept = next.from.toLowerCase()
    if (kept === '') continue
    taken.add(kept)
    const other = open.get(kept)
    if (!other) continue
    open.delete(kept)
    block(other)
  }
  return blocked
}

/** Moves that depend on each other, together: chains and circles of names. */
export function groupMoves(moves: readonly Move[]): readonly (readonly Move[])[] {
  const byOrigin = new Map(moves.map((move) => [move.from.toLowerCase(), move]))
  const byTarget = new Map(moves.map((move) => [move.to.toLowerCase(), move]))
  const seen = new Set<Move>()
  const follow = (start: Move, next: (move: Move) => Move | undefined): Move[] => {
    const found: Move[] = []
    for (let move = next(start); move && !seen.has(move); move = next(move)) {
      seen.add(move)
      found.push(move)
    }
    return found
  }
  return moves.flatMap((move) => {
    if (seen.has(move)) return []
    seen.add(move)
    const behind = follow(move, ({ to }) => byOrigin.get(to.toLowerCase()))
    const ahead = follow(move, ({ from }) => byTarget.get(from.toLowerCase()))
    return [[move, ...behind, ...ahead]]
  })
}
