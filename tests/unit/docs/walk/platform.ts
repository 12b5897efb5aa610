import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CommandResult } from '#infra/deploy/state.ts'
import { faultOfWrangler } from '../wrangler.ts'
import { type FakePlatform, answer } from '#tests/unit/deploy/fake-wrangler.ts'

/*
 * Program that stands for wrangler in a walk through the guides: an account of the platform, empty at first. It refuses what
 * wrangler or the platform would refuse, and records each command in the file that RECORDED_ACCOUNT names.
 */

export interface RecordedAccount {
  isSignedIn: boolean
  readonly id: string
  databases: { name: string; id: string; place: string; isMigrated: boolean }[]
  buckets: string[]
  /** By environment. */
  workers: Record<string, FakePlatform>
  calls: string[][]
}

export const EMPTY_ACCOUNT: RecordedAccount = {
  isSignedIn: false,
  id: 'f1e2d3c4b5a697887766554433221100',
  databases: [],
  buckets: [],
  workers: {},
  calls: [],
}

class Refusal extends Error {}

const refuse = (words: string): never => {
  throw new Refusal(words)
}

type Args = readonly string[]

const optionOf = (args: Args, name: string): string | null => {
  const at = args.findIndex((word) => word === name || word.startsWith(`${name}=`))
  return at < 0 ? null : (args[at]?.split('=')[1] ?? args[at + 1] ?? null)
}

/** Answers a command, and changes the account as it would. */
async function answerAccount(account: RecordedAccount, args: Args): Promise<CommandResult> {
  account.calls.push([...args])
  const fault = faultOfWrangler(args)
  if (fault !== null) refuse(`Unknown arguments: ${fault}`)
  if (args[0] === 'login') account.isSignedIn = true
  if (!account.isSignedIn) refuse('You are not logged in.')
  const environment = optionOf(args, '--env') ?? ''
  const own = answerOfAccount(account, args)
  if (own !== null) return printed(own)
  const worker = (account.workers[environment] ??= emptyWorker(args))
  requireDatabase(account, environment, args)
  if (args[0] === 'deploy' && args.includes('--dry-run'))
    return printed('Total Upload: 1.5 MiB\n--dry-run: exiting now.')
  worker.hasBucket = account.buckets.includes(`netloom-${environment}-files`)
  const result = answer(worker, toKnown(args))
  if (result.code === 0) await complete(worker, environment, args)
  return result
}

const printed = (stdout: string): CommandResult => ({ code: 0, output: `${stdout}\n`, stdout: `${stdout}\n` })

type Answer = (account: RecordedAccount, args: Args) => string | null

/** Answers of commands that concern the account or its databases. */
const OF_ACCOUNT: Readonly<Record<string, Answer>> = {
  login: () => 'Successfully logged in.',
  whoami: ({ id }) => `You are logged in with an OAuth Token.\n│ Account Name │ Account ID │\n│ Netloom │ ${id} │`,
  'd1 create': createDatabase,
  'd1 list': ({ databases }) => databases.map(({ name, id }) => `│ ${id} │ ${name} │`).join('\n'),
  'd1 export': exportDatabase,
  'd1 insights': ({ databases }, [, , third = '']) =>
    databases.some(({ name }) => name === third) ? '[]' : refuse(`Couldn't find DB with name '${third}'`),
  'd1 execute': (_, args) =>
    args.includes('--remote') && optionOf(args, '--command') !== null ? '[]' : refuse('--command is missing'),
  'r2 bucket': (account, args) => (args[2] === 'create' ? createBucket(account, args[3] ?? '') : null),
}

/** Answer of such a command; null for those of a Worker. */
const answerOfAccount = (account: RecordedAccount, args: Args): string | null =>
  (OF_ACCOUNT[args.slice(0, 2).join(' ')] ?? OF_ACCOUNT[args[0] ?? ''])?.(account, args) ?? null

function createDatabase({ databases }: RecordedAccount, args: Args): string {
  const name = args[2] ?? ''
  if (databases.some((one) => one.name === name)) refuse(`A database with that name already exists [code: 7502]`)
  const id = randomUUID()
  const place = optionOf(args, '--location') ?? optionOf(args, '--jurisdiction') ?? ''
  databases.push({ name, id, place, isMigrated: false })
  return `✅ Successfully created DB '${name}'\n[[d1_databases]]\nbinding = "${name.replaceAll('-', '_')}"\ndatabase_name = "${name}"\ndatabase_id = "${id}"`
}

function exportDatabase({ databases }: RecordedAccount, args: Args): string {
  const name = args[2] ?? ''
  const file = optionOf(args, '--output') ?? refuse('Missing required argument: output')
  if (!args.includes('--remote') || !databases.some((one) => one.name === name)) refuse(`No remote database ${name}`)
  writeFileSync(file, '-- rows')
  return `🌀 Exported to ${file}`
}

function createBucket({ buckets }: RecordedAccount, name: string): string {
  if (buckets.includes(name)) refuse(`The bucket you tried to create already exists [code: 10004]`)
  buckets.push(name)
  return `✅ Created bucket '${name}'`
}

/** A binding to a database that does not exist is refused. */
function requireDatabase({ databases }: RecordedAccount, environment: string, args: Args): void {
  const text = readFileSync('wrangler.toml', 'utf8')
  const [, bound] =
    new RegExp(String.raw`^\[\[env\.${environment}\.d1_databases\]\]\n(?:\w.*\n)*?database_id = "([^"]+)"`, 'm').exec(
      text,
    ) ?? []
  const isUploaded = args[0] === 'deploy' || args[1] === 'upload' || args[0] === 'd1'
  if (isUploaded && bound !== undefined && !databases.some(({ id }) => id === bound))
    refuse(`D1 binding 'DB' references database '${bound}' which was not found. [code: 10181]`)
  if (args[0] === 'd1' && bound === undefined) refuse("Couldn't find a D1 DB with the name or binding 'DB'")
}

function emptyWorker(args: Args): FakePlatform {
  if (args.includes('secret')) refuse('This Worker does not exist on your account. [code: 10007]')
  const pending = readdirSync('migrations').filter((name) => name.endsWith('.sql'))
  const bookmark = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683'
  return {
    versions: [],
    shares: {},
    pending,
    hasBucket: false,
    bookmark,
    failing: {},
    calls: [],
    deployments: [],
  }
}

/** Commands of people that the simpler fake does not know, as ones that it knows. */
function toKnown(args: Args): Args {
  const [first = '', second = '', third = ''] = args
  if (`${first} ${second}` === 'secret bulk') return ['versions', 'secret', 'bulk', third]
  if (first === 'rollback') return ['versions', 'deploy', `${second}@100`]
  if (`${first} ${second}` === 'd1 time-travel' && third === 'restore') return ['d1', 'time-travel', 'info']
  return args
}

/** Gives a new version what the platform would take from configuration and file; `secret bulk` runs at once. */
async function complete(worker: FakePlatform, environment: string, args: Args): Promise<void> {
  const newest = worker.versions.at(-1)
  if (!newest) return
  if (`${args[0]} ${args[1]}` === 'secret bulk') worker.shares = { [newest.id]: 100 }
  if (args[0] !== 'deploy' && args[1] !== 'upload') return
  const { unstable_readConfig: readConfig } = await import('wrangler') // slow, so only where it is needed
  const config = readConfig({ config: 'wrangler.toml', env: environment })
  const file = optionOf(args, '--secrets-file')
  Object.assign(newest, {
    classTag: config.migrations.at(-1)?.tag ?? '',
    classes: config.durable_objects.bindings.map(({ class_name }: { readonly class_name: string }) => class_name),
    vars: Object.fromEntries(Object.entries(config.vars).map(([name, value]) => [name, String(value)])),
    secrets: file === null ? newest.secrets : secretsIn(file),
  })
}

function secretsIn(file: string): readonly string[] {
  if (!existsSync(file)) refuse(`The secrets file ${file} does not exist`)
  return [...readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)=./gm)].map(([, name = '']) => name)
}

const file = process.env['RECORDED_ACCOUNT']
if (file !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const account = JSON.parse(readFileSync(file, 'utf8')) as RecordedAccount
  try {
    const { code, output, stdout } = await answerAccount(account, process.argv.slice(2))
    process.stdout.write(stdout)
    if (code !== 0) process.stderr.write(output)
    process.exitCode = code
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    process.stderr.write(`✘ [ERROR] ${error.message}\n`)
    process.exitCode = 1
  }
  writeFileSync(file, JSON.stringify(account))
}
