import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { dialledPhone, phoneText } from '#contract/kernel/input/phone.ts'
import { plainText } from '#contract/kernel/input/typed-text.ts'
import type { DirectoryEntry } from './directory-entry.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { MEMBER_FILE } from '#contract/router/limits.ts'

/* Maps users of a directory to fields of members: name, note and phone. */

export interface MemberFields {
  /** User name without the account's suffix. */
  readonly name: string
  readonly note: string
  /** As `joinPhone` writes it. */
  readonly phone: string
}

/** Characters of names of members. */
export const NAME_CHARACTER = /[A-Za-z0-9._-]/
const NAME = new RegExp(`^${NAME_CHARACTER.source}{1,${MEMBER_FILE.nameMax}}$`)
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

/** Phone as text: the number alone under the default dial code, else `+852 91234567`; '' for none. */
export const joinPhone = (areaCode: string, number: string | null): string =>
  number === null || number === '' ? '' : areaCode === DIAL_CODE_DEFAULT ? number : `+${areaCode} ${number}`

/** The reverse of `joinPhone`. */
export function splitPhone(text: string): { readonly areaCode: string; readonly phone: string } {
  const [, areaCode = DIAL_CODE_DEFAULT, phone = text] = /^\+(\d+) (.*)$/.exec(text) ?? []
  return { areaCode, phone }
}

/** Phone of an earlier record, whose number may still have a trunk prefix. */
export function toStoredPhone(text: string): string {
  const { areaCode, phone } = splitPhone(text)
  return joinPhone(areaCode, phoneText(areaCode, phone))
}

/** Reasons for which a member gets no phone although its user has one. */
export const PHONE_LEFT = {
  unknown: '手机号无法识别',
  several: '有多个手机号',
  shared: '手机号与其他用户相同',
} as const

interface ReadPhone {
  readonly phone: string
  readonly left: keyof typeof PHONE_LEFT | null
}

/** The one phone among the values; '' for none, or several different ones. */
export function readPhone(values: readonly string[]): ReadPhone {
  const found = new Set(values.map(toMobile).filter((phone) => phone !== null))
  const [first = ''] = found
  if (found.size === 1) return { phone: first, left: null }
  return { phone: '', left: found.size > 1 ? 'several' : values.length > 0 ? 'unknown' : null }
}

function toMobile(value: string): string | null {
  const found = dialledPhone(value)
  return found && joinPhone(found.areaCode, found.number)
}

/** Phones by id. One of two users is given to neither. */
function readPhones(users: readonly DirectoryEntry[]): ReadonlyMap<string, ReadPhone> {
  const read = users.map(({ id, phones }) => [id, readPhone(phones)] as const)
  const times = new Map<string, number>()
  for (const [, { phone }] of read) times.set(phone, (times.get(phone) ?? 0) + 1)
  const isShared = (phone: string) => phone !== '' && (times.get(phone) ?? 0) > 1
  return new Map(read.map(([id, one]) => [id, isShared(one.phone) ? { phone: '', left: 'shared' } : one]))
}

/** Fields by id. */
export function toMembers(users: readonly DirectoryEntry[]): ReadonlyMap<string, MemberFields> {
  const phones = readPhones(users)
  return new Map(
    users.map(({ id, username, displayName }) => [
      id,
      { name: username, note: toNote(displayName), phone: phones.get(id)?.phone ?? '' },
    ]),
  )
}

/** Users whose phone their members do not get, by id, each with the reason. */
export const findPhonesLeft = (users: readonly DirectoryEntry[]): ReadonlyMap<string, keyof typeof PHONE_LEFT> =>
  new Map([...readPhones(users)].flatMap(([id, { left }]) => (left === null ? [] : [[id, left] as const])))
