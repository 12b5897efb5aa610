import { describe, expect, it } from 'vitest'
import { INDUSTRIES } from '#contract/account/forms.ts'
import { checkContactChange, contactsOf, maskContact } from '#domain/account/contact.ts'
import { latestBirthday, checkBirthday } from '#domain/account/user.ts'

const NONE = { areaCode: '86', phone: null, email: null }
const PHONE = { areaCode: '86', phone: '13800000000', email: null }
const NEW = { kind: 'email', before: '', after: 'a@b.cn' } as const
const SHOWN = { isProved: false, hasPassword: false, hasCode: false }

describe('next step of a change of contact', () => {
  it.each([
    ['first, nothing', NONE, NEW, SHOWN, 'LOGIN_PASSWORD_REQUIRED'],
    ['first, password', NONE, NEW, { ...SHOWN, hasPassword: true }, 'CODE_REQUIRED'],
    ['first, code alone', NONE, NEW, { ...SHOWN, hasCode: true }, 'LOGIN_PASSWORD_REQUIRED'],
    ['first, both', NONE, NEW, { ...SHOWN, hasPassword: true, hasCode: true }, undefined],
    ['second, nothing', PHONE, NEW, SHOWN, 'IDENTITY_REQUIRED'],
    [
      'second, password in place of the step',
      PHONE,
      NEW,
      { ...SHOWN, hasPassword: true, hasCode: true },
      'IDENTITY_REQUIRED',
    ],
    ['second, proved', PHONE, NEW, { ...SHOWN, isProved: true }, 'CODE_REQUIRED'],
    ['second, proved with code', PHONE, NEW, { ...SHOWN, isProved: true, hasCode: true }, undefined],
    ['same', PHONE, { kind: 'phone', before: 'x', after: 'x' }, { ...SHOWN, isProved: true }, 'PHONE_UNCHANGED'],
  ] as const)('%s', (_, holder, change, shown, key) => expect(checkContactChange(holder, change, shown)?.key).toBe(key))
})

it('contacts as codes are sent to them, and masked', () => {
  expect(contactsOf({ ...PHONE, email: 'A@B.cn' })).toEqual({ phone: '+86 13800000000', email: 'a@b.cn' })
  expect(contactsOf(NONE)).toEqual({ phone: '', email: '' })
  expect(maskContact('phone', '+852 61234567')).toBe('+852 6****67')
  expect(maskContact('email', 'zhang@qiming.cn')).toBe('z***@q***.cn')
  expect([maskContact('phone', ''), maskContact('email', '')]).toEqual(['', ''])
})

it.each([
  ['2026-11-22T15:59:59Z', '2026-08-14'], // 23:59 in Shanghai
  ['2026-11-22T16:00:00Z', '2026-08-15'], // the day after
  ['2024-03-01T00:00:00Z', '2023-11-22'],
])('at %s the latest birthday is %s', (now, latest) => {
  const at = Date.parse(now)
  expect(latestBirthday(at)).toBe(latest)
  expect(checkBirthday(latest, at)).toBeNull()
  const next = new Date(Date.parse(latest) + 86_400_000).toISOString().slice(0, 10)
  expect(checkBirthday(next, at)).toMatchObject({ key: 'BIRTHDAY_LATE', params: { latest } })
})

it('account 3: 23 industries in the order of the document, without I23, I18 last', () => {
  const codes = Object.keys(INDUSTRIES)
  expect(codes).toHaveLength(23)
  expect(codes.slice(15)).toEqual(['I16', 'I17', 'I19', 'I20', 'I21', 'I22', 'I24', 'I18'])
})
