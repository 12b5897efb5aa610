import { type Finding, ROUNDS, inRounds } from '../report.ts'

/* Rounds of the bench of packets. PACKETS_ROUNDS sets another number of them, for a trial. */

export const ROUND_COUNT = Number(process.env['PACKETS_ROUNDS'] ?? ROUNDS)

/** Measures in rounds, and merges their findings. */
export type Rounds = (measure: (round: number) => Promise<readonly Finding[]>) => Promise<readonly Finding[]>

export const rounds: Rounds = (measure) => inRounds(measure, ROUND_COUNT)

/** A figure that moves by more than a quarter between rounds is neither met nor missed. */
export const MOVES = { margin: 0.25 } as const
