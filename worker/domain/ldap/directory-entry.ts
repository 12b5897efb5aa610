import type { IdAttribute } from './directory-kind.ts'
import type { UserFilter } from './user-filter.ts'
import { DAY_MS, parseDay } from '#contract/kernel/time.ts'

/* Reads users from entries of an LDAP directory: attributes, immutable id, disabled state, names and phones. */

/** Search base and attributes of users. Null: the default of the server's kind. */
export interface UserQuery {
  readonly baseDn: string
  readonly filter: string | null
  readonly usernameAttribute: string | null
  readonly phoneAttribute: string | null
}

/** One user of a directory as the server holds it, before rules of members check or shorten anything. */
export interface DirectoryEntry {
  /** Immutable: objectGUID, entryUUID, ipaUniqueID, nsUniqueId or GUID. */
  readonly id: string
  readonly dn: string
  readonly username: string
  readonly displayName: string
  readonly description: string
  readonly phones: readonly string[]
  readonly isDisabled: boolean
}

/** Attributes of one entry as the server sent them: names in lower case, values as text, those of BINARY in hexadecimal. */
export type Attributes = ReadonlyMap<string, readonly string[]>

export const BINARY: ReadonlySet<string> = new Set(['objectguid', 'guid'])

export const ID_ATTRIBUTES: readonly IdAttribute[] = ['objectGUID', 'entryUUID', 'ipaUniqueID', 'nsUniqueId', 'GUID']

const NAME_ATTRIBUTES = ['sAMAccountName', 'uid', 'userPrincipalName', 'cn'] as const
const PHONE_ATTRIBUTES = ['mobile', 'telephoneNumber'] as const
const TEXT_ATTRIBUTES = ['displayName', 'description'] as const

type AttributeNames = Pick<UserQuery, 'usernameAttribute' | 'phoneAttribute'>

/** Attributes requested by a search. Each is named, because `*` excludes operational attributes. */
export const listAttributes = ({ usernameAttribute, phoneAttribute }: AttributeNames): string[] => [
  ...ID_ATTRIBUTES,
  ...STATE_ATTRIBUTES,
  ...TEXT_ATTRIBUTES,
  ...(usernameAttribute === null ? NAME_ATTRIBUTES : [usernameAttribute, 'cn']),
  ...(phoneAttribute === null ? PHONE_ATTRIBUTES : [phoneAttribute]),
]

const equals = (attribute: string, value: string): UserFilter => ({ kind: 'compare', attribute, operator: '=', value })

const ACCOUNT_DISABLED = 0x2 // bit of userAccountControl
const NEVER = new Set(['', '0', '9223372036854775807']) // values of accountExpires
const FILETIME_TO_UNIX_MS = 11_644_473_600_000n

const isTrue = (value: string): boolean => value.toLowerCase() === 'true'

const isControlDisabled = (control: string): boolean =>
  /^-?\d{1,10}$/.test(control) && (Number(control) & ACCOUNT_DISABLED) !== 0

/** Active Directory: 100 ns since 1601. */
function hasFileTimePassed(time: string, now: number): boolean {
  if (NEVER.has(time) || !/^\d{1,19}$/.test(time)) return false
  return BigInt(time) / 10_000n - FILETIME_TO_UNIX_MS <= BigInt(now)
}

/** Password policy overlay: year 0 locks for good; a lock with a real date ends by itself. */
const isLockedForGood = (time: string): boolean => time.startsWith('000001010000')

/** Days since 1970; -1 or nothing means never. Compared here, because servers have no order for it (RFC 2307). */
const hasShadowExpired = (days: string, now: number): boolean => /^\d{1,7}$/.test(days) && Number(days) * DAY_MS <= now

/** Generalized time in UTC (RFC 4517 §3.3.13). */
function hasTimePassed(time: string, now: number): boolean {
  const [, year, month, day, ...clock] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)?(\d\d)?(?:[.,]\d+)?Z$/.exec(time) ?? []
  const days = parseDay(`${year}-${month}-${day}`)
  const [hours = 0, minutes = 0, seconds = 0] = clock.map((text) => Number(text ?? 0))
  return days !== null && days * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * 1_000 <= now
}

/** States by which directories disable an account or let it expire. */
const STATES: Readonly<Record<string, (value: string, now: number) => boolean>> = {
  userAccountControl: isControlDisabled,
  accountExpires: hasFileTimePassed,
  'msDS-UserAccountDisabled': isTrue, // AD LDS
  pwdAccountLockedTime: isLockedForGood,
  shadowExpire: hasShadowExpired,
  nsAccountLock: isTrue, // 389-ds, FreeIPA, Oracle
  krbPrincipalExpiration: hasTimePassed, // FreeIPA
  'ds-pwp-account-disabled': isTrue, // OpenDJ
  loginDisabled: isTrue, // eDirectory
}
export const STATE_ATTRIBUTES: readonly string[] = Object.keys(STATES)

/** True for a disabled user or an expired account. A temporary lock-out after wrong passwords does not count. */
export const isEntryDisabled = (attributes: Attributes, now: number): boolean =>
  Object.entries(STATES).some(([name, isDisabled]) =>
    isDisabled(attributes.get(name.toLowerCase())?.[0]?.trim() ?? '', now),
  )

const GUID = /^[0-9a-f]{32}$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const NS_UNIQUE_ID = /^[0-9a-f]{8}(-[0-9a-f]{8}){3}$/

/** Immutable id of an entry, in lower case; null without one, since a name would not survive a rename. */
export function entryId(attributes: Attributes): string | null {
  const guid = attributes.get('objectguid')?.[0] ?? ''
  if (GUID.test(guid)) return toGuid(guid)
  for (const name of ['entryuuid', 'ipauniqueid', 'nsuniqueid']) {
    const id = attributes.get(name)?.[0]?.toLowerCase() ?? ''
    if (UUID.test(id) || NS_UNIQUE_ID.test(id)) return id
  }
  const bytes = attributes.get('guid')?.[0] ?? ''
  return GUID.test(bytes) ? toDashed(bytes) : null
}

const toDashed = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')

/** Bytes of an objectGUID as Windows prints them: the first three groups are little-endian (MS-DTYP §2.3.4). */
export function toGuid(hex: string): string {
  const reversed = (from: number, to: number) => (hex.slice(from, to).match(/../g) ?? []).toReversed().join('')
  return [reversed(0, 8), reversed(8, 12), reversed(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Filter that finds the entry with this id by the ids of the server's kind; null for a text that is no id. */
export function idFilter(id: string, ids: readonly IdAttribute[]): UserFilter | null {
  const isNs = NS_UNIQUE_ID.test(id)
  if (!isNs && !UUID.test(id)) return null
  const parts = ids.flatMap((attribute) => {
    if ((attribute === 'nsUniqueId') !== isNs) return []
    return [equals(attribute, ID_VALUES[attribute]?.(id) ?? id)]
  })
  const [only] = parts
  return only === undefined ? null : parts.length === 1 ? only : { kind: 'or', parts }
}

/** Ids in bytes, each as `\xx`. The reverse of toGuid: swapping the bytes twice gives the first order. */
const ID_VALUES: Readonly<Partial<Record<IdAttribute, (id: string) => string>>> = {
  objectGUID: (id) => toEscapedBytes(toGuid(id.replaceAll('-', ''))),
  GUID: (id) => toEscapedBytes(id),
}
const toEscapedBytes = (id: string): string => id.replaceAll('-', '').replaceAll(/../g, String.raw`\$&`)

/** Kept length of a text: more than any rule of members needs, little enough for a listing in memory. */
const TEXT_MAX = 256

/** An entry as a user; null for one without an immutable id. */
export function toDirectoryEntry(
  dn: string,
  attributes: Attributes,
  { usernameAttribute, phoneAttribute }: AttributeNames,
  now: number,
): DirectoryEntry | null {
  const id = entryId(attributes)
  if (id === null) return null
  return {
    id,
    dn,
    username: firstText(attributes, usernameAttribute === null ? NAME_ATTRIBUTES : [usernameAttribute]),
    displayName: firstText(attributes, ['displayName', 'cn']),
    description: firstText(attributes, ['description']),
    phones: firstValues(attributes, phoneAttribute === null ? PHONE_ATTRIBUTES : [phoneAttribute]),
    isDisabled: isEntryDisabled(attributes, now),
  }
}

const firstText = (attributes: Attributes, names: readonly string[]): string => firstValues(attributes, names)[0] ?? ''

function firstValues(attributes: Attributes, names: readonly string[]): string[] {
  for (const name of names) {
    const values = (attributes.get(name.toLowerCase()) ?? [])
      .map((value) => value.trim())
      .filter((value) => value !== '')
    if (values.length > 0) return values.map((value) => value.slice(0, TEXT_MAX))
  }
  return []
}
