import { describe, expect, it } from 'vitest'
import countries from '#contract/country/countries.json' with { type: 'json' }
import { usernameProblem } from '#contract/kernel/fields.ts'
import { phoneProblem } from '#contract/kernel/input/phone.ts'
import { readContact, maskEmail, maskPhone } from '#domain/account/contact.ts'
import { nameKey, readLoginName, readRamName } from '#domain/account/login-name.ts'
import { findOffenders } from '#tests/support/offenders.ts'

it.each([
  ['86', '13800000000', '+86 138****0000'],
  ['852', '61234567', '+852 6****67'],
  ['1', '2025550123', '+1 202****0123'],
  ['86', null, ''],
  ['86', '', ''],
])('phone %s %s is shown as %s', (areaCode, phone, shown) => expect(maskPhone(areaCode, phone)).toBe(shown))

it.each([
  ['zhang@qiming.com.cn', 'z***@q***.cn'],
  ['a@b.io', 'a***@b***.io'],
  [null, ''],
  ['', ''],
])('e-mail %s is shown as %s', (email, shown) => expect(maskEmail(email)).toBe(shown))

it('a name that is typed is read as a phone where it may be one, and else as none', async () => {
  const offenders = await findOffenders([
    ['13800000000', { areaCode: '86', number: '13800000000' }],
    [' 13800000000 ', { areaCode: '86', number: '13800000000' }],
    ['+86 13800000000', { areaCode: '86', number: '13800000000' }],
    ['+8613800000000', { areaCode: '86', number: '13800000000' }],
    ['0086 138-0000-0000', { areaCode: '86', number: '13800000000' }],
    ['8613800000000', { areaCode: '86', number: '13800000000' }],
    ['１３８００００００００', { areaCode: '86', number: '13800000000' }],
    ['+13800000000', { areaCode: '1', number: '3800000000' }],
    ['+85261234567', { areaCode: '852', number: '61234567' }],
    ['+852-6123 4567', { areaCode: '852', number: '61234567' }],
    ['+99961234567', null],
    ['+852 61234567', { areaCode: '852', number: '61234567' }],
    ['demo01', null],
    ['a@example.com', null],
    ['12800000000', null],
    ['+861012345678', null],
    ['123', null],
  ])((typed, phone) => expect(readLoginName(typed).phone).toEqual(phone))
  expect(offenders).toEqual([])
})

it.each([
  ['13800000000', '+86 13800000000'],
  ['+86 13800000000', '+86 13800000000'],
  ['+852 61234567', '+852 61234567'],
  [' Demo01\u200b', 'demo01'],
  ['A@Example.com', 'a@example.com'],
])('the name %j is counted as %s', (typed, key) => expect(nameKey(readLoginName(typed))).toBe(key))

it('a user name that reads as a phone is free to the owner of that phone alone', async () => {
  const offenders = await findOffenders([
    ['13800000000', null, false],
    ['13800000000', '+86 13800000000', true],
    ['13800000000', '+86 13900000000', false],
    ['13800000000', '+1 3800000000', false],
    ['8613800000000', '+86 13800000000', true],
    ['008613800000000', null, false],
    ['008613800000000', '+86 13800000000', true],
    ['0085261234567', null, false],
    ['0085261234567', '+852 61234567', true],
    ['0085261234567', '+852 61234568', false],
    ['00861012345678', null, false],
    ['85261234567', null, true],
    ['000000', null, true],
    ['12800000000', null, true],
    ['1380000000', null, true],
    ['a13800000000', null, true],
  ])((name, phone, free) => expect(usernameProblem(name, phone) === null).toBe(free))
  expect(offenders).toEqual([])
})

it.each(['demo01', '12800000000', '85261234567', '0085261234567', '0013800000000', '00861012345678', '00999123456'])(
  'the user name %s that stands is found as it was chosen',
  (name) => expect(readLoginName(name).text).toBe(name),
)

it.each([
  ['86', '13800000000', null],
  ['852', '61234567', null],
  ['852', '6123', '请输入正确的手机号码'],
  ['852', '123', '请输入最低4位数的手机号码'],
  ['49', '15123456789', null],
  ['49', '151234567', '请输入正确的手机号码'],
  ['999', '61234567', '请选择国家或地区'],
  ['1', '20255501ab', '请输入正确的手机号码'],
])('+%s %s: %s', (dialCode, number, problem) => expect(phoneProblem(dialCode, number)).toBe(problem))

it('every country has a dial code with lengths, and its format shows a number of such a length', () => {
  for (const { dialCode, phoneFormat } of countries)
    expect([
      dialCode,
      phoneFormat,
      phoneProblem(dialCode, phoneFormat.replaceAll(/[^.]/g, '').replaceAll('.', '1')),
    ]).toEqual([dialCode, phoneFormat, dialCode === '86' ? '请输入正确的手机号码' : null])
})

it.each([
  ['ops@demo01', { name: 'ops', domain: 'demo01' }],
  [' ops@demo01 ', { name: 'ops', domain: 'demo01' }],
  ['Ops@DEMO01', { name: 'ops', domain: 'demo01' }],
  ['ｏｐｓ＠ｄｅｍｏ０１', { name: 'ops', domain: 'demo01' }],
  ['\u200bo\u200dps@demo01\u00a0', { name: 'ops', domain: 'demo01' }],
  ['ops', null],
  ['@demo01', null],
  ['ops@', null],
  ['a@b@c', null],
])('the sub-account name %j reads %j', (typed, read) => expect(readRamName(typed)).toEqual(read))

describe('receiver of a code', () => {
  it('is one target however a phone is written', () => {
    const contact = { target: '+86 13800000000', columns: { areaCode: '86', phone: '13800000000' } }
    expect(readContact('phone', '13800000000')).toEqual(contact)
    expect(readContact('phone', '+86 13800000000')).toEqual(contact)
  })

  it('is an e-mail in lower case', () => {
    expect(readContact('email', ' A.B@Example.COM ')).toEqual({
      target: 'a.b@example.com',
      columns: { email: 'a.b@example.com' },
    })
  })
})
