import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { listFiles } from '#tests/support/source-files.ts'

/** Modules that share no chunk with the console; contracts bring their schemas along. */
const OWN = /^(\.|react(-dom\/client)?$|uqr$|#lib\/proof-of-work\/)/

it('the page of software members runs no script of the console or of a contract: a phone loads 60 kB', () => {
  const files = listFiles('web/client', /\.tsx?$/)
  const foreign = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^import (?!type )(?:[^']* from )?'([^']+)'|\bimport\('([^']+)'\)/gm)]
      .map(([, fixed = '', lazy = '']) => fixed || lazy)
      .filter((specifier) => !OWN.test(specifier))
      .map((specifier) => `${file}: ${specifier}`),
  )
  expect(files.length).toBeGreaterThan(10)
  expect(foreign).toEqual([])
})
