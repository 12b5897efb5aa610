import { unstable_readConfig as readConfig } from 'wrangler'
import hosts from '#infra/hosts.json' with { type: 'json' }
import type { Configuration, DeployConfig } from '#infra/deploy/configuration.ts'
import { type DeployOptions, parseOptions } from '#infra/deploy/options.ts'
import type { LiveVersion, State } from '#infra/deploy/state.ts'

/* An installation whose configuration has no fault, and its state after some releases. */

const file = readConfig({ config: 'wrangler.toml', env: 'production' })

/** wrangler.toml as an operator completes it. */
export const CONFIG: DeployConfig = {
  ...file,
  routes: Object.keys(hosts.hosts).map((pattern) => ({ pattern, custom_domain: true })),
  d1_databases: file.d1_databases.map((database: DeployConfig['d1_databases'][number]) => ({
    ...database,
    database_id: '0b5c1c5e-7f8f-4b0a-9f43-5a9f6f1f8a10',
  })),
}

export const CONFIGURATION: Configuration = {
  environment: 'production',
  config: CONFIG,
  hosts,
  shell: { OPERATOR_TOKEN: 'o'.repeat(64) },
}

export const optionsOf = (...args: string[]): DeployOptions => {
  const options = parseOptions(['--env', 'production', ...args])
  if (options === null) throw new Error('no environment')
  return options
}

export const OLD = '11111111-0000-4000-8000-000000000000'
export const NEW = '22222222-0000-4000-8000-000000000000'

export const LIVE: LiveVersion = {
  id: OLD,
  commit: 'aaaaaaaaaaaa',
  classTag: CONFIG.migrations.at(-1)?.tag ?? '',
  classes: CONFIG.durable_objects.bindings.map(({ class_name }) => class_name),
  secrets: ['JWT_KEYS', 'TICKET_KEYS', 'HMAC_SECRET', 'OPERATOR_TOKEN', 'SEAL_KEYS'],
  vars: CONFIG.vars as Record<string, string>,
}

export const STATE: State = {
  live: LIVE,
  divided: [],
  newest: OLD,
  pending: [],
  isBucketMissing: false,
  commit: 'bbbbbbbbbbbb',
  changed: ['worker/app.ts'],
  secretNames: null,
}
