import { describe, expect, it } from 'vitest'
import { CALLS } from '#tests/support/spec/calls.ts'
import { OF_PAGES, PROOFS } from '#tests/support/spec/document-1.ts'
import { hasTitle, isCalled, isWrittenIn, readTests } from '#tests/support/spec/sources.ts'
import { TEXTS } from '#tests/support/spec/texts.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// Each demand of document 1 on the server, and of documents 2 and 3 on public pages, has a test that names its section.

const server = readTests('tests/api')
const naming = server.filter((text) => /describe\w*[^']*'(?:account|directory) \d/.test(text))
const pages = readTests('tests/web')

const calls = CALLS.filter(([, section]) => section === 'account 7')
const texts = TEXTS.filter(([, section]) => /^account [58]$/.test(section)).map(([text]) => text)

describe('document 1 on the server', () => {
  it('every call of section 7 is made in a test that names a section', () => {
    expect(calls.length).toBeGreaterThan(40)
    expect(calls.filter(([call]) => !isCalled(naming, call))).toEqual([])
  })

  it('every sentence of sections 5 and 8 is answered in a test of the server, or shown in one of its page', () => {
    const ofPages = new Set(OF_PAGES)
    const missing = texts.filter((text) => !isWrittenIn(ofPages.has(text) ? pages : server, text))
    expect(missing).toEqual([])
  })

  it('each proof names a file that has a test of that title', async () => {
    const offenders = await findOffenders(PROOFS)((_, __, file, title) => {
      expect(hasTitle(file, title)).toBe(true)
    })
    expect(offenders).toEqual([])
  })
})
