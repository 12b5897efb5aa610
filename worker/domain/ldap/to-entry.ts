import { type Attributes, NAME_ATTRIBUTES, PHONE_ATTRIBUTES } from './attributes.ts'
import type { DirectoryEntry, UserQuery } from './directory-entry.ts'
import { isEntryDisabled } from './disabled.ts'
import { entryId } from './entry-id.ts'

/** Kept of a text: more than any rule of members looks at, little enough for a listing in memory. */
const TEXT_MAX = 256

/** An entry as a user; null for one without an immutable id. */
export function toDirectoryEntry(
  dn: string,
  attributes: Attributes,
  { usernameAttribute, phoneAttribute }: Pick<UserQuery, 'usernameAttribute' | 'phoneAttribute'>,
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

/** Values of the first attribute that has any. */
function firstValues(attributes: Attributes, names: readonly string[]): string[] {
  for (const name of names) {
    const values = (attributes.get(name.toLowerCase()) ?? [])
      .map((value) => value.trim())
      .filter((value) => value !== '')
    if (values.length > 0) return values.map((value) => value.slice(0, TEXT_MAX))
  }
  return []
}
