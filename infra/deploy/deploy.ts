import { type Configuration, checkConfiguration, selfTestHost } from './configuration.ts'
import { type DeployOptions, checkOptions } from './options.ts'
import { type Action, planDeploy, toCommand } from './plan.ts'
import { type RunDeps, runPlan } from './run.ts'
import { type State, UnreadableState, listSecretNames, readRemoteState } from './state.ts'

/* A deploy from its options to its end. */

/** Checkout from which a deploy is made. */
export interface Checkout {
  /** Commit of HEAD; null outside git, and while files differ from it. */
  commit(): Promise<string | null>
  /** Files that differ from those of a commit; null if the commit is unknown. */
  changedSince(commit: string): Promise<readonly string[] | null>
  /** Text of a file; null if it cannot be read. */
  read(file: string): string | null
}

export interface DeployDeps extends Omit<RunDeps, 'selfTest' | 'counters'> {
  readonly configuration: Omit<Configuration, 'environment'>
  readonly checkout: Checkout
  /** Builds what is uploaded; with a dry run also the Worker, which wrangler builds otherwise. */
  build(isDryRun: boolean): Promise<void>
  selfTest(origin: string, version: string | null): ReturnType<RunDeps['selfTest']>
  counters(origin: string, ...asked: Parameters<RunDeps['counters']>): ReturnType<RunDeps['counters']>
}

/** Deploys, or prints the commands of a deploy; false if it was refused or did not succeed. */
export async function deploy(options: DeployOptions, deps: DeployDeps): Promise<boolean> {
  const configuration = { ...deps.configuration, environment: options.environment }
  const { config } = configuration
  const faults = [...checkOptions(options), ...checkConfiguration(configuration)]
  if (faults.length > 0) return refuse(faults, deps)
  const host = selfTestHost(configuration)
  const origin = options.origin ?? (host === null ? null : `https://${host}`)
  if (origin === null) return refuse(['No route names a host for the self-test: add --origin https://<host>.'], deps)
  if (config.vars['OPS_HOST'] && origin.toLowerCase() !== `https://${host}`)
    return refuse(
      [`The self-test asks /ops, which OPS_HOST answers alone: leave out --origin, or name https://${host}.`],
      deps,
    )
  const state = await readState(options, deps).catch((error: unknown) => {
    if (error instanceof UnreadableState) return error.message
    throw error
  })
  if (typeof state === 'string') return refuse([state], deps)
  const plan = planDeploy({ options, config, state })
  if ('refusals' in plan) return refuse(plan.refusals, deps)
  await deps.build(options.isDryRun)
  if (options.isDryRun) {
    for (const line of plan.actions.flatMap((action) => describe(action, origin))) deps.print(line)
    if (plan.back) deps.print(`If a step fails: ${toCommand(plan.back.args)}`)
    return true
  }
  deps.record({
    mode: plan.mode,
    environment: options.environment,
    commit: state.commit,
    before: state.live?.id ?? null,
  })
  return runPlan(plan, {
    ...deps,
    selfTest: (version) => deps.selfTest(origin, version),
    counters: (...asked) => deps.counters(origin, ...asked),
  })
}

function refuse(faults: readonly string[], { print }: DeployDeps): false {
  print(`Nothing was deployed:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
  return false
}

async function readState(options: DeployOptions, deps: DeployDeps): Promise<State> {
  const { wrangler, configuration, checkout } = deps
  const remote = await readRemoteState(wrangler, configuration.config, ['--env', options.environment])
  const before = remote.live?.commit ?? null
  const secrets = options.secretsFile === null ? null : checkout.read(options.secretsFile)
  return {
    ...remote,
    commit: await checkout.commit(),
    changed: before === null ? null : await checkout.changedSince(before),
    secretNames: secrets === null ? null : listSecretNames(secrets),
  }
}

/** Lines of a dry run: each command word for word, and what happens between them. */
function describe(action: Action, origin: string): readonly string[] {
  switch (action.kind) {
    case 'migrate-libsql':
      return ['(apply migrations/ to LIBSQL_URL)']
    case 'self-test':
      return [`NETLOOM_URL=${origin} npm run ops -- self-test`]
    case 'step':
      return [
        toCommand(action.args),
        `(wait ${action.waitS} s, then self-test and counters of the new version at ${origin})`,
      ]
    default:
      return [toCommand(action.args)]
  }
}
