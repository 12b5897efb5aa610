import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { note, displayText } from '#contract/kernel/fields.ts'
import { networkName } from '#contract/network/networks.ts'

describe('text that people see', () => {
  it.each([
    ['a tab and a line break', ' 总部\t与\n分支 ', '总部 与 分支'],
    ['a zero-width space', '总\u200B部', '总部'],
    ['spaces around what cannot be seen', '总部 \u200B 分支', '总部 分支'],
    ['a bidi override', '总部\u202Egnp', '总部gnp'],
    ['a full-width space', '总部　分支', '总部 分支'],
    ['emoji and accents', '门店🏪é', '门店🏪é'],
  ])('loses nothing else: %s', (_, typed, kept) => {
    expect(displayText.parse(typed)).toBe(kept)
  })

  it('is idempotent and removes invisible characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (typed) => {
        const once = displayText.parse(typed)
        expect(displayText.parse(once)).toBe(once)
        expect(once).not.toMatch(/[\p{Cc}\p{Cf}]|^\s|\s$|\s\s/u)
      }),
    )
  })

  it('is measured without it', () => {
    expect(networkName.safeParse('\u200B \t').success).toBe(false)
    expect(note.parse('\u200B')).toBe('')
  })
})
