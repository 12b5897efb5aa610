import type { DeployConfig } from './configuration.ts'
import { DEFAULT_STEPS, type DeployOptions } from './options.ts'
import type { LiveVersion, State } from './state.ts'

/* Plan of a deploy: its commands in order, or the reasons why there are none. */

/** Stands in commands for a value that an earlier command prints. */
export const NEW_VERSION = '<new version>'
export const BOOKMARK = '<bookmark>'

export type Action =
  | { readonly kind: 'bookmark' | 'migrate' | 'upload' | 'deploy' | 'triggers'; readonly args: readonly string[] }
  | { readonly kind: 'migrate-libsql' }
  /** Gives the new version its share, waits, and judges. A share of 0 is for the self-test alone. */
  | { readonly kind: 'step'; readonly percent: number; readonly waitS: number; readonly args: readonly string[] }
  | { readonly kind: 'self-test' }

/** `first`: all at once. `classes`: hub classes, at once. `secrets`: the code that runs, with other secrets. */
type Mode = 'first' | 'classes' | 'secrets' | 'release'

export interface Plan {
  readonly mode: Mode
  readonly actions: readonly Action[]
  /** Version and command to go back to; null where there is no way back. */
  readonly back: { readonly version: string; readonly args: readonly string[] } | null
}

export interface PlanInput {
  readonly options: DeployOptions
  readonly config: DeployConfig
  readonly state: State
}

/** Seconds until a deployment is known everywhere, before the new version is called by its name. */
const PROPAGATION_S = 15

const SEVERAL = 5

/** Plans a deploy. The faults of configuration and options were found before. */
export function planDeploy(input: PlanInput): Plan | { readonly refusals: readonly string[] } {
  const mode = modeOf(input)
  const refusals = [...checkState(input), ...CHECKS[mode](input)]
  return refusals.length > 0 ? { refusals } : { mode, actions: ACTIONS[mode](input), back: toBack(input) }
}

function modeOf({ options, config, state: { live } }: PlanInput): Mode {
  if (live === null) return 'first'
  if (options.isSecretsOnly) return 'secrets'
  if (classChange(config, live) !== null) return 'classes'
  return options.secretsFile === null ? 'release' : 'secrets'
}

/** Hub classes that the version at work does not have, in words; null if it has all. */
function classChange({ migrations, durable_objects }: DeployConfig, live: LiveVersion): string | null {
  const newest = migrations.at(-1)?.tag
  if (live.classTag !== null && newest !== undefined && live.classTag !== newest) return `${live.classTag} to ${newest}`
  const added = durable_objects.bindings.map(({ class_name }) => class_name).filter((c) => !live.classes.includes(c))
  return added.length > 0 ? added.join(', ') : null
}

function checkState({ options, config, state }: PlanInput): readonly string[] {
  const refusals: string[] = []
  const { divided, isBucketMissing, secretNames } = state
  if (divided.length > 0) {
    const commands = divided.map(({ id, percent }) => `${percent} %: ${toCommand(deployArgs([[id, 100]], options))}`)
    refusals.push(
      `Two versions share the traffic, because an earlier deploy did not end. Give one of them all of it, once, then deploy again:\n  ${commands.join('\n  ')}`,
    )
  }
  if (isBucketMissing) {
    const { bucket_name = '', jurisdiction } = config.r2_buckets.find(({ binding }) => binding === 'FILES') ?? {}
    const place = jurisdiction === undefined ? '' : ` --jurisdiction ${jurisdiction}`
    refusals.push(
      `The bucket ${bucket_name} does not exist: create it with npx wrangler r2 bucket create ${bucket_name}${place}.`,
    )
  }
  if (options.secretsFile !== null && secretNames === null)
    refusals.push(
      `${options.secretsFile} cannot be read as secrets: give a file with one NAME=value a line, or a JSON object.`,
    )
  return refusals
}

const CHECKS: Readonly<Record<Mode, (input: PlanInput) => readonly string[]>> = {
  first: checkFirst,
  classes: checkClasses,
  secrets: checkSecretsDeploy,
  release: ({ config, state }) => missingSecrets(config, state.live),
}

const required = ({ secrets }: DeployConfig): readonly string[] => secrets?.required ?? []

function checkFirst({ options, config, state }: PlanInput): readonly string[] {
  const refusals: string[] = []
  const missing = required(config).filter((name) => !state.secretNames?.includes(name))
  if (options.secretsFile === null)
    refusals.push(
      `The first deploy brings the secrets: put ${missing.join(', ')} into a file, and add --secrets-file <file> (infra/docs/deploy.md, step 7).`,
    )
  else if (state.secretNames !== null && missing.length > 0)
    refusals.push(`${options.secretsFile} has no ${missing.join(', ')}: add them; no version starts without.`)
  if (options.steps !== null) refusals.push('The first deploy has nothing to go up beside: leave out --steps.')
  if (options.isSecretsOnly)
    refusals.push('There is no version yet whose secrets could change: leave out --secrets-only.')
  return refusals
}

/** Folders of a change of hub classes; anything else is a release, before or after it. Workers of the bench export them. */
const CLASS_FILES =
  /^(wrangler\.toml$|durable\/|worker\/(index|env\.d)\.ts$|worker\/contract\/|tests\/|infra\/(docs|bench|deploy)\/|README\.md$)/

function checkClasses({ options, config, state }: PlanInput): readonly string[] {
  const { live, pending, changed } = state
  const also: string[] = []
  if (options.secretsFile !== null) also.push('the secrets of --secrets-file (upload them first, with --secrets-only)')
  if (pending.length > 0) also.push(`${count(pending.length, 'migration')} (${list(pending)})`)
  const other = (changed ?? []).filter((file) => !CLASS_FILES.test(file))
  if (other.length > 0) also.push(`${count(other.length, 'other file')} (${list(other)})`)
  const vars = live === null ? [] : changedVars(config, live)
  if (vars.length > 0) also.push(`other vars (${list(vars)})`)
  const refusals = missingSecrets(config, live)
  if (changed === null)
    refusals.push(
      'Hub classes change, and the commit of the version that runs is unknown, so nobody can tell what else would change. Deploy the release that runs once more, from its commit, then the classes.',
    )
  if (also.length > 0)
    refusals.push(
      `Hub classes change (${live === null ? '' : classChange(config, live)}), which no rollback passes, and this deploy would also bring ${also.join(', ')}. Deploy the classes from a commit of their own, then the rest.`,
    )
  if (options.steps !== null)
    refusals.push('A change of hub classes reaches all objects at once, not in steps: leave out --steps.')
  return refusals
}

const changedVars = ({ vars }: DeployConfig, live: LiveVersion): readonly string[] =>
  [...new Set([...Object.keys(vars), ...Object.keys(live.vars)])].filter(
    (name) => String(vars[name] ?? '') !== (live.vars[name] ?? ''),
  )

/** A deploy of secrets keeps the code that runs; it is refused where the checkout would bring more. */
function checkSecretsDeploy({ options, config, state }: PlanInput): readonly string[] {
  const { live, pending, changed, newest, secretNames } = state
  const refusals: string[] = []
  const also = [
    ...(pending.length > 0 ? [count(pending.length, 'migration')] : []),
    ...(changed !== null && changed.length > 0 ? [`${count(changed.length, 'changed file')} (${list(changed)})`] : []),
  ]
  if (!options.isSecretsOnly && also.length > 0)
    refusals.push(
      `Secrets are a deploy of their own, and this checkout also brings ${also.join(' and ')}: add --secrets-only to upload them beside the code that runs, then deploy again without --secrets-file.`,
    )
  if (live !== null && newest !== null && newest !== live.id)
    refusals.push(
      `Secrets are added to the version that was uploaded last, ${newest}, and ${live.id} is the one that runs. Deploy the release that runs once more, from its commit${live.commit === null ? '' : ` ${live.commit}`} and without --secrets-file, then the secrets.`,
    )
  const missing = required(config).filter((name) => !live?.secrets.includes(name) && !secretNames?.includes(name))
  if (secretNames !== null && missing.length > 0)
    refusals.push(`${options.secretsFile ?? ''} has no ${missing.join(', ')}, and neither has the Worker: add them.`)
  return refusals
}

function missingSecrets(config: DeployConfig, live: LiveVersion | null): string[] {
  const missing = required(config).filter((name) => !live?.secrets.includes(name))
  return missing.length > 0
    ? [
        `The Worker has no secret ${missing.join(', ')}, which this release requires: upload it first, in a deploy of its own with --secrets-file <file> --secrets-only.`,
      ]
    : []
}

const ACTIONS: Readonly<Record<Mode, (input: PlanInput) => readonly Action[]>> = {
  first: (input) => [...migration(input), deploy(input), { kind: 'self-test' }],
  classes: (input) => [deploy(input), { kind: 'self-test' }],
  secrets: (input) => [{ kind: 'upload', args: secretUpload(input) }, ...steps(input), { kind: 'self-test' }],
  release: (input) => [
    ...migration(input),
    { kind: 'upload', args: ['versions', 'upload', ...naming(input), ...targetOf(input)] },
    ...steps(input),
    { kind: 'triggers', args: ['triggers', 'deploy', ...targetOf(input)] }, // routes and cron, which a version does not hold
    { kind: 'self-test' },
  ],
}

const targetOf = ({ options }: Pick<PlanInput, 'options'>): readonly string[] => ['--env', options.environment]

/** The version keeps the tag of the code that it shares. */
function secretUpload(input: PlanInput): readonly string[] {
  const { options, state } = input
  const tag = state.live?.commit ? ['--tag', state.live.commit] : []
  return ['versions', 'secret', 'bulk', options.secretsFile ?? '', ...tag, ...targetOf(input)]
}

/** New columns must be there before code that reads them, and the bookmark before the columns. */
function migration({ options, config }: PlanInput): readonly Action[] {
  if (config.d1_databases.length === 0) return [{ kind: 'migrate-libsql' }]
  const target = targetOf({ options })
  return [
    { kind: 'bookmark', args: ['d1', 'time-travel', 'info', 'DB', '--json', ...target] },
    { kind: 'migrate', args: ['d1', 'migrations', 'apply', 'DB', '--remote', ...target] },
  ]
}

/** The version carries commit and bookmark, so that a rollback is possible from another machine. */
function naming({ config, state }: PlanInput): readonly string[] {
  const tag = state.commit === null ? [] : ['--tag', state.commit]
  return config.d1_databases.length === 0 ? tag : [...tag, '--message', `D1 bookmark ${BOOKMARK}`]
}

function deploy(input: PlanInput): Action {
  const { options, state } = input
  const secrets = state.live === null && options.secretsFile !== null ? ['--secrets-file', options.secretsFile] : []
  const named = state.live === null ? naming(input) : state.commit === null ? [] : ['--tag', state.commit]
  return { kind: 'deploy', args: ['deploy', ...secrets, ...named, ...targetOf(input)] }
}

/** Shares only grow, and one command goes back: an object goes forward once, and back once at most. */
function steps({ options, state: { live } }: PlanInput): readonly Action[] {
  const old = live?.id ?? ''
  const step = (percent: number, waitS: number): Action => {
    const shares: Shares = [[NEW_VERSION, percent], ...(percent < 100 ? [[old, 100 - percent] as const] : [])]
    return { kind: 'step', percent, waitS, args: deployArgs(shares, options) }
  }
  return [step(0, PROPAGATION_S), ...(options.steps ?? DEFAULT_STEPS).map((percent) => step(percent, options.waitS))]
}

type Shares = readonly (readonly [version: string, percent: number])[]

const deployArgs = (shares: Shares, options: DeployOptions): readonly string[] => [
  'versions',
  'deploy',
  ...shares.map(([version, percent]) => `${version}@${percent}`),
  '--yes',
  ...targetOf({ options }),
]

function toBack(input: PlanInput): Plan['back'] {
  const { options, config, state } = input
  const { live } = state
  if (live === null || (classChange(config, live) !== null && !options.isSecretsOnly)) return null
  return { version: live.id, args: deployArgs([[live.id, 100]], options) }
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

const list = (names: readonly string[]): string =>
  names.length > SEVERAL ? `${names.slice(0, SEVERAL).join(', ')}, …` : names.join(', ')

/** Line of a command as a shell takes it. */
export const toCommand = (args: readonly string[]): string =>
  ['wrangler', ...args].map((word) => (/^[\w@%.,:/=-]+$/.test(word) ? word : `'${word}'`)).join(' ')
