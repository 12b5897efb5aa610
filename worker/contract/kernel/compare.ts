/* Comparisons that give the same in every runtime. */

/** Code point order, whatever the locale. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Equal as JSON texts: for values whose keys one writer puts in one order. */
export const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
