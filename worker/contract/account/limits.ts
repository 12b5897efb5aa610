/* Limits of accounts: password, names, birthday, registration. */

export const PASSWORD = { min: 6, max: 18 } as const // account 5

export const NICKNAME = { min: 2, max: 12 } as const // account 5

export const USERNAME = { min: 6, max: 18 } as const // account 5

export const OCCUPATION_MAX = 12 // account 5

/** Range of birthdays (account 5); the first day is ours. */
export const BIRTHDAY = { first: '1900-01-01', daysAgo: 100 } as const

/** Most registrations with one right code and taken names: more would let one code list customers. */
export const REGISTER_TRIES = 20

/** Saved views of lists. All are ours. */
export const SAVED_VIEW = { nameMax: 24, queryMax: 1_000, perPerson: 20 } as const
/** Service with the trial seats of a host (infra/hosts.json). */
export const TRIAL = { name: '试用席位', reminderDays: 7 } as const

export const REGISTER_REDIRECT_MS = 2_000 // account 9
