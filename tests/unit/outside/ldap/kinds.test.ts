import { expect, it } from 'vitest'
import { type Attributes, entryId, idFilter, isEntryDisabled, toDirectoryEntry } from '#domain/ldap/directory-entry.ts'
import { kindNamed, kindOfRoot } from '#domain/ldap/directory-kind.ts'
import type { UserFilter } from '#domain/ldap/user-filter.ts'
import { openDirectory } from '#outside/ldap/directory-connection.ts'
import { bindReply, doneReply, entryReply, readRequest } from '#tests/support/directory/ldap-replies.ts'
import { createMemoryPipe } from '#tests/support/directory/memory-pipe.ts'
import { findOffenders } from '#tests/support/offenders.ts'

type Values = Readonly<Record<string, string | readonly string[]>>
const toAttributes = (values: Values): Attributes =>
  new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), [value].flat() as string[]]))

const UUID = '0b5e6a3c-8f1d-4c2b-9e7a-112233445566'
const GUID = '3c6a5e0b1d8f2b4c9e7a112233445566'
const NS_ID = '0b5e6a3c-8f1d4c2b-9e7a1122-33445566'
const NOW = Date.parse('2026-11-28T00:00:00Z')

interface Documented {
  readonly root: Values
  readonly person: Values
  readonly others: readonly Values[]
  readonly id: string
  readonly disabled: Values
}

/**
 * Root entries and people as each server documents them. Real ones of OpenLDAP, 389-ds and Samba stand behind the suites
 * `directory` and `ad`.
 */
const DOCUMENTED: Readonly<Record<string, Documented>> = {
  ad: {
    root: { supportedCapabilities: ['1.2.840.113556.1.4.800', '1.2.840.113556.1.4.1670'] },
    person: {
      objectClass: ['top', 'person', 'organizationalPerson', 'user'],
      objectCategory: 'person',
      objectGUID: GUID,
    },
    others: [
      { objectClass: ['user', 'computer'], objectCategory: 'computer' },
      { objectClass: ['contact'], objectCategory: 'person' },
    ],
    id: UUID,
    disabled: { userAccountControl: '514' },
  },
  adlds: {
    root: { supportedCapabilities: ['1.2.840.113556.1.4.1851', '1.2.840.113556.1.4.1670'] },
    person: {
      objectClass: ['top', 'person', 'organizationalPerson', 'user'],
      objectGUID: GUID,
      userPrincipalName: 'li@a',
    },
    others: [{ objectClass: ['user', 'computer'] }, { objectClass: ['group'] }],
    id: UUID,
    disabled: { 'msDS-UserAccountDisabled': 'TRUE' },
  },
  freeipa: {
    root: { objectClass: 'top', vendorName: '389 Project', ipaDomainLevel: '1', ipaTopologyPluginVersion: '1.0' },
    person: {
      objectClass: ['inetorgperson', 'posixaccount', 'ipaobject', 'krbprincipalaux'],
      uid: 'li',
      ipaUniqueID: UUID,
    },
    others: [{ objectClass: ['posixAccount', 'ipaOverrideTarget'], uid: 'li' }], // its copy below cn=compat has no id
    id: UUID,
    disabled: { krbPrincipalExpiration: '20261127235959Z' },
  },
  '389ds': {
    root: { objectClass: 'top', vendorName: '389 Project', vendorVersion: '389-Directory/2.3.1' },
    person: {
      objectClass: ['top', 'nsPerson', 'nsAccount', 'nsOrgPerson', 'posixAccount'],
      uid: 'li',
      nsUniqueId: NS_ID,
    },
    others: [{ objectClass: ['top', 'nsAccount', 'applicationProcess'], cn: 'service' }],
    id: NS_ID,
    disabled: { nsAccountLock: 'true' },
  },
  openldap: {
    root: { objectClass: ['top', 'OpenLDAProotDSE'] },
    person: { objectClass: ['inetOrgPerson'], uid: 'li', entryUUID: UUID },
    others: [
      { objectClass: ['groupOfNames'], cn: 'g' },
      { objectClass: ['inetOrgPerson'], cn: 'without a user name' },
    ],
    id: UUID,
    disabled: { pwdAccountLockedTime: '000001010000Z' },
  },
  lldap: {
    root: { objectClass: 'top', vendorName: 'LLDAP', vendorVersion: 'lldap_0.6.1' },
    person: { objectClass: ['inetOrgPerson', 'posixAccount', 'mailAccount', 'person'], uid: 'li', entryUUID: UUID },
    others: [{ objectClass: ['groupOfUniqueNames', 'groupOfNames'], uid: 'vpn' }],
    id: UUID,
    disabled: { userAccountControl: '2' }, // it has no state of its own
  },
  opendj: {
    root: { objectClass: ['top', 'ds-root-dse'], vendorName: 'ForgeRock AS.' },
    person: { objectClass: ['inetOrgPerson'], uid: 'li', entryUUID: UUID },
    others: [{ objectClass: ['device'] }],
    id: UUID,
    disabled: { 'ds-pwp-account-disabled': 'true' },
  },
  edirectory: {
    root: { vendorName: 'NetIQ Corporation', vendorVersion: 'LDAP Agent for NetIQ eDirectory 9.2' },
    person: { objectClass: ['inetOrgPerson', 'ndsLoginProperties'], cn: 'li', GUID: UUID.replaceAll('-', '') },
    others: [{ objectClass: ['ncpServer'], cn: 'server' }],
    id: UUID,
    disabled: { loginDisabled: 'TRUE' },
  },
  apacheds: {
    root: { vendorName: 'Apache Software Foundation' },
    person: { objectClass: ['inetOrgPerson'], uid: 'li', entryUUID: UUID },
    others: [{ objectClass: ['organizationalUnit'] }],
    id: UUID,
    disabled: { pwdAccountLockedTime: '000001010000Z' },
  },
  dsee: {
    root: { vendorName: 'Sun Microsystems, Inc.' },
    person: { objectClass: ['inetOrgPerson'], uid: 'li', nsUniqueId: NS_ID },
    others: [{ objectClass: ['groupOfUniqueNames'] }],
    id: NS_ID,
    disabled: { nsAccountLock: 'TRUE' },
  },
  other: {
    root: {},
    person: { objectClass: ['inetOrgPerson'], uid: 'li', entryUUID: UUID },
    others: [{ objectClass: ['group'] }],
    id: UUID,
    disabled: { shadowExpire: '1' },
  },
}

function matches(filter: UserFilter, entry: Attributes): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, entry))
    case 'or':
      return filter.parts.some((part) => matches(part, entry))
    case 'not':
      return !matches(filter.part, entry)
    case 'present':
      return entry.has(filter.attribute.toLowerCase())
    case 'compare':
      return (entry.get(filter.attribute.toLowerCase()) ?? []).some(
        (value) => value.toLowerCase() === filter.value.replaceAll('\\', '').toLowerCase(),
      )
    default:
      throw new Error(filter.kind)
  }
}

it('each kind of server: recognised, its people found, their ids and states read', async () => {
  const offenders = await findOffenders(Object.entries(DOCUMENTED))((name, { root, person, others, id, disabled }) => {
    const kind = kindOfRoot(toAttributes(root))
    expect(kind.name).toBe(name)
    expect(kindNamed(name)).toBe(kind)
    const people = [person, ...others].map((values) => matches(kind.people(null), toAttributes(values)))
    expect(people).toEqual([true, ...others.map(() => false)])
    expect(entryId(toAttributes(person))).toBe(id)
    const byId = idFilter(id, kind.ids)
    expect(byId !== null && matches(byId, toAttributes(person))).toBe(true)
    expect(isEntryDisabled(toAttributes(person), NOW)).toBe(false)
    expect(isEntryDisabled(toAttributes({ ...person, ...disabled }), NOW)).toBe(true)
  })
  expect(offenders).toEqual([])
})

it('a kind counts as tested where a real server of it stands behind a suite', () => {
  const tested = Object.keys(DOCUMENTED).filter((name) => kindNamed(name).isTested)
  expect(tested).toEqual(['ad', '389ds', 'openldap']) // tests/ad, tests/directory
})

it('an account that expires later is not disabled yet', () => {
  const expiry = (time: string) => isEntryDisabled(toAttributes({ krbPrincipalExpiration: time }), NOW)
  expect(['20261128000001Z', '20261128000000Z', '2026112723Z', 'soon'].map(expiry)).toEqual([false, true, true, false])
})

const USERS = ['a', 'b', 'c'].map((uid, i) => [uid, `00000000-0000-0000-0000-00000000000${i}`] as const)

interface Behaviour {
  readonly root: Readonly<Record<string, string | string[]>>
  /** Code of the answer to a search with a paging control. */
  readonly paged: number
  readonly values?: (uid: string) => Readonly<Record<string, string>>
}

/** Users that a connection to such a server lists, and its searches: true for one with a paging control. */
async function listFrom({ root, paged, values = () => ({}) }: Behaviour) {
  const searches: boolean[] = []
  const pipe = createMemoryPipe((written) => {
    const { id, operation, base, cookie } = readRequest(written)
    if (operation === 'unbind') return []
    if (operation === 'bind') return [bindReply(id)]
    if (base === '') return [Buffer.concat([entryReply(id, '', root), doneReply(id)])]
    searches.push(cookie !== null)
    const entries = USERS.map(([uid, uuid]) =>
      entryReply(id, `uid=${uid},dc=a`, { entryUUID: uuid, uid, ...values(uid) }),
    )
    if (cookie !== null && paged !== 0) return [Buffer.concat([entries[0]!, doneReply(id, paged)])]
    return [Buffer.concat([...entries, doneReply(id, 0, cookie === null ? null : '')])]
  })
  const connection = await openDirectory(
    { host: 'a.test', port: 389, security: 'none', certificateName: null, ca: { kind: 'public' } },
    { bindDn: 'cn=reader', password: 'secret' },
    async () => pipe,
    () => NOW,
  )
  const users: string[] = []
  const names: string[] = []
  await connection.listUsers(
    { baseDn: 'dc=a', filter: null, usernameAttribute: null, phoneAttribute: null },
    (page) => {
      users.push(...page.map(({ username }) => username))
      names.push(...page.map(({ displayName }) => displayName))
    },
  )
  return { users, names, searches, kind: connection.server.kind }
}

const PAGED = '1.2.840.113556.1.4.319'
const ALL = ['a', 'b', 'c']

it('a server pages only where it can: everybody is listed once', async () => {
  const offenders = await findOffenders<[string, Behaviour, boolean[]]>([
    ['names the control', { root: { supportedControl: [PAGED, '1.2.3'] }, paged: 0 }, [true]],
    ['hides its controls and pages', { root: {}, paged: 0 }, [true]],
    ['names other controls alone', { root: { supportedControl: ['1.2.3'] }, paged: 12 }, [false]],
    ['hides its controls and refuses a page in the middle', { root: {}, paged: 12 }, [true, false]],
    ['is an lldap, which names none', { root: { vendorName: 'LLDAP' }, paged: 12 }, [false]],
  ])(async (_, behaviour, searches) => {
    expect(await listFrom(behaviour)).toMatchObject({ users: ALL, searches })
  })
  expect(offenders).toEqual([])
})

it('values with options belong to their attribute, behind those without', async () => {
  const values = (uid: string): Record<string, string> =>
    uid === 'a'
      ? { 'displayName;lang-zh': '李娜' }
      : uid === 'b'
        ? { 'displayName;lang-en': 'Na Li', displayName: '李娜' }
        : { 'DisplayName;lang-zh;x-note': '王五' }
  expect((await listFrom({ root: {}, paged: 0, values })).names).toEqual(['李娜', '李娜', '王五'])
})

it('a user name may come from another attribute than the one by default', () => {
  const person = toAttributes({ objectClass: 'inetOrgPerson', cn: 'li', GUID: UUID.replaceAll('-', '') })
  const names = { usernameAttribute: null, phoneAttribute: null }
  expect(toDirectoryEntry('cn=li', person, names, NOW)).toMatchObject({ id: UUID, username: 'li' })
})
