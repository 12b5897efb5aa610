import { parseArgs } from 'node:util'
import { buildConsole } from './local/build.ts'
import { ROOT } from './local/paths.ts'
import { run } from './local/run.ts'

/** `npm run deploy -- --env staging|production`: SPA, migrations, Worker, in this order; stops at the first failure. */
const { values } = parseArgs({ options: { env: { type: 'string' }, 'dry-run': { type: 'boolean' } } })
const environment = values.env
if (environment !== 'staging' && environment !== 'production') {
  process.stderr.write('npm run deploy -- --env staging|production [--dry-run]   (infra/docs/deploy.md)\n')
  process.exit(1)
}

await buildConsole()
const migrations = ['d1', 'migrations', 'apply', 'DB', '--remote', '--env', environment]
const worker = [
  'deploy',
  '--env',
  environment,
  ...(values['dry-run'] ? ['--dry-run', '--outdir', '.wrangler/deploy'] : []),
]
// New columns must be there before code that reads them. With libSQL, migrate as infra/docs/deploy.md says.
if (!values['dry-run'] && !process.env['LIBSQL_URL']) await step(migrations)
await step(worker)

async function step(args: readonly string[]): Promise<void> {
  const { code } = await run('wrangler', args, { cwd: ROOT, show: true })
  if (code !== 0) process.exit(code)
}
