import { isPassed } from '#infra/local/self-test.ts'
import { type Judge, type ReadCounters, type RunSelfTest, judgeByCounters, passSelfTest } from './judge.ts'
import { type Action, BOOKMARK, NEW_VERSION, type Plan, toCommand } from './plan.ts'
import type { CommandResult, RunWrangler } from './state.ts'

/* Execution of a plan, action by action. */

export interface RunDeps {
  readonly wrangler: RunWrangler
  readonly migrateLibsql: () => Promise<readonly string[]>
  readonly selfTest: RunSelfTest
  readonly counters: ReadCounters
  readonly sleep: (seconds: number) => Promise<void>
  readonly print: (line: string) => void
  /** Keeps a line of this deploy for later. */
  readonly record: (entry: Readonly<Record<string, string | null>>) => void
  /** Decides after each step; the default is self-test and counters. */
  readonly judge?: Judge
}

/** Values that commands have printed, by their placeholder. */
type Values = Map<string, string>

/** Error that ends a deploy. `isLive`: the new version may have traffic already. */
class Ended extends Error {
  readonly isLive: boolean

  constructor(message: string, isLive: boolean) {
    super(message)
    this.isLive = isLive
  }
}

/** A first deploy waits for the certificates of its host names. */
const FINAL_TEST = { first: { tries: 30, pauseS: 10 }, others: { tries: 3, pauseS: 5 } } as const

/** Runs a plan; true if the new version has all traffic and passed its self-test. */
export async function runPlan(plan: Plan, deps: RunDeps): Promise<boolean> {
  const values: Values = new Map()
  try {
    for (const action of plan.actions) await runAction(plan, action, values, deps)
    deps.record({ result: 'deployed', version: values.get(NEW_VERSION) ?? null })
    deps.print(`Deployed${plan.back ? `. The way back: ${toCommand(plan.back.args)}` : ''}`)
    return true
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    deps.record({ result: error.message, version: values.get(NEW_VERSION) ?? null })
    deps.print(`${error.message}${error.isLive ? '' : ' No traffic goes to the new version.'}`)
    return false
  }
}

async function runAction(plan: Plan, action: Action, values: Values, deps: RunDeps): Promise<void> {
  switch (action.kind) {
    case 'migrate-libsql':
      return deps.print(`Migrations applied: ${(await deps.migrateLibsql()).join(', ') || 'none, all were there'}`)
    case 'bookmark':
      return noteBookmark(await runCommand(action.args, values, deps), values, deps)
    case 'migrate':
      return void (await succeed(action.args, values, deps, 'The migrations failed: see above, and the bookmark.'))
    case 'upload':
      return noteVersion(await succeed(action.args, values, deps, 'The upload failed.'), values)
    case 'deploy':
      return void (await succeed(action.args, values, deps, `${HALF} Repeat`, true))
    case 'step':
      return runStep(plan, action, values, deps)
    case 'triggers':
      return void (await succeed(action.args, values, deps, `${AFTER} routes and cron are the old ones: repeat`, true))
    case 'self-test':
      return runFinalTest(plan, deps)
  }
}

const HALF = 'The deploy failed; npx wrangler deployments status says if the new version runs all the same.'
const AFTER = 'The new version has all traffic, but'

/** Writes the bookmark down before anything can need it. */
function noteBookmark({ code, stdout }: CommandResult, values: Values, deps: RunDeps): void {
  const bookmark = code === 0 ? /"bookmark":\s*"([^"]+)"/.exec(stdout)?.[1] : undefined
  if (bookmark === undefined) throw new Ended('D1 gave no bookmark, so nothing was migrated.', false)
  values.set(BOOKMARK, bookmark)
  deps.record({ bookmark })
}

function noteVersion({ output }: CommandResult, values: Values): void {
  const version = /(?:Worker Version ID:|Created version)\s+([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/.exec(output)
  if (!version?.[1]) throw new Ended('The upload named no version, so none can be deployed.', false)
  values.set(NEW_VERSION, version[1])
}

async function runStep(
  plan: Plan,
  { percent, waitS, args }: Extract<Action, { kind: 'step' }>,
  values: Values,
  deps: RunDeps,
): Promise<void> {
  const [newVersion, back] = [values.get(NEW_VERSION), plan.back]
  if (newVersion === undefined || back === null) throw new Error('a step needs a version before it and after it')
  if ((await runCommand(args, values, deps)).code !== 0)
    return goBack(back, `The deployment at ${percent} % failed.`, values, deps)
  deps.print(`${percent} % of the traffic; judged in ${waitS} s`)
  await deps.sleep(waitS)
  const judge = deps.judge ?? judgeByCounters(deps)
  const verdict = await judge({ percent, waitS, newVersion, oldVersion: back.version })
  if (verdict.next === 'go back') return goBack(back, verdict.why, values, deps)
  if (verdict.next === 'stop')
    throw new Ended(
      `${verdict.why} Stopped at ${percent} %. On: ${toCommand(forwardArgs(plan, newVersion))}. Back: ${toCommand(back.args)}.`,
      true,
    )
}

/** Command that gives the new version everything, from the last step of the plan. */
const forwardArgs = ({ actions }: Plan, version: string): readonly string[] =>
  actions
    .flatMap((action) => (action.kind === 'step' ? [action.args] : []))
    .at(-1)
    ?.map((word) => word.replace(NEW_VERSION, version)) ?? []

async function goBack(back: NonNullable<Plan['back']>, why: string, values: Values, deps: RunDeps): Promise<never> {
  deps.print(`${why} Going back.`)
  const { code } = await runCommand(back.args, values, deps)
  throw code === 0
    ? new Ended(`${why} ${back.version} has all traffic again.`, true)
    : new Ended(`${why} Going back failed, too: repeat ${toCommand(back.args)}.`, true)
}

async function runFinalTest({ mode, back }: Plan, deps: RunDeps): Promise<void> {
  const result = await passSelfTest(deps, null, mode === 'first' ? FINAL_TEST.first : FINAL_TEST.others)
  if (isPassed(result)) return
  const way = back === null ? 'no version to go back to: mend it, and deploy again.' : `back: ${toCommand(back.args)}.`
  throw new Ended(`${AFTER} the self-test fails; ${way}`, true)
}

/** Runs a command; one that fails ends the deploy. */
async function succeed(
  args: readonly string[],
  values: Values,
  deps: RunDeps,
  failure: string,
  isLive = false,
): Promise<CommandResult> {
  const result = await runCommand(args, values, deps)
  if (result.code !== 0) throw new Ended(isLive ? `${failure} ${toCommand(args)}.` : failure, isLive)
  return result
}

function runCommand(args: readonly string[], values: Values, deps: RunDeps): Promise<CommandResult> {
  const filled = args.map((word) => word.replace(/<[\w ]+>/, (name) => values.get(name) ?? name))
  deps.print(`> ${toCommand(filled)}`)
  return deps.wrangler(filled)
}
