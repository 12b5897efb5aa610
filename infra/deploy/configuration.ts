import type { Unstable_Config as WranglerConfig } from 'wrangler'
import { CAPTCHA_MODES } from '#contract/verify/limits.ts'
import { JURISDICTIONS, LOCATION_HINTS } from '#contract/kernel/hubs.ts'
import { ENTRIES } from '#contract/device/limits.ts'
import { areEntries } from '#domain/router/entries.ts'
import { isRestartSpread } from '#domain/router/presence.ts'
import { areRelays } from '#domain/router/relays.ts'
import type { Environment } from './options.ts'

/* Faults of wrangler.toml and hosts.json that are seen before anything is called. */

/** Part of wrangler.toml, as wrangler reads it for one environment, that a deploy depends on. */
export type DeployConfig = Pick<
  WranglerConfig,
  | 'name'
  | 'workers_dev'
  | 'preview_urls'
  | 'route'
  | 'routes'
  | 'vars'
  | 'd1_databases'
  | 'r2_buckets'
  | 'durable_objects'
  | 'migrations'
  | 'observability'
  | 'version_metadata'
  | 'secrets'
>

export interface Configuration {
  readonly environment: Environment
  readonly config: DeployConfig
  readonly hosts: { readonly main: string; readonly hosts: Readonly<Record<string, unknown>> }
  /** Variables of the shell. */
  readonly shell: Readonly<Record<string, string | undefined>>
}

/** Checks by subject. Each fault is a sentence that says what to do. */
const CHECKS: readonly ((configuration: Configuration) => readonly string[])[] = [
  checkAddresses,
  checkRoutes,
  checkHosts,
  checkDatabase,
  checkFiles,
  checkHubs,
  checkVars,
  checkOpsHost,
  checkSecrets,
  checkLogs,
  checkShell,
]

export const checkConfiguration = (configuration: Configuration): readonly string[] =>
  CHECKS.flatMap((check) => check(configuration))

/** True for a name of documentation and tests, which nobody owns. */
const isPlaceholderHost = (host: string): boolean =>
  /(^|\.)example\.(com|org|net)$|\.(example|invalid|test|localhost)$|^localhost$/.test(host)

/** Host of a route: `*.example.net/*` is `*.example.net`. */
const hostOf = (pattern: string): string => pattern.replace(/^https?:\/\//, '').split('/')[0] ?? ''

interface Route {
  readonly host: string
  readonly pattern: string
  readonly isCustomDomain: boolean
  readonly zone: string | null
}

function listRoutes({ route, routes }: DeployConfig): readonly Route[] {
  return [...(routes ?? []), ...(route === undefined ? [] : [route])].map((given) => {
    const { pattern, ...more } = typeof given === 'string' ? { pattern: given } : given
    const zone = ('zone_name' in more && more.zone_name) || ('zone_id' in more && more.zone_id) || null
    return {
      host: hostOf(pattern),
      pattern,
      isCustomDomain: 'custom_domain' in more && more.custom_domain === true,
      zone,
    }
  })
}

const isCovered = (host: string, routes: readonly Route[]): boolean =>
  routes.some((route) => (route.host.startsWith('*') ? host.endsWith(route.host.slice(1)) : route.host === host))

/**
 * Host of the self-test: the one that alone answers the operator, else the main one, or the first of the routes where that is
 * another environment's.
 */
export function selfTestHost({ config, hosts }: Pick<Configuration, 'config' | 'hosts'>): string | null {
  const { OPS_HOST: opsHost } = config.vars
  if (typeof opsHost === 'string' && opsHost !== '') return opsHost.toLowerCase()
  const routes = listRoutes(config)
  if (isCovered(hosts.main, routes)) return hosts.main
  return routes.find(({ host }) => !host.includes('*'))?.host ?? null
}

function checkAddresses({ environment, config }: Configuration): readonly string[] {
  const faults: string[] = []
  if (config.workers_dev !== false)
    faults.push('workers_dev is on: set workers_dev = false in wrangler.toml, so that only the routes answer.')
  if (config.preview_urls !== false)
    faults.push(
      'preview_urls is on: set preview_urls = false in wrangler.toml, so that no version answers beside them.',
    )
  if (listRoutes(config).length === 0)
    faults.push(
      `${environment} has no route and would not be reachable: add routes = [{ pattern = "<host>", custom_domain = true }] under [env.${environment}] (infra/docs/deploy.md, step 5).`,
    )
  return faults
}

function checkRoutes({ config }: Configuration): readonly string[] {
  return listRoutes(config).flatMap(({ host, pattern, isCustomDomain, zone }) => {
    const faults: string[] = []
    if (isPlaceholderHost(host)) faults.push(`The route ${pattern} is a placeholder: put your own host name there.`)
    if (!isCustomDomain && zone === null)
      faults.push(`The route ${pattern} names no zone: add custom_domain = true, or zone_name = "<your zone>".`)
    if (zone !== null && (isPlaceholderHost(zone) || /^0+$/.test(zone)))
      faults.push(`The zone ${zone} of the route ${pattern} is a placeholder: put your own zone there.`)
    if (!isCustomDomain && !pattern.endsWith('/*'))
      faults.push(`The route ${pattern} covers one path alone: end it with /*.`)
    return faults
  })
}

/** Brands stand in production: another environment shows them under a host name of its own. */
function checkHosts({ environment, config, hosts }: Configuration): readonly string[] {
  const routes = listRoutes(config)
  if (environment !== 'production' || routes.length === 0) return []
  return Object.keys(hosts.hosts)
    .filter((host) => !isCovered(host, routes))
    .map(
      (host) =>
        `infra/hosts.json describes ${host}, and no route leads there: add the route under [env.production], or remove the host.`,
    )
}

function checkDatabase({ environment, config, shell }: Configuration): readonly string[] {
  const [database] = config.d1_databases
  const named = config.vars['LIBSQL_URL']
  const url = shell['LIBSQL_URL'] ?? ''
  if (database) {
    if (named !== undefined || url !== '')
      return [
        `LIBSQL_URL is set, and wrangler.toml binds D1 to ${environment}: one database, not two. Remove [[env.${environment}.d1_databases]], or LIBSQL_URL.`,
      ]
    return isDatabaseId(database.database_id)
      ? []
      : [
          `database_id of ${environment} is a placeholder: put the id there that npx wrangler d1 create ${database.database_name ?? 'netloom'} --location <place> prints.`,
        ]
  }
  return checkLibsql({ environment, config, shell })
}

function checkLibsql({ environment, config, shell }: Pick<Configuration, 'environment' | 'config' | 'shell'>) {
  const { LIBSQL_URL: named, LIBSQL_REPLICA_URL: copy, LIBSQL_REPLICA_LAG_S: lag } = config.vars
  const url = shell['LIBSQL_URL'] ?? ''
  const faults: string[] = []
  if (typeof named !== 'string' || url === '' || !shell['LIBSQL_TOKEN'])
    faults.push(
      `wrangler.toml binds no D1 to ${environment}: set LIBSQL_URL in its vars, and LIBSQL_URL and LIBSQL_TOKEN in the shell, which migrates with them.`,
    )
  else if (named !== url)
    faults.push(`LIBSQL_URL of the shell is ${url}, that of ${environment} ${named}: migrate the database that runs.`)
  if (!config.secrets?.required?.includes('LIBSQL_TOKEN'))
    faults.push(`LIBSQL_TOKEN is no required secret of ${environment}: add it to required in wrangler.toml.`)
  if (copy !== undefined && !(Number(lag) > 0))
    faults.push(
      `LIBSQL_REPLICA_LAG_S of ${environment} is ${String(lag)}: set the seconds after which LIBSQL_REPLICA_URL has every write.`,
    )
  return faults
}

const isDatabaseId = (id: string | undefined): boolean =>
  id !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) && !/^[0-]+$/.test(id)

function checkFiles({ environment, config: { r2_buckets, vars } }: Configuration): readonly string[] {
  const bucket = r2_buckets.find(({ binding }) => binding === 'FILES')
  if (!bucket?.bucket_name)
    return [
      `${environment} binds no bucket FILES: add [[env.${environment}.r2_buckets]] with binding = "FILES" and its bucket_name (infra/docs/deploy.md, step 4).`,
    ]
  return vars['HUB_PLACE'] === 'eu' && bucket.jurisdiction !== 'eu'
    ? [`HUB_PLACE is eu, and the bucket ${bucket.bucket_name} is not: create it with --jurisdiction eu, and name that.`]
    : []
}

function checkHubs({ environment, config: { durable_objects, migrations } }: Configuration): readonly string[] {
  const bound = durable_objects.bindings.map(({ class_name }) => class_name)
  const made = migrations.flatMap(({ new_classes = [], new_sqlite_classes = [], renamed_classes = [] }) => [
    ...new_classes,
    ...new_sqlite_classes,
    ...renamed_classes.map(({ to }) => to),
  ])
  const gone = new Set(migrations.flatMap(({ deleted_classes = [] }) => deleted_classes))
  const unbound = made.filter((name) => !gone.has(name) && !bound.includes(name))
  return [
    ...bound
      .filter((name) => !made.includes(name))
      .map((name) => `The hub class ${name} stands in no [[migrations]] of wrangler.toml: add one that creates it.`),
    ...unbound.map(
      (name) => `${environment} does not bind the hub class ${name}: add it to [env.${environment}.durable_objects].`,
    ),
  ]
}

function checkVars({ environment, config: { vars } }: Configuration): readonly string[] {
  const faults: string[] = []
  if (vars['ENVIRONMENT'] !== environment)
    faults.push(
      `ENVIRONMENT of ${environment} is ${String(vars['ENVIRONMENT'])}: set it to "${environment}"; local opens the outbox to everybody.`,
    )
  if (!isRestartSpread(vars['RESTART_SPREAD_S']))
    faults.push(`RESTART_SPREAD_S of ${environment} is ${String(vars['RESTART_SPREAD_S'])}: from 4 to 60 seconds.`)
  if (!areEntries(vars['DEVICE_ENTRIES']))
    faults.push(
      `DEVICE_ENTRIES of ${environment} is ${String(vars['DEVICE_ENTRIES'])}: at most ${ENTRIES.max} https origins by name, comma separated, such as https://devices.netloom.cn.`,
    )
  if (!areRelays(vars['DEVICE_RELAYS']))
    faults.push(
      `DEVICE_RELAYS of ${environment} is ${String(vars['DEVICE_RELAYS'])}: addresses and ranges, comma separated, such as 192.0.2.7,2001:db8::/64.`,
    )
  const place = vars['HUB_PLACE']
  if (place !== undefined && ![...LOCATION_HINTS, ...JURISDICTIONS].some((known) => known === place))
    faults.push(
      `HUB_PLACE of ${environment} is ${String(place)}: one of ${[...LOCATION_HINTS, ...JURISDICTIONS].join(', ')}.`,
    )
  const mode = vars['CAPTCHA_MODE']
  if (mode !== undefined && !CAPTCHA_MODES.some((known) => known === mode))
    faults.push(
      `CAPTCHA_MODE of ${environment} is ${String(mode)}: one of ${CAPTCHA_MODES.join(', ')}, or leave it out for pictures.`,
    )
  for (const [name, value] of Object.entries(vars)) {
    const placeholder = String(value)
      .match(/[\w.-]+/g)
      ?.find(isPlaceholderHost)
    if (placeholder !== undefined) faults.push(`${name} of ${environment} names the placeholder ${placeholder}.`)
  }
  return faults
}

/** The operator's calls answer at this host alone, so a wrong one shuts the operator out. */
function checkOpsHost({ environment, config, hosts }: Configuration): readonly string[] {
  const host = config.vars['OPS_HOST']
  if (host === undefined || host === '') return []
  if (typeof host !== 'string' || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host))
    return [
      `OPS_HOST of ${environment} is ${String(host)}: a host name alone, without https:// and path, such as ops.<your zone>.`,
    ]
  const faults: string[] = []
  const name = host.toLowerCase()
  const routes = listRoutes(config)
  if (routes.length > 0 && !isCovered(name, routes))
    faults.push(
      `OPS_HOST of ${environment} is ${host}, and no route leads there, so nobody could operate it: add the route under [env.${environment}].`,
    )
  if (name in hosts.hosts)
    faults.push(
      `OPS_HOST of ${environment} is ${host}, a host of customers in infra/hosts.json: give the operator a host of its own.`,
    )
  return faults
}

const SECRETS = ['JWT_KEYS', 'TICKET_KEYS', 'HMAC_SECRET', 'OPERATOR_TOKEN', 'SEAL_KEYS'] as const
const OTHER_SECRETS = ['OPERATOR_TOKENS', 'LIBSQL_TOKEN', 'SMTP_PASSWORD', 'EGRESS_PROXY_KEY'] as const

function checkSecrets({ environment, config: { secrets, vars } }: Configuration): readonly string[] {
  const missing = SECRETS.filter((name) => !secrets?.required?.includes(name))
  return [
    ...missing.map(
      (name) =>
        `${name} is no required secret of ${environment}: add it to required in wrangler.toml, so that no deploy goes without it.`,
    ),
    ...[...SECRETS, ...OTHER_SECRETS]
      .filter((name) => name in vars)
      .map((name) => `${name} stands readable in vars of ${environment}: remove it there, and upload it as a secret.`),
  ]
}

function checkLogs({ environment, config: { observability, version_metadata } }: Configuration): readonly string[] {
  const faults: string[] = []
  if (observability?.logs?.invocation_logs !== false)
    faults.push(
      'invocation_logs is on: set it to false under [observability.logs]; a line for each call costs more than the service.',
    )
  if (version_metadata?.binding !== 'CF_VERSION_METADATA')
    faults.push(
      `${environment} does not know its version: add [env.${environment}.version_metadata] with binding = "CF_VERSION_METADATA", by which a step tells two releases apart.`,
    )
  return faults
}

function checkShell({ shell }: Configuration): readonly string[] {
  return shell['OPERATOR_TOKEN']
    ? []
    : [
        'OPERATOR_TOKEN is not set in the shell: read an operator token of this installation into it, for the self-test.',
      ]
}
