import { ROOT } from './local/paths.ts'
import { run } from './local/run.ts'

/** Everything a compiler, a linter and the pure tests can find: seconds. `--fix` formats and repairs first. */
export interface CheckResult {
  readonly name: string
  readonly passed: boolean
  readonly output: string
}

const TYPES = ['kernel', 'worker', 'web', 'node', 'tests', 'browser']
const STEPS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format', 'oxfmt', '--check', '.'],
  ['lint', 'oxlint', '--quiet', '--deny-warnings'],
  ...TYPES.map((name) => [`types: ${name}`, 'tsc', '-p', `tsconfig.${name}.json`] as const),
]

export async function staticChecks(): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const [name, command, ...args] of STEPS) {
    const { code, output } = await run(command, args, { cwd: ROOT })
    results.push({ name, passed: code === 0, output })
    process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name}\n${code === 0 ? '' : output}`)
  }
  return results
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
