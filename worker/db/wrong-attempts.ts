import { sql } from 'drizzle-orm'
import { batch } from './batch.ts'
import type { Db } from './client.ts'
import type { Statement } from './driver.ts'
import { isBelow, pauseStatement, recordAttempt, selectAttempts } from './rate-limit.ts'

/* Wrong attempts of an address, counted for its block and, in IPv6, for its /48. */

export interface AddressGuard {
  /** Begins the keys of the counters. */
  readonly name: string
  readonly perAddress: number
  readonly perWideAddress: number
  readonly windowMs: number
}

interface Origin {
  readonly ipBlock: string
  readonly ipWideBlock: string
}

const countersOf = ({ name, perAddress, perWideAddress }: AddressGuard, { ipBlock, ipWideBlock }: Origin) => ({
  narrow: { key: `${name}:${ipBlock}`, limit: perAddress },
  wide: ipWideBlock !== ipBlock && { key: `${name}:${ipWideBlock}`, limit: perWideAddress },
})

/** First statements of a call, which refuse it while a counter is full. */
export function pauseStatements(guard: AddressGuard, origin: Origin, now: number): readonly Statement[] {
  const { narrow, wide } = countersOf(guard, origin)
  return [narrow, ...(wide ? [wide] : [])].map(({ key, limit }) => pauseStatement(key, limit, guard.windowMs, now))
}

/**
 * Counts a wrong attempt, and returns the seconds to wait if a counter was full before; 0 otherwise. A full block counts no
 * more, also not for its /48.
 */
export async function countWrong(db: Db, guard: AddressGuard, origin: Origin, now: number): Promise<number> {
  const { narrow, wide } = countersOf(guard, origin)
  const isOpen = isBelow(narrow.key, narrow.limit, now)
  const isWideOpen = wide && sql`${isOpen} and ${isBelow(wide.key, wide.limit, now)}`
  const found = await batch(db, {
    narrow: selectAttempts(db, narrow.key, now),
    wide: wide && selectAttempts(db, wide.key, now),
    ofWide: wide && isWideOpen && recordAttempt(db, wide.key, guard.windowMs, now, isWideOpen),
    ofNarrow: recordAttempt(db, narrow.key, guard.windowMs, now, isOpen),
  })
  const full = [
    ...found.narrow.filter(({ count }) => count >= narrow.limit),
    ...(found.wide ?? []).filter(({ count }) => wide && count >= wide.limit),
  ]
  return Math.ceil(Math.max(0, ...full.map(({ windowEnd }) => windowEnd - now)) / 1000)
}
