import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PHONE_REQUIRED, displayText, internationalPhone, note } from '#contract/kernel/fields.ts'
import { networkName } from '#contract/network/networks.ts'

const EMOJI =
  /\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})?(?:\u200D\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})?)*|[0-9#*]\uFE0F\u20E3/gu
const UNIT = fc.constantFrom('👩', '\u200D', '\uFE0F', '🏽', '1', '\u20E3', '\u3164', '\u2800', ' ', '总')

describe('text that people see', () => {
  it.each([
    ['a tab and a line break', ' 总部\t与\n分支 ', '总部 与 分支'],
    ['a zero-width space', '总\u200B部', '总部'],
    ['spaces around what cannot be seen', '总部 \u200B 分支', '总部 分支'],
    ['a bidi override', '总部\u202Egnp', '总部gnp'],
    ['a full-width space', '总部　分支', '总部 分支'],
    ['emoji and accents', '门店🏪é', '门店🏪é'],
    ['a family emoji', '门店👨‍👩‍👧‍👦', '门店👨‍👩‍👧‍👦'],
    ['emoji with selectors, skins, keys and flags', '❤️‍🔥👩🏽‍🤝‍👨🏻🏳️‍🌈1️⃣☎︎🇨🇳🏴󠁧󠁢󠁳󠁣󠁴󠁿', '❤️‍🔥👩🏽‍🤝‍👨🏻🏳️‍🌈1️⃣☎︎🇨🇳🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['a joiner that joins nothing', '👨\u200D总\u200D\u200D部\uFE0F', '👨总部'],
    ['letters that nobody sees', '总\u3164\uFFA0\u115F\u034F\u{1D159}部', '总部'],
    ['hidden tags', '总部\u{E0041}\u{E0042}', '总部'],
    ['an empty braille pattern', '总\u2800部', '总 部'],
    ['dots inside a name', '阿卜杜·买买提•艾力', '阿卜杜·买买提•艾力'],
  ])('loses nothing else: %s', (_, typed, kept) => {
    expect(displayText.parse(typed)).toBe(kept)
  })

  it('is idempotent and removes invisible characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 1 }), UNIT) }), (typed) => {
        const once = displayText.parse(typed)
        expect(displayText.parse(once)).toBe(once)
        const letters = once.replace(EMOJI, '')
        expect(letters).not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u)
        expect(once).not.toMatch(/^\s|\s$|\s\s/u)
      }),
    )
  })

  it('is measured without it', () => {
    for (const unseen of ['\u200B \t', '\u3164', '\u2800', '\u{E0020}', '\uFE0F', '\u200D'])
      expect(networkName.safeParse(unseen).success).toBe(false)
    expect(note.parse('\u200B')).toBe('')
  })
})

it.each(['', ' ', '+86', '+86 ', '+852 '])('a phone of nothing but a dial code is missing: %j', (typed) => {
  expect(internationalPhone.safeParse(typed).error?.issues[0]?.message).toBe(PHONE_REQUIRED)
})
