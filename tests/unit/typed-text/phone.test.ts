import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import dialCodes from '#contract/country/dial-codes.json' with { type: 'json' }
import { areaCode, internationalPhone } from '#contract/kernel/fields.ts'
import { dialledPhone, internationalText, phoneProblem, phoneText } from '#contract/kernel/input/phone.ts'
import { findOffenders } from '#tests/support/offenders.ts'

describe('number under a chosen dial code', () => {
  it('is the same however it is written', async () => {
    const offenders = await findOffenders([
      ['86', '13800138000', '13800138000'],
      ['86', '138 0013 8000', '13800138000'],
      ['86', ' 13800138000', '13800138000'],
      ['86', '138-0013-8000', '13800138000'],
      ['86', '138–0013—8000', '13800138000'],
      ['86', '138‑0013−8000', '13800138000'],
      ['86', '１３８００１３８０００', '13800138000'],
      ['86', '\u202D13800138000\u202C', '13800138000'],
      ['86', '138\u200B0013\u00A08000', '13800138000'],
      ['86', '8613800138000', '13800138000'],
      ['86', '+8613800138000', '13800138000'],
      ['86', '＋８６ 138 0013 8000', '13800138000'],
      ['86', '(+86) 138 0013 8000', '13800138000'],
      ['86', '86-138-0013-8000', '13800138000'],
      ['86', '008613800138000', '13800138000'],
      ['86', '0086 138 0013 8000', '13800138000'],
      ['86', '+008613800138000', '13800138000'],
      ['86', '013800138000', '13800138000'],
      ['86', 'tel:+86-138-0013-8000', '13800138000'],
      ['852', '+852 9123 4567', '91234567'],
      ['852', '9123 4567', '91234567'],
      ['852', '85291234567', '91234567'],
      ['852', '00852-91234567', '91234567'],
      ['852', '85291234', '85291234'], // a number by itself
      ['44', '+44 (0)7911 123456', '7911123456'],
      ['44', '+44 07911123456', '7911123456'],
      ['44', '07911 123456', '7911123456'],
      ['49', '0151/12345678', '151/12345678'], // unknown separators are refused
      ['49', '01511 2345678', '15112345678'],
      ['886', '+886 0912345678', '912345678'],
      ['886', '0912-345-678', '912345678'],
      ['7', '8 912 345-67-89', '9123456789'],
      ['7', '8001234567', '8001234567'],
      ['36', '06 20 123 4567', '201234567'],
      ['375', '8 029 123-45-67', '291234567'],
      ['591', '0 71234567', '71234567'],
      ['39', '0612345678', '0612345678'], // Italy keeps its 0
      ['225', '0701020304', '0701020304'],
      ['1', '(202) 555-0123', '2025550123'],
      ['1', '1-202-555-0123', '2025550123'],
      ['86', '', ''],
    ])((dialCode, typed, stored) => expect(phoneText(dialCode, typed)).toBe(stored))
    expect(offenders).toEqual([])
  })
  it('never becomes the number of somebody else: what does not fit is refused', async () => {
    const offenders = await findOffenders([
      ['852', '+86 13800138000'],
      ['86', '+852 9123 4567'],
      ['86', '1380013800'],
      ['86', '138001380001'],
      ['86', '13800138000/13900139000'],
      ['86', '13800138000 转 1'],
      ['852', '+852 9123 45678'],
      ['852', '+852 9123 456'],
      ['44', '+44 0044 7911 123456'],
      ['49', '+49 00 1511 2345678'],
      ['886', '+886 00912345678'],
    ])((dialCode, typed) => expect(phoneProblem(dialCode, phoneText(dialCode, typed))).not.toBeNull())
    expect(offenders).toEqual([])
  })
  it('a number with its dial code, in any groups, is stored as it was meant', () => {
    const separator = fc.constantFrom('', ' ', '-', '–', '—', '\u00A0', '\u200B', '\u2011', '(', ')', '.', '－')
    const number = fc
      .constantFrom(...Object.entries(dialCodes as Record<string, number[]>))
      .chain(([dialCode, [min = 0, max = 0]]) =>
        fc.record({
          dialCode: fc.constant(dialCode),
          digits: fc
            .array(fc.integer({ min: 1, max: 9 }), { minLength: min, maxLength: max })
            .map((digits) => (dialCode === '86' ? `138${digits.slice(3).join('')}` : digits.join(''))),
        }),
      )
    const written = fc.tuple(
      number,
      fc.constantFrom('+', '00', '＋', '+00'),
      fc.array(separator, { minLength: 40, maxLength: 40 }),
      fc.boolean(),
    )
    fc.assert(
      fc.property(written, ([{ dialCode, digits }, sign, separators, isWide]) => {
        const spread = [...dialCode, ...digits].map((digit, i) => digit + separators[i]).join('')
        const typed =
          sign + (isWide ? spread.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))) : spread)
        expect(phoneText(dialCode, typed)).toBe(digits)
        expect(phoneText(dialCode, digits)).toBe(digits)
        expect(dialledPhone(typed)).toEqual({ areaCode: dialCode, number: digits })
        expect(internationalText(typed)).toBe(`+${dialCode} ${digits}`)
      }),
    )
  })
  it('a stored number stays, and none is longer than 11 digits', () => {
    const codes = Object.keys(dialCodes)
    fc.assert(
      fc.property(
        fc.constantFrom(...codes),
        fc.string({ unit: fc.constantFrom(...'0123456789+- (') }),
        (dialCode, typed) => {
          const once = phoneText(dialCode, typed)
          if (phoneProblem(dialCode, once) !== null) return
          expect(phoneText(dialCode, once)).toBe(once)
          expect(once).toMatch(/^\d{4,11}$/)
        },
      ),
    )
  })
})

it('a phone in a text by itself needs a dial code, unless it is a mainland number', async () => {
  const offenders = await findOffenders([
    ['13800138000', { areaCode: '86', number: '13800138000' }],
    ['+86-13800138000', { areaCode: '86', number: '13800138000' }],
    ['+852 9123 4567', { areaCode: '852', number: '91234567' }],
    ['0044 (0)7911 123456', { areaCode: '44', number: '7911123456' }],
    ['9123 4567', null],
    ['+999 1234567', null],
    ['li@b.cn', null],
    ['', null],
  ])((typed, phone) => expect(dialledPhone(typed)).toEqual(phone))
  expect(offenders).toEqual([])
})

it.each([
  ['+86 13800138000', '+86 13800138000'],
  ['+8613800138000', '+86 13800138000'],
  ['+852 +852 9123 4567', '+852 91234567'],
  ['+44 07911 123456', '+44 7911123456'],
  ['１３８００１３８０００', '+86 13800138000'],
  ['x', 'x'],
])('%s is sent a code as %s', (typed, text) => expect(internationalText(typed)).toBe(text))

it('a dial code is read with its plus or 00', () => {
  expect(['852', '+852', '00852', '＋８５２', ' 852\u200B', ''].map((typed) => areaCode.parse(typed))).toEqual([
    '852',
    '852',
    '852',
    '852',
    '852',
    '86',
  ])
  expect(internationalPhone.safeParse('+86 123').success).toBe(false)
})
