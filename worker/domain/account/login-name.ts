import { normalizeLogin } from '#contract/kernel/compare.ts'
import { findDialCode } from '#contract/kernel/fields.ts'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'

/* Typed sign-in names: one form of all spellings, the phone that it may be, `name@domain`, the key that counts tries. */

/** Readings of a sign-in name; `phone` is null unless the name can be a phone number. */
export interface LoginName {
  /** The user name or e-mail in lower case. For a phone: its digits, with 00 and the dial code before a foreign number. */
  readonly text: string
  readonly phone: { readonly areaCode: string; readonly number: string } | null
}

/** Gives one name for all spellings: '13800000000', '+8613800000000' and '+86 138-0000-0000' are the same phone. */
export function readLoginName(typed: string): LoginName {
  const text = normalizeLogin(typed)
  const phone = readPhone(text)
  if (!phone) return { text, phone }
  const { areaCode, number } = phone
  return { text: areaCode === DIAL_CODE_DEFAULT ? number : `00${areaCode}${number}`, phone }
}

/** Key that counts the attempts and codes of a name. All spellings of a name share it. */
export const nameKey = ({ text, phone }: LoginName): string => (phone ? `+${phone.areaCode} ${phone.number}` : text)

/** Digits without a prefix may be a mainland number. Digits after a plus or 00 begin with their dial code. */
function readPhone(text: string): LoginName['phone'] {
  const digits = text.replace(/[\s().-]/g, '').replace(/^00(?=[1-9])/, '+')
  const [, plus, all = ''] = /^(\+?)(\d{4,17})$/.exec(digits) ?? []
  const mainland = /^(?:86)?(1[3-9]\d{9})$/.exec(all)?.[1]
  if (mainland !== undefined && (plus === '' || all.length > 11))
    return { areaCode: DIAL_CODE_DEFAULT, number: mainland }
  const areaCode = plus === '+' ? findDialCode(all) : undefined
  const number = all.slice(areaCode?.length)
  return areaCode === undefined || areaCode === DIAL_CODE_DEFAULT || number.length < 4 ? null : { areaCode, number }
}

export interface RamName {
  readonly name: string
  readonly domain: string
}

/** Reads `name@domain`; null for any other text. */
export function readRamName(typed: string): RamName | null {
  const [, name, domain] = /^([^@\s]+)@([^@\s]+)$/.exec(normalizeLogin(typed)) ?? []
  return name && domain ? { name, domain } : null
}
