import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { API } from '#contract/api.ts'
import { listFiles } from '#tests/support/source-files.ts'
import { CALLS } from '#tests/support/spec/calls.ts'
import { FIELDS } from '#tests/support/spec/fields.ts'
import { ROUTES } from '#tests/support/spec/routes.ts'
import { TEXTS } from '#tests/support/spec/texts.ts'

/** Fulfilled parts of the specification. `SPEC_STANDING=write` records them; a recorded part may not disappear. */
const FILE = 'tests/support/spec/standing.json'
type Standing = Readonly<Record<string, readonly string[]>>

const sources = (folder: string) =>
  listFiles(folder, /\.(tsx?|json|md)$/)
    .filter((file) => !file.startsWith('web/features/local/')) // samples of the kit
    .map((file) => readFileSync(file, 'utf8'))

const written = ['worker', 'web', 'durable'].flatMap(sources)
const addresses = [...sources('web/app'), ...sources('web/lib')].join('\n')
const calls = new Set(API.map(({ method, path }) => `${method} ${path}`))

/** Placeholders and numbers are interpolated, so the literal parts between them are searched in one file. */
function isWritten(text: string): boolean {
  const parts = text.split(/\{\w+\}|\d+/).filter((part) => part.trim().length > 1)
  return written.some((source) => parts.every((part) => source.includes(part)))
}

/** Names of all properties in a schema, however deep. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties } = schema as { properties?: object }
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(namesIn)]
}

const listFields = ({ input, output, extra = {} }: Endpoint) => [
  ...namesIn(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })),
  ...namesIn(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' })),
  ...Object.keys(extra),
]
const carried = API.map((spec) => ({ path: spec.path, names: new Set(listFields(spec)) }))
const isCarried = (paths: string, name: string) =>
  carried.some((call) => paths.split(' ').some((start) => call.path.startsWith(start)) && call.names.has(name))

const now: Standing = {
  calls: CALLS.map(([call]) => call).filter((call) => calls.has(call)),
  routes: ROUTES.map(([path]) => path).filter((path) => addresses.includes(`'${path}'`)),
  texts: TEXTS.map(([text]) => text).filter(isWritten),
  fields: FIELDS.flatMap(([, entity, paths, names]) =>
    names
      .split(' ')
      .filter((name) => isCarried(paths, name))
      .map((name) => `${entity}.${name}`),
  ),
}
const named: Readonly<Record<string, number>> = {
  calls: CALLS.length,
  routes: ROUTES.length,
  texts: TEXTS.length,
  fields: FIELDS.flatMap(([, , , names]) => names.split(' ')).length,
}
if (process.env['SPEC_STANDING'] === 'write') writeFileSync(FILE, `${JSON.stringify(now, null, 2)}\n`)
const before = JSON.parse(readFileSync(FILE, 'utf8')) as Standing

describe('of the three documents', () => {
  console.info(
    Object.entries(now)
      .map(([kind, standing]) => `${standing.length} of ${named[kind]} ${kind}`)
      .join(', '),
  )
  it.each(Object.keys(named))('no implemented %s are removed', (kind) => {
    const standing = new Set(now[kind])
    expect(before[kind]?.filter((name) => !standing.has(name))).toEqual([])
  })
  it('each is named once', () => {
    for (const rows of [CALLS, ROUTES, TEXTS]) {
      const names = rows.map(([name]) => name)
      expect(names).toEqual([...new Set(names)])
    }
  })
})
