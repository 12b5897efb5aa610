import { describe, expect, it } from 'vitest'
import { PASSWORD } from '#contract/account/limits.ts'
import common from '#domain/account/common-passwords.json' with { type: 'json' }
import { checkPassword, isPattern } from '#domain/account/password.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const owner = { names: ['company01', '启明科技', 'mail01@example.com', null], phone: '13800001111' }
const keyOf = (password: string) => checkPassword(password, owner)?.key ?? null

describe('account 5 · a password', () => {
  it('is refused where it is common', async () => {
    const offenders = await findOffenders([
      '123456',
      '12345678',
      '888888',
      'password',
      'PASSWORD',
      'Password1',
      'qwerty',
      '1qaz2wsx',
      'iloveyou',
      'woaini1314',
      'admin123',
      'dragon',
      'p@ssw0rd',
      '5201314',
      'letmein',
      'sunshine',
      'michael',
      'superman',
    ])((password) => expect(keyOf(password)).toBe('PASSWORD_COMMON'))
    expect(offenders).toEqual([])
  })

  it.each([
    'aaaaaa',
    '121212',
    '112211',
    '123123',
    'abcabc',
    '987654321',
    'zyxwvu',
    'lkjhgf',
    'a123456',
    '123456789a',
    'abc123',
    'qq123456',
  ])('is refused where it is a pattern: %s', (password) => expect(isPattern(password)).toBe(true))

  it.each(['company01', 'COMPANY01', 'mail01@example.com', 'mail01', '13800001111'])(
    'is refused where it is a name or the phone of its owner: %s',
    (password) => expect(keyOf(password)).toBe('PASSWORD_PERSONAL'),
  )

  it.each(['Demo2026', 'Netloom26', 'kx7Wq2', 'correct-horse-77', 'company01x', '138000011'])(
    'is taken otherwise: %s',
    (password) => expect(keyOf(password)).toBeNull(),
  )
})

it('the list names its source and licence, and holds 3,000 passwords that a person could set', () => {
  const passwords = common.passwords.split(' ')
  expect([common.source, common.licence].every(Boolean)).toBe(true)
  expect(new Set(passwords).size).toBe(3_000)
  const unfit = (text: string) =>
    text.length < PASSWORD.min || text.length > PASSWORD.max || text !== text.toLowerCase()
  expect(passwords.filter((text) => unfit(text) || isPattern(text))).toEqual([])
})
