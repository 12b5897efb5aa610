import { describe, expect, it } from 'vitest'
import { type PlanInput, planDeploy, toCommand } from '#infra/deploy/plan.ts'
import { type State, listSecretNames } from '#infra/deploy/state.ts'
import { CONFIG, LIVE, NEW, OLD, STATE, optionsOf } from './installation.ts'

const planOf = (args: readonly string[], state: Partial<State> = {}, config: PlanInput['config'] = CONFIG) =>
  planDeploy({ options: optionsOf(...args), config, state: { ...STATE, ...state } })

function refusalsOf(...input: Parameters<typeof planOf>): readonly string[] {
  const plan = planOf(...input)
  return 'refusals' in plan ? plan.refusals : []
}

function commandsOf(...input: Parameters<typeof planOf>): readonly string[] {
  const plan = planOf(...input)
  if ('refusals' in plan) throw new Error(plan.refusals.join('\n'))
  return [plan.mode, ...plan.actions.map((action) => ('args' in action ? toCommand(action.args) : action.kind))]
}

const WITH_SECRETS = ['--secrets-file', 'secrets.env']
const NAMES = LIVE.secrets
const ONE_MORE_CLASS: PlanInput['config'] = {
  ...CONFIG,
  durable_objects: {
    ...CONFIG.durable_objects,
    bindings: [...CONFIG.durable_objects.bindings, { name: 'NEXT_HUB', class_name: 'NextHub' }],
  },
  migrations: [...CONFIG.migrations, { tag: 'v5', new_sqlite_classes: ['NextHub'] }],
}
const ONE_MORE_SECRET: PlanInput['config'] = { ...CONFIG, secrets: { required: [...NAMES, 'NEW_KEYS'] } }

describe('the plan of', () => {
  it('a release: bookmark, migrations, upload, steps, triggers, self-test', () => {
    expect(commandsOf(['--steps', '5,100', '--wait', '90'])).toEqual([
      'release',
      'wrangler d1 time-travel info DB --json --env production',
      'wrangler d1 migrations apply DB --remote --env production',
      "wrangler versions upload --tag bbbbbbbbbbbb --message 'D1 bookmark <bookmark>' --env production",
      `wrangler versions deploy '<new version>@0' ${OLD}@100 --yes --env production`,
      `wrangler versions deploy '<new version>@5' ${OLD}@95 --yes --env production`,
      "wrangler versions deploy '<new version>@100' --yes --env production",
      'wrangler triggers deploy --env production',
      'self-test',
    ])
  })

  it('a release only ever gives the new version more, and has one way back', () => {
    const plan = planOf([])
    if ('refusals' in plan) throw new Error('refused')
    const percents = plan.actions.flatMap((action) => (action.kind === 'step' ? [action.percent] : []))
    expect(percents).toEqual([0, 5, 25, 50, 100])
    expect(plan.back).toEqual({
      version: OLD,
      args: ['versions', 'deploy', `${OLD}@100`, '--yes', '--env', 'production'],
    })
  })

  it('the first deploy: all at once, with the secrets', () => {
    const first = { live: null, newest: null, changed: null, secretNames: NAMES }
    expect(commandsOf(WITH_SECRETS, first)).toEqual([
      'first',
      'wrangler d1 time-travel info DB --json --env production',
      'wrangler d1 migrations apply DB --remote --env production',
      "wrangler deploy --secrets-file secrets.env --tag bbbbbbbbbbbb --message 'D1 bookmark <bookmark>' --env production",
      'self-test',
    ])
  })

  it('hub classes: at once, without migrations and without a way back', () => {
    const state = { changed: ['durable/next-hub/next-hub.ts', 'wrangler.toml', 'worker/index.ts'] }
    expect(commandsOf([], state, ONE_MORE_CLASS)).toEqual([
      'classes',
      'wrangler deploy --tag bbbbbbbbbbbb --env production',
      'self-test',
    ])
    expect(planOf([], state, ONE_MORE_CLASS)).toMatchObject({ back: null })
  })

  it('the class of the counters, with the workers of the bench that export it', () => {
    const live = { ...LIVE, classTag: 'v3', classes: LIVE.classes.filter((name) => name !== 'StatusHub') }
    const changed = ['durable/status-hub/storage.ts', 'worker/contract/kernel/status.ts', 'infra/bench/storm/worker.ts']
    expect(commandsOf([], { live, changed })[0]).toBe('classes')
    expect(refusalsOf([], { live, changed: [...changed, 'worker/http/counted-calls.ts'] })[0]).toMatch(
      /\(v3 to v4\).*1 other file/,
    )
  })

  it('secrets: beside the code that runs, in steps', () => {
    const steps = ['--steps', '50,100']
    const only = commandsOf([...WITH_SECRETS, '--secrets-only', ...steps], {
      secretNames: NAMES,
      pending: ['0099_a.sql'],
    })
    expect(only).toEqual([
      'secrets',
      'wrangler versions secret bulk secrets.env --tag aaaaaaaaaaaa --env production',
      `wrangler versions deploy '<new version>@0' ${OLD}@100 --yes --env production`,
      `wrangler versions deploy '<new version>@50' ${OLD}@50 --yes --env production`,
      "wrangler versions deploy '<new version>@100' --yes --env production",
      'self-test',
    ])
    expect(commandsOf([...WITH_SECRETS, ...steps], { secretNames: NAMES, changed: [] })).toEqual(only)
  })

  it('a release on libSQL, which has no bookmark', () => {
    expect(commandsOf([], {}, { ...CONFIG, d1_databases: [] }).slice(0, 3)).toEqual([
      'release',
      'migrate-libsql',
      'wrangler versions upload --tag bbbbbbbbbbbb --env production',
    ])
  })
})

/** Options and state of a deploy that must not begin, with the words of its only refusal. */
type Row = readonly [name: string, input: Parameters<typeof planOf>, fault: RegExp]

const REFUSED: readonly Row[] = [
  ['a required secret is missing', [[], {}, ONE_MORE_SECRET], /no secret NEW_KEYS.*upload it first/s],
  ['first deploy without secrets', [[], { live: null }], /put JWT_KEYS, TICKET_KEYS, HMAC_SECRET.* --secrets-file/],
  [
    'first deploy with some secrets',
    [WITH_SECRETS, { live: null, secretNames: ['JWT_KEYS'] }],
    /secrets\.env has no TICKET_KEYS, HMAC_SECRET, OPERATOR_TOKEN, SEAL_KEYS/,
  ],
  [
    'first deploy in steps',
    [[...WITH_SECRETS, '--steps', '100'], { live: null, secretNames: NAMES }],
    /leave out --steps/,
  ],
  ['file of secrets that is none', [[...WITH_SECRETS, '--secrets-only']], /secrets\.env cannot be read as secrets/],
  [
    'first secrets with code',
    [WITH_SECRETS, { secretNames: ['NEW_KEYS'] }, ONE_MORE_SECRET],
    /1 changed file .*--secrets-only/s,
  ],
  [
    'secrets with migrations',
    [WITH_SECRETS, { secretNames: NAMES, changed: [], pending: ['0099_a.sql'] }],
    /also brings 1 migration: add --secrets-only/,
  ],
  [
    'secrets on a version that does not run',
    [[...WITH_SECRETS, '--secrets-only'], { secretNames: NAMES, newest: NEW }],
    /Deploy the release that runs once more, from its commit aaaaaaaaaaaa/,
  ],
  [
    'hub classes with migrations',
    [[], { changed: [], pending: ['0099_a.sql'] }, ONE_MORE_CLASS],
    /\(v4 to v5\).*1 migration/,
  ],
  [
    'hub classes with pages',
    [[], { changed: ['web/app/router.tsx'] }, ONE_MORE_CLASS],
    /1 other file \(web\/app\/router\.tsx\)/,
  ],
  ['hub classes with what nobody knows', [[], { changed: null }, ONE_MORE_CLASS], /from its commit, then the classes/],
  [
    'hub classes with secrets',
    [WITH_SECRETS, { changed: [], secretNames: NAMES }, ONE_MORE_CLASS],
    /the secrets of --secrets-file/,
  ],
  [
    'hub classes with vars',
    [[], { changed: [] }, { ...ONE_MORE_CLASS, vars: { ...CONFIG.vars, RESTART_SPREAD_S: '30' } }],
    /other vars \(RESTART_SPREAD_S\)/,
  ],
  ['hub classes in steps', [['--steps', '5,100'], { changed: [] }, ONE_MORE_CLASS], /not in steps: leave out --steps/],
  ['bucket that is missing', [[], { isBucketMissing: true }], /npx wrangler r2 bucket create netloom-production-files/],
  [
    'two versions at work',
    [
      [],
      {
        divided: [
          { id: OLD, percent: 75 },
          { id: NEW, percent: 25 },
        ],
      },
    ],
    new RegExp(`75 %: wrangler versions deploy ${OLD}@100.*25 %: wrangler versions deploy ${NEW}@100`, 's'),
  ],
]

describe('a deploy is refused', () => {
  it.each(REFUSED)('%s', (_, input, fault) => {
    const refusals = refusalsOf(...input)
    expect(refusals).toHaveLength(1)
    expect(refusals[0]).toMatch(fault)
  })

  it('hub classes are seen without the tag of the platform, too', () => {
    const live = { ...LIVE, classTag: null }
    expect(refusalsOf([], { live, changed: [], pending: ['0099_a.sql'] }, ONE_MORE_CLASS)[0]).toMatch(/NextHub/)
  })
})

it('names of a file of secrets: lines or JSON, without those that have no value', () => {
  const lines = 'A=1\n# B=2\nC=""\nexport D="x y"\n  E = 3\nF=\n'
  expect(listSecretNames(lines)).toEqual(['A', 'D', 'E'])
  expect(listSecretNames('{"A":"1","B":"","C":null}')).toEqual(['A'])
})
