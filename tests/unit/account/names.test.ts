import { describe, expect, it } from 'vitest'
import { readContact } from '../../../worker/domain/account/contact.ts'
import { readLoginName, readRamName } from '../../../worker/domain/account/login-name.ts'
import { maskEmail, maskPhone } from '../../../worker/domain/account/mask.ts'

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

it.each([
  ['13800000000', { areaCode: '86', number: '13800000000' }],
  [' 13800000000 ', { areaCode: '86', number: '13800000000' }],
  ['+86 13800000000', { areaCode: '86', number: '13800000000' }],
  ['+8613800000000', { areaCode: '86', number: '13800000000' }],
  ['+85261234567', null],
  ['+852 61234567', { areaCode: '852', number: '61234567' }],
  ['demo01', null],
  ['a@example.com', null],
  ['123', null],
])('the name %j may be the phone %j', (typed, phone) => expect(readLoginName(typed).phone).toEqual(phone))

it.each([
  ['ops@demo01', { name: 'ops', domain: 'demo01' }],
  [' ops@demo01 ', { name: 'ops', domain: 'demo01' }],
  ['ops', null],
  ['@demo01', null],
  ['ops@', null],
  ['a@b@c', null],
])('the sub-account name %j reads %j', (typed, read) => expect(readRamName(typed)).toEqual(read))

describe('where a code goes', () => {
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
