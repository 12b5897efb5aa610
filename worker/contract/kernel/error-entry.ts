import { RESULT, type WireCode } from './result.ts'

/** One entry of the catalogue (errors.ts). */
export interface ErrorEntry {
  readonly code: WireCode
  /** Says the cause and the next action; `{name}` is replaced by the violation's parameter. */
  readonly msg: string
  /** The input field the message belongs to, where it is always the same one. */
  readonly field?: string
  /** HTTP status of a business result whose code is one of the transport's. */
  readonly status?: 200
}

const entryOf =
  (code: WireCode) =>
  (msg: string, field?: string): ErrorEntry =>
    field === undefined ? { code, msg } : { code, msg, field }

export const notFound = entryOf(RESULT.notFound)
export const stepNeeded = entryOf(RESULT.stepNeeded)
export const forbidden = entryOf(RESULT.forbidden)
export const invalid = entryOf(RESULT.invalid)
export const doFirst = entryOf(RESULT.doFirst)
export const tooOften = entryOf(RESULT.tooOften)
export const badToken = entryOf(RESULT.badToken)
