/** Equal as JSON texts: for values whose keys one writer puts in one order. */
export const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
