import { describe, expect, it } from 'vitest'
import { safeWords } from '#domain/outbound/safe-words.ts'

describe('a vendor’s words', () => {
  it.each([
    ['550 <zhang.san@example.com>: user unknown', '550 <z***@e***>: user unknown'],
    ['+8613800000000 in blacklist', '+86*** in blacklist'],
    ['number 13800000000', 'number 138***'],
    ['access_token=abc is not exist', 'access_token=*** is not exist'],
    ['{"sign":"c2lnbg==","x":1}', '{"sign":"***","x":1}'],
    ['StringToSign ACS3HMACSHA256abcdefghijklmnopqrstuvwxyz', 'StringToSign ***'],
    ['a\r\nb\tc\u202ed', 'a b c d'],
    ['触发分钟级流控Permits:1', '触发分钟级流控Permits:1'],
    ['isv.AMOUNT_NOT_ENOUGH', 'isv.AMOUNT_NOT_ENOUGH'],
    ['ip 203.0.113.9 is denied by app setting', 'ip *** is denied by app setting'],
    ['sign match fail', 'sign match fail'],
  ])('%j is shown as %j', (words, shown) => expect(safeWords(words)).toBe(shown))

  it('known secrets are taken out wherever they stand', () => {
    expect(safeWords('key pass-word-1 is wrong', ['pass-word-1'])).toBe('key *** is wrong')
    expect(safeWords('a short one stays: abc', ['abc'])).toBe('a short one stays: abc')
  })
  it('no more than 200 characters', () => expect(safeWords('错'.repeat(500))).toHaveLength(200))
})
