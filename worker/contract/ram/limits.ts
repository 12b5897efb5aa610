/** Sub-accounts and their roles. */
export const RAM = { usernameMax: 18 } as const // directory 9
