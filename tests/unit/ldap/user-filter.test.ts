import { expect, it } from 'vitest'
import { type UserFilter, parseUserFilter } from '#domain/ldap/user-filter.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const equals = (attribute: string, value: string): UserFilter => ({ kind: 'compare', attribute, operator: '=', value })
const present = (attribute: string): UserFilter => ({ kind: 'present', attribute })

it('reads each form of a filter', async () => {
  const offenders = await findOffenders<[string, UserFilter]>([
    ['(uid=li.na)', equals('uid', 'li.na')],
    ['uid=li.na', equals('uid', 'li.na')],
    ['  (uid=li.na) ', equals('uid', 'li.na')],
    ['(ou=研发部)', equals('ou', '研发部')],
    ['(cn=)', equals('cn', '')],
    [String.raw`(cn=a\28b\29\2a\5c\00)`, equals('cn', String.raw`a\28b\29\2a\5c\00`)],
    ['(mail=*)', present('mail')],
    ['(uidNumber>=1000)', { kind: 'compare', attribute: 'uidNumber', operator: '>=', value: '1000' }],
    ['(uidNumber<=1000)', { kind: 'compare', attribute: 'uidNumber', operator: '<=', value: '1000' }],
    ['(cn~=lina)', { kind: 'compare', attribute: 'cn', operator: '~=', value: 'lina' }],
    ['(cn=li*)', { kind: 'substring', attribute: 'cn', initial: 'li', any: [], final: '' }],
    ['(cn=*li*na*x)', { kind: 'substring', attribute: 'cn', initial: '', any: ['li', 'na'], final: 'x' }],
    ['(memberOf=cn=vpn,ou=组,dc=a,dc=b)', equals('memberOf', 'cn=vpn,ou=组,dc=a,dc=b')],
    ['(2.5.4.3=x)', equals('2.5.4.3', 'x')],
    ['(displayName;lang-zh=李)', equals('displayName;lang-zh', '李')],
    ['(!(uid=a))', { kind: 'not', part: equals('uid', 'a') }],
    ['(&(a=b)(c=d))', { kind: 'and', parts: [equals('a', 'b'), equals('c', 'd')] }],
    ['(| (a=b) (c=d) )', { kind: 'or', parts: [equals('a', 'b'), equals('c', 'd')] }],
    ['&(a=b)(c=*)', { kind: 'and', parts: [equals('a', 'b'), present('c')] }],
    [
      '(userAccountControl:1.2.840.113556.1.4.803:=2)',
      {
        kind: 'extensible',
        attribute: 'userAccountControl',
        isDn: false,
        rule: '1.2.840.113556.1.4.803',
        value: '2',
      },
    ],
    ['(ou:dn:=x)', { kind: 'extensible', attribute: 'ou', isDn: true, rule: '', value: 'x' }],
    ['(:caseExactMatch:=x)', { kind: 'extensible', attribute: '', isDn: false, rule: 'caseExactMatch', value: 'x' }],
  ])((text, filter) => {
    expect(parseUserFilter(text)).toEqual(filter)
  })
  expect(offenders).toEqual([])
})

it('takes a filter as tools of directories print it', async () => {
  const person = {
    kind: 'and',
    parts: [equals('objectClass', 'user'), { kind: 'not', part: equals('cn', 'x') }],
  } as const
  const offenders = await findOffenders<[string, UserFilter]>([
    ['(&(objectClass=user)(!cn=x))', person], // Active Directory Users and Computers
    ['(& (objectClass=user) (! (cn=x) ) )', person],
    ['(&\n  (objectClass=user)\n  (!(cn=x))\n)', person], // Apache Directory Studio
    ['"(&(objectClass=user)(!(cn=x)))"', person],
    ["'(&(objectClass=user)(!(cn=x)))'", person],
    ["-LDAPFilter '(&(objectClass=user)(!(cn=x)))'", person], // PowerShell
    ['# filter: (&(objectClass=user)(!(cn=x)))', person], // ldapsearch
    ['filter: (&(objectClass=user)(!(cn=x)))', person],
    ['( objectClass = user)', equals('objectClass', ' user')],
    ['(nsRole_dn=x)', equals('nsRole_dn', 'x')],
    [
      String.raw`(memberOf=CN=Zhang\, San \(A\),OU=VPN,DC=corp)`,
      equals('memberOf', String.raw`CN=Zhang\5c, San \28A\29,OU=VPN,DC=corp`),
    ],
    [
      '(!userAccountControl:1.2.840.113556.1.4.803:=2)',
      {
        kind: 'not',
        part: {
          kind: 'extensible',
          attribute: 'userAccountControl',
          isDn: false,
          rule: '1.2.840.113556.1.4.803',
          value: '2',
        },
      },
    ],
  ])((text, filter) => {
    expect(parseUserFilter(text)).toEqual(filter)
  })
  expect(offenders).toEqual([])
})

it('refuses what is no filter', async () => {
  const offenders = await findOffenders([
    [''],
    ['()'],
    ['(uid)'],
    ['(=x)'],
    ['(uid=a'],
    ['uid=a)'],
    ['(uid=a))'],
    ['(uid=a)(uid=b)'],
    ['(uid=(a))'],
    [String.raw`(uid=\zz)`],
    [String.raw`(uid=a\2)`],
    ['(uid=a\0)'],
    ['(uid=**)'],
    ['(uid>=a*)'],
    ['(&)'],
    ['(!)'],
    ['(!(a=b)(c=d))'],
    ['(&(a=b)'],
    ['(:=x)'],
    ['(名称=x)'],
    ['(ui d=x)'],
    [`(cn=${'x'.repeat(512)})`],
    [`${'(!'.repeat(30)}(a=b)${')'.repeat(30)}`],
  ])((text) => {
    expect(parseUserFilter(text)).toBeNull()
  })
  expect(offenders).toEqual([])
})
