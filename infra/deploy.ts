import { parseArgs } from 'node:util'
import { createClient } from '@libsql/client'
import { unstable_readConfig as readConfig } from 'wrangler'
import { isRestartSpread } from '#domain/router/presence.ts'
import { buildConsole } from './local/build.ts'
import { migrate, libsqlDatabase } from './local/migrate.ts'
import { ROOT, inRoot } from './local/paths.ts'
import { writePublicRoots } from './local/public-roots.ts'
import { run, stop } from './local/processes.ts'

/**
 * `npm run deploy -- --env staging|production [--secrets-file <file>] [--dry-run]`: SPA, bookmark, migrations, Worker, in
 * this order; stops at the first failure. Required secrets stand in wrangler.toml, and wrangler checks them.
 */
const { values } = parseArgs({
  options: { env: { type: 'string' }, 'secrets-file': { type: 'string' }, 'dry-run': { type: 'boolean' } },
})
const environment = values.env
if (environment !== 'staging' && environment !== 'production') {
  stop('npm run deploy -- --env staging|production [--secrets-file <file>] [--dry-run]   (infra/docs/deploy.md)')
}
const target = ['--env', environment]
const libsqlUrl = process.env['LIBSQL_URL']
const config = readConfig({ config: inRoot('wrangler.toml'), env: environment })
const hasD1 = config.d1_databases.length > 0
if (hasD1 && libsqlUrl) stop(`LIBSQL_URL is set, and wrangler.toml binds D1 to ${environment}: one database, not two.`)
if (!hasD1 && !libsqlUrl) stop(`wrangler.toml binds no D1 to ${environment}: set LIBSQL_URL and LIBSQL_TOKEN.`)
const spread = config.vars['RESTART_SPREAD_S']
if (!isRestartSpread(spread)) stop(`RESTART_SPREAD_S of ${environment} is ${String(spread)}: from 4 to 60 seconds.`)

await buildConsole()
writePublicRoots()
if (values['dry-run']) {
  await wrangler('deploy', ...target, '--dry-run', '--outdir', '.wrangler/deploy')
} else {
  // New columns must be there before code that reads them.
  if (libsqlUrl) await migrateLibsql(libsqlUrl)
  else {
    await wrangler('d1', 'time-travel', 'info', 'DB', ...target) // the bookmark to restore, should the migration be wrong
    await wrangler('d1', 'migrations', 'apply', 'DB', '--remote', ...target)
  }
  const secrets = values['secrets-file']
  await wrangler('deploy', ...target, ...(secrets ? ['--secrets-file', secrets] : []))
}

async function migrateLibsql(url: string): Promise<void> {
  const client = createClient({ url, authToken: process.env['LIBSQL_TOKEN'] ?? '' })
  const applied = await migrate(libsqlDatabase(client))
  client.close()
  process.stdout.write(`Migrations applied: ${applied.join(', ') || 'none, all were there'}\n`)
}

async function wrangler(...args: readonly string[]): Promise<void> {
  const { code } = await run('wrangler', args, { cwd: ROOT, show: true })
  if (code !== 0) process.exit(code)
}
