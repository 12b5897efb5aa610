import { globSync, readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** Patterns and folders that match no file. */
const unmatched = (patterns: readonly string[]): readonly string[] =>
  patterns.filter((pattern) => {
    const found = globSync([pattern, `${pattern}/**`], { withFileTypes: true })
    return !found.some((entry) => entry.isFile())
  })

it('every override of the linter matches a file', () => {
  const { overrides } = readJson('.oxlintrc.json') as { overrides: readonly { files: readonly string[] }[] }
  expect(overrides.length).toBeGreaterThan(0)
  expect(unmatched(overrides.flatMap(({ files }) => files))).toEqual([])
})

it('every path of a source that the formatter leaves out matches a file', () => {
  const { ignorePatterns } = readJson('.oxfmtrc.json') as { ignorePatterns: readonly string[] }
  const paths = ignorePatterns.filter((pattern) => /^\w+\//.test(pattern))
  expect(paths.length).toBeGreaterThan(0)
  expect(unmatched(paths)).toEqual([])
})

const projects = readdirSync('.').filter((file) => /^tsconfig\.(?!base)\w+\.json$/.test(file))

it.each(projects)('every path of %s matches a file', (file) => {
  const { include, exclude = [] } = readJson(file) as {
    include: readonly string[]
    exclude?: readonly string[]
  }
  expect(include.length).toBeGreaterThan(0)
  expect(unmatched([...include, ...exclude])).toEqual([])
})

it('tsconfig.json names every project', () => {
  const { references } = readJson('tsconfig.json') as { references: readonly { path: string }[] }
  expect(references.map(({ path }) => path.slice(2)).toSorted()).toEqual(projects.toSorted())
})

it.each(['vite.config.ts', 'vitest.config.ts'])('every path of %s matches a file', (file) => {
  const paths = [...readFileSync(file, 'utf8').matchAll(/'((?:\.\/)?(?:web|worker|durable|infra|tests)\/[^']+)'/g)]
  expect(paths.length).toBeGreaterThan(0)
  expect(unmatched(paths.map(([, path = '']) => path))).toEqual([])
})
