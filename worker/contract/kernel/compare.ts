/* Order of texts and equality of JSON values, the same in every runtime. */

/** Compares by code point, independent of the locale. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** True for equal JSON texts. Both values must have their keys in the same order. */
export const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
