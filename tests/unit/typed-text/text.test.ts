import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import { email, nickname, numeric } from '#contract/kernel/fields.ts'
import {
  codeText,
  copiedText,
  dottedText,
  groupedCode,
  otpText,
  wholeNumber,
} from '#contract/kernel/input/typed-text.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { listFiles } from '#tests/support/source-files.ts'

/** Characters of any kind, and those that clipboards, keyboards and spreadsheets add. */
const unit = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 1 }),
  fc.constantFrom(
    '\u200B',
    '\u202D',
    '\u202C',
    '\uFEFF',
    '\u00A0',
    '\u3000',
    '\u3164',
    '\u2800',
    '－',
    '１',
    'Ａ',
    'ﬁ',
    '。',
    '①',
  ),
)
const anyText = fc.string({ unit, maxLength: 24 })
const FULL_WIDTH = (text: string) => text.replace(/[!-~]/g, (char) => String.fromCodePoint(char.charCodeAt(0) + 0xfee0))

describe('text of a field that is no free text', () => {
  it('is the same however it was typed or pasted', async () => {
    const offenders = await findOffenders([
      ['NL22S033', 'NL22S033'],
      [' NL22S033\n', 'NL22S033'],
      ['\u202DNL22S033\u202C', 'NL22S033'],
      ['ＮＬ２２Ｓ０３３', 'NL22S033'],
      ['NL\u200B22\u00ADS033\uFEFF', 'NL22S033'],
      ['\u3164NL22S033\u2800', 'NL22S033'],
      ['NL22\u{E0041}S033\uFE0F', 'NL22S033'],
      ['\u00A0\u3000NL22S033\t', 'NL22S033'],
      ['li＠vip．163．com', 'li@vip.163.com'],
      ['NL22 S033', 'NL22 S033'],
    ])((typed, stored) => expect(codeText(typed)).toBe(stored))
    expect(offenders).toEqual([])
  })
  it.each([codeText, dottedText, groupedCode, copiedText])('is idempotent, and holds nothing unseen: %o', (clean) => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const once = clean(typed)
        expect(clean(once)).toBe(once)
        const bare = clean === copiedText ? codeText(once) : once
        expect(bare).not.toMatch(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]|^\s|\s$/u)
      }),
    )
  })
  it('is the code itself, whatever width its letters have and whatever is around it', () => {
    const code = fc.string({ unit: fc.constantFrom(...'aZ09@._-/:='), minLength: 1, maxLength: 20 })
    const noise = fc.string({ unit: fc.constantFrom(' ', '\t', '\u200B', '\u202D', '\u3000', '\u2800', '\uFEFF') })
    fc.assert(
      fc.property(code, noise, noise, fc.boolean(), (text, before, after, isWide) => {
        expect(codeText(`${before}${isWide ? FULL_WIDTH(text) : text}${after}`)).toBe(text)
      }),
    )
  })
  it('keeps the letters of what another program shows', () => {
    expect(copiedText('\u202Dcn=李，娜,dc=acme\u202C\n')).toBe('cn=李，娜,dc=acme')
  })
  it('takes the dot of a Chinese keyboard', () => expect(dottedText('１０。1．2。３')).toBe('10.1.2.3'))
})

it('stands once: no other file brings letters to one width', () => {
  const files = ['web', 'worker', 'durable', 'infra'].flatMap((root) => listFiles(root, /\.tsx?$/))
  const isNormaliser = (file: string) => /\.normalize\(|NFKC?|0xfee0/i.test(readFileSync(file, 'utf8'))
  expect(files.filter(isNormaliser)).toEqual(['worker/contract/kernel/input/typed-text.ts'])
})

it('a code is read out of its groups, or of a whole message', async () => {
  const offenders = await findOffenders([
    ['123456', '123456'],
    [' 123 456 ', '123456'],
    ['123-456', '123456'],
    ['123–456', '123456'],
    ['１２３４５６', '123456'],
    ['12\u200B3456', '123456'],
    ['【启明】验证码：123456，10分钟内有效。', '123456'],
    ['123456 is your code', '123456'],
    ['1234567', '1234567'], // too long: refused, not cut
    ['12345', '12345'],
    ['验证码123456，备用654321', '验证码123456,备用654321'], // which one is not known
    ['abc', 'abc'],
    ['', ''],
  ])((typed, read) => expect(otpText(typed, 6)).toBe(read))
  expect(offenders).toEqual([])
})

describe('number', () => {
  it('is what a person writes as one', async () => {
    const offenders = await findOffenders([
      ['24', 24],
      [' 24 ', 24],
      ['２４', 24],
      ['\u202D24\u202C', 24],
      ['-3', -3],
      ['007', 7],
      ['0x18', '0x18'],
      ['0b11', '0b11'],
      ['1e3', '1e3'],
      ['1.5', '1.5'],
      ['+5', '+5'],
      ['1,000', '1,000'],
      ['Infinity', 'Infinity'],
      ['', ''],
      [' ', ' '],
      ['9'.repeat(16), '9'.repeat(16)],
    ])((typed, read) => expect(wholeNumber(typed)).toBe(read))
    expect(offenders).toEqual([])
  })
  it('any other text is refused by a field', () => {
    const field = numeric(z.int().min(-1_000_000).max(1_000_000))
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: fc.constantFrom(...'0123456789.eExX+-, ') })), (typed) => {
        const { success, data } = field.safeParse(typed)
        const isNumber = /^-?\d{1,15}$/.test(codeText(typed)) && Math.abs(Number(codeText(typed))) <= 1_000_000
        expect([success, data]).toEqual([isNumber, isNumber ? Number(codeText(typed)) : undefined])
      }),
    )
  })
})

describe('account 5 · e-mail address', () => {
  it('is a dot-atom at a domain of two labels or more', async () => {
    const offenders = await findOffenders([
      ['a@b.cn', true],
      ['li@vip.163.com', true],
      ['li@mail.dept.example.com.cn', true],
      ['li@sub.xn--fiqs8s', true],
      ['Li.Na+console@QQ.com', true],
      ["o'hara/dept=x@example.com", true],
      ['1234567890@qq.com', true],
      ['_li-na_@a-b.example.com', true],
      ['a@b', false],
      ['li@localhost', false],
      ['li@cn', false],
      ['a@b.c', false],
      ['a@@b.cn', false],
      ['.a@b.cn', false],
      ['a.@b.cn', false],
      ['a..b@c.cn', false],
      ['a@-b.cn', false],
      ['a@b-.cn', false],
      ['a@b..cn', false],
      ['a@b.cn.', false],
      ['"li na"@b.cn', false],
      ['a@[127.0.0.1]', false],
      ['a@127.0.0.1', false],
      ['李@b.cn', false],
      ['a b@c.cn', false],
      ['a@b.cn\r\nBcc: x@y.cn', false],
      ['a\0@b.cn', false],
      ['a@b.cn,x@y.cn', false],
      ['李娜 <li@b.cn>', false],
      [`${'a'.repeat(58)}@b.com`, true],
      [`${'a'.repeat(59)}@b.com`, false],
    ])((address, isTaken) => expect(email.safeParse(address).success).toBe(isTaken))
    expect(offenders).toEqual([])
  })
  it('is cleaned before it is judged and counted', () => {
    expect(email.parse('\u202D ｌｉ＠vip。163．com\u200B')).toBe('li@vip.163.com')
    expect(email.parse(`\u200B${'a'.repeat(58)}@b.com\u200B`)).toHaveLength(64)
  })
  it('is judged in time that its length bounds', () => {
    const start = performance.now()
    for (const text of [`${'a.'.repeat(50_000)}@`, `a@${'a-'.repeat(50_000)}`, `a@${'a.'.repeat(50_000)}1`])
      expect(email.safeParse(text).success).toBe(false)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

it.each([
  ['阿卜杜·买买提', true],
  ['阿卜杜•买买提', true],
  ['ＬｉＮａ', true],
  ['·买买提', false],
  ['买买提·', false],
  ['阿··买', false],
  ['阿-买', false],
])('the nickname %s: %s', (typed, isTaken) => expect(nickname.safeParse(typed).success).toBe(isTaken))
