import { describe, expect, it } from 'vitest'
import { CALLS } from '#tests/support/spec/calls.ts'
import { ALSO_NAMED, OF_PAGES, RULES } from '#tests/support/spec/document-3.ts'
import { hasTitle, isCalled, isWrittenIn, readTests } from '#tests/support/spec/sources.ts'
import { TEXTS } from '#tests/support/spec/texts.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// Each demand of document 3 has a test on the server, if the server has a say, and one on a page.

const server = readTests('tests/api')
const naming = server.filter((text) => /describe\w*[^']*'directory \d/.test(text))
/** Without the replies of a fake server: a test that only answers with a sentence sees nothing of it. */
const pages = [...readTests('tests/web'), ...readTests('tests/browser')].map((text) =>
  text.replaceAll(/\bmsg: '[^']*'/g, ''),
)

const calls = CALLS.filter(([, section]) => section === 'directory 7')
const own = TEXTS.filter(([, section]) => /^directory [2458]$/.test(section)).map(([text]) => text)
const texts = [...own, ...ALSO_NAMED]

describe('document 3', () => {
  it('every call of section 7 is made in a test of the server that names a section', () => {
    expect(calls.length).toBeGreaterThan(50)
    expect(calls.filter(([call]) => !isCalled(naming, call))).toEqual([])
  })

  it('a text that it shares with another document stands in the list once, under that', () => {
    const others = new Set(TEXTS.map(([text]) => text).filter((text) => !own.includes(text)))
    expect(ALSO_NAMED.filter((text) => !others.has(text))).toEqual([])
    expect(OF_PAGES.filter((text) => !texts.includes(text))).toEqual([])
  })

  it('every sentence of sections 2, 4, 5 and 8 is answered in a test of the server, where that says it', () => {
    const ofServer = texts.filter((text) => !OF_PAGES.includes(text))
    expect(ofServer.filter((text) => !isWrittenIn(server, text))).toEqual([])
  })

  it('every sentence of sections 2, 4, 5 and 8 is seen in a test of a page', () => {
    expect(texts.filter((text) => !isWrittenIn(pages, text))).toEqual([])
  })

  it('every rule of these sections is seen on a page, and each proof stands on its side', () => {
    const isSeen = (section: string, page: string | null) => page !== null || !/[2458]$/.test(section)
    const wrong = RULES.filter(
      ([section, , onServer, onPage]) =>
        !isSeen(section, onPage) ||
        !/^(api|durable|unit)\//.test(onServer ?? 'api/') ||
        !/^(web|browser)\//.test(onPage ?? 'web/'),
    )
    expect(wrong).toEqual([])
  })

  it('each rule has a proof, and each proof names a file that has a test of that title', async () => {
    const offenders = await findOffenders(RULES)((_, __, ...proofs) => {
      const places = proofs.filter((place) => place !== null)
      expect(places).not.toEqual([])
      expect(places.filter((place) => !hasTitle(...(place.split(' › ') as [string, string])))).toEqual([])
    })
    expect(offenders).toEqual([])
  })
})
