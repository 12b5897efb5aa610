import { type SelfTest, isPassed, toReport } from '#infra/local/self-test.ts'

/* Judgement of a step: go on, stop as it is, or go back. */

interface JudgedStep {
  readonly percent: number
  readonly newVersion: string
  /** Version that has the rest of the traffic; at 100 % it cannot be called any longer. */
  readonly oldVersion: string
}

type Verdict = { readonly next: 'go on' } | { readonly next: 'stop' | 'go back'; readonly why: string }

export type Judge = (step: JudgedStep) => Promise<Verdict>

/** Runs the self-test against a version, or as a visitor would come (null). */
export type RunSelfTest = (version: string | null) => Promise<SelfTest>

interface Deps {
  readonly selfTest: RunSelfTest
  readonly sleep: (seconds: number) => Promise<void>
  readonly print: (line: string) => void
}

const TRIES = 3
const PAUSE_S = 5

/**
 * Judges by the self-test of the new version. One that fails is worse than the old one only if that passes: where both
 * fail, the cause is not the release, and a change of version would only move objects once more.
 */
export const judgeBySelfTest =
  (deps: Deps): Judge =>
  async ({ percent, newVersion, oldVersion }) => {
    const tried = await passSelfTest(deps, newVersion, { tries: TRIES, pauseS: PAUSE_S })
    if (isPassed(tried)) return { next: 'go on' }
    const isSilent = tried.checks.every(({ fault }) => fault !== null)
    const isOldFailing = percent < 100 ? !isPassed(await deps.selfTest(oldVersion)) : isSilent
    return isOldFailing
      ? { next: 'stop', why: 'The self-test fails, and not for this release alone.' }
      : { next: 'go back', why: `The new release fails its self-test at ${percent} %.` }
  }

/** Repeats a self-test until one passes; answers the last one. */
export async function passSelfTest(
  { selfTest, sleep, print }: Deps,
  version: string | null,
  { tries, pauseS }: { readonly tries: number; readonly pauseS: number },
): Promise<SelfTest> {
  for (let left = tries - 1; ; left--) {
    const result = await selfTest(version)
    print(toReport(result))
    if (isPassed(result) || left === 0) return result
    await sleep(pauseS)
  }
}
