import { findDialCode } from '../../contract/fields.ts'
import { DIAL_CODE_DEFAULT } from '../../contract/limits.ts'

/** What a sign-in name may stand for; `phone` is null where it cannot be one. */
export interface LoginName {
  /** The user name or e-mail, in lower case; of a mainland phone its digits, which may be a user name too. */
  readonly text: string
  readonly phone: { readonly areaCode: string; readonly number: string } | null
}

/** One name for all its spellings: '13800000000', '+8613800000000' and '+86 138-0000-0000' are the same phone. */
export function readLoginName(typed: string): LoginName {
  const text = typed
    .normalize('NFKC') // full-width digits and letters, non-breaking blanks
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
  const phone = readPhone(text)
  if (!phone) return { text, phone }
  return { text: phone.areaCode === DIAL_CODE_DEFAULT ? phone.number : nameKey({ text, phone }), phone }
}

/** By which attempts and codes of a name are counted, whatever its spelling. */
export const nameKey = ({ text, phone }: LoginName): string => (phone ? `+${phone.areaCode} ${phone.number}` : text)

/** Digits alone are a mainland number; those behind a plus begin with their dial code. */
function readPhone(text: string): LoginName['phone'] {
  const digits = text.replace(/[\s().-]/g, '').replace(/^00(?=[1-9])/, '+')
  const [, plus, all = ''] = /^(\+?)(\d{4,17})$/.exec(digits) ?? []
  const mainland = /^(?:86)?(1[3-9]\d{9})$/.exec(all)?.[1]
  if (mainland !== undefined && (plus === '' || all.length > 11))
    return { areaCode: DIAL_CODE_DEFAULT, number: mainland }
  const areaCode = plus === '+' ? findDialCode(all) : DIAL_CODE_DEFAULT
  const number = plus === '+' ? all.slice(areaCode?.length) : all
  return areaCode === undefined || number.length < 4 ? null : { areaCode, number }
}

export interface RamName {
  readonly name: string
  readonly domain: string
}

/** Null where the text has no such form. */
export function readRamName(typed: string): RamName | null {
  const [, name, domain] = /^([^@\s]+)@([^@\s]+)$/.exec(typed.trim()) ?? []
  return name && domain ? { name, domain } : null
}
