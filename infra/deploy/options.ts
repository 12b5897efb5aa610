import { parseArgs } from 'node:util'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'

/* Options of `npm run deploy`. */

export const USAGE =
  'npm run deploy -- --env staging|production [--steps 5,25,50,100] [--wait 120] [--secrets-file <file> [--secrets-only]] [--origin https://…] [--dry-run]   (infra/docs/deploy.md)'

export type Environment = 'staging' | 'production'

export interface DeployOptions {
  readonly environment: Environment
  /** Percentages of the new version, in turn; null: those of `DEFAULT_STEPS`. */
  readonly steps: readonly number[] | null
  /** Seconds after each step before it is judged. */
  readonly waitS: number
  readonly secretsFile: string | null
  /** Uploads the secrets beside the code that runs, whatever else the checkout brings. */
  readonly isSecretsOnly: boolean
  /** Address of the self-test; null: that of the main host. */
  readonly origin: string | null
  readonly isDryRun: boolean
}

export const DEFAULT_STEPS: readonly number[] = [5, 25, 50, 100]
const DEFAULT_WAIT_S = 120
/** A device that has not come back by then is shown as offline: before that nobody can judge a step. */
const WAIT_MIN_S = PRESENCE.leaseMs / 1000

/** Parses the arguments; null if no environment is named. Throws for an unknown option. */
export function parseOptions(args: readonly string[]): DeployOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      env: { type: 'string' },
      steps: { type: 'string' },
      wait: { type: 'string', default: String(DEFAULT_WAIT_S) },
      'secrets-file': { type: 'string' },
      'secrets-only': { type: 'boolean', default: false },
      origin: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const { env } = values
  if (env !== 'staging' && env !== 'production') return null
  return {
    environment: env,
    steps: values.steps?.split(',').map(toNumber) ?? null,
    waitS: toNumber(values.wait),
    secretsFile: values['secrets-file'] ?? null,
    isSecretsOnly: values['secrets-only'],
    origin: values.origin?.replace(/\/+$/, '') ?? null,
    isDryRun: values['dry-run'],
  }
}

const toNumber = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN)

/** Faults of the options, each as a sentence that says what to do. */
export function checkOptions({ steps, waitS, origin, secretsFile, isSecretsOnly }: DeployOptions): readonly string[] {
  const faults: string[] = []
  const given = steps ?? DEFAULT_STEPS
  const isAscending = given.every((percent, i) => percent > (given[i - 1] ?? 0) && percent <= 100)
  if (!isAscending) faults.push('--steps must ascend from 1 to 100, each once, such as --steps 5,25,50,100.')
  else if (given.at(-1) !== 100) faults.push('--steps must end at 100: a release that stays divided is two releases.')
  if (!(waitS >= WAIT_MIN_S))
    faults.push(
      `--wait must be ${WAIT_MIN_S} seconds or more, the lease of a device: earlier a step shows nothing of those that do not come back.`,
    )
  if (origin !== null && !/^https:\/\/[^/]+$/.test(origin))
    faults.push('--origin must be https:// and a host name alone: the self-test calls the product there.')
  if (isSecretsOnly && secretsFile === null) faults.push('--secrets-only needs --secrets-file <file>.')
  return faults
}
