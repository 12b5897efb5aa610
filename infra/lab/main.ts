import { parseArgs } from 'node:util'
import { messageOfError } from '#infra/agent/log.ts'
import type { Check } from '#tests/lab/check.ts'
import { CHECKS } from '#tests/lab/checks.ts'
import { DRIVERS, type DriverName } from './agents.ts'
import { RUN_VARIABLE } from './bed/bed.ts'
import { listLeftRuns, removeRun } from './bed/leftovers.ts'
import { type MachineState, compareMachineStates, readMachineState } from './bed/machine-state.ts'
import { processesWith } from './bed/namespaces.ts'
import { describeEntrances } from './entrances.ts'
import { type Lab, createRunFolder, openLab, removeLab, runName } from './lab.ts'
import { type Result, runOnceMore } from './repetition.ts'
import { findLack } from './requirements.ts'

/**
 * `npm run lab`: builds networks of routers in network namespaces of this machine, starts the product and real agents, and
 * checks what settings do to packets. `-- --only 12,17` runs some checks, `-- --keep` leaves it standing until Ctrl-C,
 * `-- --patience 2` doubles the bounds of checks for a busy machine, `-- --once-more` repeats those that fail on a fresh bed,
 * `-- clean` removes what killed runs left. Elsewhere it prints one line and is skipped (infra/docs/lab.md).
 */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    driver: { type: 'string', default: 'linux' },
    patience: { type: 'string', default: '1' },
    'once-more': { type: 'boolean', default: false },
  },
})

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const secondsSince = (begun: number): string => ((performance.now() - begun) / 1000).toFixed(1)

let isInterrupted = false
/** Resolves with the first signal; a second one does no harm. */
const interrupted = new Promise<NodeJS.Signals>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      isInterrupted = true
      resolve(signal)
    })
})

if (options.keep && options['once-more']) usage('--keep and --once-more exclude each other')
if (positionals[0] === 'clean') await clean()
else
  process.exitCode = await runLab(
    chooseChecks(options.only),
    chooseDriver(options.driver),
    choosePatience(options.patience),
  )
process.exit()

async function clean(): Promise<void> {
  const left = listLeftRuns()
  for (const name of left) await removeRun(name)
  print(left.length === 0 ? 'nothing is left' : `removed ${left.join(', ')}`)
}

function usage(problem: string): never {
  process.stderr.write(`${problem}\n`)
  process.exit(2)
}

function chooseDriver(name: string): DriverName {
  return DRIVERS.find((one) => one === name) ?? usage(`--driver: one of ${DRIVERS.join(', ')}`)
}

/** Factor of the bounds of checks. */
function choosePatience(text: string): number {
  const factor = Number(text)
  return factor >= 1 && factor <= 10 ? factor : usage('--patience: 1 to 10')
}

/** The named checks, or all that the driver can pass. Check 0 is always among them: it waits until the bed stands. */
function chooseChecks(only: string): readonly Check[] {
  const able = CHECKS.filter(({ needs }) => needs === 'files' || options.driver === needs)
  if (only === '') return able
  const named = only.split(',').map((text) => {
    const check = able.find((one) => labelOf(one) === text.trim())
    return check ?? usage(`--only: no check ${text} for this driver`)
  })
  return able.filter((check) => check.number === 0 || named.includes(check))
}

/** Check with its name in results. Check 0 is run on every bed. */
interface LabelledCheck extends Check {
  readonly label: string
  readonly isNeeded: boolean
}

async function runLab(checks: readonly Check[], driver: DriverName, patience: number): Promise<number> {
  const lack = await findLack()
  if (lack !== null) {
    print(`lab: skipped, ${lack}`)
    return 0
  }
  const begun = performance.now()
  const before = await readMachineState()
  const folders: string[] = []
  const run = async (some: readonly LabelledCheck[], isLast: boolean): Promise<readonly Result[]> => {
    if (isInterrupted) return []
    if (folders.length > 0) print('once more, on a fresh bed')
    const folder = createRunFolder()
    folders.push(folder)
    const open = () => openLab(folder, { driver, patience, print })
    const mark = isLast ? '✗' : '↻'
    const results = await runChecks(some, open, mark).catch((error: unknown) => {
      print(`${mark} the lab does not stand: ${messageOfError(error)}`)
      return some.map(({ label }) => ({ label, isPassed: false }))
    })
    await removeLab(folder)
    return results
  }
  const labelled = checks.map((check) => ({ ...check, label: labelOf(check), isNeeded: check.number === 0 }))
  const work = options['once-more'] ? runOnceMore(labelled, run) : run(labelled, true)
  const results = await Promise.race([work, interrupted.then(() => null)])
  if (results === null) for (const folder of folders) await removeLab(folder)
  const isClean = printDifferences(await findDifferences(folders, before))
  if (results === null) return 130
  const passed = results.filter(({ isPassed }) => isPassed).length
  const failed = results.length - passed + (isClean ? 0 : 1)
  print(`${secondsSince(begun)} s in all`)
  print(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** Runs checks on a bed of their own. @param mark of those that fail: ↻ if they run once more */
async function runChecks(
  checks: readonly LabelledCheck[],
  open: () => Promise<Lab>,
  mark: '✗' | '↻',
): Promise<readonly Result[]> {
  const lab = await open()
  const results: Result[] = []
  for (const check of checks) results.push({ label: check.label, isPassed: await isPassed(check, lab, mark) })
  if (options.keep) {
    for (const line of describeEntrances(lab)) print(line)
    await interrupted
  }
  return results
}

/** Number of a check with its part. */
function labelOf({ number, part = '' }: Pick<Check, 'number' | 'part'>): string {
  return `${number}${part}`
}

async function isPassed({ title, run, label }: LabelledCheck, lab: Lab, mark: '✗' | '↻'): Promise<boolean> {
  const begun = performance.now()
  try {
    await run(lab)
    print(`✓ ${label} ${title} (${secondsSince(begun)} s)`)
    return true
  } catch (error) {
    print(`${mark} ${label} ${title} (${secondsSince(begun)} s): ${messageOfError(error)}`)
    return false
  }
}

/** Differences of the machine outside to its state before, with processes of the runs that are alive. */
async function findDifferences(folders: readonly string[], before: MachineState): Promise<readonly string[]> {
  const alive = processesWith(RUN_VARIABLE, (value) => folders.map(runName).includes(value))
  return [...compareMachineStates(before, await readMachineState()), ...alive.map((pid) => `processes: + ${pid}`)]
}

function printDifferences(differences: readonly string[]): boolean {
  if (differences.length === 0) print('✓ the machine outside is as it was')
  else print(`✗ the machine outside is not as it was:\n${differences.map((line) => `    ${line}`).join('\n')}`)
  return differences.length === 0
}
