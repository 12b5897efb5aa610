import type { DeployConfig } from './configuration.ts'

/* State of the platform and of the checkout before a deploy. */

export interface CommandResult {
  readonly code: number
  /** Both streams, in order. */
  readonly output: string
  readonly stdout: string
}
/** Runs wrangler. `isQuiet`: prints nothing. */
export type RunWrangler = (args: readonly string[], isQuiet?: boolean) => Promise<CommandResult>

/** Version of the Worker that takes all traffic. */
export interface LiveVersion {
  readonly id: string
  /** Commit of the release, its tag; null for a version that another tool uploaded. */
  readonly commit: string | null
  /** Tag of the last change of hub classes; null if the platform does not say. */
  readonly classTag: string | null
  readonly classes: readonly string[]
  readonly secrets: readonly string[]
  readonly vars: Readonly<Record<string, string>>
}

export interface State {
  /** Null before the first deploy. */
  readonly live: LiveVersion | null
  /** Versions that share the traffic after a deploy that did not end; empty for one version. */
  readonly divided: readonly { readonly id: string; readonly percent: number }[]
  /** Version that was uploaded last. */
  readonly newest: string | null
  /** Migrations that the database does not have yet. */
  readonly pending: readonly string[]
  readonly isBucketMissing: boolean
  /** Commit of the checkout; null if it is none, or if files differ from it. */
  readonly commit: string | null
  /** Files changed since the commit of the live version; null if unknown. */
  readonly changed: readonly string[] | null
  /** Names in the file of secrets; null without one, or if it cannot be read. */
  readonly secretNames: readonly string[] | null
}

/** Answers of the platform that a deploy needs, without those of the checkout. */
type RemoteState = Pick<State, 'live' | 'divided' | 'newest' | 'pending' | 'isBucketMissing'>

/** Error of a state that cannot be read. Its message says what to do. */
export class UnreadableState extends Error {}

/** Codes of the platform for a Worker and a bucket that do not exist. */
const NO_WORKER = /code: (10007|10090)\]|has no deployments/
const NO_BUCKET = /code: 10006\]|bucket does not exist/

interface DeploymentAnswer {
  readonly versions: readonly { readonly version_id: string; readonly percentage: number }[]
}
interface VersionAnswer {
  readonly id: string
  readonly metadata?: { readonly created_on?: string }
  readonly annotations?: Readonly<Record<string, string>>
  readonly resources: {
    readonly bindings: readonly {
      readonly type: string
      readonly name: string
      readonly text?: string
      readonly class_name?: string
    }[]
    readonly script_runtime: { readonly migration_tag?: string }
  }
}

/** Reads the state by commands that change nothing, but for wrangler's own table of applied migrations. */
export async function readRemoteState(
  wrangler: RunWrangler,
  config: DeployConfig,
  target: readonly string[],
): Promise<RemoteState> {
  const deployment = await readDeployment(wrangler, target)
  const pending = config.d1_databases.length > 0 ? await readPending(wrangler, target) : []
  const isBucketMissing = await isMissing(wrangler, config, target)
  const versions = deployment?.versions ?? []
  const [first] = versions
  if (!first) return { live: null, divided: [], newest: null, pending, isBucketMissing }
  const most = versions.reduce((best, one) => (one.percentage > best.percentage ? one : best), first)
  const version = await readJson<VersionAnswer>(wrangler, ['versions', 'view', most.version_id, '--json', ...target])
  const list = ['versions', 'list', '--json', ...target]
  const all = await readJson<readonly Pick<VersionAnswer, 'id' | 'metadata'>[]>(wrangler, list)
  const isDivided = versions.filter(({ percentage }) => percentage > 0).length > 1
  return {
    live: toLiveVersion(version),
    divided: isDivided ? versions.map(({ version_id, percentage }) => ({ id: version_id, percent: percentage })) : [],
    newest: all.toSorted((a, b) => createdOn(a).localeCompare(createdOn(b))).at(-1)?.id ?? null,
    pending,
    isBucketMissing,
  }
}

const createdOn = ({ metadata }: Pick<VersionAnswer, 'metadata'>): string => metadata?.created_on ?? ''

function toLiveVersion({ id, annotations, resources: { bindings, script_runtime } }: VersionAnswer): LiveVersion {
  const namesOf = (type: string) => bindings.filter((binding) => binding.type === type)
  return {
    id,
    commit: annotations?.['workers/tag'] ?? null,
    classTag: script_runtime.migration_tag ?? null,
    classes: namesOf('durable_object_namespace').flatMap(({ class_name }) => class_name ?? []),
    secrets: namesOf('secret_text').map(({ name }) => name),
    vars: Object.fromEntries(namesOf('plain_text').map(({ name, text = '' }) => [name, text])),
  }
}

async function readDeployment(wrangler: RunWrangler, target: readonly string[]): Promise<DeploymentAnswer | null> {
  const args = ['deployments', 'status', '--json', ...target]
  const result = await wrangler(args, true)
  if (result.code !== 0 && NO_WORKER.test(result.output)) return null
  return parse<DeploymentAnswer>(args, result)
}

/** Names of migration files in wrangler's table, which has no JSON. */
async function readPending(wrangler: RunWrangler, target: readonly string[]): Promise<readonly string[]> {
  const args = ['d1', 'migrations', 'list', 'DB', '--remote', ...target]
  const result = await wrangler(args, true)
  if (result.code !== 0) return unreadable(args, result)
  return [...new Set(result.output.match(/\b\d{4}_[\w-]+\.sql\b/g))]
}

async function isMissing(wrangler: RunWrangler, config: DeployConfig, target: readonly string[]): Promise<boolean> {
  const { bucket_name = '', jurisdiction } = config.r2_buckets.find(({ binding }) => binding === 'FILES') ?? {}
  const place = jurisdiction === undefined ? [] : ['--jurisdiction', jurisdiction]
  const args = ['r2', 'bucket', 'info', bucket_name, '--json', ...place, ...target]
  const result = await wrangler(args, true)
  if (result.code === 0) return false
  return NO_BUCKET.test(result.output) ? true : unreadable(args, result)
}

async function readJson<T>(wrangler: RunWrangler, args: readonly string[]): Promise<T> {
  return parse<T>(args, await wrangler(args, true))
}

function parse<T>(args: readonly string[], result: CommandResult): T {
  if (result.code !== 0) return unreadable(args, result)
  try {
    return JSON.parse(result.stdout.slice(Math.max(0, result.stdout.search(/[[{]/)))) as T
  } catch {
    return unreadable(args, result)
  }
}

function unreadable(args: readonly string[], { output }: CommandResult): never {
  throw new UnreadableState(
    `wrangler ${args.join(' ')} did not answer: ${output.trim().slice(-500)}\nSign in with npx wrangler login, or set CLOUDFLARE_API_TOKEN, then repeat the deploy; nothing was changed.`,
  )
}

/** Names of a file of secrets: `NAME=value` lines, or a JSON object. A name without a value is left out. */
export function listSecretNames(text: string): readonly string[] {
  if (text.trimStart().startsWith('{')) {
    return Object.entries(JSON.parse(text) as Record<string, unknown>).flatMap(([name, value]) => (value ? name : []))
  }
  return [...text.matchAll(/^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(?!(?:""|'')?\s*$)\S/gm)].map(
    ([, name = '']) => name,
  )
}
