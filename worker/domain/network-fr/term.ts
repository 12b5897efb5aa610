const DAY_MS = 86_400_000

export interface Term {
  readonly expireAt: number
  readonly lapsed: number
}

/** Whether its areas are out of all documents, or are with the next run of the cron, which sets `lapsed`. */
export const isOver = ({ expireAt, lapsed }: Term, now: number): boolean => lapsed === 1 || expireAt <= now

/** Days until then, a begun one counted; 0 once it is past. */
export const daysUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / DAY_MS))

/** The same until a resource is over. */
export const daysLeft = (term: Term, now: number): number => (isOver(term, now) ? 0 : daysUntil(term.expireAt, now))
