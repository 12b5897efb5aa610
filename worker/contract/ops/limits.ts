/** Limit of wrong operator tokens of one address before a pause. */
export const OPERATOR_GUARD = { failures: 5, pauseMinutes: 15 } as const
