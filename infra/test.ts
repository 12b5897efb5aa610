import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { staticChecks } from './check.ts'
import { findChromium } from './local/chromium.ts'
import { buildConsole, buildWorker } from './local/build.ts'
import { installNetworkTools } from './local/network-tools.ts'
import { ROOT } from './local/paths.ts'
import { run } from './local/run.ts'

/** `npm test`: every suite in turn, cheapest first, and one closing line. Arguments name suites: `npm test -- unit web`. */
const SUITES = ['unit', 'agent', 'web', 'workerd', 'libsql', 'browser'] as const

/** Test files at a time. As many as there are cores, where vitest would leave one idle; of browser tests, which share one product and mostly wait, three. */
const WORKERS: Readonly<Partial<Record<(typeof SUITES)[number], string>>> = {
  unit: '100%',
  agent: '100%',
  web: '100%',
  workerd: '100%',
  libsql: '100%',
  browser: '3',
}

/** Characters of a failure's message in the closing list; the whole one is above, with its suite. */
const MESSAGE_LENGTH = 600

const chosen = process.argv.slice(2)
const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name)
const total = { passed: 0, failed: 0, skipped: 0 }
const failures: string[] = []
const seconds: [name: string, taken: number][] = []

if (isChosen('check')) {
  await timed('check', async () => {
    for (const { name, passed } of await staticChecks()) {
      total[passed ? 'passed' : 'failed']++
      if (!passed) failures.push(`check: ${name}`)
    }
  })
}
for (const suite of SUITES.filter(isChosen)) await timed(suite, () => runSuite(suite))

if (failures.length > 0) process.stdout.write(`\nfailed:\n${failures.join('\n')}\n`)
const whole = seconds.reduce((sum, [, taken]) => sum + taken, 0)
process.stdout.write(`\n${seconds.map(([name, taken]) => `${name} ${taken} s`).join(', ')}; ${whole} s in all\n`)
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`)
process.exit(total.failed > 0 ? 1 : 0)

async function timed(name: string, run: () => Promise<void>): Promise<void> {
  const start = performance.now()
  await run()
  seconds.push([name, Math.round((performance.now() - start) / 1000)])
}

async function runSuite(suite: (typeof SUITES)[number]): Promise<void> {
  const env = { ...process.env }
  if (suite === 'agent') await installNetworkTools()
  if (suite === 'browser') {
    env['CHROMIUM'] = await findChromium()
    await buildConsole()
    await buildWorker()
  }
  const folder = mkdtempSync(join(tmpdir(), 'netloom-test-'))
  const report = join(folder, 'report.json')
  const workers = WORKERS[suite]
  const { code } = await run(
    'vitest',
    [
      'run',
      '--project',
      suite,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...(workers ? [`--maxWorkers=${workers}`] : []),
    ],
    { cwd: ROOT, env, show: true },
  )
  const counted = parseReport(report)
  rmSync(folder, { recursive: true })
  total.passed += counted.numPassedTests
  total.skipped += counted.numPendingTests
  const failed = counted.testResults.flatMap(listFailures)
  // an error outside any test fails the run without failing a test
  if (failed.length === 0 && code !== 0) failed.push('an error outside any test')
  total.failed += failed.length
  failures.push(...failed.map((failure) => `${suite}: ${failure}`))
}

type FileReport = {
  name: string
  status: string
  message: string
  assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
}
type Report = { numPassedTests: number; numPendingTests: number; testResults: FileReport[] }

function parseReport(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return { numPassedTests: 0, numPendingTests: 0, testResults: [] }
  }
}

/** One entry a failed test, or one for a file that does not load. */
function listFailures({ name, status, message, assertionResults }: FileReport): string[] {
  const file = relative(ROOT, name)
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0 && status === 'failed') return [`${file}: ${message.slice(0, MESSAGE_LENGTH)}`]
  return failed.map(
    (test) => `${file} > ${test.fullName}\n    ${test.failureMessages.join('\n').slice(0, MESSAGE_LENGTH)}`,
  )
}
