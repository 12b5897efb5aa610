/** Limits of sub-accounts. */
export const RAM = { usernameMax: 18 } as const // directory 9
