/** Wrong activation codes of one address before a pause; a right one always passes. */
export const ENROL_GUARD = { perAddress: 60, windowMinutes: 15 } as const
