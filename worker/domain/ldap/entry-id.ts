import type { Attributes } from './attributes.ts'
import type { UserFilter } from './user-filter.ts'

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
  return null
}

/** Bytes of an objectGUID as Windows prints them: the first three groups are little-endian (MS-DTYP §2.3.4). */
export function toGuid(hex: string): string {
  const reversed = (from: number, to: number) => (hex.slice(from, to).match(/../g) ?? []).toReversed().join('')
  return [reversed(0, 8), reversed(8, 12), reversed(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Filter that finds the entry with this id; null for a text that is no id. */
export function idFilter(id: string, isActiveDirectory: boolean): UserFilter | null {
  const equals = (attribute: string, value: string): UserFilter => ({
    kind: 'compare',
    attribute,
    operator: '=',
    value,
  })
  if (NS_UNIQUE_ID.test(id)) return equals('nsUniqueId', id)
  if (!UUID.test(id)) return null
  const guid = equals('objectGUID', toEscapedBytes(id))
  if (isActiveDirectory) return guid
  return { kind: 'or', parts: [equals('entryUUID', id), equals('ipaUniqueID', id), guid] }
}

/** The reverse of toGuid, each byte as `\xx`: swapping the bytes twice gives the first order. */
const toEscapedBytes = (guid: string): string =>
  toGuid(guid.replaceAll('-', ''))
    .replaceAll('-', '')
    .replaceAll(/../g, String.raw`\$&`)
