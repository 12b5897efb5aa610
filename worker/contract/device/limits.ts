/** Limit of wrong activation codes of one address before a pause. A right code always passes. */
export const ENROL_GUARD = { perAddress: 60, windowMinutes: 15 } as const
