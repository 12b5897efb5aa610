import { DIAL_CODE_DEFAULT } from '../../contract/limits.ts'

/** What a sign-in name may stand for; `phone` is null where it cannot be one. */
export interface LoginName {
  readonly text: string
  readonly phone: { readonly areaCode: string; readonly number: string } | null
}

/** '13800000000' is a mainland number, '+852 61234567' one of its own code; every name may also be a username or e-mail. */
export function readLoginName(typed: string): LoginName {
  const text = typed.trim()
  const bare = text.replace(/^\+86(?=1\d{10}$)/, '') // only with a blank can one tell where another code ends
  const [, areaCode = DIAL_CODE_DEFAULT, number] = /^(?:\+([1-9]\d{0,3}) )?(\d{4,14})$/.exec(bare) ?? []
  return { text, phone: number ? { areaCode, number } : null }
}

/** One spelling for all of a name's, for counters. */
export const nameKey = ({ text, phone }: LoginName): string =>
  phone ? `+${phone.areaCode} ${phone.number}` : text.toLowerCase()

/** `name@suffix` of a sub-account. */
export interface RamName {
  readonly name: string
  readonly domain: string
}

/** Null where the text has no such form. */
export function readRamName(typed: string): RamName | null {
  const [, name, domain] = /^([^@\s]+)@([^@\s]+)$/.exec(typed.trim()) ?? []
  return name && domain ? { name, domain } : null
}
