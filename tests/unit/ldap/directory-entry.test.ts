import { expect, it } from 'vitest'
import {
  listAttributes,
  entryId,
  idFilter,
  toGuid,
  toDirectoryEntry,
  isEntryDisabled,
} from '#domain/ldap/directory-entry.ts'
import { kindNamed } from '#domain/ldap/directory-kind.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const UUID = '0b5e6a3c-8f1d-4c2b-9e7a-112233445566'
const GUID_HEX = '3c6a5e0b1d8f2b4c9e7a112233445566'
const NS_ID = '0b5e6a3c-8f1d4c2b-9e7a1122-33445566'
const ANY = { usernameAttribute: null, phoneAttribute: null }

it.each<[string, Record<string, string[]>, string | null]>([
  ['objectGUID, its first groups little-endian', { objectguid: [GUID_HEX] }, UUID],
  ['entryUUID', { entryuuid: [UUID.toUpperCase()] }, UUID],
  ['ipaUniqueID', { ipauniqueid: [UUID] }, UUID],
  ['nsUniqueId', { nsuniqueid: [NS_ID] }, NS_ID],
  ['the first of them', { objectguid: [GUID_HEX], entryuuid: ['ffffffff-ffff-ffff-ffff-ffffffffffff'] }, UUID],
  ['an objectGUID of another length is none', { objectguid: ['3c6a'], entryuuid: [UUID] }, UUID],
  ['a name is no id', { uid: ['li.na'] }, null],
  ['ipaUniqueID that is not made yet', { ipauniqueid: ['autogenerate'] }, null],
])('id: %s', (_, attributes, id) => {
  expect(entryId(new Map(Object.entries(attributes)))).toBe(id)
})

it('toGuid swaps twice to the same bytes', () => {
  expect(toGuid(toGuid(GUID_HEX).replaceAll('-', '')).replaceAll('-', '')).toBe(GUID_HEX)
})

it('idFilter asks for what the id can be', () => {
  const bytes = GUID_HEX.replaceAll(/../g, String.raw`\$&`)
  const guid = { kind: 'compare', attribute: 'objectGUID', operator: '=', value: bytes }
  const [ad, other] = [kindNamed('ad').ids, kindNamed('other').ids]
  expect(idFilter(UUID, ad)).toEqual(guid)
  expect(idFilter(UUID, other)).toMatchObject({ kind: 'or', parts: [{ attribute: 'entryUUID' }, {}, guid] })
  expect(idFilter(NS_ID, other)).toMatchObject({ attribute: 'nsUniqueId', value: NS_ID })
  expect(idFilter('*)(uid=*', other)).toBeNull()
})

const toEntry = (attributes: Record<string, string[]>, choice: Partial<typeof ANY> | Record<string, string> = {}) =>
  toDirectoryEntry('cn=x', new Map(Object.entries({ entryuuid: [UUID], ...attributes })), { ...ANY, ...choice }, 0)

it('reads names in their order', () => {
  expect(toEntry({ samaccountname: ['lina'], uid: ['li.na'], cn: ['李娜'] })?.username).toBe('lina')
  expect(toEntry({ samaccountname: [''], uid: [' li.na '], cn: ['李娜'] })?.username).toBe('li.na')
  expect(toEntry({ userprincipalname: ['lina@corp.local'], cn: ['李娜'] })?.username).toBe('lina@corp.local')
  expect(toEntry({ cn: ['李娜'] })).toMatchObject({ username: '李娜', displayName: '李娜' })
  expect(toEntry({})).toMatchObject({ username: '', displayName: '', description: '', phones: [], isDisabled: false })
})

it('reads the attributes that the administrator names, and no other instead', () => {
  const entry = toEntry(
    { uid: ['li.na'], employeenumber: ['E007'], mobile: ['139'], ipphone: ['138', '137'] },
    { usernameAttribute: 'employeeNumber', phoneAttribute: 'ipPhone' },
  )
  expect(entry).toMatchObject({ username: 'E007', phones: ['138', '137'] })
  expect(toEntry({ uid: ['li.na'] }, { usernameAttribute: 'employeeNumber' })?.username).toBe('')
  expect(listAttributes({ usernameAttribute: 'employeeNumber', phoneAttribute: 'ipPhone' })).toEqual(
    expect.arrayContaining(['employeeNumber', 'ipPhone', 'entryUUID', 'pwdAccountLockedTime', 'nsAccountLock']),
  )
})

it('takes every number of the first attribute that has one', () => {
  expect(toEntry({ mobile: ['13900000001', '13900000002'], telephonenumber: ['0571'] })?.phones).toHaveLength(2)
  expect(toEntry({ telephonenumber: ['0571-88000000'] })?.phones).toEqual(['0571-88000000'])
})

it('keeps no text without end', () => {
  expect(toEntry({ description: ['长'.repeat(5_000)] })?.description).toHaveLength(256)
})

const NOW = Date.UTC(2026, 10, 20, 8)
/** 100 ns since 1601, as Active Directory writes it. */
const fileTime = (at: number): string => ((BigInt(at) + 11_644_473_600_000n) * 10_000n).toString()
const day = (at: number): string => String(Math.floor(at / 86_400_000))

it('an entry is disabled or not by the attributes of each kind of server', async () => {
  const offenders = await findOffenders<[string, string, boolean]>([
    ['useraccountcontrol', '512', false],
    ['useraccountcontrol', '514', true],
    ['useraccountcontrol', '66050', true], // password never expires
    ['useraccountcontrol', '66048', false],
    ['useraccountcontrol', '-2147483646', true],
    ['useraccountcontrol', 'two', false],
    ['accountexpires', '0', false],
    ['accountexpires', '9223372036854775807', false],
    ['accountexpires', fileTime(NOW - 1), true],
    ['accountexpires', fileTime(NOW + 60_000), false],
    ['accountexpires', '-1', false],
    ['pwdaccountlockedtime', '000001010000Z', true],
    ['pwdaccountlockedtime', '20261120075900Z', false], // after wrong passwords, for a while
    ['shadowexpire', '-1', false],
    ['shadowexpire', '0', true],
    ['shadowexpire', day(NOW), true],
    ['shadowexpire', String(Number(day(NOW)) + 1), false],
    ['shadowexpire', '', false],
    ['nsaccountlock', 'TRUE', true],
    ['nsaccountlock', 'true', true],
    ['nsaccountlock', 'FALSE', false],
  ])((name, value, isDisabled) => {
    expect(isEntryDisabled(new Map([[name, [value]]]), NOW)).toBe(isDisabled)
  })
  expect(offenders).toEqual([])
})

it('an entry that says nothing is not disabled', () => {
  expect(isEntryDisabled(new Map(), NOW)).toBe(false)
})
