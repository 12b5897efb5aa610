import { describe, expect, it } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { ldapForm } from '#contract/ldap/form.ts'
import type { DirectoryValues } from '#contract/ldap/hub.ts'
import { NOTICE, checkEdit, checkChoices, checkPublicHost, noticesOf, securityOf } from '#domain/ldap/form.ts'
import {
  findPhonesLeft,
  isMemberName,
  joinPhone,
  readPhone,
  splitPhone,
  toStoredPhone,
  toMembers,
  toNote,
} from '#domain/ldap/mapping.ts'
import {
  type Run,
  type RunEvent,
  createRun,
  isStalled,
  nextRunAt,
  step,
  findStop,
  isConfirmed,
} from '#domain/ldap/run.ts'
import { isPassword } from '#security/password.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const VALUES: DirectoryValues = {
  mode: 'public',
  routerId: null,
  domain: 'acme.com',
  host: 'ldap.acme.com',
  port: 636,
  baseDn: 'dc=acme',
  security: 'ldaps',
  caKey: null,
  certificateName: '',
  username: 'cn=reader',
  userFilter: '',
  usernameAttribute: '',
  phoneAttribute: '',
}

it.each([
  ['', true],
  ['employeeNumber', true],
  ['extensionAttribute1', true],
  ['userPassword', false],
  ['UNICODEPWD', false],
  ['cn)(uid=*', false],
  ['工号', false],
])('the form takes attribute %j for names and phones: %s', (name, isTaken) => {
  const { username_attribute, phone_attribute } = ldapForm.shape
  expect([username_attribute, phone_attribute].map((field) => field.safeParse(name).success)).toEqual([
    isTaken,
    isTaken,
  ])
})

describe('names, notes and phones of members', () => {
  it.each([
    ['li.na-01_x', true],
    ['a'.repeat(48), true],
    ['a'.repeat(49), false],
    ['', false],
    ['li na', false],
    ['张三', false],
    ['li@acme', false],
  ])('%s may be a user name: %s', (name, fits) => expect(isMemberName(name)).toBe(fits))

  it.each([
    ['张三', '张三'],
    ['张\u0000三\n四', '张 三 四'],
    ['一'.repeat(30), '一'.repeat(24)],
    [`${'一'.repeat(23)}👍🏽`, '一'.repeat(23)],
    [`${'a'.repeat(23)}e\u0301`, 'a'.repeat(23)],
  ])('note of %j', (displayName, note) => expect(toNote(displayName)).toBe(note))

  it.each<[string[], string, string?]>([
    [['13800000001'], '13800000001'],
    [['+86 138-0000-0001'], '13800000001'],
    [['010-88886666', '８６13800000001'], '13800000001'],
    [['13800000001', '008613800000001'], '13800000001'],
    [['+852 9123 4567'], '+852 91234567'],
    [['\u202d+852-9123-4567\u202c', '0085291234567'], '+852 91234567'],
    [['+44 07911 123456'], '+44 7911123456'],
    [['13800000001', '13900000001'], '', 'several'],
    [['010-88886666'], '', 'unknown'],
    [['9123 4567'], '', 'unknown'],
    [['见名片'], '', 'unknown'],
    [[], ''],
  ])('phone of %j', (values, phone, left: string | null = null) => {
    expect(readPhone(values)).toEqual({ phone, left })
    const { areaCode, phone: number } = splitPhone(phone)
    expect(joinPhone(areaCode, number)).toBe(phone)
  })

  it.each([
    ['+49 01511234567', '+49 1511234567'],
    ['+7 89123456789', '+7 9123456789'],
    ['+39 0612345678', '+39 0612345678'],
    ['13800000000', '13800000000'],
    ['', ''],
  ])('the phone %j of an earlier record is stored as %j', (recorded, stored) => {
    expect(toStoredPhone(recorded)).toBe(stored)
  })

  it('a phone that two users have is nobody’s', () => {
    const entry = (id: string) => ({
      id,
      dn: '',
      username: id,
      displayName: '',
      description: '',
      phones: ['13800000001'],
      isDisabled: false,
    })
    expect([...toMembers([entry('a'), entry('b')]).values()].map(({ phone }) => phone)).toEqual(['', ''])
    expect([...findPhonesLeft([entry('a'), entry('b')])]).toEqual([
      ['a', 'shared'],
      ['b', 'shared'],
    ])
  })
})

describe('the form', () => {
  it.each([
    [{ use_ssl: 1, use_tls: 1, ca_id: 'x', public_ca: 0 }, 'LDAP_TLS_TWICE'],
    [{ use_ssl: 1, use_tls: 0, ca_id: '', public_ca: 0 }, 'LDAP_CA_REQUIRED'],
    [{ use_ssl: 0, use_tls: 1, ca_id: '', public_ca: 0 }, 'LDAP_CA_REQUIRED'],
    [{ use_ssl: 0, use_tls: 1, ca_id: '', public_ca: 1 }, undefined],
    [{ use_ssl: 0, use_tls: 0, ca_id: '', public_ca: 0 }, undefined],
    [{ use_ssl: 0, use_tls: 0, ca_id: '', public_ca: 0, mode: 'private' }, 'LDAP_ROUTER_REQUIRED'],
    [{ use_ssl: 0, use_tls: 0, ca_id: '', public_ca: 0, mode: 'private', router_name: 'NL1' }, undefined],
  ] as const)('%j', (form, key) => expect(checkChoices({ mode: 'public', router_name: '', ...form })?.key).toBe(key))

  it('SSL is LDAPS', () => expect(securityOf({ use_ssl: 1, use_tls: 0 })).toBe('ldaps'))

  it('public mode: hosts and names outside the domain are refused with the reason', async () => {
    const offenders = await findOffenders<[Partial<DirectoryValues>, string | undefined]>([
      [{}, undefined],
      [{ host: 'acme.com' }, undefined],
      [{ host: 'ldap.other.com' }, 'LDAP_HOST_OUTSIDE'],
      [{ host: 'evilacme.com' }, 'LDAP_HOST_OUTSIDE'],
      [{ host: '10.0.0.5' }, 'LDAP_PRIVATE_ADDRESS'],
      [{ host: '127.0.0.1' }, 'LDAP_PRIVATE_ADDRESS'],
      [{ host: '127.1' }, 'LDAP_PRIVATE_ADDRESS'],
      [{ host: '2130706433' }, 'LDAP_PRIVATE_ADDRESS'],
      [{ host: '0x7f.1' }, 'LDAP_PRIVATE_ADDRESS'],
      [{ host: '::1' }, 'LDAP_PRIVATE_ADDRESS'],
      [{ host: 'localhost' }, 'LDAP_PRIVATE_ADDRESS'],
      [{ host: 'dc1.acme.local' }, 'LDAP_PRIVATE_ADDRESS'],
      [{ port: 25 }, 'LDAP_PORT_NOT_ALLOWED'],
      [{ host: '8.8.8.8' }, 'LDAP_ADDRESS_NAMELESS'],
      [{ host: '8.8.8.8', certificateName: 'dc1.acme.com' }, undefined],
      [{ host: '8.8.8.8', certificateName: 'dc1.other.com' }, 'LDAP_ADDRESS_NAMELESS'],
    ])((over, key) => expect(checkPublicHost({ ...VALUES, ...over })?.key).toBe(key))
    expect(offenders).toEqual([])
  })

  it.each<[Partial<DirectoryValues>]>([
    [{ mode: 'private' }],
    [{ routerId: 7 }],
    [{ host: 'evil.acme.com' }],
    [{ port: 389 }],
    [{ security: 'none' }],
    [{ caKey: 'other' }],
    [{ certificateName: 'x.acme.com' }],
    [{ username: 'cn=other' }],
  ])('a stored password does not go to %j', (over) => {
    expect(checkEdit({ ...VALUES, ...over }, VALUES, false)?.key).toBe('LDAP_PASSWORD_AGAIN')
    expect(checkEdit({ ...VALUES, ...over }, VALUES, true)).toBeNull()
  })

  it('keeps the password where only the filter changes, and the base for ever', () => {
    expect(checkEdit({ ...VALUES, userFilter: '(uid=a)' }, VALUES, false)).toBeNull()
    expect(checkEdit({ ...VALUES, baseDn: 'dc=b' }, VALUES, true)?.key).toBe('LDAP_BASE_FIXED')
    expect(checkEdit(VALUES, null, false)).toMatchObject({ field: 'password' })
  })

  it('warns of what is not encrypted, and of a filter that hides disabled users', () => {
    expect(noticesOf(VALUES)).toEqual([])
    expect(noticesOf({ ...VALUES, security: 'none', userFilter: '(!(userAccountControl=514))' })).toEqual([
      NOTICE.plain,
      NOTICE.filter,
    ])
  })
})

describe('a run stops and asks', () => {
  it.each([
    [{ listed: 0, disabled: 0, enabled: 0, isFirst: false }, 'empty'],
    [{ listed: 9_000, disabled: 21, enabled: 9_000, isFirst: false }, 'many'],
    [{ listed: 9_000, disabled: 20, enabled: 9_000, isFirst: false }, null],
    [{ listed: 20, disabled: 3, enabled: 29, isFirst: false }, 'share'],
    [{ listed: 20, disabled: 3, enabled: 30, isFirst: false }, null],
    [{ listed: 1, disabled: 2, enabled: 3, isFirst: false }, null],
    [{ listed: 100, disabled: 1, enabled: 100, isFirst: true }, 'first'],
    [{ listed: 100, disabled: 0, enabled: 100, isFirst: true }, null],
  ])('%j: %s', (what, reason) => expect(findStop(what)).toBe(reason))

  it('a confirmation is good for those who were shown', () => {
    expect(isConfirmed(['a', 'b'], ['b'])).toBe(true)
    expect(isConfirmed(['a', 'b'], ['b', 'c'])).toBe(false)
  })
})

describe('states of a run', () => {
  const NOW = 1_800_000_000_000
  const after = (...events: RunEvent[]): Run =>
    events.reduce((run, event) => step(run, event, NOW + 1), createRun('r', 'sync', NOW))
  const COUNTS = { added: 2, changed: 0, disabled: 0, enabled: 0, conflicts: 0, removable: 0 }

  it.each<[RunEvent[], Run['phase']]>([
    [[], 'waiting'],
    [[{ type: 'started' }], 'listing'],
    [[{ type: 'started' }, { type: 'compared', counts: COUNTS }], 'comparing'],
    [[{ type: 'started' }, { type: 'compared', counts: COUNTS }, { type: 'writing', total: 2 }], 'writing'],
    [[{ type: 'started' }, { type: 'compared', counts: COUNTS }, { type: 'ended' }], 'done'],
    [[{ type: 'started' }, { type: 'compared', counts: COUNTS }, { type: 'stopped', stop: 'many' }], 'asking'],
    [
      [
        { type: 'started' },
        { type: 'compared', counts: COUNTS },
        { type: 'stopped', stop: 'many' },
        { type: 'confirmed', members: ['a'], by: 'demo01' },
      ],
      'waiting',
    ],
    [[{ type: 'started' }, { type: 'failed', failure: 'timeout' }, { type: 'started' }], 'failed'],
    [[{ type: 'wrote', members: 1 }], 'waiting'],
  ])('%j ends in %s', (events, phase) => expect(after(...events).phase).toBe(phase))

  it('is resumed so often, then over', () => {
    let run = after({ type: 'started' })
    for (let i = 0; i < LDAP.resumes; i++) run = step(step(run, { type: 'interrupted' }, NOW), { type: 'started' }, NOW)
    expect([run.phase, run.resumes]).toEqual(['listing', LDAP.resumes])
    expect(step(run, { type: 'interrupted' }, NOW)).toMatchObject({
      phase: 'failed',
      failure: ERRORS.LDAP_INTERRUPTED.msg,
    })
  })

  it('without progress is over, unless a person is asked', () => {
    const listing = after({ type: 'started' })
    expect(isStalled(listing, NOW + LDAP.stalledMs)).toBe(false)
    expect(isStalled(listing, NOW + 1 + LDAP.stalledMs)).toBe(true)
    expect(isStalled({ ...listing, phase: 'asking' }, NOW + 1 + LDAP.stalledMs)).toBe(false)
  })

  it.each([
    [0, 54],
    [0.5, 60],
    [1, 66],
  ])('the next one comes after 60 minutes ± 10 %%: %s', (random, minutes) =>
    expect(nextRunAt(0, random)).toBe(minutes * 60_000),
  )
})

it('an imported member has no password of its own', async () => {
  expect(await isPassword('!', '!')).toBe(false)
})
