import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { type DialledPhone, dialledPhone } from '#contract/kernel/input/phone.ts'
import { normalizeLogin } from '#contract/kernel/input/typed-text.ts'

/* Typed sign-in names: one form of all spellings, the phone that it may be, `name@domain`, the key that counts tries. */

/** Readings of a sign-in name; `phone` is null unless the name can be a phone number. */
export interface LoginName {
  /** The user name or e-mail in lower case. For a phone: its digits, with 00 and the dial code before a foreign number. */
  readonly text: string
  readonly phone: DialledPhone | null
}

/** Gives one name for all spellings: '13800000000', '+8613800000000' and '+86 138-0000-0000' are the same phone. */
export function readLoginName(typed: string): LoginName {
  const text = normalizeLogin(typed)
  const phone = /^0[^0]/.test(text) ? null : dialledPhone(text) // a user name may be digits behind one 0
  if (!phone) return { text, phone }
  const { areaCode, number } = phone
  return { text: areaCode === DIAL_CODE_DEFAULT ? number : `00${areaCode}${number}`, phone }
}

/** Key that counts the attempts and codes of a name. All spellings of a name share it. */
export const nameKey = ({ text, phone }: LoginName): string => (phone ? `+${phone.areaCode} ${phone.number}` : text)

export interface RamName {
  readonly name: string
  readonly domain: string
}

/** Reads `name@domain`; null for any other text. */
export function readRamName(typed: string): RamName | null {
  const [, name, domain] = /^([^@\s]+)@([^@\s]+)$/.exec(normalizeLogin(typed)) ?? []
  return name && domain ? { name, domain } : null
}
