import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CALLS } from '../support/spec/calls.ts'
import { OF_LATER, OF_PAGES, PROOFS } from '../support/spec/document-1.ts'
import { TEXTS } from '../support/spec/texts.ts'

// What document 1 asks of the server, and documents 2 and 3 of its public pages, has a test that names its section.

const read = (folder: string, pattern: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
const server = read('tests/api', /\.test\.ts$/)
const naming = server.filter((text) => /describe\w*[^']*'(?:account|directory) \d/.test(text))
const pages = read('tests/web', /\.test\.tsx?$/)

/** `POST account/edit_phone` → ['accountApi', 'editPhone']. */
const NAMES = new Map<string, readonly [string, string]>(
  read('worker/contract', /\.ts$/).flatMap((text) => {
    const [, api = ''] = /export const (\w+Api) =/.exec(text) ?? []
    const found = [...text.matchAll(/(\w+): endpoint\(\{\s*method: '(\w+)',\s*path: '([^']+)'/g)]
    return found.map(([, key = '', method, path]) => [`${method} ${path}`, [api, key]] as const)
  }),
)

const calls = CALLS.filter(([, section]) => section === 'account 7')
const later = new Set(OF_LATER)
const texts = TEXTS.filter(([text, section]) => /^account [58]$/.test(section) && !later.has(text)).map(
  ([text]) => text,
)

/** The literal parts of a sentence with blanks. */
const isIn = (sources: readonly string[], text: string) =>
  sources.some((source) => text.split(/\{\w+\}/).every((part) => source.includes(part)))

describe('document 1 on the server', () => {
  it('every call of section 7 is made in a test that names a section', () => {
    expect(calls.length).toBeGreaterThan(40)
    const missing = calls.filter(([call]) => {
      const [api = '', key = ''] = NAMES.get(call) ?? []
      return !naming.some((text) => text.includes(api) && new RegExp(`\\b${key}\\b`).test(text))
    })
    expect(missing).toEqual([])
  })

  it('every sentence of sections 5 and 8 is answered in a test of the server, or shown in one of its page', () => {
    const ofPages = new Set(OF_PAGES)
    const missing = texts.filter((text) => !isIn(ofPages.has(text) ? pages : server, text))
    expect(missing).toEqual([])
  })

  it.each(PROOFS)('%s · %s', (_, __, file, title) => {
    expect(readFileSync(join('tests', file), 'utf8')).toContain(`'${title}'`)
  })
})
