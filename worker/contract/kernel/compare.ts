/* Order of texts, equality of JSON values and one spelling of sign-in names, the same in every runtime. */

/** Compares by code point, independent of the locale. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** True for equal JSON texts. Both values must have their keys in the same order. */
export const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Removes differences of spelling: full width, case, blanks around a name and characters without a width. */
export const normalizeLogin = (typed: string): string =>
  typed
    .normalize('NFKC') // full-width digits and letters, non-breaking blanks
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
