import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DeployDeps, deploy } from '#infra/deploy/deploy.ts'
import type { Counted } from '#infra/deploy/comparison.ts'
import type { Judge } from '#infra/deploy/judge.ts'
import { inRoot } from '#infra/local/paths.ts'
import { run } from '#infra/local/processes.ts'
import type { SelfTest } from '#infra/local/self-test.ts'
import { type FakePlatform, answer } from './fake-wrangler.ts'
import { CONFIG, CONFIGURATION, LIVE, NEW, OLD, STATE, optionsOf } from './installation.ts'

// Deploys with a program in place of wrangler, found by PATH as wrangler is: no account of the platform takes part.

const BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'netloom-deploy-'))
  const program = join(folder, 'wrangler')
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${process.execPath}' '${inRoot('tests/unit/deploy/fake-wrangler.ts')}' "$@"\n`,
  )
  chmodSync(program, 0o755)
  writeFileSync(join(folder, 'secrets.env'), LIVE.secrets.map((name) => `${name}=x\n`).join(''))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const version = ({ id, secrets, classes, vars, classTag, commit }: typeof LIVE) => {
  return { id, secrets, classes, vars, tag: commit, message: null, classTag: classTag ?? '' }
}

interface Case {
  readonly args?: readonly string[]
  readonly platform?: Partial<FakePlatform>
  readonly config?: Partial<typeof CONFIG>
  /** Versions whose self-test fails; '' is a visitor's. */
  readonly failing?: (version: string, percent: number) => boolean
  readonly judge?: Judge
  /** Counters at a share of the new version. */
  readonly counters?: (percent: number, agoS: number) => readonly Counted[] | null
  readonly migrateLibsql?: DeployDeps['migrateLibsql']
  readonly shell?: Readonly<Record<string, string>>
  /** Runs the program instead of calling its function. */
  readonly isSpawned?: boolean
}

const selfTestOf = (release: string, isFailing: boolean): SelfTest => ({
  release,
  checks: [
    { name: 'guard', fault: isFailing ? 'a guard failed without its name' : null },
    { name: 'hub', fault: null },
  ],
})

/** Deploys, and reads what the platform was asked for. */
async function runDeploy(given: Case = {}) {
  const { args = [], config, failing = () => false, judge, migrateLibsql, shell, isSpawned = false } = given
  const file = join(folder, 'platform.json')
  const platform: FakePlatform = {
    versions: [version(LIVE)],
    shares: { [OLD]: 100 },
    pending: ['0099_more.sql'],
    hasBucket: true,
    bookmark: BOOKMARK,
    failing: {},
    calls: [],
    deployments: [],
    ...given.platform,
  }
  writeFileSync(file, JSON.stringify(platform))
  const read = () => (isSpawned ? (JSON.parse(readFileSync(file, 'utf8')) as FakePlatform) : platform)
  const [lines, records, waits, builds]: [string[], { calls: number; entry: object }[], number[], boolean[]] = [
    [],
    [],
    [],
    [],
  ]
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}`, FAKE_WRANGLER: file }
  const isDone = await deploy(optionsOf(...args.map((word) => word.replace('FOLDER', folder))), {
    configuration: {
      ...CONFIGURATION,
      config: { ...CONFIG, ...config },
      shell: { ...CONFIGURATION.shell, ...shell },
    },
    checkout: {
      commit: async () => STATE.commit,
      changedSince: async () => [],
      read: (name) => readFileSync(name, 'utf8'),
    },
    build: async (isDryRun) => void builds.push(isDryRun),
    wrangler: async (words) => (isSpawned ? run('wrangler', words, { env }) : answer(platform, words)),
    migrateLibsql: migrateLibsql ?? (async () => []),
    counters: async (_, __, { agoS }) => given.counters?.(read().shares[NEW] ?? 0, agoS) ?? null,
    selfTest: async (_, of) => selfTestOf(of ?? '', failing(of ?? '', read().shares[NEW] ?? 0)),
    sleep: async (seconds) => void waits.push(seconds),
    print: (line) => void lines.push(line),
    record: (entry) => void records.push({ calls: read().calls.length, entry }),
    ...(judge && { judge }),
  })
  const { calls, deployments, versions } = read()
  return { isDone, output: lines.join('\n'), lines, records, waits, builds, calls, deployments, versions }
}

const READS = /^(deployments status|versions (view|list)|d1 migrations list|r2 bucket info)/
const changes = (calls: readonly string[][]) =>
  calls.map((words) => words.join(' ')).filter((call) => !READS.test(call))

const BACK = { [OLD]: 100 }
const share = (percent: number) => ({ [NEW]: percent, [OLD]: 100 - percent })

describe('a release', () => {
  it('goes up in steps, each after its wait, and says how to go back', async () => {
    const { isDone, output, deployments, waits, records, calls, versions } = await runDeploy({ isSpawned: true })
    expect(isDone).toBe(true)
    expect(deployments).toEqual([share(0), share(5), share(25), share(50), { [NEW]: 100 }])
    expect(waits).toEqual([15, 120, 120, 120, 120])
    expect(output).toContain(`Deployed. The way back: wrangler versions deploy ${OLD}@100`)
    expect(changes(calls).at(-1)).toBe('triggers deploy --env production')
    // written down before anything is migrated, and kept at the version
    const noted = records.find(({ entry }) => 'bookmark' in entry)
    expect(noted?.entry).toEqual({ bookmark: BOOKMARK })
    expect(calls.slice(0, noted?.calls).map(([first, second]) => `${first} ${second}`)).not.toContain('versions upload')
    expect(calls.findIndex((words) => words[2] === 'apply')).toBe(noted?.calls)
    expect(versions.at(-1)).toMatchObject({ id: NEW, tag: STATE.commit, message: `D1 bookmark ${BOOKMARK}` })
    expect(records.at(-1)?.entry).toEqual({ result: 'deployed', version: NEW })
  })

  it('is printed word for word by a dry run, which only reads', async () => {
    const dry = await runDeploy({ args: ['--dry-run'] })
    expect([dry.isDone, changes(dry.calls), dry.builds, dry.records]).toEqual([true, [], [true], []])
    const printed = dry.lines
      .filter((line) => line.startsWith('wrangler '))
      .map((line) => line.replaceAll("'", '').replace('<bookmark>', BOOKMARK).replace('<new version>', NEW))
    const { calls } = await runDeploy()
    expect(printed).toEqual(changes(calls).map((call) => `wrangler ${call}`))
    expect(dry.output).toContain('NETLOOM_URL=https://console.netloom.cn npm run ops -- self-test')
  })

  it('has its self-test at OPS_HOST, where there is one', async () => {
    const vars = { ...CONFIG.vars, OPS_HOST: 'ops.netloom.cn' }
    const config = { vars, routes: [...CONFIG.routes!, { pattern: 'ops.netloom.cn', custom_domain: true }] }
    const versions = [version({ ...LIVE, vars: vars as Record<string, string> })]
    const dry = await runDeploy({ args: ['--dry-run'], config, platform: { versions } })
    expect(dry.output).toContain('NETLOOM_URL=https://ops.netloom.cn npm run ops -- self-test')
    const elsewhere = await runDeploy({ args: ['--dry-run', '--origin', 'https://console.netloom.cn'], config })
    expect([elsewhere.isDone, elsewhere.calls]).toEqual([false, []])
    expect(elsewhere.output).toContain('leave out --origin, or name https://ops.netloom.cn')
  })

  it('that fails its self-test goes back, once, and never up again', async () => {
    const failing = (of: string, percent: number) => of === NEW && percent >= 25
    const { isDone, output, deployments, records } = await runDeploy({ failing })
    expect(isDone).toBe(false)
    expect(deployments).toEqual([share(0), share(5), share(25), BACK])
    expect(output).toContain(`fails its self-test at 25 %. ${OLD} has all traffic again.`)
    expect(records.at(-1)?.entry).toMatchObject({ result: expect.stringContaining('25 %'), version: NEW })
  })

  it('that fails before anybody meets it goes back without a step', async () => {
    const { isDone, deployments } = await runDeploy({ failing: (of) => of === NEW })
    expect([isDone, deployments]).toEqual([false, [share(0), BACK]])
  })

  it('stops as it is where the version before fails as well', async () => {
    const { isDone, output, deployments } = await runDeploy({ failing: (_, percent) => percent >= 5 })
    expect([isDone, deployments]).toEqual([false, [share(0), share(5)]])
    expect(output).toContain(`Stopped at 5 %. On: wrangler versions deploy ${NEW}@100 --yes --env production.`)
    expect(output).toContain(`Back: wrangler versions deploy ${OLD}@100 --yes --env production.`)
  })

  it('fails its last step: it goes back while its Worker answers', async () => {
    const { deployments } = await runDeploy({ failing: (of, percent) => of === NEW && percent === 100 })
    expect(deployments.at(-1)).toEqual(BACK)
  })

  it('passes a self-test that fails once', async () => {
    let left = 1
    const { isDone, waits } = await runDeploy({ args: ['--steps', '100'], failing: (of) => of === NEW && left-- > 0 })
    expect([isDone, waits]).toEqual([true, [15, 5, 120]])
  })

  it('goes back where a deployment is refused', async () => {
    const refused = { failing: { [`versions deploy ${NEW}@50`]: 'version is gone [code: 10222]' } }
    const { isDone, output, deployments } = await runDeploy({ platform: refused })
    expect([isDone, deployments.at(-1)]).toEqual([false, BACK])
    expect(output).toContain('The deployment at 50 % failed.')
  })

  it('says what to repeat where going back fails, too', async () => {
    const failing = { [`versions deploy ${OLD}@100`]: 'overloaded' }
    const { output } = await runDeploy({ platform: { failing }, failing: (of) => of === NEW })
    expect(output).toContain(
      `Going back failed, too: repeat wrangler versions deploy ${OLD}@100 --yes --env production.`,
    )
  })

  it.each([
    ['d1 time-travel', 'D1 gave no bookmark, so nothing was migrated.', 1],
    ['d1 migrations apply', 'The migrations failed', 2],
    ['versions upload', 'The upload failed.', 3],
  ])('ends at a failed %s without traffic on the new version', async (start, words, count) => {
    const { isDone, output, deployments, calls } = await runDeploy({ platform: { failing: { [start]: 'no' } } })
    expect([isDone, deployments, changes(calls).length]).toEqual([false, [], count])
    expect(output).toContain(words)
    expect(output).toContain('No traffic goes to the new version.')
  })

  it('keeps its traffic where routes and cron could not be set', async () => {
    const { isDone, output, deployments } = await runDeploy({ platform: { failing: { 'triggers deploy': 'no zone' } } })
    expect([isDone, deployments.at(-1)]).toEqual([false, { [NEW]: 100 }])
    expect(output).toContain('repeat wrangler triggers deploy --env production.')
  })

  it('is judged by another rule where one is given', async () => {
    const seen: unknown[] = []
    const judge: Judge = async (step) => {
      seen.push(step)
      return step.percent < 25 ? { next: 'go on' } : { next: 'stop', why: 'Twice the faults.' }
    }
    const { isDone, output, deployments } = await runDeploy({ judge })
    expect([isDone, deployments]).toEqual([false, [share(0), share(5), share(25)]])
    expect(seen.at(-1)).toEqual({ percent: 25, waitS: 120, newVersion: NEW, oldVersion: OLD })
    expect(output).toContain('Twice the faults. Stopped at 25 %.')
  })

  const counted = (release: string, calls: number, faults = 0): Counted => {
    return { release, calls, faults, refusals: 0, overloads: 0 }
  }

  it('goes back where the new release has over twice the faults of the old one in the same time', async () => {
    const counters = (percent: number) => [counted(OLD, 4_000, 12), counted(NEW, 1_000, percent < 25 ? 3 : 20)]
    const { isDone, output, deployments } = await runDeploy({ counters })
    expect([isDone, deployments]).toEqual([false, [share(0), share(5), share(25), BACK]])
    expect(output).toContain(
      `The new release is worse than the old one at 25 %: 20 faults of 1000 calls, the old one 12 of 4000. Going back.`,
    )
  })

  it('is compared at 100 % with what the old release was before that step', async () => {
    const asked: number[][] = []
    const counters = (percent: number, agoS: number) => {
      asked.push([percent, agoS])
      return percent < 100
        ? [counted(OLD, 1_000), counted(NEW, 1_000)]
        : [counted(agoS === 0 ? NEW : OLD, 1_000, agoS === 0 ? 30 : 1)]
    }
    const { deployments } = await runDeploy({ args: ['--steps', '50,100'], counters })
    expect(deployments).toEqual([share(0), share(50), { [NEW]: 100 }, BACK])
    expect(asked).toEqual([
      [50, 0],
      [100, 0],
      [100, 120],
    ])
  })

  it('stops where the counters do not come, and goes on where none are kept', async () => {
    const counters = () => {
      throw new Error('the StatusHub does not answer')
    }
    const { isDone, output, deployments } = await runDeploy({ counters })
    expect([isDone, deployments]).toEqual([false, [share(0), share(5)]])
    expect(output).toContain('The counters of the releases cannot be read. Stopped at 5 %.')
    const without = await runDeploy({ counters: () => null })
    expect(without.isDone).toBe(true)
    expect(without.output).toContain('No counters of the release before: it is not compared.')
  })

  it('on libSQL migrates by its own register', async () => {
    const url = 'libsql://db.netloom.cn'
    const config = {
      d1_databases: [],
      vars: { ...CONFIG.vars, LIBSQL_URL: url },
      secrets: { required: [...LIVE.secrets, 'LIBSQL_TOKEN'] },
    }
    const shell = { LIBSQL_URL: url, LIBSQL_TOKEN: 't' }
    const migrateLibsql = async () => ['0099_more.sql']
    const versions = [{ ...version(LIVE), secrets: config.secrets.required }]
    const { isDone, output, calls } = await runDeploy({ config, shell, migrateLibsql, platform: { versions } })
    expect([isDone, changes(calls)[0]]).toEqual([true, `versions upload --tag ${STATE.commit} --env production`])
    expect(output).toContain('Migrations applied: 0099_more.sql')
  })
})

describe('another deploy', () => {
  it('brings the first version and its secrets at once', async () => {
    const args = ['--secrets-file', 'FOLDER/secrets.env']
    const { isDone, calls, output } = await runDeploy({ args, platform: { versions: [], shares: {} } })
    expect(isDone).toBe(true)
    expect(changes(calls)).toEqual([
      'd1 time-travel info DB --json --env production',
      'd1 migrations apply DB --remote --env production',
      `deploy --secrets-file ${folder}/secrets.env --tag ${STATE.commit} --message D1 bookmark ${BOOKMARK} --env production`,
    ])
    expect(output).toMatch(/Deployed$/)
  })

  it('brings secrets alone, to the code that runs', async () => {
    const args = ['--secrets-file', 'FOLDER/secrets.env', '--secrets-only', '--steps', '100']
    const { isDone, versions, deployments, calls } = await runDeploy({ args })
    expect([isDone, deployments]).toEqual([true, [share(0), { [NEW]: 100 }]])
    expect(versions.at(-1)).toMatchObject({ tag: LIVE.commit, classTag: LIVE.classTag })
    expect(changes(calls).filter((call) => call.startsWith('d1'))).toEqual([])
  })
})

describe('nothing is changed', () => {
  it('by a broken configuration, which calls nobody', async () => {
    const { isDone, output, calls, builds } = await runDeploy({
      args: ['--dry-run'],
      config: { routes: undefined, workers_dev: true },
    })
    expect([isDone, calls, builds]).toEqual([false, [], []])
    expect(output).toMatch(/^Nothing was deployed:\n- workers_dev is on.*\n- production has no route/)
  })

  it.each([[['--dry-run']], [[]]])('by a state that refuses the deploy (%j)', async (args) => {
    const { isDone, output, calls } = await runDeploy({
      args,
      platform: { hasBucket: false, shares: { [OLD]: 90, [NEW]: 10 } },
    })
    expect([isDone, changes(calls)]).toEqual([false, []])
    expect(output).toContain('Two versions share the traffic')
    expect(output).toContain('npx wrangler r2 bucket create netloom-production-files')
  })

  it('where nobody is signed in', async () => {
    const { isDone, output, calls } = await runDeploy({
      platform: { failing: { 'deployments status': 'not authenticated' } },
    })
    expect([isDone, changes(calls)]).toEqual([false, []])
    expect(output).toContain('npx wrangler login')
  })
})

it('the command itself refuses what the repository has, before it builds or calls anything', async () => {
  const { code, output } = await run(process.execPath, ['infra/deploy.ts', '--env', 'production', '--dry-run'], {
    env: { ...process.env, PATH: '', OPERATOR_TOKEN: '' },
  })
  expect(code).toBe(1)
  expect(output).toContain('production has no route and would not be reachable')
  expect(output).toContain('database_id of production is a placeholder')
  expect(output).toContain('OPERATOR_TOKEN is not set in the shell')
})
