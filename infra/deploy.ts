import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { createClient } from '@libsql/client'
import { unstable_readConfig as readConfig } from 'wrangler'
import hosts from '#infra/hosts.json' with { type: 'json' }
import { messageOfError } from './agent/log.ts'
import { type Checkout, deploy } from './deploy/deploy.ts'
import { USAGE, parseOptions } from './deploy/options.ts'
import { buildAgent, buildConsole } from './local/build.ts'
import { libsqlDatabase, migrate } from './local/migrate.ts'
import { ROOT, inRoot } from './local/paths.ts'
import { run, stop } from './local/processes.ts'
import { writePublicRoots } from './local/public-roots.ts'
import { readCounters, runSelfTest } from './local/self-test.ts'

/**
 * `npm run deploy`: configuration, state and plan are checked before anything is changed; then bookmark, migrations,
 * upload, and the share of the new version step by step (infra/docs/deploy.md).
 */
const options = readOptions() ?? stop(USAGE)
const { environment } = options
const config = readConfig({ config: inRoot('wrangler.toml'), env: environment })
const worker = config.name ?? stop('wrangler.toml names no Worker.')
const env = { ...process.env, WRANGLER_SEND_METRICS: 'false' }
const startedAt = new Date().toISOString()
const print = (line: string) => void process.stdout.write(`${line}\n`)

const isDeployed = await deploy(options, {
  configuration: { config, hosts, shell: process.env },
  checkout: createCheckout(),
  build,
  wrangler,
  migrateLibsql,
  selfTest: (origin, version) =>
    runSelfTest(origin, process.env['OPERATOR_TOKEN'] ?? '', version === null ? undefined : { worker, version }),
  counters: (origin, version, time) =>
    readCounters(origin, process.env['OPERATOR_TOKEN'] ?? '', { worker, version }, time),
  sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  print,
  record,
})
process.exit(isDeployed ? 0 : 1)

function readOptions() {
  try {
    return parseOptions(process.argv.slice(2))
  } catch (error) {
    return stop(`${messageOfError(error)}\n${USAGE}`)
  }
}

async function build(isDryRun: boolean): Promise<void> {
  await buildConsole()
  await buildAgent() // for the download page and for devices
  writePublicRoots()
  if (!isDryRun) return
  const { code } = await wrangler(['deploy', '--env', environment, '--dry-run', '--outdir', '.wrangler/deploy'])
  if (code !== 0) stop('The Worker does not build.')
}

function wrangler(args: readonly string[], isQuiet = false) {
  return run('wrangler', args, { cwd: ROOT, show: !isQuiet, env })
}

async function migrateLibsql(): Promise<readonly string[]> {
  const client = createClient({ url: process.env['LIBSQL_URL'] ?? '', authToken: process.env['LIBSQL_TOKEN'] ?? '' })
  const applied = await migrate(libsqlDatabase(client))
  client.close()
  return applied
}

/** Appends to the register of deploys of this machine; the version itself carries commit and bookmark, too. */
function record(entry: Readonly<Record<string, string | null>>): void {
  mkdirSync(inRoot('.wrangler/deploys'), { recursive: true })
  const line = JSON.stringify({ startedAt, ...entry })
  appendFileSync(inRoot(`.wrangler/deploys/${environment}.jsonl`), `${line}\n`)
}

function createCheckout(): Checkout {
  const git = async (...args: string[]) => {
    const { code, stdout } = await run('git', args, { cwd: ROOT })
    return code === 0 ? stdout.trim() : null
  }
  return {
    commit: async () => ((await git('status', '--porcelain')) === '' ? git('rev-parse', '--short=12', 'HEAD') : null),
    changedSince: async (commit) => (await git('diff', '--name-only', commit))?.split('\n').filter(Boolean) ?? null,
    read: (file) => {
      try {
        return readFileSync(file, 'utf8')
      } catch {
        return null
      }
    },
  }
}
