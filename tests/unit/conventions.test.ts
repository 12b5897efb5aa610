import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { HANDBOOK_ERRORS } from '#contract/document/errors.ts'
import { LDAP_ERRORS } from '#contract/ldap/errors.ts'
import { listFiles } from '#tests/support/source-files.ts'

const CODE = /\.tsx?$/
const server = ['worker', 'durable'].flatMap((root) => listFiles(root, CODE))
const files = [...listFiles('web', CODE), ...server]
const offenders = (pattern: RegExp, among: readonly string[] = files) =>
  among.filter((file) => pattern.test(readFileSync(file, 'utf8')))

it('refusals are compared by key (`reason`), never by message', () => {
  expect(
    offenders(/[!=]==? *(ERRORS|DONE)\.\w+(\.msg)?\b|(ERRORS|DONE)\.\w+(\.msg)? *[!=]==?|\.includes\(ERRORS\./),
  ).toEqual([])
})

it('the console names no refusal of catalogues that its build leaves out (vite.config.ts)', () => {
  const keys = Object.keys({ ...HANDBOOK_ERRORS, ...LDAP_ERRORS }).join('|')
  expect(offenders(new RegExp(`\\bERRORS\\.(${keys})\\b`), listFiles('web', CODE))).toEqual([])
})

it('no code branches on Chinese text', () => {
  const own = files.filter((file) => !file.startsWith('web/features/local/')) // samples that fail by what is typed
  expect(offenders(/[!=]== ['"`][^'"`\n]*\p{Script=Han}|\bcase ['"`]\p{Script=Han}/u, own)).toEqual([])
})

it('zod is imported as a namespace: its named export `z` brings 260 kB of languages into the bundle', () => {
  expect(offenders(/^import \{[^}]*\bz\b[^}]*\} from 'zod'/m, server)).toEqual([])
  expect(offenders(/from 'zod\/(v4\/)?locales'/, server)).toEqual([])
})

/** Folders that keep the rule; a folder is added once it is clean. */
it('no comment opens with a relative clause: it names its noun', () => {
  const OPENING = /(\/\/|\/\*+|^\s*\*)\s*(What|Where|Who|Whose|Which|Whether|Whoever|How)\b/
  const clauses = ['worker', 'durable', 'web', 'infra', 'tests']
    .flatMap((root) => listFiles(root, CODE))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (OPENING.test(line) ? [`${file}:${index + 1}`] : [])),
    )
  expect(clauses).toEqual([])
})

it('a feature calls the server in its api.ts only', () => {
  const others = listFiles('web/features', CODE).filter((file) => !file.endsWith('/api.ts'))
  expect(offenders(/\b(call|download|useQuery|useCommand|useRefresh)\(/, others)).toEqual([])
})

it('a hub reads and writes its own storage in its storage.ts', () => {
  const shells = files.filter((file) => /^durable\/[\w-]+-hub\/[\w-]+-hub\.ts$/.test(file))
  expect(shells).toHaveLength(5)
  expect(offenders(/\bkv\b|\bsql\.exec\b/, shells)).toEqual([])
})

it('statements of a batch have names: only batch() of worker/db/batch.ts calls the driver', () => {
  expect(offenders(/\.batch\(/, server)).toEqual([
    'worker/db/batch.ts',
    'worker/db/driver.ts', // libSQL's own, behind the same interface
  ])
})

it('an address is no proof of identity: blocks of addresses are keys of counters, and nothing compares them', () => {
  expect(offenders(/\bip(Wide)?Block *[!=]==?|[!=]==? *[\w.]*\bip(Wide)?Block\b/, server)).toEqual([
    'worker/db/wrong-attempts.ts', // both blocks of one address: IPv4 has one
    'worker/features/verify/sql/failures.ts',
  ])
})

it('tests build rows of members and networks in tests/support only', () => {
  const tests = listFiles('tests', /\.ts$/).filter((file) => !file.startsWith('tests/support/'))
  expect(offenders(/\.insert\((devices|routers|networks|networkMembers|messages)\)/, tests)).toEqual([])
})

/** `account 7 · verify/code`: document and section of the specification, or the section of the design, that a test proves. */
it('every describe of tests/api names the section that it proves', () => {
  const SECTION = { account: 9, network: 9, directory: 9, design: 13 }
  const titles = listFiles('tests/api', /\.test\.ts$/).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^describe\w*[^']*'([^']*)'/gm)].map(
      ([, title = '']) => `${file}: ${title}`,
    ),
  )
  const isCited = (title: string) => {
    const [, document, section] = /: (account|network|directory|design) (\d+) · ./.exec(title) ?? []
    return (
      document !== undefined && Number(section) >= 1 && Number(section) <= SECTION[document as keyof typeof SECTION]
    )
  }
  expect(titles.length).toBeGreaterThan(50)
  expect(titles.filter((title) => !isCited(title))).toEqual([])
})
