import { MINUTE_MS } from '#contract/kernel/time.ts'

/** Limit of wrong activation codes of one address before a pause. A right code always passes. */
export const ENROL_GUARD = { perAddress: 60, windowMinutes: 15 } as const

/** Refused device tokens of an address block and of a /48, from which the reason is no longer said. A right token passes. */
export const CONNECT_GUARD = { perAddress: 300, perWideAddress: 1_000, windowMs: 15 * MINUTE_MS } as const
