import { BerWriter, FilterParser } from 'ldapts'
import { expect, it } from 'vitest'
import { parseUserFilter } from '#domain/ldap/user-filter.ts'
import { EncodedFilter } from '#outside/ldap/search-filter.ts'

function encode(text: string): string {
  const filter = parseUserFilter(text)
  if (filter === null) throw new Error(text)
  const writer = new BerWriter()
  new EncodedFilter(filter).write(writer)
  return writer.buffer.toString('hex')
}

function encodeByLibrary(text: string): string {
  const writer = new BerWriter()
  FilterParser.parseString(text).write(writer)
  return writer.buffer.toString('hex')
}

it.each([
  '(uid=li.na)',
  '(cn=李娜)',
  '(mail=*)',
  '(uidNumber>=1000)',
  '(uidNumber<=1000)',
  '(cn~=lina)',
  '(cn=li*)',
  '(cn=*li*na*x)',
  String.raw`(cn=a\28b\29\2a\5c)`,
  '(!(uid=a))',
  '(&(objectClass=inetOrgPerson)(|(uid=a)(uid=b))(!(cn=c)))',
  '(userAccountControl:1.2.840.113556.1.4.803:=2)',
])('%s is encoded as ldapts does', (text) => {
  expect(encode(text)).toBe(encodeByLibrary(text))
})

it('escaped bytes of a Chinese character are those bytes, where ldapts makes three characters of them', () => {
  const escaped = Buffer.from('李')
    .toString('hex')
    .replaceAll(/../g, String.raw`\$&`)
  expect(encode(`(cn=${escaped})`)).toBe(encode('(cn=李)'))
  expect(encodeByLibrary(`(cn=${escaped})`)).not.toBe(encode('(cn=李)'))
})
