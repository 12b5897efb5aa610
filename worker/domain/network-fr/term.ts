const DAY_MS = 86_400_000

export interface Term {
  readonly expireAt: number
  readonly lapsed: number
}

/** True once the term is past or `lapsed` is set. Documents omit its areas by the cron's next run. */
export const isOver = ({ expireAt, lapsed }: Term, now: number): boolean => lapsed === 1 || expireAt <= now

/** Days until then, a begun one counted; 0 once it is past. */
export const daysUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / DAY_MS))

/** The same until a resource is over. */
export const daysLeft = (term: Term, now: number): number => (isOver(term, now) ? 0 : daysUntil(term.expireAt, now))
