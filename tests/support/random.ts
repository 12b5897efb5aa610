/** Seeded random choices (mulberry32): one seed, one sequence, so that a finding is repeated by its number. */
export interface Random {
  /** 0 ≤ n < 1. */
  next(): number
  below(limit: number): number
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, chance: (share) => next() < share, pick: (from) => from[below(from.length)] as never }
}
