import { describe, expect, it } from 'vitest'
import { type Configuration, type DeployConfig, checkConfiguration, selfTestHost } from '#infra/deploy/configuration.ts'
import { checkOptions, parseOptions } from '#infra/deploy/options.ts'
import { CONFIG, CONFIGURATION, optionsOf } from './installation.ts'

const [database] = CONFIG.d1_databases
const zeros = '00000000-0000-0000-0000-000000000000'

/** A broken configuration, and the words of its only fault. */
type Row = readonly [name: string, over: Partial<DeployConfig>, fault: RegExp, more?: Partial<Configuration>]

const BROKEN: readonly Row[] = [
  [
    'database id left as it is',
    { d1_databases: [{ ...database!, database_id: zeros }] },
    /put the id there that npx wrangler d1 create/,
  ],
  [
    'database id of local runs',
    { d1_databases: [{ ...database!, database_id: 'local' }] },
    /database_id of production is a placeholder/,
  ],
  ['no route', { routes: undefined, route: undefined }, /would not be reachable: add routes =/],
  [
    'placeholder host',
    { routes: [...CONFIG.routes!, { pattern: 'devices.example.com', custom_domain: true }] },
    /devices\.example\.com is a placeholder: put your own host name/,
  ],
  [
    'placeholder zone',
    { routes: [...CONFIG.routes!, { pattern: 'a.netloom.cn/*', zone_name: 'example.com' }] },
    /The zone example\.com .* put your own zone/,
  ],
  ['route without a zone', { routes: [...CONFIG.routes!, 'a.netloom.cn/*'] }, /names no zone: add custom_domain/],
  [
    'route of one path',
    { routes: [...CONFIG.routes!, { pattern: 'a.netloom.cn', zone_name: 'netloom.cn' }] },
    /covers one path alone: end it with \/\*/,
  ],
  [
    'host without a route',
    { routes: CONFIG.routes!.slice(1) },
    /hosts\.json describes console\.netloom\.cn, and no route/,
  ],
  ['workers.dev', { workers_dev: true }, /set workers_dev = false/],
  ['addresses of previews', { preview_urls: true }, /set preview_urls = false/],
  ['no bucket', { r2_buckets: [] }, /binds no bucket FILES: add \[\[env\.production\.r2_buckets\]\]/],
  [
    'bucket outside the jurisdiction',
    { vars: { ...CONFIG.vars, HUB_PLACE: 'eu' } },
    /create it with --jurisdiction eu/,
  ],
  ['unknown place', { vars: { ...CONFIG.vars, HUB_PLACE: 'moon' } }, /HUB_PLACE of production is moon: one of wnam/],
  [
    'unknown captcha',
    { vars: { ...CONFIG.vars, CAPTCHA_MODE: 'Work' } },
    /CAPTCHA_MODE of production is Work: one of picture, work/,
  ],
  [
    'operator at an address',
    { vars: { ...CONFIG.vars, OPS_HOST: 'https://ops.netloom.cn' } },
    /OPS_HOST of production is https:\/\/ops\.netloom\.cn: a host name alone/,
  ],
  [
    'operator at a host without a route',
    { vars: { ...CONFIG.vars, OPS_HOST: 'ops.netloom.cn' } },
    /ops\.netloom\.cn, and no route leads there.* add the route under \[env\.production\]/,
  ],
  [
    'operator at a host of customers',
    { vars: { ...CONFIG.vars, OPS_HOST: 'console.netloom.cn' } },
    /a host of customers in infra\/hosts\.json: give the operator a host of its own/,
  ],
  ['environment of local runs', { vars: { ...CONFIG.vars, ENVIRONMENT: 'local' } }, /set it to "production"/],
  ['spread beyond the lease', { vars: { ...CONFIG.vars, RESTART_SPREAD_S: '90' } }, /is 90: from 4 to 60 seconds/],
  [
    'entry without TLS',
    { vars: { ...CONFIG.vars, DEVICE_ENTRIES: 'http://devices.netloom.cn' } },
    /DEVICE_ENTRIES of production is http:.*: at most 8 https origins/,
  ],
  [
    'placeholder of an entry',
    { vars: { ...CONFIG.vars, DEVICE_ENTRIES: 'https://devices.netloom.cn,https://relay.example.com' } },
    /DEVICE_ENTRIES of production names the placeholder relay\.example\.com/,
  ],
  [
    'placeholder of a sender',
    { vars: { ...CONFIG.vars, MAIL_SENDERS: '{"*":"no-reply@example.com"}' } },
    /MAIL_SENDERS of production names the placeholder/,
  ],
  [
    'secret not required',
    { secrets: { required: ['JWT_KEYS', 'TICKET_KEYS', 'HMAC_SECRET', 'OPERATOR_TOKEN'] } },
    /SEAL_KEYS is no required secret/,
  ],
  ['secret in vars', { vars: { ...CONFIG.vars, JWT_KEYS: 'k1:x' } }, /JWT_KEYS stands readable in vars/],
  [
    'invocation logs',
    { observability: { ...CONFIG.observability!, logs: { enabled: true, invocation_logs: true } } },
    /invocation_logs is on: set it to false/,
  ],
  ['no version', { version_metadata: undefined }, /does not know its version/],
  [
    'hub class that nothing creates',
    { migrations: CONFIG.migrations.slice(0, -1) },
    /StatusHub stands in no \[\[migrations\]\]/,
  ],
  [
    'hub class that is not bound',
    { durable_objects: { ...CONFIG.durable_objects, bindings: CONFIG.durable_objects.bindings.slice(1) } },
    /does not bind the hub class RouterHub/,
  ],
  [
    'libSQL beside D1',
    { vars: { ...CONFIG.vars, LIBSQL_URL: 'libsql://db.netloom.cn' } },
    /one database, not two\. Remove/,
  ],
  [
    'libSQL of the shell beside D1',
    {},
    /one database, not two/,
    { shell: { ...CONFIGURATION.shell, LIBSQL_URL: 'libsql://db' } },
  ],
  ['no token of an operator', {}, /OPERATOR_TOKEN is not set in the shell/, { shell: {} }],
]

const brokenBy = (over: Partial<DeployConfig>, more: Partial<Configuration> = {}) =>
  checkConfiguration({ ...CONFIGURATION, ...more, config: { ...CONFIG, ...over } })

const OPS_ROUTE = { pattern: 'ops.netloom.cn', custom_domain: true }
const withOpsHost = { vars: { ...CONFIG.vars, OPS_HOST: 'Ops.netloom.cn' }, routes: [...CONFIG.routes!, OPS_ROUTE] }

describe('a configuration', () => {
  it('without a fault is taken', () => {
    expect(checkConfiguration(CONFIGURATION)).toEqual([])
    expect(brokenBy(withOpsHost)).toEqual([])
    for (const mode of ['picture', 'work'])
      expect(brokenBy({ vars: { ...CONFIG.vars, CAPTCHA_MODE: mode } })).toEqual([])
  })

  const rows = BROKEN.map(([name, over, fault, more = {}]) => ({ name, over, fault, more }))

  it.each(rows)('is refused: $name', ({ over, fault, more }) => {
    const faults = brokenBy(over, more)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(fault)
  })

  it('on libSQL needs its address twice, and its token as a secret', () => {
    const url = 'libsql://db.netloom.cn'
    const onLibsql = { d1_databases: [], vars: { ...CONFIG.vars, LIBSQL_URL: url } }
    const secrets = { required: [...CONFIG.secrets!.required!, 'LIBSQL_TOKEN'] }
    const shell = { ...CONFIGURATION.shell, LIBSQL_URL: url, LIBSQL_TOKEN: 't' }
    expect(brokenBy({ ...onLibsql, secrets }, { shell })).toEqual([])
    expect(brokenBy({ ...onLibsql, secrets })).toEqual([expect.stringMatching(/set LIBSQL_URL in its vars, and/)])
    expect(brokenBy({ ...onLibsql, secrets }, { shell: { ...shell, LIBSQL_URL: 'libsql://other' } })).toEqual([
      expect.stringMatching(/migrate the database that runs/),
    ])
    expect(brokenBy(onLibsql, { shell })).toEqual([expect.stringMatching(/LIBSQL_TOKEN is no required secret/)])
    const copy = (vars: object) =>
      brokenBy({ ...onLibsql, secrets, vars: { ...onLibsql.vars, LIBSQL_REPLICA_URL: url, ...vars } }, { shell })
    expect(copy({ LIBSQL_REPLICA_LAG_S: '5' })).toEqual([])
    expect(copy({})).toEqual([expect.stringMatching(/LIBSQL_REPLICA_LAG_S of \w+ is undefined: set the seconds/)])
  })

  it('as the repository has it names what an operator fills in', () => {
    const { routes, d1_databases } = CONFIG
    expect(routes).toHaveLength(4)
    const faults = brokenBy({ routes: undefined, d1_databases: [{ ...d1_databases[0]!, database_id: zeros }] })
    expect(faults).toHaveLength(2)
  })

  it('gives the address of the self-test', () => {
    const routes = [{ pattern: '*.netloom.cn/*', zone_name: 'netloom.cn' }]
    const staging = [{ pattern: 'staging.netloom.io', custom_domain: true }]
    const hostOf = (over: Partial<DeployConfig>) => selfTestHost({ ...CONFIGURATION, config: { ...CONFIG, ...over } })
    expect([hostOf({}), hostOf({ routes }), hostOf({ routes: staging }), hostOf(withOpsHost)]).toEqual([
      'console.netloom.cn',
      'console.netloom.cn',
      'staging.netloom.io',
      'ops.netloom.cn',
    ])
  })
})

describe('options of a deploy', () => {
  it('need an environment', () => {
    expect([parseOptions([]), parseOptions(['--env', 'local'])]).toEqual([null, null])
    expect(() => parseOptions(['--env', 'staging', '--stepz', '5'])).toThrow('--stepz')
  })

  it.each([
    [[], null],
    [['--steps', '10,100', '--wait', '75', '--origin', 'https://console.netloom.cn/'], null],
    [['--steps', '25,5,100'], /must ascend/],
    [['--steps', '5,5,100'], /must ascend/],
    [['--steps', '0,100'], /must ascend/],
    [['--steps', '5,x'], /must ascend/],
    [['--steps', '50,200'], /must ascend/],
    [['--steps', '5,25'], /must end at 100/],
    [['--wait', '30'], /must be 75 seconds or more/],
    [['--wait', 'long'], /must be 75 seconds or more/],
    [['--origin', 'http://console.netloom.cn'], /must be https/],
    [['--secrets-only'], /needs --secrets-file/],
  ] as const)('%j', (args, fault) => {
    const faults = checkOptions(optionsOf(...args))
    expect(faults.filter((one) => fault?.test(one) !== true)).toEqual([])
    expect(faults).toHaveLength(fault === null ? 0 : 1)
  })
})
