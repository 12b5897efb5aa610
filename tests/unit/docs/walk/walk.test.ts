import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, expect, inject, it } from 'vitest'
import { LIBSQL_TOKEN } from '#tests/support/libsql-server/global-setup.ts'
import { startLibsqlServer } from '#tests/support/libsql-server/server.ts'
import { type Block, type Guide, applyDiff, fillMarks, marksOf, readGuide } from '../guide.ts'
import { VALUES } from '../values.ts'
import { EMPTY_ACCOUNT, type RecordedAccount } from './platform.ts'
import { startProduct } from './product.ts'
import { GIT, createScratch } from './scratch.ts'
import { openSession } from './session.ts'

/*
 * A reader who has not built the product follows the guides word for word: every block in order, in a copy of the checkout.
 * Local commands run; wrangler, curl, scp and the deployed product are recorders that answer as the real ones would. Values
 * that a row of marks calls printed are taken from what was printed.
 */

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** Calls of branches that are not merged yet. */
const WAITING_CALLS = /^npm run ops -- rehome.*$/gm

const TIMEOUT_MS = 900_000

/** Marks whose value a command prints, by the guides' tables. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  ACCOUNT_ID: /│ ([0-9a-f]{32}) │/,
  DATABASE_ID: /database_id = "([^"]+)"/,
  SERIAL: /"serial": "([^"]+)"/,
  ROUTER: /"serial": "([^"]+)"/,
  OLD_VERSION: /"id":"([0-9a-f-]{36})"/,
}

async function startWalk(choices: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'netloom-walk-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const { root, bin, home } = createScratch(folder)
  const [accountFile, copies] = [join(folder, 'account.json'), join(folder, 'copies')]
  writeFileSync(accountFile, JSON.stringify(EMPTY_ACCOUNT))
  const account = () => JSON.parse(readFileSync(accountFile, 'utf8')) as RecordedAccount
  const secret = (environment: string, name: string) =>
    new RegExp(`^${name}=(.+)$`, 'm').exec(readFileSync(join(home, `netloom/${environment}.env`), 'utf8'))?.[1] ?? ''
  const libsql = await startLibsqlServer(LIBSQL_TOKEN)
  ends.push(libsql.close)
  const token = (environment: string) => secret(environment, 'OPERATOR_TOKEN')
  const product = await startProduct({ zone: VALUES['ZONE'] ?? '', account, token, libsqlUrl: libsql.url })
  ends.push(product.close)
  const session = openSession(folder, root, {
    ...GIT,
    HOME: home,
    PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
    NODE_OPTIONS: `--import=${new URL('redirect.mjs', import.meta.url).href}`,
    RECORDER_PORT: String(product.port),
    RECORDED_ACCOUNT: accountFile,
    RECORDED_COPIES: copies,
  })
  ends.push(session.end)
  let printed = ''

  const valuesOf = (marks: readonly string[], own: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      marks.map((mark) => {
        const pattern = PRINTED[mark]
        const found = pattern && [...printed.matchAll(new RegExp(pattern, 'g'))].at(-1)?.[1]
        if (pattern && found === undefined) throw new Error(`nothing printed a value for <${mark}>`)
        return [mark, found ?? own[mark] ?? VALUES[mark] ?? '']
      }),
    )

  /** Follows one block with the values of an environment. */
  async function follow(block: Block, own: Readonly<Record<string, string>>): Promise<void> {
    const file = join(root, block.target)
    if (block.text.startsWith('npm run bench')) return // takes minutes, and calls nothing
    try {
      const text = fillMarks(block.text, valuesOf(marksOf(block.text), own))
      if (block.language === 'diff') writeFileSync(file, applyDiff(readFileSync(file, 'utf8'), text))
      else if (block.language === 'json') writeFileSync(file, `${text}\n`)
      else if (block.language === 'sh' && block.target === '')
        printed += await session.run(text.replaceAll(WAITING_CALLS, ''), {
          LIBSQL_TOKEN,
          OPERATOR_TOKEN: block.text.includes('read -rs OPERATOR_TOKEN') ? token(own['ENV'] ?? '') : '',
        })
    } catch (error) {
      throw new Error(`infra/docs/${block.document}:${block.line}: ${error instanceof Error ? error.message : ''}`)
    }
  }

  /** Follows a guide's blocks below some headings; of a step with several headings, the chosen one. */
  async function walk(guide: Guide, isWanted: (heading: string) => boolean, own: Readonly<Record<string, string>>) {
    const wanted = guide.blocks.filter(({ headings }) => isWanted(headings[1] ?? ''))
    const isChosen = ({ headings: [, step = '', choice] }: Block) =>
      choice === undefined || !STEP.test(step) || choices.includes(choice)
    for (const block of wanted.filter(isChosen)) await follow(block, own)
  }
  return { walk, account, product, copies, output: () => printed }
}

const STAGING = { ENV: 'staging', PREFIX: 'staging-' }
const PRODUCTION = { ENV: 'production', PREFIX: '' }
const deploy = readGuide('deploy.md')
const operate = readGuide('operate.md')

const STEP = /^(\d+)\. /
const isOnce = (heading: string) => heading.endsWith('(once)')
/** Steps of an environment, up to a number. */
const upTo =
  (last: number) =>
  (heading: string): boolean =>
    !isOnce(heading) && Number(STEP.exec(heading)?.[1] ?? Infinity) <= last

const isFull = inject('isFull')
/** A walk takes as long as some hundred other tests: without `full` every eighth tree has the first one. */
const isInTurn = isFull || inject('seed') % 8 === 0

it.runIf(isInTurn)('deploy.md leads from an empty account to the first router', { timeout: TIMEOUT_MS }, async () => {
  const { walk, account, product, copies, output } = await startWalk(['D1 near a place', 'Anywhere'])
  await walk(deploy, isOnce, {})
  await walk(deploy, upTo(13), STAGING)
  const { databases, buckets, workers } = account()
  expect(databases).toMatchObject([{ name: 'netloom-staging', place: 'apac' }])
  expect(buckets).toEqual(['netloom-staging-files'])
  expect(product.refused).toEqual([])
  const calls = ['account/create', 'service/set', 'login/token_link', 'device/provision', 'release/publish']
  expect(product.calls).toEqual(expect.arrayContaining(calls))
  expect(readFileSync(copies, 'utf8')).toContain('.wrangler/build/agent.mjs 192.0.2.20:/root/agent.mjs')
  expect(output().match(/^ {2}(release|guard|hub|socket|page) +ok$/gm)?.length).toBeGreaterThan(30)
  expect(workers['staging']?.versions.at(0)?.secrets).toEqual(expect.arrayContaining(['SEAL_KEYS', 'SMTP_PASSWORD']))
  expect(workers['staging']?.deployments.at(-1)).toEqual({ [workers['staging']?.versions.at(-1)?.id ?? '']: 100 })
  if (!isFull) return

  await walk(deploy, upTo(13), PRODUCTION)
  await walk(deploy, (heading) => heading === 'Each release' || heading === 'Backups', PRODUCTION)
  await walk(operate, () => true, PRODUCTION)
  expect(product.refused).toEqual([])
  expect(account().calls.map((words) => words.slice(0, 2).join(' '))).toEqual(
    expect.arrayContaining([
      'd1 time-travel',
      'd1 execute',
      'd1 insights',
      'd1 export',
      'secret bulk',
      'triggers deploy',
    ]),
  )
})

it.runIf(isFull).each([
  { name: 'in the EU', choices: ['D1 in the EU', 'In the EU'], databases: [{ place: 'eu' }] },
  { name: 'with libSQL', choices: ['A libSQL server', 'Anywhere'], databases: [] },
])('deploy.md leads to the first deploy $name', { timeout: TIMEOUT_MS }, async ({ choices, databases }) => {
  const { walk, account, product, output } = await startWalk(choices)
  await walk(deploy, isOnce, {})
  await walk(deploy, upTo(9), STAGING)
  expect(account().databases).toMatchObject(databases)
  expect(product.refused).toEqual([])
  expect(output()).toContain('\nDeployed')
})

it.runIf(isFull)('a step that is left out stops the reader', { timeout: TIMEOUT_MS }, async () => {
  const { walk } = await startWalk(['D1 near a place', 'Anywhere'])
  const without = { ...deploy, blocks: deploy.blocks.filter(({ text }) => !text.includes('+database_id')) }
  await walk(without, isOnce, {})
  await expect(walk(without, upTo(9), STAGING)).rejects.toThrow('database_id of staging is a placeholder')
})
