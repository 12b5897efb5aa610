/* Limits of members: rates of calls, activation codes, software members, member files. */

export const ROUTER_RATE = { limit: 1, windowMs: 5_000 } as const // of one router, each kind of call
export const SWITCH_RATE = { limit: 10, windowMs: 60_000 } as const // disabling and enabling of one router

/** Limit of wrong activation codes of one person before a pause. */
export const ACTIVATION_GUARD = { failures: 5, pauseMinutes: 15 } as const

export const SOFTWARE = { usernameMin: 3, usernameMax: 18, signMin: 6, signMax: 12 } as const // network 5

/** Member files: rows that one statement writes or one read of an export takes, and lengths that differ from the form's. */
export const MEMBER_FILE = {
  portion: 1_000,
  sealedAtOnce: 100, // passwords sealed before other requests get a turn: a few milliseconds
  noteMax: 20, // network 5
  headerRows: 5, // ours: rows with cells among which the header is searched
  nameMax: 48, // ours: of an existing name, because directories have longer ones
  resetMs: 10_000, // network 9: the dialog's loading state
} as const

/** Names that a search for members to choose leaves out at most: an address has room for them. */
export const EXCEPT_MAX = 100

export const ROUTER_TYPE = { hardware: 1, software: 2 } as const // network 3

export type RouterType = (typeof ROUTER_TYPE)[keyof typeof ROUTER_TYPE]
