import { ROOT } from './local/paths.ts'
import { run } from './local/run.ts'

/** Everything a compiler, a linter and the pure tests can find: seconds. `--fix` formats and repairs first. */
export interface CheckResult {
  readonly name: string
  readonly passed: boolean
  readonly output: string
}

type Step = readonly [name: string, command: string, ...args: string[]]

/** A compiler with several threads checks what they share once a thread: two with one thread each take half the time. */
const toTypes = (name: string): Step => [`types: ${name}`, 'tsc', '--singleThreaded', '-p', `tsconfig.${name}.json`]
/** Run two at a time, of about the same length. */
const STEPS: readonly (readonly [Step, Step])[] = [
  [
    ['format', 'oxfmt', '--check', '.'],
    ['lint', 'oxlint', '--quiet', '--deny-warnings'],
  ],
  [toTypes('tests'), toTypes('worker')],
  [toTypes('web'), toTypes('node')],
  [toTypes('kernel'), toTypes('browser')],
]

export async function staticChecks(): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const pair of STEPS) results.push(...(await Promise.all(pair.map(runStep))))
  return results
}

async function runStep([name, command, ...args]: Step): Promise<CheckResult> {
  const { code, output } = await run(command, args, { cwd: ROOT })
  process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name}\n${code === 0 ? '' : output}`)
  return { name, passed: code === 0, output }
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--fix')) {
    await run('oxfmt', ['.'], { cwd: ROOT, show: true })
    await run('oxlint', ['--fix'], { cwd: ROOT, show: true })
  }
  const results = await staticChecks()
  const unit = await run('vitest', ['run', '--project', 'unit'], { cwd: ROOT, show: true })
  process.exit(results.every(({ passed }) => passed) && unit.code === 0 ? 0 : 1)
}
