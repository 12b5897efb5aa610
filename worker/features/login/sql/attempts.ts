import { type SQL, and, eq, gt, lt, or, sql } from 'drizzle-orm'
import type { Results } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import {
  type Origin,
  hasWideBlock,
  recordAccountFailure,
  recordAddressFailure,
  undoAddressFailure,
} from '#features/verify/sql/failures.ts'
import { deleteAttempts, isWithinLimit, recordAttempt, undoAttempt } from '#db/rate-limit.ts'
import { attempts } from '#db/schema/accounts.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { isCaptchaValid } from '#features/verify/sql/codes.ts'

/* Counters of failed sign-ins, by person and by address. */

const PAUSE_MS = LOGIN_GUARD.pauseMinutes * 60_000

/** Key of failed sign-ins: the person under any name, or else the unknown name; known only in the statement. */
export const signInKey = (who: SQL | string): SQL => sql`${'login:'} || ${who}`

/** Keys of the counters that pause a person at an address. */
const pauseKeys = (who: SQL | string, { ipBlock, ipWideBlock }: Origin) => ({
  atAddress: sql`${'login:'} || ${who} || ${`:${ipBlock}`}`,
  inWideBlock: sql`${'login:'} || ${who} || ${`:${ipWideBlock}`}`,
})

/**
 * Counts a sign-in before its password is checked, so that parallel ones gain nothing. A wrong captcha counts against the
 * address only.
 */
export function recordSignIn(db: Db, { who, origin, captcha, now }: RecordedSignIn) {
  const keys = pauseKeys(who, origin)
  const isRead = captcha ? isCaptchaValid(captcha.uniqid, captcha.answer, now) : sql`true`
  const isIgnored = sql`not ${isRead} or not ${isWithinLimit(keys.atAddress, LOGIN_GUARD.failures)}`
  return {
    ...recordAddressFailure(db, origin, now),
    atAddress: recordAttempt(db, keys.atAddress, PAUSE_MS, now, isRead),
    inWideBlock: hasWideBlock(origin) && recordAttempt(db, keys.inWideBlock, PAUSE_MS, now, isRead),
    account: recordAccountFailure(db, signInKey(who), now, isIgnored),
  }
}

/** Counters that pause a person at an address, with their limits. */
export const pausesOf = (found: Pick<Results<ReturnType<typeof recordSignIn>>, 'atAddress' | 'inWideBlock'>) => [
  { attempts: found.atAddress[0], limit: LOGIN_GUARD.failures },
  { attempts: found.inWideBlock?.[0], limit: LOGIN_GUARD.failuresPerWideBlock },
]

interface RecordedSignIn {
  readonly who: SQL | string
  readonly origin: Origin
  /** Absent if no captcha is required. */
  readonly captcha?: { readonly uniqid: string; readonly answer: string }
  readonly now: number
}

/** Takes back the count of a successful sign-in, and ends the pauses of this person at this address. */
export const forgiveSignIn = (db: Db, who: string, origin: Origin) => undoCounters(db, who, origin, deleteAttempts)

/** Takes back the count of a sign-in whose password was not checked. */
export const undoSignIn = (db: Db, who: SQL | string, origin: Origin) => undoCounters(db, who, origin, undoAttempt)

/** Forgets the failures of a person at every address, after the password was replaced. */
export const forgetFailures = (db: Db, who: string) => {
  const key = `login:${who}`
  return db
    .delete(attempts)
    .where(or(eq(attempts.key, key), and(gt(attempts.key, `${key}:`), lt(attempts.key, `${key};`))))
}

/** Takes back the counters of a sign-in. `resetPause` applies to those that pause this person at this address. */
function undoCounters(
  db: Db,
  who: SQL | string,
  origin: Origin,
  resetPause: typeof undoAttempt | typeof deleteAttempts,
) {
  const keys = pauseKeys(who, origin)
  return {
    ...undoAddressFailure(db, origin),
    atAddress: resetPause(db, keys.atAddress),
    inWideBlock: hasWideBlock(origin) && resetPause(db, keys.inWideBlock),
    account: undoAttempt(db, signInKey(who)),
  }
}
