import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { staticChecks } from './check.ts'
import { findChromium } from './local/chromium.ts'
import { buildConsole, buildWorker } from './local/build.ts'
import { ROOT } from './local/paths.ts'
import { run } from './local/run.ts'

/** `npm test`: every suite in turn, cheapest first, and one closing line. Arguments name suites: `npm test -- unit web`. */
const SUITES = ['unit', 'agent', 'web', 'workerd', 'libsql', 'browser'] as const

const chosen = process.argv.slice(2)
const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name)
const total = { passed: 0, failed: 0, skipped: 0 }
const seconds: [name: string, taken: number][] = []

if (isChosen('check')) {
  await timed('check', async () => {
    for (const { passed } of await staticChecks()) total[passed ? 'passed' : 'failed']++
  })
}
for (const suite of SUITES.filter(isChosen)) await timed(suite, () => runSuite(suite))

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
  if (suite === 'browser') {
    env['CHROMIUM'] = await findChromium()
    await buildConsole()
    await buildWorker()
  }
  const folder = mkdtempSync(join(tmpdir(), 'netloom-test-'))
  const report = join(folder, 'report.json')
  const { code } = await run(
    'vitest',
    ['run', '--project', suite, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { cwd: ROOT, env, show: true },
  )
  const counted = parseCounts(report)
  rmSync(folder, { recursive: true })
  total.passed += counted.numPassedTests
  total.skipped += counted.numPendingTests
  // a file that does not load, or an error outside any test, fails the run without failing a test
  total.failed += Math.max(counted.numFailedTests, code === 0 ? 0 : 1)
}

function parseCounts(report: string): { numPassedTests: number; numFailedTests: number; numPendingTests: number } {
  try {
    return JSON.parse(readFileSync(report, 'utf8')) as ReturnType<typeof parseCounts>
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0 }
  }
}
