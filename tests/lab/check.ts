import type { Lab } from '#infra/lab/lab.ts'

/* Checks of the lab: each shows that a setting does to packets what its dialog says. */

export interface Check {
  readonly number: number
  /** Further part of the same claim, which `--only 17b` names. */
  readonly part?: string
  /** One English sentence without a full stop: the claim that holds if it passes. */
  readonly title: string
  /** Driver that the agents need; any for `files`. */
  readonly needs: Lab['driver']
  /** Throws with what was seen instead. It leaves the networks as it found them. */
  run(lab: Lab): Promise<void>
}

/** Throws with a sentence unless a condition holds. */
export function requireThat(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence)
}
