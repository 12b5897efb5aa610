import { MINUTE_MS } from '#contract/kernel/time.ts'

/** Limits of wrong operator tokens before a pause, of an address block and of a /48. */
export const OPERATOR_GUARD = { perAddress: 5, perWideAddress: 20, windowMs: 15 * MINUTE_MS } as const

/** Valid tokens of one name: the old and the new one of a rotation. */
export const OPERATOR_TOKENS_MAX = 2
