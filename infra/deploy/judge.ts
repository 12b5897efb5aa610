import { type SelfTest, isPassed, toReport } from '#infra/local/self-test.ts'
import { type Counted, toComplaint } from './comparison.ts'

/* Judgement of a step: go on, stop as it is, or go back. */

interface JudgedStep {
  readonly percent: number
  /** Seconds since the step began. */
  readonly waitS: number
  readonly newVersion: string
  /** Version that has the rest of the traffic; at 100 % it cannot be called any longer. */
  readonly oldVersion: string
}

type Verdict = { readonly next: 'go on' } | { readonly next: 'stop' | 'go back'; readonly why: string }

export type Judge = (step: JudgedStep) => Promise<Verdict>

/** Runs the self-test against a version, or as a visitor would come (null). */
export type RunSelfTest = (version: string | null) => Promise<SelfTest>

/** Counters by release over a time that ended `agoS` seconds ago; null if the installation keeps none. */
export type ReadCounters = (
  version: string,
  time: { readonly spanS: number; readonly agoS: number },
) => Promise<readonly Counted[] | null>

interface Deps {
  readonly selfTest: RunSelfTest
  readonly counters: ReadCounters
  readonly sleep: (seconds: number) => Promise<void>
  readonly print: (line: string) => void
}

const TRIES = 3
const PAUSE_S = 5

/**
 * Judges by the self-test of the new version. One that fails is worse than the old one only if that passes: where both
 * fail, the cause is not the release, and a change of version would only move objects once more.
 */
const judgeBySelfTest =
  (deps: Omit<Deps, 'counters'>): Judge =>
  async ({ percent, newVersion, oldVersion }) => {
    const tried = await passSelfTest(deps, newVersion, { tries: TRIES, pauseS: PAUSE_S })
    if (isPassed(tried)) return { next: 'go on' }
    const isSilent = tried.checks.every(({ fault }) => fault !== null)
    const isOldFailing = percent < 100 ? !isPassed(await deps.selfTest(oldVersion)) : isSilent
    return isOldFailing
      ? { next: 'stop', why: 'The self-test fails, and not for this release alone.' }
      : { next: 'go back', why: `The new release fails its self-test at ${percent} %.` }
  }

/**
 * Judges by the self-test, then by the counters of both releases over the same time. At 100 % the old one has no calls any
 * more, and is taken as it was before the step.
 */
export const judgeByCounters =
  (deps: Deps): Judge =>
  async (step) => {
    const verdict = await judgeBySelfTest(deps)(step)
    if (verdict.next !== 'go on' || step.percent === 0) return verdict
    const counted = await readBoth(deps, step)
    if (counted === null) return { next: 'stop', why: 'The counters of the releases cannot be read.' }
    const complaint = toComplaint(counted)
    deps.print(counted.old === null ? NOT_COMPARED : toLine(counted))
    return complaint === null
      ? { next: 'go on' }
      : { next: 'go back', why: `The new release is worse than the old one at ${step.percent} %: ${complaint}.` }
  }

const NOT_COMPARED = 'No counters of the release before: it is not compared.'

interface Both {
  readonly fresh: Counted
  /** Null: the installation keeps no counters, or counted no call of it. */
  readonly old: Counted | null
}

/** Null: the counters do not come, also not when they are asked again. */
async function readBoth(deps: Deps, { percent, waitS, newVersion, oldVersion }: JudgedStep): Promise<Both | null> {
  for (let left = TRIES - 1; ; left--) {
    try {
      const now = await deps.counters(newVersion, { spanS: waitS, agoS: 0 })
      const before = percent < 100 ? now : await deps.counters(newVersion, { spanS: waitS, agoS: waitS })
      return { fresh: countersOf(now, newVersion) ?? NOTHING, old: countersOf(before, oldVersion) }
    } catch (error) {
      deps.print(error instanceof Error ? error.message : String(error))
      if (left === 0) return null
      await deps.sleep(PAUSE_S)
    }
  }
}

const NOTHING: Counted = { release: '', calls: 0, faults: 0, refusals: 0, overloads: 0 }

const countersOf = (all: readonly Counted[] | null, version: string): Counted | null =>
  all?.find(({ release, calls }) => release === version && calls > 0) ?? null

const toLine = ({ fresh, old }: Both): string =>
  [fresh, old ?? NOTHING]
    .map(
      ({ calls, faults, refusals, overloads }, i) =>
        `${i === 0 ? 'new' : 'old'} release: ${calls} calls, ${faults} faults, ${refusals} refusals, ${overloads} overloads`,
    )
    .join('; ')

/** Repeats a self-test until one passes; answers the last one. */
export async function passSelfTest(
  { selfTest, sleep, print }: Omit<Deps, 'counters'>,
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
