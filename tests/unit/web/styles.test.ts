import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, it } from 'vitest'
import { listFiles } from '#tests/support/source-files.ts'

/** Global style sheets stay loaded: the rules of one apply to every page shown after it. */
const SHEETS = listFiles('web', /\.css$/).map((file) => ({
  path: relative('web', file),
  text: readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\//gs, ''),
}))

/** May restyle classes of other sheets: touch target sizes, rows of a table on a phone. */
const RESTYLING = new Set(['touch.css', 'ui/table/data-table-phone.css'])

/** Sheets that may use literal colours: tokens, an illustration that is dark in both themes, and the captcha's. */
const OWN_COLOURS = new Set([
  'theme.css',
  'client/client.css', // has the tokens of its page
  'app/layouts/network-art.css',
  'ui/form/field.css',
  'ui/totp/totp.module.css',
])

it('no class is styled in two sheets', () => {
  const owners = new Map<string, Set<string>>()
  for (const { path, text } of SHEETS.filter(({ path }) => !RESTYLING.has(path) && !path.endsWith('.module.css'))) {
    for (const [, selectors = ''] of text.matchAll(/(?:^|[{};])\s*([^{};@]+)\{/g)) {
      for (const selector of selectors.split(',')) {
        const name = /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1]
        if (name !== undefined) owners.set(name, (owners.get(name) ?? new Set()).add(path))
      }
    }
  }
  expect(owners.size).toBeGreaterThan(100)
  expect([...owners].filter(([, paths]) => paths.size > 1)).toEqual([])
})

it('colours are tokens', () => {
  const loose = SHEETS.filter(({ path }) => !OWN_COLOURS.has(path)).flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w-])(#[0-9a-f]{3,8}\b|rgba?\((?!var).*?\))/gi)].map(([colour]) => `${path} ${colour}`),
  )
  expect(loose).toEqual([])
})
