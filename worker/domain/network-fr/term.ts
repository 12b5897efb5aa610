const DAY_MS = 86_400_000

/** Days that are left, a begun one counted; 0 once it is over. */
export const daysLeft = (expireAt: number, now: number): number => Math.max(0, Math.ceil((expireAt - now) / DAY_MS))
