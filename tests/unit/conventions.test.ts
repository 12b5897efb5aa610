import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const files = ['web', 'worker', 'durable'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(root, file)),
)
const offenders = (pattern: RegExp, among = files) => among.filter((file) => pattern.test(readFileSync(file, 'utf8')))

it('refusals are compared by key (`reason`), never by message', () => {
  expect(
    offenders(/[!=]==? *(ERRORS|DONE)\.\w+(\.msg)?\b|(ERRORS|DONE)\.\w+(\.msg)? *[!=]==?|\.includes\(ERRORS\./),
  ).toEqual([])
})

it('zod is imported as a namespace: its named export `z` brings 260 kB of languages into the bundle', () => {
  const bundled = files.filter((file) => !file.startsWith('web/'))
  expect(offenders(/^import \{[^}]*\bz\b[^}]*\} from 'zod'/m, bundled)).toEqual([])
  expect(offenders(/from 'zod\/(v4\/)?locales'/, bundled)).toEqual([])
})

it('a hub reads and writes its own storage in its storage.ts', () => {
  const shells = files.filter((file) => /^durable\/[\w-]+-hub\/[\w-]+-hub\.ts$/.test(file))
  expect(shells).toHaveLength(3)
  expect(offenders(/\bkv\b|\bsql\.exec\b/, shells)).toEqual([])
})

it('tests build rows of members and networks in tests/support only', () => {
  const tests = readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('support/'))
    .map((file) => join('tests', file))
  expect(offenders(/\.insert\((devices|routers|networks|networkMembers|messages)\)/, tests)).toEqual([])
})
