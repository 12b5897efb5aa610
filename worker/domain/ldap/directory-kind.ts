import type { Attributes } from './directory-entry.ts'
import type { UserFilter } from './user-filter.ts'

/* Kinds of LDAP servers: recognition by the root entry, filter of people, immutable ids, paging. */

const KIND_NAMES = [
  'ad',
  'adlds',
  'freeipa',
  '389ds',
  'openldap',
  'lldap',
  'opendj',
  'edirectory',
  'apacheds',
  'dsee',
  'other',
] as const
export type KindName = (typeof KIND_NAMES)[number]

/** Immutable ids; those of AD and eDirectory are bytes. */
export type IdAttribute = 'objectGUID' | 'entryUUID' | 'ipaUniqueID' | 'nsUniqueId' | 'GUID'

export interface DirectoryKind {
  readonly name: KindName
  /** Name for people. */
  readonly word: string
  /** The tests run against a real server; others follow their documented root entry and entries. */
  readonly isTested: boolean
  /** Recognises the server by its root entry (RFC 4512 §5.1). */
  readonly is: (root: Attributes) => boolean
  /** Filter for people if the administrator gives none. */
  readonly people: (usernameAttribute: string | null) => UserFilter
  /** Ids of entries, also of several kinds behind one address. */
  readonly ids: readonly IdAttribute[]
  /** False: the server has no paging control, though its root entry may not say so. */
  readonly hasPaging: boolean
}

/** Root attributes that `is` reads. */
export const ROOT_ATTRIBUTES = [
  'objectClass',
  'vendorName',
  'supportedCapabilities',
  'ipaDomainLevel',
  'ipaTopologyPluginVersion',
] as const

const equals = (attribute: string, value: string): UserFilter => ({ kind: 'compare', attribute, operator: '=', value })
const and = (...parts: readonly UserFilter[]): UserFilter => ({ kind: 'and', parts })
const or = (...parts: readonly UserFilter[]): UserFilter => ({ kind: 'or', parts })
const isOfClass = (...classes: readonly string[]): readonly UserFilter[] =>
  classes.map((name) => equals('objectClass', name))

/** `inetOrgPerson` with a user name: users of most directories. */
const inetOrgPeople = (usernameAttribute: string | null): UserFilter =>
  and(...isOfClass('inetOrgPerson'), { kind: 'present', attribute: usernameAttribute ?? 'uid' })

/** People of 389-ds as `dsidm user create` makes them have no inetOrgPerson. */
const peopleOf389 = (usernameAttribute: string | null): UserFilter =>
  and(or(...isOfClass('inetOrgPerson', 'nsPerson')), { kind: 'present', attribute: usernameAttribute ?? 'uid' })

const peopleOfAd = (): UserFilter => and(equals('objectCategory', 'person'), ...isOfClass('user'))
const peopleOfAdLds = (): UserFilter =>
  and(or(...isOfClass('user', 'userProxy', 'userProxyFull', 'inetOrgPerson')), {
    kind: 'not',
    part: equals('objectClass', 'computer'),
  })

const hasCapability = (oid: string) => (root: Attributes) => (root.get('supportedcapabilities') ?? []).includes(oid)
const matches = (attribute: string, pattern: RegExp) => (root: Attributes) =>
  (root.get(attribute) ?? []).some((value) => pattern.test(value))
const isFreeIpa = (root: Attributes) => root.has('ipadomainlevel') || root.has('ipatopologypluginversion')

/** A server may stand in front of others: its entries have the ids of those. */
const IDS = ['entryUUID', 'ipaUniqueID', 'objectGUID', 'nsUniqueId'] as const
const COMMON = { people: inetOrgPeople, ids: IDS, hasPaging: true } as const

/** The first that fits. Active Directory includes Samba (MS-ADTS §3.1.1.3.4.3). */
const DIRECTORY_KINDS: readonly DirectoryKind[] = [
  {
    name: 'ad',
    word: 'Active Directory',
    isTested: true,
    is: hasCapability('1.2.840.113556.1.4.800'),
    people: peopleOfAd,
    ids: ['objectGUID'],
    hasPaging: true,
  },
  {
    name: 'adlds',
    word: 'AD LDS',
    isTested: false,
    is: hasCapability('1.2.840.113556.1.4.1851'),
    people: peopleOfAdLds,
    ids: ['objectGUID'],
    hasPaging: true,
  },
  {
    ...COMMON,
    name: 'freeipa',
    word: 'FreeIPA',
    isTested: false,
    is: isFreeIpa,
  },
  {
    ...COMMON,
    name: '389ds',
    word: '389 Directory Server',
    isTested: true,
    is: matches('vendorname', /389 Project|Fedora|Red Hat/i),
    people: peopleOf389,
  },
  { ...COMMON, name: 'openldap', word: 'OpenLDAP', isTested: true, is: matches('objectclass', /OpenLDAProotDSE/i) },
  { ...COMMON, name: 'lldap', word: 'LLDAP', isTested: false, is: matches('vendorname', /^lldap$/i), hasPaging: false },
  {
    ...COMMON,
    name: 'opendj',
    word: 'OpenDJ',
    isTested: false,
    is: matches('vendorname', /ForgeRock|Ping Identity|Open Identity Platform/i),
  },
  {
    ...COMMON,
    name: 'edirectory',
    word: 'eDirectory',
    isTested: false,
    is: matches('vendorname', /Novell|NetIQ|Micro Focus|OpenText/i),
    people: (usernameAttribute) => inetOrgPeople(usernameAttribute ?? 'cn'),
    ids: ['GUID', ...IDS],
  },
  {
    ...COMMON,
    name: 'apacheds',
    word: 'ApacheDS',
    isTested: false,
    is: matches('vendorname', /Apache Software Foundation/i),
  },
  {
    ...COMMON,
    name: 'dsee',
    word: 'Oracle Directory Server',
    isTested: false,
    is: matches('vendorname', /Sun Microsystems|Oracle/i),
  },
]

/** A server of no known kind, or one that hides its root entry. */
const OTHER_KIND: DirectoryKind = {
  ...COMMON,
  name: 'other',
  word: '其他LDAP服务器',
  isTested: false,
  is: () => true,
}

export const kindOfRoot = (root: Attributes): DirectoryKind => DIRECTORY_KINDS.find(({ is }) => is(root)) ?? OTHER_KIND
export const kindNamed = (name: string): DirectoryKind =>
  DIRECTORY_KINDS.find((kind) => kind.name === name) ?? OTHER_KIND
