import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CONFIG_WORD, LINK_WORD, PRESENCE_WORD } from '#contract/kernel/states.ts'
import { listFiles } from '#tests/support/source-files.ts'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
/** READMEs of folders, for whoever changes the code beside them. */
const READMES = globSync('{worker,durable,web,infra,migrations,tests}/**/README.md').toSorted()
const documents = ['README.md', ...READMES, ...listFiles('infra/docs', /\.md$/)].map((name) => ({
  name,
  text: readFileSync(name, 'utf8'),
}))

/** Matches of a pattern's first group that fail a check, each with its document. */
const offenders = (pattern: RegExp, isGood: (found: string, document: string) => boolean) =>
  documents.flatMap(({ name, text }) =>
    [...text.matchAll(pattern)].flatMap(([, found = '']) => (isGood(found, name) ? [] : [`${name}: ${found}`])),
  )

/** Examples for placeholders in a path such as `worker/features/<noun>/routes.ts`. */
const EXAMPLES: Readonly<Record<string, string>> = { noun: 'network', hub: 'router-hub' }

it('paths exist', () => {
  const path = /(?<![\w./-])((?:worker|durable|web|infra|migrations|tests|\.ci)\/[\w./<>-]*[\w>])/g
  const isThere = (found: string) =>
    existsSync(found.replaceAll(/<(\w+)>/g, (all, name: string) => EXAMPLES[name] ?? all))
  expect(offenders(path, isThere)).toEqual([])
})

it('a README of a folder names files of that folder, others by their whole path', () => {
  expect(READMES).not.toEqual([])
  const isGood = (found: string, document: string) =>
    !READMES.includes(document) || existsSync(join(document, '..', found))
  expect(offenders(/`([\w-]+\.tsx?)`/g, isGood)).toEqual([])
})

it('commands exist', () => {
  const command = /npm (?:run (?:-s )?)?(start|test|[\w-]+)(?=[\s`.,)]|$)/g
  expect(offenders(command, (name) => name in scripts || ['run', 'ci', 'install'].includes(name))).toEqual([])
})

it('links lead somewhere', () => {
  const link = /\]\((?!https?:|#)([^)#]+)[^)]*\)/g
  expect(offenders(link, (target, document) => existsSync(join(document, '..', target)))).toEqual([])
})

it('Chinese state words of infra/docs/hubs.md are those of the product', () => {
  const { text = '' } = documents.find(({ name }) => name === 'infra/docs/hubs.md') ?? {}
  const CHINESE = /[\u4e00-\u9fff]+/g
  const sources = ['worker/contract', 'worker/domain', 'durable'].flatMap((folder) => listFiles(folder, /\.ts$/))
  const product = new Set(sources.flatMap((file) => readFileSync(file, 'utf8').match(CHINESE) ?? []))
  expect([...new Set(text.match(CHINESE))].filter((word) => !product.has(word))).toEqual([])

  const words: Readonly<Record<string, string>> = { ...PRESENCE_WORD, ...CONFIG_WORD, ...LINK_WORD }
  const named = [...text.matchAll(/`(\w+)` ([\u4e00-\u9fff]+)/g)].map(([, state = '', word]) => [state, word])
  expect(named).not.toEqual([])
  expect(named.filter(([state = '', word]) => words[state] !== word)).toEqual([])
})
