import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
const documents = [
  'README.md',
  ...readdirSync('infra/docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('infra/docs', name)),
]
const TOP = 'worker|durable|web|infra|migrations|tests|\\.ci'

describe.each(documents)('%s', (document) => {
  const text = readFileSync(document, 'utf8')
  const paths = [...text.matchAll(new RegExp(`(?<![\\w./-])((?:${TOP})/[\\w./-]*\\w)`, 'g'))].map(
    ([, path = '']) => path,
  )
  const commands = [...text.matchAll(/npm (?:run (?:-s )?)?(start|test|[\w-]+)(?=[\s`.,)]|$)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !['run', 'ci', 'install'].includes(name))

  it.each([...new Set(paths)].map((path) => [path]))('%s exists', (path) => {
    expect(existsSync(path)).toBe(true)
  })
  it.each([...new Set(commands)].map((name) => [name]))('npm run %s exists', (name) => {
    expect(scripts).toHaveProperty(name)
  })
  it.each([...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, link = '']) => [link]))(
    'link %s leads somewhere',
    (link) => {
      expect(existsSync(join(document, '..', link))).toBe(true)
    },
  )
})
