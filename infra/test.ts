import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { JsonTestResult, JsonTestResults } from 'vitest/node'
import { staticChecks } from './check.ts'
import { findChromium } from './local/chromium.ts'
import { buildConsole, buildWorker } from './local/build.ts'
import { installDirectoryTools, installDs389, installNetworkTools, installSamba } from './local/network-tools.ts'
import { ROOT, createTempFolder } from './local/paths.ts'
import { run } from './local/processes.ts'
import { SEED } from '#tests/support/selection.ts'

type Suite = 'unit' | 'agent' | 'web' | 'workerd' | 'directory' | 'libsql' | 'browser' | 'release' | 'ad'

/**
 * `npm test`: every suite and one closing line. An eighth of the repetitive tests run (tests/support/depth.ts), a third to
 * a fifth of the files about pages, hubs, the API, flows in a browser, servers of LDAP, the agent and its driver of Linux
 * (vitest.config.ts, tests/support/selection.ts), all chosen by the tree, so that each has its turn. In every run are the rules
 * (unit), what a promise rests on (WORKERD_ALWAYS and LIBSQL_ALWAYS of vitest.config.ts) and the main flow. Only `full`
 * runs the rest of the browser suite, matrices on libSQL, hundreds of random pairs and kills of the driver, the release
 * drill, and 389 Directory Server. Other arguments name suites (`npm test -- unit web`) and files of them: `npm test -- full
 * workerd tests/api/fuzz.test.ts`. Suites of one stage run at the same time: pages, browsers, agents and the libSQL server
 * wait for timers and each other, which leaves a core to the rest. `ad` runs only when it is named: it needs root and Samba. `lab` (npm run lab) runs last: six of its checks, with `full` all.
 */
const STAGES: readonly (readonly Suite[])[] = [
  ['unit', 'web'],
  ['workerd', 'libsql'],
  ['browser', 'agent', 'directory', 'release'],
  ['ad'],
]

const CORES = availableParallelism()
/** Test files at a time: as many as there are cores (vitest would leave one idle), more if files wait for devices. */
const WORKERS: Readonly<Record<Suite, number>> = {
  unit: CORES,
  agent: CORES + 1, // real tunnels wait for timers
  web: CORES,
  workerd: CORES + 2, // many of its files wait for timers
  directory: 1,
  libsql: CORES,
  ad: 1,
  release: 1,
  browser: CORES + 2, // two of them wait for leases most of the time
}

/** Runs a command in a network namespace with loopback alone: a domain controller has fixed ports. */
const IN_OWN_NETWORK = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/**
 * Node's young generation may grow to 128 MiB: React and jsdom allocate so much that with the default of 16 MiB web tests
 * take a fifth more processor time.
 */
const NODE_OPTIONS = `${process.env['NODE_OPTIONS'] ?? ''} --max-semi-space-size=128`

/** Checks of the lab in a run that is not full. One that fails is repeated on a fresh bed. */
const FEW_CHECKS = ['--only', '1,2,12,17,37,47', '--once-more']

/** Characters of a failure's message in the closing list; the whole one is above, with its suite. */
const MESSAGE_LENGTH = 600

const isFile = (argument: string) => argument.includes('/')
/** Environment of this process at its start: a build sets NODE_ENV, which tests must not see. */
const INHERITED = { ...process.env }
const isFull = process.argv.includes('full')
const chosen = process.argv.slice(2).filter((argument) => !isFile(argument) && argument !== 'full')
const files = process.argv.slice(2).filter(isFile)
const isChosen = (name: string) => (chosen.length === 0 && name !== 'ad') || chosen.includes(name)
const total = { passed: 0, failed: 0, skipped: 0 }
const failures: string[] = []
const seconds: [name: string, taken: number][] = []
const begun = performance.now()
const temporary = createTempFolder('netloom-tests-')
/** With it a start of the agent takes half of its processor time. */
const NODE_COMPILE_CACHE = join(temporary, 'compiled')
chmodSync(temporary, 0o711) // daemons with accounts of their own reach their sockets in it
const secondsSince = (start: number) => Math.round((performance.now() - start) / 1000)

if (isChosen('check')) {
  await timed('check', async () => {
    for (const { name, passed } of await staticChecks(true)) {
      total[passed ? 'passed' : 'failed']++
      if (!passed) failures.push(`check: ${name}`)
    }
  })
}
for (const stage of STAGES) {
  const running = stage.filter(isChosen).map((suite) => timed(suite, () => runSuite(suite)))
  await Promise.all([...running, stage.includes('workerd') && isChosen('browser') && buildProduct()])
}

if (isChosen('lab') && files.length === 0) await timed('lab', runLab)

rmSync(temporary, { recursive: true, force: true })

if (failures.length > 0) process.stdout.write(`\nfailed:\n${failures.join('\n')}\n`)
const depth = isFull ? 'full' : `an eighth, TEST_SEED=${SEED}`
process.stdout.write(
  `\n${seconds.map(([name, taken]) => `${name} ${taken} s`).join(', ')}; ${secondsSince(begun)} s in all (${depth})\n`,
)
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`)
process.exit(total.failed > 0 ? 1 : 0)

async function timed(name: string, run: () => Promise<void>): Promise<void> {
  const start = performance.now()
  await run()
  seconds.push([name, secondsSince(start)])
}

/**
 * Builds the product for the browser suite beside the suites of the stage before it, whose last files leave a core idle.
 * A failed build ends none of them.
 */
async function buildProduct(): Promise<void> {
  try {
    await buildConsole()
    await buildWorker()
  } catch (error) {
    total.failed++
    failures.push(`build: ${String(error).slice(0, MESSAGE_LENGTH)}`)
  }
}

async function runSuite(suite: Suite): Promise<void> {
  const env: NodeJS.ProcessEnv = {
    ...INHERITED,
    TMPDIR: temporary,
    NODE_OPTIONS,
    NODE_COMPILE_CACHE,
    TEST_DEPTH: isFull ? 'full' : 'eighth',
    TEST_FILES: isFull || files.length > 0 ? 'all' : 'part',
    SCREENSHOTS: join(tmpdir(), 'netloom-screenshots'), // for a look afterwards
  }
  if (suite === 'agent') await installNetworkTools()
  if (suite === 'directory') await installDirectoryTools()
  if (suite === 'directory' && isFull) await installDs389()
  if (suite === 'ad') await installSamba()
  if (suite === 'browser') env['CHROMIUM'] = await findChromium()
  const report = join(temporary, `${suite}.json`)
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const [command = '', ...args] = [
    ...(suite === 'ad' ? IN_OWN_NETWORK : []),
    'vitest',
    'run',
    '--project',
    suite,
    ...files,
    ...options,
    `--maxWorkers=${WORKERS[suite]}`,
    '--silent=passed-only', // a test that provokes a fault logs it
  ]
  const { code } = await run(command, args, { cwd: ROOT, env, show: true })
  const counted = parseReport(report)
  total.passed += counted.numPassedTests
  total.skipped += counted.numPendingTests
  const failed = counted.testResults.flatMap(listFailures)
  // an error outside any test fails the run without failing a test
  if (failed.length === 0 && code !== 0) failed.push('an error outside any test')
  total.failed += failed.length
  failures.push(...failed.map((failure) => `${suite}: ${failure}`))
}

/** The lab beside the suites: it counts its checks in its last line. On a machine that cannot run it, it counts as skipped. */
async function runLab(): Promise<void> {
  const args = ['infra/lab/main.ts', ...(isFull ? [] : FEW_CHECKS)]
  const env = { ...INHERITED, NODE_COMPILE_CACHE }
  const { code, output } = await run(process.execPath, args, { cwd: ROOT, env, show: true })
  if (code === 0 && output.startsWith('lab: skipped')) return void total.skipped++
  const [, passed = '0', failed = '1'] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? []
  total.passed += Number(passed)
  total.failed += Number(failed)
  failures.push(...output.split('\n').flatMap((line) => (line.startsWith('✗') ? [`lab: ${line}`] : [])))
}

function parseReport(file: string): Pick<JsonTestResults, 'numPassedTests' | 'numPendingTests' | 'testResults'> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JsonTestResults
  } catch {
    return { numPassedTests: 0, numPendingTests: 0, testResults: [] }
  }
}

/** One entry a failed test, or one for a file that does not load. */
function listFailures({ name, status, message, assertionResults }: JsonTestResult): string[] {
  const file = relative(ROOT, name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0 && status === 'failed') return [`${file}: ${message.slice(0, MESSAGE_LENGTH)}`]
  return failed.map(
    (test) => `${file} > ${test.fullName}\n    ${(test.failureMessages ?? []).join('\n').slice(0, MESSAGE_LENGTH)}`,
  )
}
