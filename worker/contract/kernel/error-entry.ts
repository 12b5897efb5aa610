import { RESULT, type WireCode } from './result.ts'

/* Entries of the catalogue of refusals, and makers of entries by wire code. */

/** Entry of the catalogue (errors.ts). */
export interface ErrorEntry {
  readonly code: WireCode
  /** Sentence with cause and next action. `{name}` stands for a parameter of the violation. */
  readonly msg: string
  /** Input field of the message, if it is always the same one. */
  readonly field?: string
  /** HTTP status of a business result with a code of the transport. */
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
