/* Results of checks, and the repetition of those that failed. */

export interface Result {
  readonly label: string
  readonly isPassed: boolean
}

/** Runs checks on a bed, with a result for each, also when the bed does not stand. */
type RunOnBed<C> = (checks: readonly C[], isLast: boolean) => Promise<readonly Result[]>

/** Runs checks; where some fail, these run once more on a fresh bed, after those that every bed needs. The last result counts. */
export async function runOnceMore<C extends { readonly label: string; readonly isNeeded: boolean }>(
  checks: readonly C[],
  run: RunOnBed<C>,
): Promise<readonly Result[]> {
  const first = await run(checks, false)
  const failed = new Set(first.flatMap(({ label, isPassed }) => (isPassed ? [] : [label])))
  if (failed.size === 0) return first
  const second = await run(
    checks.filter(({ label, isNeeded }) => isNeeded || failed.has(label)),
    true,
  )
  const results = new Map([...first, ...second].map((result) => [result.label, result]))
  return [...results.values()]
}
