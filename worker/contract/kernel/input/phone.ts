import dialCodes from '#contract/country/dial-codes.json' with { type: 'json' }
import { DIAL_CODE_DEFAULT } from '../limits.ts'
import { codeText, groupedCode } from './typed-text.ts'

/* Phone numbers: one form for every spelling, and the rules of each dial code. */

/** Lengths of phone numbers by dial code, the shortest and the longest; none is above 11 (account 5). */
const LENGTHS: Readonly<Partial<Record<string, readonly number[]>>> = dialCodes

/** Dial codes behind which a national number is also written with a trunk 0 (libphonenumber). No number begins with it. */
const WITH_TRUNK_0: ReadonlySet<string> = new Set(
  (
    '20 27 31 32 33 40 41 43 44 46 49 51 53 54 55 57 58 60 61 62 63 64 66 81 82 84 86 90 91 92 93 94 95 98 ' +
    '211 212 213 218 231 232 233 234 243 249 250 251 252 254 255 256 260 261 262 263 264 265 291 353 355 358 359 370 ' +
    '373 374 377 380 381 382 383 385 386 387 389 421 423 508 590 591 593 594 595 596 598 686 850 855 856 880 886 961 ' +
    '962 963 964 966 967 970 971 972 976 977 994 995 996'
  ).split(' '),
)
/** Other trunk prefixes, with which a number of the right length may begin. */
const OTHER_TRUNKS: Readonly<Partial<Record<string, RegExp>>> = { '7': /^8/, '36': /^06/, '375': /^80?/, '993': /^8/ }

/** Account 5, widened to the live 16x and 19x ranges (infra/docs/decisions.md). */
const mainlandPhone = /^1[3-9]\d{9}$/

const lengthsOf = (dialCode: string): readonly number[] =>
  (Object.hasOwn(LENGTHS, dialCode) ? LENGTHS[dialCode] : undefined) ?? []

/** Message about a number under its dial code, or null for a possible one (account 5). */
export function phoneProblem(dialCode: string, number: string): string | null {
  if (dialCode === DIAL_CODE_DEFAULT) return mainlandPhone.test(number) ? null : '请输入正确的手机号码'
  const [shortest = 0, longest = 0] = lengthsOf(dialCode)
  if (longest === 0) return '请选择国家或地区'
  if (number.length < 4) return '请输入最低4位数的手机号码'
  const isNumber = /^\d+$/.test(number) && number.length >= shortest && number.length <= longest
  return isNumber && !(WITH_TRUNK_0.has(dialCode) && number.startsWith('0')) ? null : '请输入正确的手机号码'
}

/** Dial code at the start of digits. No dial code is a prefix of another. */
export const findDialCode = (digits: string): string | undefined =>
  [1, 2, 3].map((length) => digits.slice(0, length)).find((code) => code in LENGTHS)

/** Dial code without plus or 00 before it. */
export const dialCodeText = (typed: string): string => codeText(typed).replace(/^(?:\+|00)/, '')

/** Phone without the separators of its groups; `tel:` is dropped, 00 before a dial code becomes a plus. */
export const undividedPhone = (typed: string): string =>
  groupedCode(typed)
    .replace(/[().]/g, '')
    .replace(/^tel:/i, '')
    .replace(/^\+?00(?=[1-9])/, '+')

function withoutTrunk(dialCode: string, digits: string): string {
  if (WITH_TRUNK_0.has(dialCode)) return digits.replace(/^0/, '')
  const [, longest = 0] = lengthsOf(dialCode)
  const other = OTHER_TRUNKS[dialCode]
  return other !== undefined && digits.length > longest ? digits.replace(other, '') : digits
}

/**
 * Number as it is stored beside its dial code: without separators, the same dial code and a trunk prefix. A number with
 * another dial code keeps its plus, which `phoneProblem` refuses.
 */
export function phoneText(dialCode: string, typed: string): string {
  const text = undividedPhone(typed)
  const own = `+${dialCode}`
  if (text.startsWith(own)) return withoutTrunk(dialCode, text.slice(own.length))
  if (text.startsWith('+')) return text
  const number = withoutTrunk(dialCode, text)
  const [, longest = 0] = lengthsOf(dialCode)
  if (number.length <= longest || !number.startsWith(dialCode)) return number
  const rest = withoutTrunk(dialCode, number.slice(dialCode.length))
  return phoneProblem(dialCode, rest) === null ? rest : number
}

export interface DialledPhone {
  readonly areaCode: string
  readonly number: string
}

/** Dial code and number of a text by itself; without plus or 00 it can only be a mainland number. Null without either. */
export function splitPhone(typed: string): DialledPhone | null {
  const text = undividedPhone(typed)
  const isDialled = text.startsWith('+')
  const areaCode = isDialled ? findDialCode(text.slice(1)) : DIAL_CODE_DEFAULT
  if (areaCode === undefined) return null
  const number = phoneText(areaCode, text)
  return isDialled || phoneProblem(areaCode, number) === null ? { areaCode, number } : null
}

/** The same of a possible number alone. */
export function dialledPhone(typed: string): DialledPhone | null {
  const phone = splitPhone(typed)
  return phone !== null && phoneProblem(phone.areaCode, phone.number) === null ? phone : null
}

/** `+86 13800000000` of any spelling; a text that is no phone stays. */
export function internationalText(typed: string): string {
  const text = codeText(typed)
  const phone = dialledPhone(text)
  if (phone !== null) return `+${phone.areaCode} ${phone.number}`
  const [, dialCode = '', rest = ''] = /^\+(\d{1,3})\s+(.*)$/.exec(text) ?? []
  return dialCode === '' ? text : `+${dialCode} ${phoneText(dialCode, rest)}`
}

/** Form with its phone as it is stored under `area_code`. */
export const withPhoneText = <F extends { readonly area_code: string; readonly phone: string }>(form: F): F => ({
  ...form,
  phone: phoneText(form.area_code, form.phone),
})
