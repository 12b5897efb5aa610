/** Rates of calls. The limits of sign-ins, codes and addresses are in limits.ts. */

/** Writes a minute of one session and of one person with all sessions, and how often a configuration is pushed or a device asked. */
export const WRITE_BUDGET = { limit: 60, windowMs: 60_000 } as const
export const PERSON_WRITE_BUDGET = { limit: 180, windowMs: 60_000 } as const
export const IMPACT_RATE = { limit: 60, windowMs: 60_000 } as const // network/impact of one session
export const RESEND_RATE = { limit: 1, windowMs: 30_000 } as const // all members of one network
export const ROUTER_RATE = { limit: 1, windowMs: 5_000 } as const // of one router, each kind of call
