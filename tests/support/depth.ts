import { inject } from 'vitest'
import { FAILED_SEEDS } from './failed-seeds.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** `npm test -- full`: every repetition, every row. */
    isFull: boolean
    /** A whole number, made from the hash of the tree. */
    seed: number
    /** FUZZ_CALLS; 0 where it is not set. */
    fuzzCalls: number
  }
}

type Suite = keyof typeof FAILED_SEEDS

/** `npm test` runs one part in eight of what only repeats; eight trees run about all of it. */
const PARTS = 8

/** Repetitions of this run, where `npm test -- full` runs so many. */
export const repetitions = (full: number): number => (inject('isFull') ? full : Math.ceil(full / PARTS))

/** Number of fuzzed calls that FUZZ_CALLS asks for. */
export const chosenCalls = (): number | undefined => inject('fuzzCalls') || undefined

/** The seed of this run, and those with which the suite once failed. */
export const seedsOf = (suite: Suite): readonly number[] => [...new Set([inject('seed'), ...FAILED_SEEDS[suite]])]

/** Says that a test which cannot be made smaller is part of this run. */
export const isInTurn = (suite: Suite): boolean => inject('isFull') || seedsOf(suite).some((seed) => seed % PARTS === 0)

/** True if a step with this name is part of this run; with `full` every step is. */
export const isStepInTurn = (name: string): boolean =>
  inject('isFull') || ([...name].reduce((sum, char) => sum + char.charCodeAt(0), 0) + inject('seed')) % PARTS === 0

/** Rows of a table that this run takes; never none. */
export function sampleOf<T>(suite: Suite, rows: readonly T[]): readonly T[] {
  if (inject('isFull')) return rows
  const chosen = rows.filter((_, index) => seedsOf(suite).some((seed) => (index + seed) % PARTS === 0))
  return chosen.length > 0 ? chosen : rows.slice(0, 1)
}

/** A row that takes its turn from run to run; with `full` every row. */
export const oneInTurn = <T>(rows: readonly T[]): readonly T[] =>
  inject('isFull') ? rows : rows.filter((_, index) => index === inject('seed') % rows.length)
