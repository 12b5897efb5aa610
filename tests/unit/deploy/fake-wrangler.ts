import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CommandResult } from '#infra/deploy/state.ts'

/*
 * Program that stands for wrangler in tests: it answers like wrangler's JSON and lines, keeps the state of one Worker in
 * the file that FAKE_WRANGLER names, and records each call there.
 */

interface FakeVersion {
  readonly id: string
  readonly tag: string | null
  readonly message: string | null
  readonly classTag: string
  readonly classes: readonly string[]
  readonly secrets: readonly string[]
  readonly vars: Readonly<Record<string, string>>
}

export interface FakePlatform {
  /** Oldest first. */
  versions: FakeVersion[]
  /** Shares in percent by version; empty before the first deploy. */
  shares: Record<string, number>
  pending: string[]
  hasBucket: boolean
  bookmark: string
  /** Start of commands that fail, with the words of the failure. */
  failing: Record<string, string>
  calls: string[][]
  /** Shares after each deployment. */
  deployments: Record<string, number>[]
}

/** Words of a command that fails. */
class Failure extends Error {}

/** Answers one command, and changes the platform as it would. */
export function answer(platform: FakePlatform, args: readonly string[]): CommandResult {
  platform.calls.push([...args])
  try {
    const failure = Object.entries(platform.failing).find(([start]) => args.join(' ').startsWith(start))
    const stdout = `${failure ? fail(failure[1]) : answerOf(platform, args)}\n`
    return { code: 0, output: stdout, stdout }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { code: 1, output: `✘ [ERROR] ${error.message}\n`, stdout: '' }
  }
}

function fail(words: string): never {
  throw new Failure(words)
}

type Args = readonly string[]

function answerOf(platform: FakePlatform, args: Args): string {
  const [first = '', second = '', third = ''] = args
  switch (`${first} ${second}`) {
    case 'deployments status':
      return deploymentOf(platform)
    case 'versions view':
      return versionOf(platform, third)
    case 'versions list':
      return JSON.stringify(
        platform.versions.map(({ id }, i) => ({ id, metadata: { created_on: `2026-11-${10 + i}T00:00:00Z` } })),
      )
    case 'd1 migrations':
      return migrationsOf(platform, third)
    case 'd1 time-travel':
      return JSON.stringify({ bookmark: platform.bookmark }, null, 2)
    case 'r2 bucket':
      return platform.hasBucket ? '{ "name": "files" }' : fail('The specified bucket does not exist. [code: 10006]')
    default:
      return changeOf(platform, args)
  }
}

function changeOf(platform: FakePlatform, args: Args): string {
  const [first = '', second = ''] = args
  switch (`${first} ${second}`) {
    case 'versions upload':
      return `Uploaded netloom (1.20 sec)\nWorker Version ID: ${addVersion(platform, args, {})}`
    case 'versions secret':
      return `✨ Success! Created version ${addVersion(platform, args, { secrets: newSecrets(platform, args) })} with 1 secret created.`
    case 'versions deploy':
      return deployVersions(platform, args)
    case 'triggers deploy':
      return 'Deployed netloom triggers'
    default:
      return first === 'deploy' ? deployAtOnce(platform, args) : fail(`Unknown command: ${args.join(' ')}`)
  }
}

function deploymentOf({ shares }: FakePlatform): string {
  const versions = Object.entries(shares).map(([version_id, percentage]) => ({ version_id, percentage }))
  if (versions.length === 0) fail('This Worker does not exist on your account. [code: 10007]')
  return JSON.stringify({ id: 'deployment', source: 'wrangler', versions }, null, 2)
}

function versionOf({ versions }: FakePlatform, id: string): string {
  const found = versions.find((version) => version.id === id) ?? fail('Version not found [code: 10222]')
  const bindings = [
    ...found.classes.map((class_name) => ({ type: 'durable_object_namespace', name: class_name, class_name })),
    ...found.secrets.map((name) => ({ type: 'secret_text', name })),
    ...Object.entries(found.vars).map(([name, text]) => ({ type: 'plain_text', name, text })),
  ]
  return JSON.stringify({
    id,
    metadata: { created_on: '2026-11-10T00:00:00Z' },
    annotations: found.tag === null ? {} : { 'workers/tag': found.tag },
    resources: { bindings, script: {}, script_runtime: { migration_tag: found.classTag } },
  })
}

function migrationsOf(platform: FakePlatform, verb: string): string {
  if (verb === 'apply') {
    platform.pending = []
    return '🚣 Executed 3 commands'
  }
  const rows = platform.pending.map((name) => `│ ${name} │`).join('\n')
  return rows === '' ? '✅ No migrations to apply!' : `Migrations to be applied:\n┌──────┐\n│ Name │\n${rows}\n└──────┘`
}

function addVersion(platform: FakePlatform, args: Args, over: Partial<FakeVersion>): string {
  const last = platform.versions.at(-1)
  const number = platform.versions.length + 1
  const id = `${String(number).repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`
  const blank = { classTag: '', classes: [], secrets: [], vars: {} }
  const named = { tag: valueOf(args, '--tag'), message: valueOf(args, '--message') }
  platform.versions.push({ ...blank, ...last, ...named, ...over, id })
  return id
}

const valueOf = (args: Args, option: string): string | null =>
  args.includes(option) ? (args[args.indexOf(option) + 1] ?? null) : null

function newSecrets({ versions }: FakePlatform, args: Args): readonly string[] {
  const text = readFileSync(args[3] ?? '', 'utf8')
  return [
    ...new Set([...(versions.at(-1)?.secrets ?? []), ...[...text.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)]),
  ]
}

function deployVersions(platform: FakePlatform, args: Args): string {
  const shares = args.flatMap((word) => {
    const [, id, percent] = /^([0-9a-f-]{36})@(\d+)$/.exec(word) ?? []
    return id === undefined ? [] : [[id, Number(percent)] as const]
  })
  const sum = shares.reduce((total, [, percent]) => total + percent, 0)
  const unknown = shares.find(([id]) => !platform.versions.some((version) => version.id === id))
  if (sum !== 100 || unknown) fail(`Sum of specified percentages (${sum}) must be 100, of versions that exist`)
  platform.shares = Object.fromEntries(shares)
  platform.deployments.push(platform.shares)
  return 'SUCCESS  Deployed netloom'
}

function deployAtOnce(platform: FakePlatform, args: Args): string {
  platform.shares = { [addVersion(platform, args, {})]: 100 }
  platform.deployments.push(platform.shares)
  return 'Deployed netloom triggers'
}

const file = process.env['FAKE_WRANGLER']
if (file !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const platform = JSON.parse(readFileSync(file, 'utf8')) as FakePlatform
  const { code, output, stdout } = answer(platform, process.argv.slice(2))
  writeFileSync(file, JSON.stringify(platform))
  process.stdout.write(stdout)
  if (code !== 0) process.stderr.write(output)
  process.exitCode = code
}
