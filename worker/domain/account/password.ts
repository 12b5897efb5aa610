import { type Violation, violation } from '#contract/kernel/result.ts'
import common from './common-passwords.json' with { type: 'json' }

/* Refuses weak passwords: common ones, keyboard patterns, and the owner's own names or phone number. */

const COMMON: ReadonlySet<string> = new Set(common.passwords.split(' '))

/** Person whose names and phone are refused as the password. Unknown values are absent. */
export interface PasswordOwner {
  readonly names: readonly (string | null | undefined)[]
  readonly phone?: string | null | undefined
}

export function checkPassword(password: string, { names, phone }: PasswordOwner): Violation | null {
  const typed = password.toLowerCase()
  if (COMMON.has(typed) || isPattern(typed)) return violation('PASSWORD_COMMON')
  const own = [...names.flatMap((name) => [name, name?.replace(/@.*$/s, '')]), phone]
  const isOwn = own.some((text) => text && text.toLowerCase() === typed)
  return isOwn ? violation('PASSWORD_PERSONAL') : null
}

/** True for `aaaaaa`, `123123`, `87654321`, `qwerty`, `a123456`, `123abc`. */
export function isPattern(text: string): boolean {
  if (isTrivial(text)) return true
  const [, letters, digits] = /^([a-z]+)(\d+)$/.exec(text) ?? /^(?=\d+([a-z]+)$)(\d+)/.exec(text) ?? []
  return letters !== undefined && digits !== undefined && isShortOr(letters, 2) && isShortOr(digits, 1)
}

const isShortOr = (part: string, length: number): boolean => part.length <= length || isTrivial(part)

const isTrivial = (text: string): boolean => new Set(text).size <= 2 || /^(.{1,6})\1+$/s.test(text) || isRun(text)

const ROWS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const RUNS = ROWS.flatMap((row) => [row, Array.from(row).toReversed().join('')])

/** True for neighbors in the alphabet or in a row of keys, in either direction. */
const isRun = (text: string): boolean => RUNS.some((run) => run.includes(text))
