const DAY_MS = 86_400_000

/** Whether its areas are out of all documents, or are with the next run of the cron, which sets `lapsed`. */
export const isOver = ({ expireAt, lapsed }: { readonly expireAt: number; readonly lapsed: number }, now: number) =>
  lapsed === 1 || expireAt <= now

/** Days that are left, a begun one counted; 0 once it is over. */
export const daysLeft = (expireAt: number, now: number): number => Math.max(0, Math.ceil((expireAt - now) / DAY_MS))
