import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot, ROOT } from './local/paths.ts'
import { run } from './local/processes.ts'

/**
 * `npm run check`: format, lint, types, and the unit and page tests of files that differ from the merge base with the main
 * branch. `--all` takes every unit test and looks for unused files, exports and packages; `--fix` repairs first.
 */
type CheckResult = Awaited<ReturnType<typeof runStep>>

type Step = readonly [name: string, command: string, ...args: string[]]

const BUILD_INFO = inRoot('.wrangler', 'types')

/** Compiles in one thread: several threads would repeat shared work, and two compilers run at a time. */
const compile = (name: string): Step => [
  `types: ${name}`,
  'tsc',
  '--singleThreaded',
  '--incremental',
  '--tsBuildInfoFile',
  join(BUILD_INFO, `${name}.tsbuildinfo`),
  '-p',
  `tsconfig.${name}.json`,
]
/** Steps; those of a row run at the same time and take about as long. */
const STEPS: readonly (readonly Step[])[] = [
  [
    ['format', 'oxfmt', '--check', '.'],
    ['lint', 'oxlint', '--quiet', '--deny-warnings'],
  ],
  [compile('worker'), compile('web')],
  [compile('node'), compile('kernel')],
  [compile('browser')],
]
const UNUSED: Step = [
  'unused files, exports and packages',
  'knip',
  '--no-progress',
  '--cache',
  '--cache-location',
  BUILD_INFO,
]

/** Tests that are too slow for an inner loop; `npm test` runs them. */
const SLOW = ['tests/unit/libsql/any-writes.test.ts', 'tests/unit/verify/captcha-reader.test.ts']

/** Checks that need no running product; with `isWhole` also unused files, exports and packages. */
export async function staticChecks(isWhole: boolean): Promise<CheckResult[]> {
  mkdirSync(BUILD_INFO, { recursive: true })
  const results: CheckResult[] = []
  for (const steps of STEPS) {
    const isLast = steps === STEPS.at(-1)
    results.push(...(await Promise.all([...steps, ...(isWhole && isLast ? [UNUSED] : [])].map(runStep))))
  }
  return results
}

async function runStep([name, command, ...args]: Step) {
  const { code, output } = await run(command, args, { cwd: ROOT })
  process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name}\n${code === 0 ? '' : output}`)
  return { name, passed: code === 0 }
}

/** Files that differ from the merge base with the main branch, in commits or in the working tree. */
async function listChangedFiles(): Promise<string[]> {
  const git = async (...args: string[]) => {
    const { code, output } = await run('git', args, { cwd: ROOT })
    return code === 0 ? output.split('\n').filter(Boolean) : []
  }
  const bases = await Promise.all(['origin/main', 'main'].map((branch) => git('merge-base', 'HEAD', branch)))
  const base = bases.flat()[0] ?? 'HEAD'
  const changed = [
    ...(await git('diff', '--name-only', base)),
    ...(await git('ls-files', '--others', '--exclude-standard')),
  ]
  return [...new Set(changed)].filter((file) => /\.(tsx?|css|sql|md|json)$/.test(file))
}

/** Runs related tests: page tests for pages, unit tests for the rest. Tests inside workerd start too slowly. */
async function runRelatedTests(): Promise<CheckResult[]> {
  const changed = await listChangedFiles()
  const isOfPages = (file: string) => /^(web|tests\/web)\//.test(file)
  const suites = [
    ['web', changed.filter(isOfPages)],
    ['unit', changed.filter((file) => !isOfPages(file))],
  ] as const
  const results: CheckResult[] = []
  for (const [suite, files] of suites) {
    if (files.length === 0) continue
    const excluded = SLOW.flatMap((file) => ['--exclude', file])
    results.push(await runTests(suite, ['related', '--run', '--passWithNoTests', ...excluded, ...files]))
  }
  return results
}

async function runTests(suite: string, args: readonly string[]): Promise<CheckResult> {
  const { code } = await run('vitest', [...args, '--project', suite, '--silent=passed-only'], { cwd: ROOT, show: true })
  return { name: `tests: ${suite}`, passed: code === 0 }
}

if (process.argv[1] === import.meta.filename) {
  const isWhole = process.argv.includes('--all')
  if (process.argv.includes('--fix')) {
    await run('oxfmt', ['.'], { cwd: ROOT, show: true })
    await run('oxlint', ['--fix'], { cwd: ROOT, show: true })
  }
  const results = [
    ...(await staticChecks(isWhole)),
    ...(isWhole ? [await runTests('unit', ['run'])] : await runRelatedTests()),
  ]
  const failed = results.filter(({ passed }) => !passed).map(({ name }) => name)
  process.stdout.write(failed.length === 0 ? '\nno fault\n' : `\nfailed: ${failed.join(', ')}\n`)
  process.exit(failed.length === 0 ? 0 : 1)
}
