import type { UserFilter } from './user-filter.ts'

/** Attributes of one entry as the server sent them: names in lower case, values as text, those of BINARY in hexadecimal. */
export type Attributes = ReadonlyMap<string, readonly string[]>

/** Values that are no text. */
export const BINARY: ReadonlySet<string> = new Set(['objectguid'])

export const ID_ATTRIBUTES = ['objectGUID', 'entryUUID', 'ipaUniqueID', 'nsUniqueId'] as const
export const STATE_ATTRIBUTES = [
  'userAccountControl',
  'accountExpires',
  'pwdAccountLockedTime',
  'shadowExpire',
  'nsAccountLock',
] as const
export const NAME_ATTRIBUTES = ['sAMAccountName', 'uid', 'userPrincipalName', 'cn'] as const
export const PHONE_ATTRIBUTES = ['mobile', 'telephoneNumber'] as const
const TEXT_ATTRIBUTES = ['displayName', 'description'] as const

interface AttributeNames {
  readonly usernameAttribute: string | null
  readonly phoneAttribute: string | null
}

/** Attributes requested by a search. Each is named, because `*` excludes operational attributes. */
export const listAttributes = ({ usernameAttribute, phoneAttribute }: AttributeNames): string[] => [
  ...ID_ATTRIBUTES,
  ...STATE_ATTRIBUTES,
  ...TEXT_ATTRIBUTES,
  ...(usernameAttribute === null ? NAME_ATTRIBUTES : [usernameAttribute, 'cn']),
  ...(phoneAttribute === null ? PHONE_ATTRIBUTES : [phoneAttribute]),
]

const SECRETS = new Set([
  'userpassword',
  'unicodepwd',
  'ntpwdhistory',
  'lmpwdhistory',
  'sambantpassword',
  'sambalmpassword',
])

/** Name of an attribute (RFC 4512 §1.4) that may be read into a member: no password hash. */
export const isReadableAttribute = (name: string): boolean =>
  /^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name) && !SECRETS.has(name.toLowerCase())

/** People, where the administrator names no filter: the two differ because `objectCategory` is unknown elsewhere. */
export function defaultFilter(isActiveDirectory: boolean, usernameAttribute: string | null): UserFilter {
  const equals = (attribute: string, value: string): UserFilter => ({
    kind: 'compare',
    attribute,
    operator: '=',
    value,
  })
  return isActiveDirectory
    ? { kind: 'and', parts: [equals('objectCategory', 'person'), equals('objectClass', 'user')] }
    : {
        kind: 'and',
        parts: [equals('objectClass', 'inetOrgPerson'), { kind: 'present', attribute: usernameAttribute ?? 'uid' }],
      }
}
