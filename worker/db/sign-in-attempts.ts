import { type SQL, sql } from 'drizzle-orm'
import { violation } from '../contract/errors.ts'
import { LOGIN_GUARD, LOGIN_WORK } from '../contract/limits.ts'
import { isCaptchaValid } from './captchas.ts'
import type { Db } from './client.ts'
import { guard } from './guard.ts'
import { countOf, deleteAttempts, isWithinLimit, recordAttempt, undoAttempt } from './rate-limit.ts'

const PAUSE_MS = LOGIN_GUARD.pauseMinutes * 60_000
const ACCOUNT_MS = LOGIN_WORK.accountHours * 3_600_000

interface Origin {
  readonly ipBlock: string
  readonly ipWideBlock: string
}
/** Failed sign-ins of an address and of its /48; the same where it has none. */
interface Counts {
  readonly address: number
  readonly wideBlock: number
}
interface AllCounts extends Counts {
  readonly account: number
}

/** Keys of the counters. `who` is a person, whatever name was typed, or else the name: not known before the statement runs. */
const keysOf = (who: SQL | string, { ipBlock, ipWideBlock }: Origin) => ({
  address: `login-ip:${ipBlock}`,
  wideBlock: `login-ip:${ipWideBlock}`,
  account: sql`${'login:'} || ${who}`,
  atAddress: sql`${'login:'} || ${who} || ${`:${ipBlock}`}`,
  inWideBlock: sql`${'login:'} || ${who} || ${`:${ipWideBlock}`}`,
})

const hasWideBlock = ({ ipBlock, ipWideBlock }: Origin): boolean => ipBlock !== ipWideBlock

/** Failures that count against whoever signs in from there. */
export const selectFailures = (db: Db, origin: Origin, now: number, who: SQL | string = '') => {
  const { address, wideBlock, account } = keysOf(who, origin)
  return db.all<[number, number, number]>(sql`
    select ${countOf(address, now)} as address, ${countOf(wideBlock, now)} as wide_block,
      ${countOf(account, now)} as account`)
}

/**
 * Counts one sign-in before its password is looked at, so that parallel ones gain nothing. Without the work that the
 * counters ask for, the batch is refused and nothing counts. A wrong captcha counts against the address only.
 */
export function recordSignIn(db: Db, { who, origin, allowed, captcha, now }: RecordedSignIn) {
  const keys = keysOf(who, origin)
  const isRead = isCaptchaValid(captcha.uniqid, captcha.answer, now)
  const isLookedAt = sql`${isRead} and ${isWithinLimit(keys.atAddress, LOGIN_GUARD.failures)}`
  const isWide = hasWideBlock(origin)
  const isWorkDone = sql`${countOf(keys.address, now)} < ${allowed.address}
    and ${countOf(keys.wideBlock, now)} < ${allowed.wideBlock} and ${countOf(keys.account, now)} < ${allowed.account}`
  return {
    work: guard(db, isWorkDone, violation('WORK_REQUIRED')),
    byAddress: recordAttempt(db, keys.address, PAUSE_MS, now),
    byWideBlock: isWide && recordAttempt(db, keys.wideBlock, PAUSE_MS, now),
    atAddress: recordAttempt(db, keys.atAddress, PAUSE_MS, now, isRead),
    inWideBlock: isWide && recordAttempt(db, keys.inWideBlock, PAUSE_MS, now, isRead),
    account: recordAttempt(db, keys.account, ACCOUNT_MS, now, isLookedAt),
  }
}

interface RecordedSignIn {
  readonly who: SQL | string
  readonly origin: Origin
  /** Failures that the work done allows (domain/login/work.ts). */
  readonly allowed: AllCounts
  readonly captcha: { readonly uniqid: string; readonly answer: string }
  readonly now: number
}

/** Undoes a sign-in that succeeded; the pauses of this person and address end. */
export const forgiveSignIn = (db: Db, who: string, origin: Origin) => undoCounters(db, who, origin, deleteAttempts)

/** Undoes a sign-in whose password was not checked. */
export const undoSignIn = (db: Db, who: SQL | string, origin: Origin) => undoCounters(db, who, origin, undoAttempt)

/** `resetPause` is applied to the counters that pause this person at this address. */
function undoCounters(
  db: Db,
  who: SQL | string,
  origin: Origin,
  resetPause: typeof undoAttempt | typeof deleteAttempts,
) {
  const keys = keysOf(who, origin)
  const isWide = hasWideBlock(origin)
  return {
    byAddress: undoAttempt(db, keys.address),
    byWideBlock: isWide && undoAttempt(db, keys.wideBlock),
    atAddress: resetPause(db, keys.atAddress),
    inWideBlock: isWide && resetPause(db, keys.inWideBlock),
    account: undoAttempt(db, keys.account),
  }
}
