import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findOffenders } from '#tests/support/offenders.ts'

const THEME = readFileSync('web/theme.css', 'utf8')

/** Plain hex tokens of a theme; the dark theme inherits the light one's. */
function parseTokens(selector: string): Map<string, string> {
  const block = THEME.slice(THEME.indexOf(`\n${selector} {`)).split('\n}')[0]!
  return new Map([...block.matchAll(/(--nl-[\w-]+): (#[0-9a-f]{3,6});/g)].map((match) => [match[1]!, match[2]!]))
}
const light = parseTokens('body')
const THEMES = { light, dark: new Map([...light, ...parseTokens("body[theme-mode='dark']")]) }

function luminance(hex: string): number {
  const long = hex.length === 4 ? hex.replaceAll(/[0-9a-f]/g, '$&$&') : hex
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(long.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function contrast(one: string, other: string): number {
  const [dark, bright] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (bright! + 0.05) / (dark! + 0.05)
}

it('measures as WCAG does', () => {
  expect(contrast('#fff', '#000000')).toBeCloseTo(21)
  expect(contrast('#777', '#fff')).toBeCloseTo(4.48, 1)
})

describe.each(Object.entries(THEMES))('%s theme', (_, tokens) => {
  const surfaces = ['--nl-panel', '--nl-canvas', '--nl-field'] as const
  const colour = (token: string) => {
    const hex = tokens.get(token)
    if (hex === undefined) throw new Error(`theme.css has no plain ${token}`)
    return hex
  }

  const series = Array.from({ length: 11 }, (_, i) => `--nl-series-${i + 1}`)
  it('lines of fields and charts have a contrast of 3:1 on every surface (1.4.11)', async () => {
    const offenders = await findOffenders(['--nl-field-line', ...series])((token) => {
      for (const surface of surfaces) expect(contrast(colour(token), colour(surface))).toBeGreaterThanOrEqual(3)
    })
    expect(offenders).toEqual([])
  })

  it.each(['--nl-ok', '--nl-warn', '--nl-bad', '--nl-idle', '--nl-chart-text'])(
    '%s has a contrast of 4.5:1 on every surface (1.4.3)',
    (token) => {
      for (const surface of surfaces) expect(contrast(colour(token), colour(surface))).toBeGreaterThanOrEqual(4.5)
    },
  )

  it('white text has a contrast of 4.5:1 on a red button', () => {
    expect(contrast('#fff', colour('--nl-bad-solid'))).toBeGreaterThanOrEqual(4.5)
  })
})
