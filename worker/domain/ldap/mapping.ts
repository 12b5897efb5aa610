import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { mainlandPhone, phoneText } from '#contract/kernel/phone.ts'
import { plainText } from '#contract/kernel/typed-text.ts'
import type { DirectoryEntry } from './directory-entry.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { MEMBER_FILE } from '#contract/router/limits.ts'

/* Maps users of a directory to fields of members: name, note and phone. */

export interface MemberFields {
  /** User name without the account's suffix. */
  readonly name: string
  readonly note: string
  /** '' for none. */
  readonly phone: string
}

const NAME = new RegExp(`^[A-Za-z0-9._-]{1,${MEMBER_FILE.nameMax}}$`)
const segmenter = new Intl.Segmenter('zh', { granularity: 'grapheme' })

/** True for a valid name of a member. Other users are not imported, because nobody is renamed silently. */
export const isMemberName = (username: string): boolean => NAME.test(username)

/** The display name, cut at whole characters; SQLite counts code points. */
export function toNote(displayName: string): string {
  let note = ''
  let length = 0
  for (const { segment } of segmenter.segment(plainText(displayName))) {
    length += [...segment].length
    if (length > NETWORK.noteMax) break
    note += segment
  }
  return note.trimEnd()
}

/** The one mobile number among the values; '' for none, or several different ones. */
export function toPhone(values: readonly string[]): string {
  const found = new Set(values.map(toMobile).filter((phone) => phone !== null))
  const [first = ''] = found
  return found.size === 1 ? first : ''
}

function toMobile(value: string): string | null {
  const number = phoneText(DIAL_CODE_DEFAULT, value)
  return mainlandPhone.test(number) ? number : null
}

/** Fields by id. A phone of two users is given to neither. */
export function toMembers(users: readonly DirectoryEntry[]): ReadonlyMap<string, MemberFields> {
  const phones = users.map(({ phones: values }) => toPhone(values))
  const times = new Map<string, number>()
  for (const phone of phones) times.set(phone, (times.get(phone) ?? 0) + 1)
  return new Map(
    users.map(({ id, username, displayName }, i) => {
      const phone = phones[i] ?? ''
      return [id, { name: username, note: toNote(displayName), phone: times.get(phone) === 1 ? phone : '' }] as const
    }),
  )
}
