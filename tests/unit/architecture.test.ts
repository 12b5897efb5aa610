import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Who may import whom; `$1` is the feature's own name. A folder not listed here may import nothing outside itself. */
const ALLOWED: readonly (readonly [from: RegExp, to: string])[] = [
  [/^worker\/contract\//, '^worker/contract/'],
  [/^worker\/domain\//, '^worker/(contract|domain)/'],
  [/^worker\/(db|security)\//, '^worker/(contract|db|security|domain)/'],
  [/^worker\/outside\//, '^worker/(contract|db|security|http|outside)/|^worker/features/local/queries'],
  [/^worker\/http\//, '^worker/(contract|domain|db|security|http)/|^worker/outside/outside|^infra/hosts'],
  [
    /^worker\/features\/([\w-]+)\//,
    '^worker/(contract|domain|db|security|http|outside)/|^worker/features/$1/|^worker/features/[\\w-]+/queries|^infra/hosts',
  ],
  [/^worker\/[\w-]+(\.d)?\.ts$|^worker\/jobs\//, '^(worker|durable)/'],
  [/^durable\//, '^durable/|^worker/(contract|domain|db|security|outside)/'],
  [/^web\/(lib|ui)\//, '^web/(lib|ui)/|^worker/contract/'],
  [/^web\/features\/([\w-]+)\//, '^web/(lib|ui)/|^web/app/paths|^web/features/$1/|^worker/(contract|domain)/'],
  [/^web\//, '^web/|^worker/contract/'],
]

const sources = (root: string) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(root, file))

const files = ['web', 'worker', 'durable'].flatMap(sources)

describe('imports', () => {
  it.each(files)('%s imports only what its layer may', (file) => {
    const rule = ALLOWED.find(([from]) => from.test(file))
    const allowed = new RegExp(rule?.[1].replaceAll('$1', rule[0].exec(file)?.[1] ?? '') ?? '^$')
    const targets = [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(?) ?'(\.[^']+)'/g)]
      .map((match) => normalize(join(dirname(file), match[1] ?? '')))
      .filter((target) => !/\.(css|svg)$/.test(target))
    expect(targets.filter((target) => !allowed.test(target))).toEqual([])
  })
})

describe('names', () => {
  it.each(files)('%s is no drawer for odds and ends', (file) => {
    expect(file).not.toMatch(/\/(utils?|helpers?|common|types|misc)(\/|\.tsx?$)/)
  })
  it.each(files.filter((file) => /\/index\.tsx?$/.test(file)))('%s is no barrel', (file) => {
    expect(['worker/index.ts', 'worker/contract/index.ts', 'worker/jobs/index.ts']).toContain(file)
  })
})
